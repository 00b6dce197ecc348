import { withinBounds } from '../base/deadline.ts'
import { receivePaystackCallback } from '../payments/receive-callback.ts'
import type { CallbackParts } from './callback-places.ts'
import { readRaw } from './pipeline/body.ts'
import { sourceIpOf, userAgentOf } from './pipeline/caller.ts'
import { Refusal } from './pipeline/refusal.ts'
import type { AnswerCallback } from './pipeline/request.ts'
import { checkHead } from './pipeline/request-head.ts'
import { detachedBounds } from './pipeline/request-limits.ts'

const received = JSON.stringify({ received: true })

/**
 * Returns the handler of payment provider callbacks. The endpoint is not part of the API contract: the provider defines
 * its format, and a signature replaces the token. A repeated callback gets the same response as a new one.
 */
export function createAnswerCallback(
  context: Parameters<typeof receivePaystackCallback>[0],
  { trustedProxies, clientWaits, requestLimits, places }: CallbackParts,
): AnswerCallback {
  return async (incoming, merchantId, requestId) => {
    checkHead(incoming)
    const signature = incoming.headers['x-paystack-signature']
    const sourceIp = sourceIpOf(incoming, trustedProxies)
    const body = await readRaw(incoming, clientWaits)
    const outcome = await places.run(sourceIp, () =>
      withinBounds(detachedBounds(requestLimits), () =>
        receivePaystackCallback(context, {
          merchantId,
          body,
          signature: typeof signature === 'string' ? signature : '',
          sourceIp,
          requestId,
          userAgent: userAgentOf(incoming),
        }),
      ),
    )
    // Callbacks for an unknown merchant, without a configured provider key or with a wrong signature get the same
    // response.
    if (outcome.is === 'not_signed')
      throw new Refusal('invalid_signature', 'The signature of the callback is missing or invalid.')
    return { status: 200, body: received }
  }
}
