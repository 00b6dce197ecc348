import { z } from 'zod'
import type { CallbackReading, CarrierAccount, RawCallback } from './carrier.ts'
import { fezStatus, isUnpaidAtFez } from './fez-texts.ts'
import { callbackKey, isSigned, jsonOf } from './signatures.ts'

const Text = z.union([z.string().min(1).max(200), z.number().transform(String)])
const maybeText = Text.optional().catch(undefined)

const CallbackBody = z.object({ orderNumber: Text, status: Text, signature: maybeText, timestamp: maybeText })

/**
 * Reads a callback from Fez. The documentation has unsigned callbacks `{orderNumber, status}`, which only trigger a
 * poll. One known client verifies an HMAC-SHA256 of order number, status and timestamp. Fez does not document where a
 * callback contains the signature and the timestamp. They are therefore read from the body and from headers with the
 * usual names, and the signature is assumed to be in hex. A signature that is present must be valid.
 */
export function readFezCallback(
  { credentials: { secretKey } }: CarrierAccount,
  { body, headers }: RawCallback,
): CallbackReading {
  const callback = CallbackBody.safeParse(jsonOf(body)).data
  if (callback === undefined) return { is: 'hint', orders: [] }
  const { orderNumber, status } = callback
  const order = { carrierReference: orderNumber }
  const signature = callback.signature ?? headers['x-fez-signature'] ?? headers['x-signature'] ?? headers.signature
  const timestamp = callback.timestamp ?? headers['x-fez-timestamp'] ?? headers['x-timestamp'] ?? headers.timestamp
  if (secretKey === undefined || signature === undefined || timestamp === undefined)
    return { is: 'hint', orders: [order] }
  const content = `${orderNumber}${status}${timestamp}`
  if (!isSigned({ hash: 'sha256', secret: secretKey, content, signature })) return { is: 'rejected' }
  const tracking = {
    status: fezStatus(status),
    carrierStatus: status,
    isUnpaid: isUnpaidAtFez(status),
    // Fez does not document the meaning of the timestamp, so it is only used as part of the signed text.
    at: undefined,
    position: undefined,
    courier: undefined,
    dropoffAt: undefined,
    proof: [],
  }
  return { is: 'trusted', events: [{ order, tracking, dedupeKey: callbackKey(Buffer.from(content)) }] }
}
