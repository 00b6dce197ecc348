import { html, type Markup } from '../../markup/markup.ts'
import { badge, code, facts, heading, money, section, time } from '../../markup/parts.ts'
import { listOrderHistory } from '../../store/orders/order-history.ts'
import type { ReplyOf } from '../kit/call.ts'
import type { Content } from '../kit/content.ts'
import { link } from '../kit/parts.ts'
import { page } from '../kit/route.ts'
import { read } from '../kit/visit.ts'
import { orderActions } from './actions.ts'
import { buyerLinkSection } from './buyer-links.ts'
import { itemTable } from './items.ts'
import { paymentLinkSection } from './payment-link.ts'
import { paymentTable, refundTable, shipmentTable } from './related.ts'
import { timeline } from './timeline.ts'
import { fulfillmentTone, orderBadge, paymentTone } from './tone.ts'

type Order = ReplyOf<'getOrder'>

/**
 * Maximum number of payments and of refunds on the page of an order, the largest page size of the API. The pages that
 * list payments and refunds show all of them.
 */
const relatedMax = '100'

/** The dashboard page of an order with its items, payments, refunds, shipments and history. */
export const orderPage = page({
  path: '/orders/{id}',
  permission: 'orders:read',
  show: async (visit, { id }): Promise<Content> => {
    const order = await read(visit, 'getOrder', { params: { id } })
    const query = { orderId: id, limit: relatedMax }
    const [payments, refunds, history, paymentLink] = await Promise.all([
      read(visit, 'listPayments', { query }),
      read(visit, 'listRefunds', { query }),
      listOrderHistory(visit.context.database, { merchantId: visit.tenant.merchantId, orderId: order.id }),
      paymentLinkSection(visit, order),
    ])
    const records = { order, payments: payments.data, refunds: refunds.data, history }
    const main = html`${heading(order.number, html`${orderBadge(order.status, order.shipments)} ${orderActions(visit, order)}`)}
${overview(order)}
${section('Items', itemTable(order.items))}
${section('Totals', totals(order))}
${paymentLink}
${buyerLinkSection(visit, order)}
${section('Payments', paymentTable(visit, payments.data, history))}
${section('Refunds', refundTable(refunds.data))}
${section('Shipments', shipmentTable(order.shipments))}
${section('History', timeline(visit, records))}`
    return { title: order.number, main, isLive: true }
  },
})

function overview(order: Order): Markup {
  const { customer, cancelReason, cancelNote, expiresAt } = order
  const name = customer.id === null ? customer.name : link(`/orders?customerId=${customer.id}`, customer.name)
  return facts([
    ['Id', code(order.id)],
    ['Customer', html`${name}<small>${customer.email}</small><small>${customer.phone ?? 'no phone number'}</small>`],
    ['Payment', badge(order.paymentStatus, paymentTone[order.paymentStatus])],
    ['Fulfilment', badge(order.fulfillmentStatus, fulfillmentTone[order.fulfillmentStatus])],
    ['Payment method', order.paymentMethod.replaceAll('_', ' ')],
    ...optional('Receipt number', order.receiptNumber, String),
    ['Created', time(order.createdAt)],
    ['Updated', time(order.updatedAt)],
    ...optional('Expires unless paid', expiresAt, time),
    ...optional('Shipping address', order.shippingAddress, addressOf),
    ...optional('Billing address', order.billingAddress, addressOf),
    ['Source', order.source],
    ...optional('Exchange of', order.exchangeOfReturnId, (id) => link(`/returns/${id}`, code(id))),
    ...optional('Your reference', order.externalReference, code),
    ...optional('Internal note', order.note, (text) => text),
    ...optional('Note from the customer', order.customerNote, (text) => text),
    ...optional(
      'Cancelled because',
      cancelReason,
      (reason) => html`${reason.replaceAll('_', ' ')} ${cancelNote ?? ''}`,
    ),
    ...(order.tags.length === 0 ? [] : [['Tags', order.tags.join(', ')] as const]),
  ])
}

function optional<Value>(
  name: string,
  value: Value | null,
  show: (value: Value) => Markup | string,
): readonly (readonly [string, Markup | string])[] {
  return value === null ? [] : [[name, show(value)]]
}

function addressOf(address: NonNullable<Order['shippingAddress']>): string {
  return Object.values(address)
    .filter((part) => typeof part === 'string')
    .join(', ')
}

function totals(order: Order): Markup {
  const tax = order.taxInclusive ? 'VAT included' : 'VAT'
  return facts([
    ['Subtotal', money(order.subtotalKobo)],
    ['Discounts', html`${money(order.discountKobo)} ${order.discounts.map(({ code: each }) => code(each))}`],
    ['Shipping', money(order.shippingKobo)],
    [tax, money(order.taxKobo)],
    ['Total', money(order.totalKobo)],
    ['Paid', money(order.paidKobo)],
    ['Refunded', money(order.refundedKobo)],
    ['Refunds in progress', money(order.refundPendingKobo)],
    ['Refundable', money(order.refundableKobo)],
    ['Due', money(order.balanceKobo)],
  ])
}
