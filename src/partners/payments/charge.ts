import type { PaymentMethod } from '../../../registry/orders/order-states.ts'
import type { OrderId, Timestamp } from '../../../registry/values/vocabulary.ts'
import type { PaymentReport } from './provider.ts'

/** A charge that names an order and has an amount in kobo. The order may not exist. */
export interface Charge {
  readonly is: 'charged'
  readonly orderId: OrderId
  readonly reference: string
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
  /** The amount in kobo. Null if it is unknown or in another currency. */
  readonly amountKobo: number | null
  readonly paidAt: Timestamp | null
}

/**
 * Decides whether a charge can be recorded, by what its provider reports. Callbacks and the daily comparison both decide
 * here, so a charge whose callback is lost has the same effect.
 */
export function chargeOf({
  reference,
  amountKobo,
  currency,
  method,
  paidAt,
  orderId,
}: PaymentReport): Charge | (UnmatchedCharge & { readonly reference: string }) {
  const unmatched = { is: 'unmatched', reference, amountKobo: null, paidAt: paidAt ?? null } as const
  if (currency === undefined) return { ...unmatched, reason: 'unreadable' }
  // A payment in another currency than naira is not recorded, because its amount is not in kobo.
  if (currency !== 'NGN') return { ...unmatched, reason: 'currency' }
  if (amountKobo === undefined || amountKobo <= 0) return { ...unmatched, reason: 'unreadable' }
  if (orderId === undefined) return { ...unmatched, reason: 'no_order', amountKobo }
  return { is: 'charged', orderId, reference, amountKobo, method, paidAt }
}
