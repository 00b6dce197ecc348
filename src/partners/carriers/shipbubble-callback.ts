import { z } from 'zod'
import type { CallbackReading, CarrierAccount, RawCallback } from './carrier.ts'
import { Label, trackingOfLabel } from './shipbubble-labels.ts'
import { shipbubbleStatus } from './shipbubble-texts.ts'
import { callbackKey, isSigned, jsonOf } from './signatures.ts'

const sha256HexLength = 64

const Event = z.looseObject({ event: z.string() })

/**
 * `x-ship-signature` is the hex HMAC of the raw body, keyed with the account's API key. Shipbubble's current
 * documentation names SHA-512 as the hash function, and its OpenAPI document names SHA-256. The length of the signature
 * shows which one was used.
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
  const event = Event.safeParse(jsonOf(body)).data
  if (event === undefined) return { is: 'trusted', events: [] }
  const isCancelled = event.event === 'shipment.cancelled'
  // If a callback event has no status, the event's name implies the status.
  const label = Label.safeParse({ ...event, status: event.status ?? (isCancelled ? 'cancelled' : event.event) }).data
  if (label === undefined) return { is: 'trusted', events: [] }
  const tracking = trackingOfLabel(label)
  const status = isCancelled ? shipbubbleStatus('cancelled') : tracking.status
  const order = { carrierReference: label.order_id }
  return { is: 'trusted', events: [{ order, tracking: { ...tracking, status }, dedupeKey: callbackKey(body) }] }
}
