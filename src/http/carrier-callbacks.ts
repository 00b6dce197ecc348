import type { IncomingHttpHeaders } from 'node:http'
import { withinBounds } from '../base/deadline.ts'
import { receiveCarrierCallback } from '../logistics/callbacks/receive-callback.ts'
import type { LogisticsContext } from '../logistics/carriers/context.ts'
import type { CallbackParts } from './callback-places.ts'
import { readRaw } from './pipeline/body.ts'
import { sourceIpOf, userAgentOf } from './pipeline/caller.ts'
import { Refusal } from './pipeline/refusal.ts'
import type { AnswerCarrierCallback } from './pipeline/request.ts'
import { checkHead } from './pipeline/request-head.ts'
import { detachedBounds } from './pipeline/request-limits.ts'

const received = JSON.stringify({ received: true })

/**
 * Returns the handler of carrier callbacks. The endpoint is not part of the API contract: the carrier defines its format,
 * and a signature replaces the token. A repeated callback gets the same response as a new one.
 */
export function createAnswerCarrierCallback(
  context: LogisticsContext,
  { trustedProxies, clientWaits, requestLimits, places }: CallbackParts,
): AnswerCarrierCallback {
  return async (incoming, { carrier, key }, requestId) => {
    checkHead(incoming)
    const sourceIp = sourceIpOf(incoming, trustedProxies)
    const body = await readRaw(incoming, clientWaits)
    const outcome = await places.run(sourceIp, () =>
      withinBounds(detachedBounds(requestLimits), () =>
        receiveCarrierCallback(context, {
          carrier,
          key,
          body,
          headers: singleHeaders(incoming.headers),
          sourceIp,
          requestId,
          userAgent: userAgentOf(incoming),
        }),
      ),
    )
    // An unknown account, an unknown carrier and a wrong signature get the same response.
    if (outcome.is === 'not_signed')
      throw new Refusal('invalid_signature', 'The signature of the callback is missing or invalid.')
    return { status: 200, body: received }
  }
}

/**
 * Joins the values of repeated headers. Carriers repeat none of the headers that they define, so this affects standard
 * headers only.
 */
function singleHeaders(headers: IncomingHttpHeaders): Readonly<Record<string, string | undefined>> {
  const entries = Object.entries(headers).map(([name, value]) => [
    name,
    Array.isArray(value) ? value.join(', ') : value,
  ])
  return Object.fromEntries(entries)
}
