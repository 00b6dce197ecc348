import type { Endpoint } from '../../../registry/kit/endpoint.ts'
import type { RequestBounds } from '../../base/deadline.ts'
import { dispatchResponseMs } from '../../logistics/shipments/leases.ts'
import { onGoneOf } from './read.ts'
import type { ValidRequest } from './request.ts'
import type { RequestLimits } from './request-limits.ts'

/**
 * Returns the time limits of a valid request. A request that calls carriers or payment providers gets the time limit of
 * a dispatch in addition to the usual one, because it runs SQL statements before and after the call. A long poll gets
 * the time of its `wait` parameter in addition.
 */
export function boundsOf(
  limits: RequestLimits,
  { callsPartners }: Pick<Endpoint, 'callsPartners'>,
  { message, queryValues, spentMs }: Pick<ValidRequest, 'message' | 'queryValues' | 'spentMs'>,
): RequestBounds {
  const waitsMs = callsPartners === true ? dispatchResponseMs : Number(queryValues.wait ?? 0) * 1000
  const extraMs = waitsMs - spentMs
  return { queuedMs: limits.queuedMs + extraMs, totalMs: limits.totalMs + extraMs, onDisconnect: onGoneOf(message) }
}
