import { dueKoboOf } from '../../../registry/orders/due.ts'
import { html, type Markup, nothing } from '../../markup/markup.ts'
import { badge, code, dateTime, facts, money, recordHeading, section } from '../../markup/parts.ts'
import { listOrderHistory } from '../../store/orders/order-history.ts'
import { listUnitsUnderReturn } from '../../store/returns/return-writes.ts'
import type { ReplyOf } from '../kit/call.ts'
import type { Content } from '../kit/content.ts'
import { type Draft, newDraft } from '../kit/draft.ts'
import { restNote } from '../kit/next-note.ts'
import { backLink, link } from '../kit/parts.ts'
import { page } from '../kit/route.ts'
import { read, type Visit } from '../kit/visit.ts'
import { orderActions } from './actions.ts'
import { buyerLinkSection } from './buyer-links.ts'
import { cashCarriersOf } from './cash-carriers.ts'
import { commentForm } from './comment-form.ts'
import { itemTable } from './items.ts'
import { currentLink, paymentLinkSection } from './payment-link.ts'
import { paymentTable, refundTable, shipmentTable } from './related.ts'
import { timeline } from './timeline.ts'
import { fulfillmentTone, orderBadge, paymentTone } from './tone.ts'

type Order = ReplyOf<'getOrder'>

/**
 * Maximum number of payments and of refunds on the page of an order, the largest page size of the API. The pages that
 * list payments and refunds show all of them.
 */
const relatedMax = '100'

export const orderPage = page({
  path: '/orders/{id}',
  permission: 'orders:read',
  show: (visit, { id }) => orderContent(visit, id, newDraft()),
})

/** `comment` contains the values and the problems of the form that adds a comment. */
export async function orderContent(visit: Visit, id: string, comment: Draft): Promise<Content> {
  const order = await read(visit, 'getOrder', { params: { id } })
  const query = { orderId: id, limit: relatedMax }
  const key = { merchantId: visit.tenant.merchantId, orderId: order.id }
  const isSent = order.items.some(({ fulfilledQuantity }) => fulfilledQuantity > 0)
  const [payments, refunds, history, paymentLink, underReturn] = await Promise.all([
    read(visit, 'listPayments', { query }),
    read(visit, 'listRefunds', { query }),
    listOrderHistory(visit.context.database, key),
    currentLink(visit, order),
    isSent ? listUnitsUnderReturn(visit.context.database, key) : [],
  ])
  const carriers = await cashCarriersOf(visit, payments.data)
  const records = { order, payments: payments.data, refunds: refunds.data, history, carriers }
  const actions = orderActions(visit, order, { hasOpenLink: paymentLink?.status === 'open', underReturn })
  const main = html`${backLink('/orders', 'All orders')}${recordHeading(order.number, orderBadge(order.status, order.shipments), actions)}
${actions.main === undefined ? nothingToDo(order) : nothing}
<div class="split"><div>${section('Items', itemTable(order.items))}</div><div>${section('Money', ledger(order))}</div></div>
${overview(order)}
${paymentLinkSection(order, paymentLink)}
${order.shipments.length === 0 ? nothing : section('Shipments', shipmentTable(order.shipments))}
${payments.data.length === 0 ? nothing : section('Payments', paymentTable(visit, payments.data, { history, carriers }))}
${refunds.data.length === 0 ? nothing : section('Refunds', refundTable(order, refunds.data, history))}
${buyerLinkSection(visit, order)}
${commentForm(visit, order, comment)}
${section('History', timeline(visit, records))}`
  return { title: order.number, main, isLive: comment.problems.length === 0 }
}

/** States that nothing is left to do for a cancelled or returned order, unless money can still be refunded. */
function nothingToDo({ status, refundableKobo }: Order): Markup {
  if ((status !== 'cancelled' && status !== 'returned') || refundableKobo > 0) return nothing
  return restNote(`Nothing to do: the order is ${status}, and nothing is left to refund.`)
}

