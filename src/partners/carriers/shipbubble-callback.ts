import { z } from 'zod'
import type { CallbackReading, CarrierAccount, RawCallback } from './carrier.ts'
import { Label, trackingOfLabel } from './shipbubble-labels.ts'
import { shipbubbleStatus } from './shipbubble-texts.ts'
import { callbackKey, isSigned, jsonOf } from './signatures.ts'

const sha256HexLength = 64

const Event = z.looseObject({ event: z.string() })

/**
 * `x-ship-signature` is the HMAC of the raw bytes, keyed with the account’s API key, in hex. The current documents say
 * SHA-512, its OpenAPI document SHA-256: the length of the value tells which.
 */
export function readShipbubbleCallback(
  { credentials }: CarrierAccount,
  { body, headers }: RawCallback,
): CallbackReading {
  const { apiKey: secret } = credentials
  const signature = headers['x-ship-signature']
  const hash = signature?.trim().length === sha256HexLength ? 'sha256' : 'sha512'
  if (secret === undefined || signature === undefined || !isSigned({ hash, secret, content: body, signature })) {
    return { is: 'rejected' }
  }
  const told = Event.safeParse(jsonOf(body)).data
  if (told === undefined) return { is: 'trusted', events: [] }
  const isCancelled = told.event === 'shipment.cancelled'
  // The event’s name says it too, so a state that is missing beside it is no loss.
  const label = Label.safeParse({ ...told, status: told.status ?? (isCancelled ? 'cancelled' : told.event) }).data
  if (label === undefined) return { is: 'trusted', events: [] }
  const tracking = trackingOfLabel(label)
  const status = isCancelled ? shipbubbleStatus('cancelled') : tracking.status
  const order = { carrierReference: label.order_id }
  return { is: 'trusted', events: [{ order, tracking: { ...tracking, status }, dedupeKey: callbackKey(body) }] }
}
