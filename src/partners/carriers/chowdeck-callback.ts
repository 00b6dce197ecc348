import { z } from 'zod'
import type { CallbackReading, CarrierAccount, RawCallback } from './carrier.ts'
import { chowdeckCategory } from './chowdeck-texts.ts'
import { lagosMoment } from './moments.ts'
import { callbackKey, isSigned, jsonOf } from './signatures.ts'

const Name = z
  .union([z.string().min(1).max(200), z.int().transform(String)])
  .nullish()
  .catch(null)

/**
 * Chowdeck documents only the names of the two fields with the order's references. The name of the field with the
 * timestamp is assumed.
 */
const CallbackBody = z.object({
  category: z.string(),
  payload: z.looseObject({ id: Name, reference: Name, updated_at: z.string().nullish().catch(null) }),
})

/** `x-chowdeck-signature` is the hex HMAC-SHA256 of the raw body, keyed with the webhook secret. */
export function readChowdeckCallback(
  { credentials: { webhookSecret } }: CarrierAccount,
  { body, headers }: RawCallback,
): CallbackReading {
  const signature = headers['x-chowdeck-signature']
  const isTrusted =
    webhookSecret !== undefined &&
    signature !== undefined &&
    isSigned({ hash: 'sha256', secret: webhookSecret, content: body, signature })
  if (webhookSecret !== undefined && !isTrusted) return { is: 'rejected' }
  const read = CallbackBody.safeParse(jsonOf(body))
  if (!read.success) return isTrusted ? { is: 'trusted', events: [] } : { is: 'hint', orders: [] }
  const { category, payload } = read.data
  const order = {
    ...(typeof payload.id === 'string' ? { carrierReference: payload.id } : {}),
    ...(typeof payload.reference === 'string' ? { reference: payload.reference } : {}),
  }
  const orders = Object.keys(order).length === 0 ? [] : [order]
  // Without the webhook secret the sender cannot be authenticated, so the callback only triggers a poll.
  if (!isTrusted) return { is: 'hint', orders }
  const tracking = {
    status: chowdeckCategory(category),
    carrierStatus: category,
    at: lagosMoment(payload.updated_at),
    position: undefined,
    courier: undefined,
    dropoffAt: undefined,
    proof: [],
  }
  return { is: 'trusted', events: orders.map((named) => ({ order: named, tracking, dedupeKey: callbackKey(body) })) }
}
