import { dueKoboOf } from '../../registry/orders/due.ts'
import type { Order } from '../../registry/orders/order.ts'
import type { PaymentSummary } from '../../registry/orders/payments.ts'
import type { Refund } from '../../registry/refunds/refund.ts'
import { refundsUnderWay } from '../../registry/refunds/refund-states.ts'
import type { Timestamp } from '../../registry/values/vocabulary.ts'
import { html, type Markup, nothing } from '../markup/markup.ts'
import { type Column, count, facts, money, section, table, time } from '../markup/parts.ts'
import { methodWords } from './words.ts'

export interface Receipt {
  readonly number: number
  readonly issuedAt: Timestamp
  readonly order: Order
  readonly payments: Latest<PaymentSummary>
  readonly refunds: Latest<Refund>
}

/** The latest payments or refunds that the receipt lists, and whether the order has earlier ones. */
export interface Latest<Row> {
  readonly rows: readonly Row[]
  readonly hasMore: boolean
}

export function receiptContent({ number, issuedAt, order, payments, refunds }: Receipt): Markup {
  const shown = refundsOf(refunds)
  return html`${facts([
    ['Receipt number', String(number)],
    ['Issued', time(issuedAt)],
    ['Order', order.number],
    ['Customer', order.customer.name],
  ])}
${order.status === 'cancelled' ? html`<p class="status">The order was cancelled.</p>` : nothing}
${section('Items', itemTable(order.items))}
${section('Amounts', amounts(order))}
${section('Payments', payments.rows.length === 0 ? html`<p>No payment was due.</p>` : html`${paymentTable(payments.rows)}${limitOf(payments)}`)}
${shown.rows.length === 0 ? nothing : section('Refunds', html`${refundTable(shown.rows)}${limitOf(shown)}`)}
${section('Balance', balance(order, payments.rows))}`
}

/**
 * Returns the refunds for the receipt: those that succeeded or are in progress, but not those that failed or were
 * cancelled.
 */
function refundsOf({ rows, hasMore }: Latest<Refund>): Latest<Refund> {
  const shown = rows.filter(({ status }) => status === 'succeeded' || refundsUnderWay.includes(status))
  return { rows: shown, hasMore }
}

function limitOf({ rows, hasMore }: Latest<unknown>): Markup {
  return hasMore ? html`<p class="hint">Only the latest ${count(rows.length)} are shown.</p>` : nothing
}

function itemTable(items: Order['items']): Markup {
  return table('Items', items, [
    { title: 'Item', cell: (item) => html`${item.title}<small>${item.variantTitle}</small>${changesOf(item)}` },
    { title: 'Quantity', cell: ({ quantity }) => count(quantity), isNumber: true },
    { title: 'Unit price', cell: ({ unitPriceKobo }) => money(unitPriceKobo), isNumber: true },
    { title: 'Amount', cell: ({ subtotalKobo }) => money(subtotalKobo), isNumber: true },
  ])
}

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

function reversalOf(payment: PaymentSummary): Markup {
  if (payment.voidedAt !== null) return html`<small>voided, not received</small>`
  if (payment.disputeLostKobo > 0) return html`<small>${money(payment.disputeLostKobo)} returned by the bank</small>`
  return payment.disputedAt === null ? nothing : html`<small>disputed</small>`
}

const vat: Column<Refund> = { title: 'VAT contained', cell: ({ taxKobo }) => money(taxKobo), isNumber: true }

function refundTable(refunds: readonly Refund[]): Markup {
  return table('Refunds', refunds, [
    { title: 'Date', cell: ({ succeededAt, createdAt }) => time(succeededAt ?? createdAt) },
    { title: 'Status', cell: ({ status, creditedOrderId }) => refundWords(status, creditedOrderId !== null) },
    ...(refunds.some(({ taxKobo }) => taxKobo > 0) ? [vat] : []),
    { title: 'Amount', cell: ({ amountKobo }) => money(amountKobo), isNumber: true },
  ])
}

function refundWords(status: Refund['status'], isCredited: boolean): string {
  if (status !== 'succeeded') return 'In progress'
  return isCredited ? 'Credited to an exchange' : 'Refunded'
}

function balance(order: Order, payments: readonly PaymentSummary[]): Markup {
  const { paidKobo, refundedKobo, refundPendingKobo, balanceKobo } = order
  const disputed = payments.filter(({ disputedAt, disputeLostKobo }) => disputedAt !== null && disputeLostKobo === 0)
  return facts([
    ['Paid', money(paidKobo)],
    ['Refunded', money(refundedKobo)],
    ...sumRow('Refunds in progress', [refundPendingKobo]),
    ...sumRow(
      'Returned by the bank',
      payments.map(({ disputeLostKobo }) => disputeLostKobo),
    ),
    ...sumRow(
      'Disputed',
      disputed.map(({ amountKobo }) => amountKobo),
    ),
    ...(balanceKobo < 0 ? [['Paid in excess of the total', money(-balanceKobo)] as const] : []),
    ['Still due', html`<strong>${money(dueKoboOf(order))}</strong>`],
  ])
}

function sumRow(title: string, amountsKobo: readonly number[]): readonly (readonly [string, Markup])[] {
  const sumKobo = amountsKobo.reduce((sum, amountKobo) => sum + amountKobo, 0)
  return sumKobo === 0 ? [] : [[title, money(sumKobo)]]
}