function overview(order: Order): Markup {
  const { customer, cancelReason, cancelNote, expiresAt } = order
  const name = customer.id === null ? customer.name : link(`/customers/${customer.id}`, customer.name)
  const phone =
    customer.phone === null ? nothing : html`<small><a href="tel:${customer.phone}">${customer.phone}</a></small>`
  return facts([
    ['Customer', html`${name}${phone}<small><a href="mailto:${customer.email}">${customer.email}</a></small>`],
    ...optional('Shipping address', order.shippingAddress, addressOf),
    ...optional('Note from the customer', order.customerNote, (text) => text),
    ...optional('Internal note', order.note, (text) => text),
    ['Payment', badge(order.paymentStatus, paymentTone[order.paymentStatus])],
    ['Fulfilment', badge(order.fulfillmentStatus, fulfillmentTone[order.fulfillmentStatus])],
    ['Payment method', order.paymentMethod.replaceAll('_', ' ')],
    ...optional('Receipt number', order.receiptNumber, String),
    ['Created', dateTime(order.createdAt)],
    ['Updated', dateTime(order.updatedAt)],
    ...optional('Expires unless paid', expiresAt, dateTime),
    ...optional('Billing address', order.billingAddress, addressOf),
    ['Source', order.source],
    ...optional('Exchange of', order.exchangeOfReturnId, (id) => link(`/returns/${id}`, code(id))),
    ...optional('Your reference', order.externalReference, code),
    ...optional(
      'Cancelled because',
      cancelReason,
      (reason) => html`${reason.replaceAll('_', ' ')} ${cancelNote ?? ''}`,
    ),
    ...(order.tags.length === 0 ? [] : [['Tags', order.tags.join(', ')] as const]),
    ['Id', code(order.id)],
  ])
}

function optional<Value>(
  name: string,
  value: Value | null,
  show: (value: Value) => Markup | string,
): readonly (readonly [string, Markup | string])[] {
  return value === null ? [] : [[name, show(value)]]
}

/** Returns an address in the order in which a rider reads it. */
function addressOf(address: NonNullable<Order['shippingAddress']>): string {
  const { recipientName, line1, line2, landmark, area, city, state, instructions, phone } = address
  const parts = [recipientName, line1, line2, landmark, area, city, state, phone, instructions].filter(
    (part) => part !== null,
  )
  return [...new Set(parts)].join(', ')
}

/** The amount due comes first. Amounts of zero are left out. */
function ledger(order: Order): Markup {
  const { taxInclusive, taxKobo } = order
  const dueKobo = dueKoboOf(order)
  const codes = order.discounts.map(({ code: each }) => each ?? '').filter((each) => each !== '')
  const discounts = codes.length === 0 ? 'Discounts' : `Discounts ${codes.join(', ')}`
  const rows: readonly (readonly [name: string, kobo: number, isMain?: true])[] = [
    ['Items', order.subtotalKobo],
    [discounts, -order.discountKobo],
    ['Delivery', order.shippingKobo],
    ...(taxInclusive ? [] : [['VAT', taxKobo] as const]),
    ['Total', order.totalKobo, true],
    ['Paid', -order.paidKobo],
    ['Refunded', order.refundedKobo],
    ['Refunds in progress', order.refundPendingKobo],
    ['Can be refunded', order.refundableKobo],
    ...(taxInclusive ? [['VAT in the total', taxKobo] as const] : []),
  ]
  const row = ([name, kobo, isMain]: (typeof rows)[number]) =>
    html`<div${isMain ? html` class="sum"` : nothing}><dt>${name}</dt><dd>${money(kobo)}</dd></div>`
  const first =
    dueKobo > 0
      ? html`<div class="sum due"><dt>Due</dt><dd>${money(dueKobo)}</dd></div>`
      : html`<div class="sum"><dt>Due</dt><dd>nothing</dd></div>`
  return html`<dl class="ledger">${first}${rows.filter(([, kobo]) => kobo !== 0).map(row)}</dl>`
}
