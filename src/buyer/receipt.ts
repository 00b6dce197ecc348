import type { Order } from '../../registry/orders/order.ts'
import type { PaymentSummary } from '../../registry/orders/payments.ts'
import type { Refund } from '../../registry/refunds/refund.ts'
import { refundsUnderWay } from '../../registry/refunds/refund-states.ts'
import type { Timestamp } from '../../registry/values/vocabulary.ts'
import { html, type Markup, nothing } from '../markup/markup.ts'
import { count, facts, money, section, table, time } from '../markup/parts.ts'
import { methodWords } from './words.ts'

/** The content of a receipt: what was sold, its VAT, how it was paid, and what was refunded or is still due. */

export interface Receipt {
  readonly number: number
  readonly issuedAt: Timestamp
  readonly order: Order
  readonly payments: readonly PaymentSummary[]
  readonly refunds: readonly Refund[]
}

export function receiptContent({ number, issuedAt, order, payments, refunds }: Receipt): Markup {
  const shown = refunds.filter(({ status }) => status === 'succeeded' || refundsUnderWay.includes(status))
  return html`${facts([
    ['Receipt number', count(number)],
    ['Date of payment', time(issuedAt)],
    ['Order', order.number],
    ['Customer', order.customer.name],
  ])}
${order.status === 'cancelled' ? html`<p class="status">The order was cancelled.</p>` : nothing}
${section('Items', itemTable(order.items))}
${section('Amounts', amounts(order))}
${section('Payments', payments.length === 0 ? html`<p>No payment was due.</p>` : paymentTable(payments))}
${shown.length === 0 ? nothing : section('Refunds', refundTable(shown))}
${section('Balance', balance(order))}`
}

function itemTable(items: Order['items']): Markup {
  return table('Items', items, [
    { title: 'Item', cell: (item) => html`${item.title}<small>${item.variantTitle}</small>${changesOf(item)}` },
    { title: 'Quantity', cell: ({ quantity }) => count(quantity), isNumber: true },
    { title: 'Unit price', cell: ({ unitPriceKobo }) => money(unitPriceKobo), isNumber: true },
    { title: 'Amount', cell: ({ subtotalKobo }) => money(subtotalKobo), isNumber: true },
  ])
}

/** Shows how many units of an item were cancelled or returned after the order. */
function changesOf({ cancelledQuantity, returnedQuantity }: Order['items'][number]): Markup {
  const changes = [
    ...(cancelledQuantity === 0 ? [] : [`${count(cancelledQuantity)} cancelled`]),
    ...(returnedQuantity === 0 ? [] : [`${count(returnedQuantity)} returned`]),
  ]
  return changes.length === 0 ? nothing : html`<small>${changes.join(', ')}</small>`
}

function amounts(order: Order): Markup {
  const { discounts, discountKobo, shippingKobo, totalKobo } = order
  const codes = discounts.map(({ code }) => code).join(', ')
  return facts([
    ['Subtotal', money(order.subtotalKobo)],
    ...(discountKobo === 0 ? [] : [['Discounts', html`${money(-discountKobo)}<small>${codes}</small>`] as const]),
    ['Shipping', money(shippingKobo)],
    [vatTitle(order), vatOf(order)],
    ['Total', html`<strong>${money(totalKobo)}</strong>`],
  ])
}

function vatTitle({ taxInclusive, taxKobo }: Order): string {
  return taxInclusive && taxKobo > 0 ? 'VAT contained in the total' : 'VAT'
}

function vatOf({ taxKobo, taxRateBps, items }: Order): Markup {
  if (taxRateBps === 0) return html`No VAT is charged.`
  const exempt = items.filter((item) => item.taxRateBps === 0).map(({ title }) => title)
  const note = exempt.length === 0 ? nothing : html`<small>No VAT on: ${exempt.join(', ')}</small>`
  return html`${money(taxKobo)} <small>at ${taxRateBps / basisPointsPerPercent} %</small>${note}`
}

const basisPointsPerPercent = 100

function paymentTable(payments: readonly PaymentSummary[]): Markup {
  return table('Payments', payments, [
    { title: 'Date', cell: ({ paidAt }) => time(paidAt) },
    {
      title: 'Method',
      cell: ({ method, refundId }) => (refundId === null ? methodWords[method] : 'Credit of an exchange'),
    },
    { title: 'Reference', cell: ({ reference }) => reference },
    { title: 'Amount', cell: (payment) => html`${money(payment.amountKobo)}${reversalOf(payment)}`, isNumber: true },
  ])
}

/** Shows that a payment was voided, or that the bank returned it to its payer. */
function reversalOf({ voidedAt, disputeLostKobo }: PaymentSummary): Markup {
  if (voidedAt !== null) return html`<small>voided, not received</small>`
  return disputeLostKobo === 0 ? nothing : html`<small>${money(disputeLostKobo)} returned by the bank</small>`
}

function refundTable(refunds: readonly Refund[]): Markup {
  return table('Refunds', refunds, [
    { title: 'Date', cell: ({ succeededAt, createdAt }) => time(succeededAt ?? createdAt) },
    { title: 'Status', cell: ({ status, creditedOrderId }) => refundWords(status, creditedOrderId !== null) },
    { title: 'Amount', cell: ({ amountKobo }) => money(amountKobo), isNumber: true },
  ])
}

function refundWords(status: Refund['status'], isCredited: boolean): string {
  if (status !== 'succeeded') return 'In progress'
  return isCredited ? 'Credited to an exchange' : 'Refunded'
}

function balance({ paidKobo, refundedKobo, refundPendingKobo, balanceKobo, status }: Order): Markup {
  const dueKobo = status === 'cancelled' ? 0 : Math.max(0, balanceKobo)
  return facts([
    ['Paid', money(paidKobo)],
    ['Refunded', money(refundedKobo)],
    ...(refundPendingKobo === 0 ? [] : [['Refunds in progress', money(refundPendingKobo)] as const]),
    ...(balanceKobo < 0 ? [['Paid in excess of the total', money(-balanceKobo)] as const] : []),
    ['Still due', html`<strong>${money(dueKobo)}</strong>`],
  ])
}
