import { closestMatch } from 'leven'
import { apiRoot } from '../../../registry/kit/endpoint.ts'
import type { Operation } from '../../operations/execute/operation.ts'
import { Refusal } from '../../operations/execute/refusal.ts'
import type { Route } from './exchange.ts'
import { malformedTarget, pathOf } from './request-head.ts'

/** Returns the route of the requests that no other route matches. */
export function unknownRoute(operations: readonly Operation[]): Route {
  return {
    operation: 'none',
    answer: async ({ message }) => {
      const path = pathOf(message)
      if (path === undefined) throw malformedTarget('The request target or the Host header is invalid.')
      throw routeRefusal(operations, message.method ?? '', readable(path))
    },
  }
}

/** Decodes a path for an error message. A path that is not valid percent-encoded UTF-8 is returned unchanged. */
function readable(path: string): string {
  try {
    return decodeURI(path)
  } catch {
    return path
  }
}

/** Returns the refusal of an unknown path or method, with the most similar path or the allowed methods. */
function routeRefusal(operations: readonly Operation[], method: string, path: string): Refusal {
  const allowed = methodsAt(operations, (template) => patternOf(template).test(path))
  const shown = path.slice(0, shownMax)
  if (allowed.length > 0) {
    const message = `${shown} does not support ${method}. Allowed methods: ${allowed.join(', ')}.`
    return new Refusal('method_not_allowed', message, { headers: { Allow: allowed.join(', ') } })
  }
  const nearest = nearestPath(operations, path)
  if (nearest === undefined) return new Refusal('route_not_found', `No operation has the path ${shown}.`)
  const methods = methodsAt(operations, (template) => template === nearest)
  const hint = `Did you mean ${apiRoot}${nearest}? It supports ${methods.join(', ')}.`
  return new Refusal('route_not_found', `No operation has the path ${shown}. ${hint}`)
}

const shownMax = 200

function methodsAt(operations: readonly Operation[], matches: (template: string) => boolean): string[] {
  const methods = operations.filter(({ endpoint }) => matches(endpoint.path)).map(({ endpoint }) => endpoint.method)
  return [...new Set(methods)].sort()
}

function patternOf(path: string): RegExp {
  return new RegExp(`^${apiRoot}${path.replaceAll('.', '\\.').replace(/\{\w+\}/g, '[^/]+')}$`)
}

/**
 * Maximum length of an unknown path that is compared with the known paths to suggest one. Comparing a longer path would
 * take too long, and anyone can request such a path without a token.
 */
const comparedMax = 120

/** Maximum edit distance of a suggested path. It is so small that only a typing error is corrected. */
const editsMax = 3

/** The comparison of paths ignores ids. */
function nearestPath(operations: readonly Operation[], path: string): string | undefined {
  if (path.length > comparedMax) return undefined
  const templates = new Map(operations.map(({ endpoint }) => [withoutNames(endpoint.path), endpoint.path]))
  const sent = withoutIds(withoutRoot(path))
  if (templates.has(sent)) return templates.get(sent)
  const closest = closestMatch(sent, [...templates.keys()], { maxDistance: editsMax })
  return closest === undefined ? undefined : templates.get(closest)
}

/**
 * Removes `/api`, the version and trailing slashes from a requested path, because clients often omit or repeat them.
 */
function withoutRoot(path: string): string {
  const parts = path.split('/').filter((part) => part !== '' && part !== 'api' && !/^v\d+$/.test(part))
  return `/${parts.join('/')}`
}

function withoutNames(template: string): string {
  return template.replace(/\{\w+\}/g, '{}')
}

/** Each path segment with a digit is taken as an id. */
function withoutIds(path: string): string {
  return path
    .split('/')
    .map((part) => (/\d/.test(part) ? '{}' : part))
    .join('/')
}
