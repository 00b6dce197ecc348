import type { Endpoint } from '../kit/endpoint.ts'
import { earliestSunset } from '../values/deprecation.ts'
import { at } from './guard-parts.ts'

/** What the generator takes of operations without a word, where the last or nothing wins. */

export function operationFaults(endpoints: readonly Endpoint[], document: object): string[] {
  return [
    ...sharedIds(endpoints),
    ...sharedPlaces(endpoints),
    ...endpoints.flatMap(pathFaults),
    ...endpoints.flatMap(placeholderFaults),
    ...endpoints.flatMap(deprecationFaults),
    ...endpoints.flatMap((endpoint) => undescribedParameters(endpoint, document)),
  ]
}

function sharedIds(endpoints: readonly Endpoint[]): string[] {
  return [...Map.groupBy(endpoints, ({ id }) => id)]
    .filter(([, sharers]) => sharers.length > 1)
    .map(([id]) => `Several operations have the id ${id}. Clients name their methods by it: give each its own.`)
}

/** Two paths that differ in the names of their placeholders only are one place for a router. */
function sharedPlaces(endpoints: readonly Endpoint[]): string[] {
  return [...Map.groupBy(endpoints, ({ method, path }) => `${method} ${path.replace(/\{\w+\}/g, '{}')}`)]
    .filter(([, sharers]) => sharers.length > 1)
    .map(([place, sharers]) => {
      const ids = sharers.map(({ id }) => id).join(' and ')
      return `${ids} are both at ${place}, and only the last would be written. Give each its own method and path.`
    })
}

const pathPattern = /^(\/([a-z0-9][a-z0-9.-]*|\{[a-z][A-Za-z0-9]*\}))+$/

function pathFaults({ id, path }: Endpoint): string[] {
  if (pathPattern.test(path)) return []
  return [`${id} has the path ${path}. Write lower-case segments, and parameters in braces as in /orders/{id}.`]
}

function placeholderFaults({ id, path, params }: Endpoint): string[] {
  const named = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? '')
  const described = Object.keys(params?.shape ?? {})
  return [
    ...named
      .filter((name) => !described.includes(name))
      .map((name) => `${id} has {${name}} in its path and no such params. Describe it in params.`),
    ...described
      .filter((name) => !named.includes(name))
      .map(
        (name) =>
          `${id} describes the path parameter ${name}, which ${path} does not have. Remove one or add the other.`,
      ),
  ]
}

/** Those who build on an operation were promised time to leave it. */
function deprecationFaults({ id, deprecated }: Endpoint): string[] {
  if (deprecated === undefined) return []
  const wrong = [deprecated.since, deprecated.sunset ?? deprecated.since].filter((day) => !isDay(day))
  if (wrong.length > 0) return [`${id} is deprecated with the day ${wrong[0]}. Write days as 2027-09-01.`]
  if (deprecated.sunset === undefined) return []
  const earliest = earliestSunset(deprecated.since)
  if (deprecated.sunset >= earliest) return []
  return [`${id} is deprecated since ${deprecated.since} and may not go before ${earliest}. Move its sunset.`]
}

/** Days are compared as texts, which holds only where each has all its digits. */
function isDay(text: string): boolean {
  return /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text))
}

function undescribedParameters(endpoint: Endpoint, document: object): string[] {
  const parameters = at(document, 'paths', endpoint.path, endpoint.method.toLowerCase(), 'parameters')
  if (!Array.isArray(parameters)) return []
  return parameters
    .filter((parameter) => !at(parameter, 'description'))
    .map((parameter) => `${endpoint.id} does not say what ${at(parameter, 'name')} is. Add .meta({ description }).`)
}
