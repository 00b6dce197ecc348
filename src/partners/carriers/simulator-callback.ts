import { createHmac, timingSafeEqual } from 'node:crypto'
import { z } from 'zod'
import { type TestCarrierCode, testCarriers } from '../../../registry/service/test-carriers.ts'
import type { CallbackReading, CarrierAccount, RawCallback } from './carrier.ts'
import { Order, trackingOf } from './simulator-reading.ts'

/** One of the simulated carriers does not sign its callbacks, so they only trigger a poll of the order. */
export function readSimulatorCallback(
  company: TestCarrierCode,
  { credentials }: CarrierAccount,
  { body, headers }: RawCallback,
): CallbackReading {
  const isHint = testCarriers[company].callbacks === 'unsigned'
  if (!isHint && !isSigned(body, headers['simulator-signature'], credentials.callbackSecret)) return { is: 'rejected' }
  const read = Callback.safeParse(parsed(body))
  if (!read.success || read.data.company !== company) return isHint ? { is: 'hint', orders: [] } : unreadable
  const { order } = read.data
  const name = { carrierReference: order.number, reference: order.reference }
  if (isHint) return { is: 'hint', orders: [name] }
  // A simulated order has each status at most once, so the order number and the status identify the callback event.
  const dedupeKey = `${order.number} ${order.status}`
  return { is: 'trusted', events: [{ order: name, tracking: trackingOf(order), dedupeKey }] }
}

const Callback = z.object({ company: z.string(), order: Order })

/** The callback was authenticated, but its content cannot be parsed. */
const unreadable: CallbackReading = { is: 'trusted', events: [] }

/** Verifies the hex HMAC-SHA256 signature of a raw body in constant time. */
function isSigned(body: Uint8Array, signature: string | undefined, secret: string | undefined): boolean {
  if (signature === undefined || secret === undefined) return false
  const expected = createHmac('sha256', secret).update(body).digest()
  const given = Buffer.from(signature, 'hex')
  return given.length === expected.length && timingSafeEqual(given, expected)
}

function parsed(body: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(body).toString())
  } catch {
    return undefined
  }
}
