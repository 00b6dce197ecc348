import type { Endpoint } from '../kit/endpoint.ts'
import { earliestSunset } from '../values/deprecation.ts'
import { at } from './guard-parts.ts'

/** Returns the faults that the OpenAPI generator does not report, such as two operations with the same id. */
export function operationFaults(endpoints: readonly Endpoint[], document: object): string[] {
  return [
    ...duplicateIds(endpoints),
    ...duplicateRoutes(endpoints),
    ...endpoints.flatMap(pathFaults),
    ...endpoints.flatMap(placeholderFaults),
    ...endpoints.flatMap(deprecationFaults),
    ...endpoints.flatMap((endpoint) => undescribedParameters(endpoint, document)),
  ]
}

function duplicateIds(endpoints: readonly Endpoint[]): string[] {
  return [...Map.groupBy(endpoints, ({ id }) => id)]
    .filter(([, sharers]) => sharers.length > 1)
    .map(
      ([id]) =>
        `Several operations have the id ${id}. Client methods are named after the id: give each operation its own id.`,
    )
}

/** Paths that differ only in the names of placeholders are the same route. */
function duplicateRoutes(endpoints: readonly Endpoint[]): string[] {
  return [...Map.groupBy(endpoints, ({ method, path }) => `${method} ${path.replace(/\{\w+\}/g, '{}')}`)]
    .filter(([, sharers]) => sharers.length > 1)
    .map(([route, sharers]) => {
      const ids = sharers.map(({ id }) => id).join(' and ')
      return `The operations ${ids} are both at ${route}, and the OpenAPI document would contain only the last one. Give each operation its own method and path.`
    })
}

const pathPattern = /^(\/([a-z0-9][a-z0-9.-]*|\{[a-z][A-Za-z0-9]*\}))+$/

function pathFaults({ id, path }: Endpoint): string[] {
  if (pathPattern.test(path)) return []
  return [`${id} has the path ${path}. Use lower-case segments, and parameters in braces as in /orders/{id}.`]
}

function placeholderFaults({ id, path, params }: Endpoint): string[] {
  const named = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? '')
  const described = Object.keys(params?.shape ?? {})
  return [
    ...named
      .filter((name) => !described.includes(name))
      .map((name) => `${id} has {${name}} in its path, but its params do not describe it. Describe it in params.`),
    ...described
      .filter((name) => !named.includes(name))
      .map(
        (name) =>
          `${id} describes the path parameter ${name}, which ${path} does not have. Remove the parameter, or add it to the path.`,
      ),
  ]
}

function deprecationFaults({ id, deprecated }: Endpoint): string[] {
  if (deprecated === undefined) return []
  const wrong = [deprecated.since, deprecated.sunset ?? deprecated.since].filter((day) => !isDay(day))
  if (wrong.length > 0) return [`${id} is deprecated with the invalid day ${wrong[0]}. Write days as 2027-09-01.`]
  if (deprecated.sunset === undefined) return []
  const earliest = earliestSunset(deprecated.since)
  if (deprecated.sunset >= earliest) return []
  return [
    `${id} is deprecated since ${deprecated.since} and cannot be removed before ${earliest}. Set its sunset to that day or later.`,
  ]
}

/** Requires leading zeros, so that days can be compared as strings. */
function isDay(text: string): boolean {
  return /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text))
}

function undescribedParameters(endpoint: Endpoint, document: object): string[] {
  const parameters = at(document, 'paths', endpoint.path, endpoint.method.toLowerCase(), 'parameters')
  if (!Array.isArray(parameters)) return []
  return parameters
    .filter((parameter) => !at(parameter, 'description'))
    .map((parameter) => `${endpoint.id} does not describe ${at(parameter, 'name')}. Add .meta({ description }).`)
}
