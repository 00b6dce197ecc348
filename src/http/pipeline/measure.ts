import type { MiddlewareHandler } from 'hono'
import type { Meters } from '../../base/meters.ts'

/** Records requests of routes that are no operations of the API. */
export function measure(meters: Meters, operation: string): MiddlewareHandler {
  return async (c, next) => {
    const startedAt = performance.now()
    meters.requestStarted()
    // Hono converts an error to a response before this resolves.
    await next()
    meters.requestEnded({ operation, status: c.res.status, durationMs: performance.now() - startedAt })
  }
}
