import type { PaymentMethod } from '../../../registry/orders/order-states.ts'
import type { OrderId, Timestamp } from '../../../registry/values/vocabulary.ts'
import type { PaymentReport } from './provider.ts'

/** A charge that names an order and has an amount in kobo. The order may not exist. */
export interface Charge {
  readonly is: 'charged'
  readonly orderId: OrderId
  readonly reference: string
  readonly providerId: string | null
  readonly amountKobo: number
  readonly method: PaymentMethod
  readonly paidAt: Timestamp | undefined
}

/** A charge that cannot be recorded for any order. */
export interface UnmatchedCharge {
  readonly is: 'unmatched'
  readonly reason: 'no_order' | 'currency' | 'unreadable'
  /** The provider's reference of the payment. Null if the provider sent none. */
  readonly reference: string | null
  /** The provider's own id of the payment. Null if the provider sent none. */
  readonly providerId: string | null
  /** The order that the charge names. Null if it names none. */
  readonly orderId: OrderId | null
  /** The amount in kobo. Null if it is unknown or in another currency. */
  readonly amountKobo: number | null
  readonly paidAt: Timestamp | null
}

/**
 * Decides whether a charge can be recorded, by what its provider reports. Callbacks and the daily comparison both decide
 * here, so a charge whose callback is lost has the same effect.
 */
export function chargeOf(report: PaymentReport): Charge | UnmatchedCharge {
  const { reference, providerId, amountKobo, currency, method, paidAt, orderId } = report
  const names = { reference, providerId, orderId: orderId ?? null }
  const unmatched = { is: 'unmatched', ...names, amountKobo: null, paidAt: paidAt ?? null } as const
  if (currency === undefined) return { ...unmatched, reason: 'unreadable' }
  // A payment in another currency than naira is not recorded, because its amount is not in kobo.
  if (currency !== 'NGN') return { ...unmatched, reason: 'currency' }
  if (amountKobo === undefined || amountKobo <= 0) return { ...unmatched, reason: 'unreadable' }
  // A payment without a reference is not recorded, because the reference is what makes it unique.
  if (reference === null) return { ...unmatched, reason: 'unreadable', amountKobo }
  if (orderId === undefined) return { ...unmatched, reason: 'no_order', amountKobo }
  return { is: 'charged', orderId, reference, providerId, amountKobo, method, paidAt }
}
