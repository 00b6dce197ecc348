import type { Context, MiddlewareHandler } from 'hono'
import type { Meters } from '../../base/meters.ts'
import { type TracedWork, traced } from '../../base/trace.ts'
import type { Bindings } from './bindings.ts'

/** Records requests of routes that are not API operations in the metrics and traces, all under one name. */
export function measure(meters: Meters, operation: string): MiddlewareHandler<Bindings> {
  return async (c, next) => {
    const startedAt = performance.now()
    meters.requestStarted()
    // If the handler throws an error, Hono has converted it to a response when this call resolves.
    await traced(() => spanOf(c, operation), next)
    meters.requestEnded({ operation, status: c.res.status, durationMs: performance.now() - startedAt })
  }
}

/**
 * The trace span does not contain the path, because paths of the dashboard may contain the secret of a sign-in link.
 */
function spanOf(c: Context<Bindings>, operation: string): TracedWork {
  const { traceparent } = c.env.incoming.headers
  return {
    name: `${c.req.method} ${operation}`,
    kind: 'server',
    attributes: { 'http.request.method': c.req.method, 'commerce.operation': operation },
    parent: { is: 'header', value: typeof traceparent === 'string' ? traceparent : undefined },
    endOf: () => ({ attributes: { 'http.response.status_code': c.res.status }, isFailure: c.res.status >= 500 }),
  }
}
