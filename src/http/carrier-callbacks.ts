import type { IncomingHttpHeaders } from 'node:http'
import { receiveCarrierCallback } from '../logistics/callbacks/receive-callback.ts'
import type { LogisticsContext } from '../logistics/carriers/context.ts'
import { readRaw } from './pipeline/body.ts'
import { sourceIpOf, userAgentOf } from './pipeline/caller.ts'
import { Refusal } from './pipeline/refusal.ts'
import type { AnswerCarrierCallback } from './pipeline/request.ts'
import { checkHead } from './pipeline/request-head.ts'

const received = JSON.stringify({ received: true })

/**
 * Where carriers call back. It is no operation of the contract: its form is the carrier’s, and its proof is a signature
 * instead of a token. A callback that came before is answered like a new one.
 */
export function createAnswerCarrierCallback(context: LogisticsContext, trustedProxies: number): AnswerCarrierCallback {
  return async (incoming, { carrier, key }, requestId) => {
    checkHead(incoming)
    const outcome = await receiveCarrierCallback(context, {
      carrier,
      key,
      body: await readRaw(incoming),
      headers: singleHeaders(incoming.headers),
      sourceIp: sourceIpOf(incoming, trustedProxies),
      requestId,
      userAgent: userAgentOf(incoming),
    })
    // One answer, whether there is no such account, no such carrier, or no such signature.
    if (outcome.is === 'not_signed') throw new Refusal('invalid_signature', 'The callback is not signed as it must be.')
    return { status: 200, body: received }
  }
}

/** No carrier sends a header of its own twice; of one that can be sent so, the values stay together. */
function singleHeaders(headers: IncomingHttpHeaders): Readonly<Record<string, string | undefined>> {
  const entries = Object.entries(headers).map(([name, value]) => [
    name,
    Array.isArray(value) ? value.join(', ') : value,
  ])
  return Object.fromEntries(entries)
}
