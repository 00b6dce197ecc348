import type { OrderStatus } from './order-states.ts'

export const paymentLinkStatuses = ['pending', 'open', 'paid', 'void', 'expired'] as const

export type PaymentLinkStatus = (typeof paymentLinkStatuses)[number]

/**
 * Possible status changes of a payment link. A status with an empty list is final. A void link becomes open again when
 * the amount due for its order equals the amount of the link again, for example because a payment was voided.
 */
export const paymentLinkTransitions = {
  pending: ['open', 'paid'],
  open: ['paid', 'void', 'expired'],
  paid: [],
  void: ['open', 'paid', 'expired'],
  expired: ['paid'],
} as const satisfies Record<PaymentLinkStatus, readonly PaymentLinkStatus[]>

export const paymentLinkVoidReasons = [
  'order_cancelled',
  'order_returned',
  'order_paid',
  'provider_key_replaced',
  'amount_changed',
] as const

export type PaymentLinkVoidReason = (typeof paymentLinkVoidReasons)[number]

export interface PaymentLinkFacts {
  /** Whether the payment provider has created the page of the link. */
  readonly hasPage: boolean
  /** Whether a payment with the reference of the link was recorded. */
  readonly isPaid: boolean
  readonly isExpired: boolean
  readonly amountKobo: number
  readonly orderStatus: OrderStatus
  /** Amount due for the order. */
  readonly orderBalanceKobo: number
  /**
   * Whether the merchant has stored another key of the provider since the link was created. The page of the link may
   * then belong to another account of the merchant.
   */
  readonly isKeyReplaced: boolean
}

export interface PaymentLinkState {
  readonly status: PaymentLinkStatus
  readonly voidReason: PaymentLinkVoidReason | null
}

/**
 * The status depends only on the given facts, such as the payment and the expiry of the link, and not on the sequence
 * in which the facts occurred.
 */
export function paymentLinkStateOf(facts: PaymentLinkFacts): PaymentLinkState {
  if (facts.isPaid) return { status: 'paid', voidReason: null }
  if (!facts.hasPage) return { status: 'pending', voidReason: null }
  if (facts.isExpired) return { status: 'expired', voidReason: null }
  const voidReason = voidReasonOf(facts)
  return { status: voidReason === null ? 'open' : 'void', voidReason }
}

function voidReasonOf(facts: PaymentLinkFacts): PaymentLinkVoidReason | null {
  const { orderStatus, orderBalanceKobo, amountKobo, isKeyReplaced } = facts
  if (orderStatus === 'cancelled') return 'order_cancelled'
  if (orderBalanceKobo <= 0) return 'order_paid'
  if (orderStatus === 'returned') return 'order_returned'
  if (isKeyReplaced) return 'provider_key_replaced'
  return orderBalanceKobo === amountKobo ? null : 'amount_changed'
}
