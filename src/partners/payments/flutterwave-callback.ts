import { createHash, timingSafeEqual } from 'node:crypto'
import { z } from 'zod'
import { chargeOf } from './charge.ts'
import { readFlutterwaveChargeback } from './flutterwave-chargebacks.ts'
import { readFlutterwaveCharge } from './flutterwave-charges.ts'
import { readFlutterwaveRefund } from './flutterwave-refunds.ts'
import { FlutterwaveId, FlutterwaveReference } from './flutterwave-values.ts'
import type { CallbackReport, ReadCallback, SignedCallback } from './provider.ts'

/**
 * Parses Flutterwave's callbacks. The header `verif-hash` contains a secret that the merchant chose, which proves
 * nothing about the body. A callback therefore only names the payment, refund or chargeback to read from the API.
 */

/**
 * Compares the `verif-hash` header of a callback with the merchant's secret hash. A comparison in constant time
 * requires texts of equal length. The function therefore compares the digests of the header and of the secret hash.
 */
export function hasSecretHash({ headers }: SignedCallback, secretHash: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  const isEqual = timingSafeEqual(digest(headers['verif-hash'] ?? ''), digest(secretHash))
  return isEqual && secretHash !== ''
}

const Kind = z.string().regex(/^[\w.-]{1,100}$/)

/**
 * The body of a callback contains the kind of the callback and a data object. The body of a refund callback is the
 * refund itself.
 */
const Event = z.object({ event: Kind, data: z.looseObject({}) })
const RefundEvent = z.looseObject({ id: FlutterwaveId, AmountRefunded: z.unknown(), TransactionId: FlutterwaveId })

export function readFlutterwaveCallback(body: Uint8Array): ReadCallback {
  const content = parsed(body)
  const event = Event.safeParse(content).data
  if (event !== undefined) {
    const paymentReference = FlutterwaveReference.safeParse(event.data.tx_ref).data ?? null
    return { kind: event.event, report: reportOf(event.event, event.data), paymentReference }
  }
  const refund = RefundEvent.safeParse(content).data
  if (refund !== undefined) return { kind: 'refund.updated', report: refundOf(refund), paymentReference: null }
  return { kind: null, report: { is: 'other', reason: 'unreadable' }, paymentReference: null }
}

function parsed(body: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(body).toString('utf8'))
  } catch {
    return undefined
  }
}

function reportOf(event: string, data: object): CallbackReport {
  if (event === 'charge.completed') return chargeReport(data)
  // The merchant is not notified of a chargeback that cannot be parsed, because the callback may be forged. If the
  // chargeback is real, the daily comparison finds it in Flutterwave's list of chargebacks.
  if (event.includes('chargeback')) return readFlutterwaveChargeback(data) ?? { is: 'other', reason: 'unreadable' }
  if (event.startsWith('refund.')) return refundOf(data)
  return { is: 'other', reason: 'kind_not_used' }
}

/** Flutterwave also sends the callback `charge.completed` for a failed charge. */
function chargeReport(data: object): CallbackReport {
  const charge = readFlutterwaveCharge(data)
  return charge.isPaid ? chargeOf(charge) : { is: 'other', reason: 'not_paid' }
}

function refundOf(data: object): CallbackReport {
  const refund = readFlutterwaveRefund(data)
  if (refund === undefined) return { is: 'other', reason: 'unreadable' }
  const { status, reference, refundId, amountKobo } = refund
  // Flutterwave's callback names the payment by Flutterwave's own id, which this service does not store.
  return { is: 'refund_moved', status, reference, refundId, isForeign: false, transaction: undefined, amountKobo }
}
