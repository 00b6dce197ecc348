import { z } from 'zod'
import type { CallbackReading, CarrierAccount, RawCallback } from './carrier.ts'
import { fezStatus, isUnpaidAtFez } from './fez-texts.ts'
import { callbackKey, isSigned, jsonOf } from './signatures.ts'

const Text = z.union([z.string().min(1).max(200), z.number().transform(String)])
const maybeText = Text.optional().catch(undefined)

const News = z.object({ orderNumber: Text, status: Text, signature: maybeText, timestamp: maybeText })

/**
 * By its documents a callback is `{orderNumber, status}` and not signed, so it only says which order to ask for. One
 * client verifies an HMAC-SHA256 of number, status and timestamp. Where these stand is not documented: the body is
 * looked at, and headers of the plain and of the usual names; hex is assumed. A signature that is there must be right.
 */
export function readFezCallback(
  { credentials: { secretKey } }: CarrierAccount,
  { body, headers }: RawCallback,
): CallbackReading {
  const news = News.safeParse(jsonOf(body)).data
  if (news === undefined) return { is: 'hint', orders: [] }
  const { orderNumber, status } = news
  const order = { carrierReference: orderNumber }
  const signature = news.signature ?? headers['x-fez-signature'] ?? headers['x-signature'] ?? headers.signature
  const timestamp = news.timestamp ?? headers['x-fez-timestamp'] ?? headers['x-timestamp'] ?? headers.timestamp
  if (secretKey === undefined || signature === undefined || timestamp === undefined)
    return { is: 'hint', orders: [order] }
  const content = `${orderNumber}${status}${timestamp}`
  if (!isSigned({ hash: 'sha256', secret: secretKey, content, signature })) return { is: 'rejected' }
  const tracking = {
    status: fezStatus(status),
    carrierStatus: status,
    isUnpaid: isUnpaidAtFez(status),
    // What the timestamp means is not documented; it only has to be the one that was signed.
    at: undefined,
    position: undefined,
    courier: undefined,
    dropoffAt: undefined,
    proof: [],
  }
  return { is: 'trusted', events: [{ order, tracking, dedupeKey: callbackKey(Buffer.from(content)) }] }
}
