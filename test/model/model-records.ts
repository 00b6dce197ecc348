import type { OrderStatus } from '../../registry/orders/order-states.ts'

/** The records of the model of a shop, and the actions that change them. */

export interface Shop {
  readonly variants: readonly Variant[]
  /** The orders by the number of the request that created them. The number of a rejected request has no entry. */
  readonly orders: Readonly<Record<number, Order>>
  readonly nowMs: number
}

export interface Variant {
  readonly priceKobo: number
  readonly onHand: number
  readonly reserved: number
}

export interface Line {
  readonly variant: number
  readonly quantity: number
  readonly fulfilled: number
  readonly returned: number
  readonly cancelled: number
}

export interface Order {
  readonly status: OrderStatus
  readonly heldFrom: OrderStatus | null
  readonly lines: readonly Line[]
  readonly totalKobo: number
  readonly paidKobo: number
  readonly refundedKobo: number
  /** Sum of the refunds that the payment provider has not paid yet, in kobo. */
  readonly pendingKobo: number
  readonly expiresMs: number | null
  readonly manual: readonly ManualPayment[]
  /** Oldest first. */
  readonly charges: readonly Charge[]
}

export interface ManualPayment {
  readonly amountKobo: number
  readonly isVoided: boolean
}

/** A charge: a payment that the payment provider received. */
export interface Charge {
  readonly amountKobo: number
  /** The refunds of the payment that have not failed, sorted. */
  readonly refunds: readonly Refund[]
}

/** A refund through the payment provider. */
export interface Refund {
  readonly amountKobo: number
  readonly status: 'pending' | 'submitted' | 'needs_attention' | 'succeeded'
  /** Whether the refund was made in the provider's dashboard, not in this service. */
  readonly isForeign: boolean
}

/** The statuses of a refund that the payment provider reports in callbacks. */
export type ReportedStatus = 'processing' | 'needs-attention' | 'processed' | 'failed'

export type Action =
  | { readonly is: 'order'; readonly slot: number; readonly lines: readonly { variant: number; quantity: number }[] }
  | { readonly is: 'pay'; readonly order: number; readonly amountKobo: number }
  | { readonly is: 'refund'; readonly order: number; readonly amountKobo: number }
  /** Voids a manual payment, given by its position in the list of the order's manual payments. */
  | { readonly is: 'void'; readonly order: number; readonly payment: number }
  /** The provider reports a payment, which may be late, above the amount due, or the second one. */
  | { readonly is: 'charge'; readonly order: number; readonly amountKobo: number }
  /** The merchant refunds a charge in the dashboard of the provider. */
  | { readonly is: 'provider_refund'; readonly order: number; readonly charge: number; readonly amountKobo: number }
  /** The provider reports the status of a submitted refund of a charge. */
  | {
      readonly is: 'refund_status'
      readonly order: number
      readonly charge: number
      readonly refund: Refund
      readonly to: ReportedStatus
    }
  /** Replaces the items of an order. */
  | { readonly is: 'edit'; readonly order: number; readonly lines: readonly { variant: number; quantity: number }[] }
  | { readonly is: 'cancel'; readonly order: number }
  | { readonly is: 'move'; readonly order: number; readonly to: OrderStatus; readonly isRestocked: boolean }
  | { readonly is: 'adjust'; readonly variant: number; readonly delta: number }
  | { readonly is: 'expire'; readonly order: number }

export function at<Item>(items: readonly Item[], index: number): Item {
  const item = items[index]
  if (item === undefined) throw new Error(`There is no item ${index}.`)
  return item
}
