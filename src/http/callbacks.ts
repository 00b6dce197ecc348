import type { IncomingHttpHeaders } from 'node:http'
import { callbackMaxBytes, unsignedCallbackMaxBytes } from '../../registry/values/limits.ts'
import { withinBounds } from '../base/deadline.ts'
import type { ReceivedCallback, ReceiveOutcome } from '../callbacks/receive-callback.ts'
import { receiveCarrierCallback } from '../logistics/callbacks/receive-callback.ts'
import type { LogisticsContext } from '../logistics/carriers/context.ts'
import { Refusal } from '../operations/execute/refusal.ts'
import { detachedBounds, type RequestLimits } from '../operations/execute/request-limits.ts'
import type { PaymentContext } from '../payments/open-key.ts'
import { receivePaymentCallback } from '../payments/receive-callback.ts'
import { readRaw } from './pipeline/body.ts'
import type { ClientWaits } from './pipeline/client-waits.ts'
import type { CallbackRoute } from './pipeline/exchange.ts'
import { checkHead } from './pipeline/request-head.ts'
import { sourceIpOf, userAgentOf } from './pipeline/sender.ts'
import type { Places } from './places.ts'

interface CallbackParts {
  readonly trustedProxies: number
  readonly clientWaits: ClientWaits
  readonly requestLimits: RequestLimits
  readonly places: Places
}

const received = JSON.stringify({ received: true })

interface CallbackContexts {
  /** Undefined in a process without carriers. */
  readonly logistics: LogisticsContext | undefined
  /** Undefined in a process without payment providers. */
  readonly payments: PaymentContext | undefined
}

/**
 * Callbacks are not part of the API contract: the sender defines the format, and a signature replaces the token. A
 * repeated callback gets the same response as a new one.
 */
export function callbackRoutes(parts: CallbackParts, { logistics, payments }: CallbackContexts): CallbackRoute[] {
  const routes: CallbackRoute[] = []
  if (logistics !== undefined) {
    routes.push({
      operation: 'carrier callback',
      template: { method: 'POST', path: '/callbacks/carriers/{carrier}/{key}' },
      answer: answering(parts, callbackMaxBytes, (callback, { carrier = '', key = '' }) =>
        receiveCarrierCallback(logistics, { carrier, key }, callback),
      ),
    })
  }
  if (payments !== undefined) {
    for (const provider of payments.providers.values()) {
      const maxBytes = provider.isBodySigned ? callbackMaxBytes : unsignedCallbackMaxBytes
      routes.push({
        operation: `${provider.name} callback`,
        template: { method: 'POST', path: `/callbacks/${provider.name}/{merchantId}` },
        answer: answering(parts, maxBytes, (callback, { merchantId = '' }) =>
          receivePaymentCallback(payments, provider, merchantId, callback),
        ),
      })
    }
  }
  return routes
}

function answering(
  { trustedProxies, clientWaits, requestLimits, places }: CallbackParts,
  maxBytes: number,
  receive: (callback: ReceivedCallback, params: Readonly<Record<string, string>>) => Promise<ReceiveOutcome>,
): CallbackRoute['answer'] {
  return async (exchange) => {
    const { message, params, requestId } = exchange
    checkHead(message)
    const sourceIp = sourceIpOf(message, trustedProxies)
    const body = await readRaw(exchange, maxBytes, clientWaits)
    const headers = singleHeaders(message.headers)
    const callback = { body, headers, sourceIp, requestId, userAgent: userAgentOf(message) }
    const outcome = await places.run(sourceIp, () =>
      withinBounds(detachedBounds(requestLimits), () => receive(callback, params)),
    )
    // An unknown merchant, account or sender and a wrong signature get the same response.
    if (outcome.is === 'not_signed')
      throw new Refusal('invalid_signature', 'The signature of the callback is missing or invalid.')
    return { status: 200, body: received }
  }
}

/**
 * Joins the values of a repeated header. Carriers and payment providers never repeat their own headers, so only
 * standard headers are joined.
 */
function singleHeaders(headers: IncomingHttpHeaders): Readonly<Record<string, string | undefined>> {
  const entries = Object.entries(headers).map(([name, value]) => [
    name,
    Array.isArray(value) ? value.join(', ') : value,
  ])
  return Object.fromEntries(entries)
}
