import type { IncomingMessage, ServerResponse } from 'node:http'
import { getRequestListener } from '@hono/node-server'
import { METHOD_NAME_ALL } from 'hono/router'
import { TrieRouter } from 'hono/router/trie-router'
import { apiRoot } from '../../registry/kit/endpoint.ts'
import { newId } from '../base/ids.ts'
import type { Operation } from '../operations/execute/operation.ts'
import { allOperations } from '../operations/implementations.ts'
import { browserOf, type Dashboard } from './pipeline/dashboard.ts'
import type { Exchange, Route } from './pipeline/exchange.ts'
import type { Service } from './pipeline/request.ts'
import { pathOf } from './pipeline/request-head.ts'
import { unknownRoute } from './pipeline/route-refusal.ts'
import { serve } from './pipeline/serve.ts'
import { answer } from './pipeline/steps.ts'
import { referenceRoutes } from './reference.ts'

/** Finds the route of a request and sends the response. Rejects only if the response cannot be sent. */
export type App = (message: IncomingMessage, outgoing: ServerResponse) => Promise<void>

/** Unknown paths get an API error. */
export function createApp(
  service: Service,
  operations: readonly Operation[] = allOperations(),
  dashboard?: Dashboard,
): App {
  const router = routerOf(service, operations, dashboard)
  const unknown = unknownRoute(operations)
  return async (message, outgoing) => {
    const path = pathOf(message)
    // A HEAD request is handled like a GET request, because Node.js omits the body of the response to it.
    const method = message.method === 'HEAD' ? 'GET' : (message.method ?? '')
    const found = path === undefined ? undefined : router.match(method, path)[0][0]
    const [route, sent] = found ?? [unknown, {}]
    const params: Record<string, string> = {}
    for (const [name, value] of Object.entries(sent)) {
      const segment = String(value)
      params[name] = segment.includes('%') ? decoded(segment) : segment
    }
    const requestId = newId('req', service.context.clock.nowMs())
    return serve(service, route, { message, outgoing, params, requestId, caller: undefined, headers: {} })
  }
}

function routerOf(service: Service, operations: readonly Operation[], dashboard?: Dashboard): TrieRouter<Route> {
  const router = new TrieRouter<Route>()
  for (const operation of operations) {
    const { id, method, path } = operation.endpoint
    const template = { method, path: apiRoot + path }
    const run = (exchange: Exchange) => answer(service, operation, exchange)
    router.add(method, pattern(template.path), { operation: id, template, answer: run })
  }
  for (const route of service.callbackRoutes) router.add(route.template.method, pattern(route.template.path), route)
  const pages = [...referenceRoutes(service), ...service.buyerPageRoutes]
  for (const { method, path, route } of pages) router.add(method, path, route)
  if (dashboard !== undefined) router.add(METHOD_NAME_ALL, `${dashboard.root}/*`, dashboardRoute(service, dashboard))
  return router
}

/** Converts a path with placeholders to the router's syntax: `{id}` becomes `:id`. */
function pattern(path: string): string {
  return path.replace(/\{(\w+)\}/g, ':$1')
}

/**
 * Decodes a path segment. A segment that is not valid percent-encoded UTF-8 is returned unchanged and matches no id.
 */
function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}

/** The app of the dashboard sends the response itself, so the route returns none. */
function dashboardRoute(service: Service, dashboard: Dashboard): Route {
  return {
    operation: 'dashboard',
    answer: async (exchange) => {
      const pages = await dashboard.load()
      const browser = browserOf(service, exchange)
      await getRequestListener((request) => pages.fetch(request, browser))(exchange.message, exchange.outgoing)
      return undefined
    },
  }
}
