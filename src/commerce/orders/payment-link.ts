import type { PaymentLink } from '../../../registry/orders/payment-links.ts'
import { testPaymentReference } from '../../../registry/service/test-payments.ts'
import type { PaymentProviderName } from '../../../registry/values/payment-providers.ts'
import type { OrderId, PaymentLinkId, Timestamp } from '../../../registry/values/vocabulary.ts'
import { toMs, toTimestamp } from '../../base/clock.ts'
import { newPaymentLinkId } from '../../base/records.ts'
import type { Work } from '../../store/core/mutation.ts'
import { lockOrder } from '../../store/orders/order-writes.ts'
import { findOrder } from '../../store/orders/orders.ts'
import {
  findPaymentLink,
  insertPaymentLink,
  setPaymentLinkUrl,
  showPaymentLink,
  withdrawPaymentLink,
} from '../../store/orders/payment-links.ts'
import { isRedactedEmail } from '../customers/redact-person.ts'

/**
 * Payment links: pages of payment providers on which buyers pay orders. A link is stored with the status pending before
 * the provider is called, so that its reference is sent to the provider at most once. It becomes open when the provider
 * has returned the URL of the page.
 */

const minuteMs = 60_000

/**
 * Milliseconds after which a pending link is treated as interrupted, and is replaced by a new link. No request to a
 * provider takes longer. The URL of an interrupted link was never stored, so no buyer can pay with it.
 */
const pendingMaxMs = 60_000

export interface PaymentLinkRequest {
  /** The connected payment providers. A request for a new link must choose one of them. */
  readonly providers: readonly [PaymentProviderName, ...PaymentProviderName[]]
  /**
   * Whether the payment provider is the simulated one of test mode. Its payment references determine the simulated
   * behaviour of the payment.
   */
  readonly isTest: boolean
  /**
   * When the merchant stored the provider key that is used to create the payment page of a new link. Null in test mode.
   */
  readonly keyUpdatedAt: Timestamp | null
  readonly expiresInMinutes: number
}

export type RequestPaymentLinkOutcome =
  /**
   * The pending link is stored. The caller must now create its payment page at the provider, with this e-mail address
   * of the buyer.
   */
  | { readonly is: 'requested'; readonly link: PaymentLink; readonly email: string }
  | { readonly is: 'existing' | 'in_progress'; readonly link: PaymentLink }
  | { readonly is: 'order_unknown' | 'customer_anonymised' }
  | { readonly is: 'provider_required'; readonly providers: readonly PaymentProviderName[] }
  | { readonly is: 'not_payable'; readonly reason: 'cancelled' | 'returned' | 'expired' | 'paid' }

/** Stores a pending payment link of an order, unless the order has an open or a pending one. */
export async function requestPaymentLink(
  work: Work,
  orderId: OrderId,
  request: PaymentLinkRequest,
): Promise<RequestPaymentLinkOutcome> {
  const { trx, merchantId, now, nowMs } = work
  const key = { merchantId, orderId }
  const [locked, order, current] = await Promise.all([
    lockOrder(trx, merchantId, orderId),
    findOrder(trx, merchantId, orderId),
    findPaymentLink(trx, key),
  ])
  if (locked === undefined || order === undefined) return { is: 'order_unknown' }
  const { expiresAt: orderExpiresAt, balanceKobo: amountKobo } = order
  if (locked.status === 'cancelled' || locked.status === 'returned') return { is: 'not_payable', reason: locked.status }
  if (orderExpiresAt !== null && toMs(orderExpiresAt) <= nowMs) return { is: 'not_payable', reason: 'expired' }
  if (amountKobo <= 0) return { is: 'not_payable', reason: 'paid' }
  const { providers, expiresInMinutes, keyUpdatedAt } = request
  const { email } = order.customer
  if (isRedactedEmail(email)) return { is: 'customer_anonymised' }
  if (current !== undefined) {
    const link = showPaymentLink(current, now)
    const isWanted = providers.some((each) => each === link.provider)
    if (link.status === 'open' && isWanted) return work.abort({ is: 'existing', link })
    const isInterrupted = toMs(link.createdAt) + pendingMaxMs <= nowMs
    if (link.status === 'pending' && !isInterrupted) return work.abort({ is: 'in_progress', link })
  }
  const [provider, ...others] = providers
  if (others.length > 0) return { is: 'provider_required', providers }
  if (current !== undefined) withdrawPaymentLink(trx, { merchantId, id: current.id, now })
  const id = newPaymentLinkId(nowMs)
  const link = {
    ...{ id, orderId, provider, amountKobo, createdAt: now },
    reference: referenceOf(id, amountKobo, request),
    expiresAt: earliest(toTimestamp(nowMs + expiresInMinutes * minuteMs), orderExpiresAt),
  }
  insertPaymentLink(trx, { merchantId, ...link, keyUpdatedAt })
  work.note({ orderId: [null, orderId], provider: [null, link.provider], amountKobo: [null, amountKobo] })
  const shown = { ...link, url: null, currency: 'NGN', status: 'pending', voidReason: null } as const
  return { is: 'requested', link: shown, email }
}

/** Returns the payment reference of a link. Paystack accepts no underscores in a reference. */
function referenceOf(id: PaymentLinkId, amountKobo: number, { isTest }: PaymentLinkRequest): string {
  const [prefix, random = ''] = id.split('_')
  return isTest ? testPaymentReference({ amountKobo, behaviour: 'success' }, random) : `${prefix}-${random}`
}

function earliest(at: Timestamp, other: Timestamp | null): Timestamp {
  return other !== null && toMs(other) < toMs(at) ? other : at
}

/** A pending payment link, with the URL of its payment page if the provider has created the page. */
export interface PageOfLink {
  readonly link: Pick<PaymentLink, 'id' | 'orderId'>
  readonly url: string | undefined
}

export type FinishPaymentLinkOutcome =
  | { readonly is: 'opened'; readonly link: PaymentLink }
  /**
   * The link cannot be used, because the provider created no page, or because the amount due of the order has changed
   * since the link was requested.
   */
  | { readonly is: 'withdrawn' }

/**
 * Opens a pending link if its amount is still due, and otherwise withdraws it. The order is locked, so the amount due
 * cannot change meanwhile. A link that another request has replaced in the meantime stays withdrawn.
 */
export async function finishPaymentLink(work: Work, { link, url }: PageOfLink): Promise<FinishPaymentLinkOutcome> {
  const { trx, merchantId, now } = work
  const { id, orderId } = link
  const [, current] = await Promise.all([
    lockOrder(trx, merchantId, orderId),
    findPaymentLink(trx, { merchantId, orderId }),
  ])
  if (current?.id !== id) return work.abort({ is: 'withdrawn' })
  const opened = showPaymentLink({ ...current, url: url ?? null }, now)
  if (url === undefined || opened.status !== 'open') {
    withdrawPaymentLink(trx, { merchantId, id, now })
    work.note({ withdrawnAt: [null, now] })
    return { is: 'withdrawn' }
  }
  setPaymentLinkUrl(trx, { merchantId, id, url })
  work.note({ status: ['pending', 'open'] })
  return { is: 'opened', link: opened }
}
