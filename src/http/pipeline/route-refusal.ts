import { closestMatch } from 'leven'
import { apiRoot } from '../../../registry/kit/endpoint.ts'
import type { Operation } from './operation.ts'
import { Refusal } from './refusal.ts'

/** What is answered where no operation has the path, or none the method: with the path or the methods that were meant. */
export function routeRefusal(operations: readonly Operation[], method: string, path: string): Refusal {
  const allowed = methodsAt(operations, (template) => patternOf(template).test(path))
  const shown = path.slice(0, shownMax)
  if (allowed.length > 0) {
    const message = `${shown} does not take ${method}. It takes ${allowed.join(', ')}.`
    return new Refusal('method_not_allowed', message, { headers: { Allow: allowed.join(', ') } })
  }
  const nearest = nearestPath(operations, path)
  if (nearest === undefined) return new Refusal('route_not_found', `There is nothing at ${shown}.`)
  const methods = methodsAt(operations, (template) => template === nearest)
  const hint = `Did you mean ${apiRoot}${nearest}? It takes ${methods.join(', ')}.`
  return new Refusal('route_not_found', `There is nothing at ${shown}. ${hint}`)
}

/** Enough to recognise a path by, in a message that is read by people. */
const shownMax = 200

function methodsAt(operations: readonly Operation[], isMeant: (template: string) => boolean): string[] {
  const methods = operations.filter(({ endpoint }) => isMeant(endpoint.path)).map(({ endpoint }) => endpoint.method)
  return [...new Set(methods)].sort()
}

function patternOf(path: string): RegExp {
  return new RegExp(`^${apiRoot}${path.replaceAll('.', '\\.').replace(/\{\w+\}/g, '[^/]+')}$`)
}

/** Longer paths are compared with nothing: anybody may send them, without a token. */
const comparedMax = 120

/** More letters than this is another word, and no slip. */
const slipsMax = 3

/** The path of an operation that was probably meant. Ids are left out of the comparison. */
function nearestPath(operations: readonly Operation[], path: string): string | undefined {
  if (path.length > comparedMax) return undefined
  const templates = new Map(operations.map(({ endpoint }) => [withoutNames(endpoint.path), endpoint.path]))
  const sent = withoutIds(withoutRoot(path))
  if (templates.has(sent)) return templates.get(sent)
  const closest = closestMatch(sent, [...templates.keys()], { maxDistance: slipsMax })
  return closest === undefined ? undefined : templates.get(closest)
}

/** The version and the word before it are often forgotten or doubled, and a slash left at the end. */
function withoutRoot(path: string): string {
  const parts = path.split('/').filter((part) => part !== '' && part !== 'api' && !/^v\d+$/.test(part))
  return `/${parts.join('/')}`
}

function withoutNames(template: string): string {
  return template.replace(/\{\w+\}/g, '{}')
}

/** A part with a digit in it is an id. */
function withoutIds(path: string): string {
  return path
    .split('/')
    .map((part) => (/\d/.test(part) ? '{}' : part))
    .join('/')
}
