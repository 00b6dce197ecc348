import { marketingChannels } from '../../../registry/customers/customer.ts'
import { html, type Markup, nothing } from '../../markup/markup.ts'
import {
  badge,
  code,
  count,
  dateTime,
  empty,
  facts,
  money,
  type RecordActions,
  recordHeading,
  section,
  table,
} from '../../markup/parts.ts'
import { type AfterSale, listCustomerAfterSales } from '../../store/customers/customer-after-sales.ts'
import { listListedOrders } from '../../store/orders/listed-orders.ts'
import type { ReplyOf } from '../kit/call.ts'
import { emailLink, phoneLinks } from '../kit/contact.ts'
import type { Content } from '../kit/content.ts'
import { backLink, link, mainLink, withQuery } from '../kit/parts.ts'
import { page } from '../kit/route.ts'
import { may, read, type Visit } from '../kit/visit.ts'
import { newOrderPath } from '../orders/editor/new-form.ts'
import { orderBadge, paymentTone } from '../orders/tone.ts'
import { refundTone } from '../refunds/tone.ts'
import { returnTone } from '../returns/tone.ts'
import { addressSection } from './address-section.ts'
import { channelNames } from './fields.ts'
import { customerPaths } from './paths.ts'

type Customer = ReplyOf<'getCustomer'>

const shownOrders = '10'

export const customerPage = page({
  path: '/customers/{id}',
  permission: 'customers:read',
  show: async (visit, { id }): Promise<Content> => {
    const customer = await read(visit, 'getCustomer', { params: { id } })
    const { database } = visit.context
    const [orders, afterSales] = await Promise.all([
      read(visit, 'listOrders', { query: { customerId: id, limit: shownOrders } }),
      listCustomerAfterSales(database, visit.tenant.merchantId, customer.id),
    ])
    const isAnonymised = customer.status === 'anonymised'
    const state = isAnonymised ? badge('anonymised', 'quiet') : nothing
    const main = html`${backLink(customerPaths.list, 'All customers')}${recordHeading(customer.name, state, actions(visit, customer))}
${overview(customer)}
${section('Orders', await orderTable(visit, orders), orders.pagination.hasMore ? allOrders(customer) : nothing)}
${afterSales.length === 0 ? nothing : section('Refunds and returns', afterSaleTable(afterSales))}
${isAnonymised ? nothing : addressSection(visit, customer)}`
    return { title: customer.name, main }
  },
})

function actions(visit: Visit, { id, status }: Customer): RecordActions {
  const isActive = status === 'active'
  const isSeller = isActive && may(visit, 'orders:write')
  const main = isSeller
    ? mainLink(withQuery(newOrderPath, { customerId: id }), 'New order for this customer')
    : undefined
  if (!may(visit, 'customers:write')) return { main, more: [] }
  const path = `${customerPaths.list}/${id}`
  const changes = isActive ? [link(`${path}/edit`, 'Edit'), link(`${path}/anonymise`, 'Anonymise')] : []
  return { main, more: [...changes, link(`${path}/delete`, 'Delete')] }
}

function overview(customer: Customer): Markup {
  const { status, email, phone, ordersCount, totalSpentKobo, lastOrderAt, tags, note, externalReference } = customer
  const consents = marketingChannels.filter((channel) => customer.marketing[channel].granted)
  return facts([
    ...(status === 'anonymised' ? [] : [['E-mail', emailLink(email)] as const]),
    ...optional('Phone', phone, phoneLinks),
    ['Orders', html`${ordersCount === 0 ? 'none' : count(ordersCount)}<small>without cancelled orders</small>`],
    ...(totalSpentKobo === 0 ? [] : [['Spent', html`${money(totalSpentKobo)}<small>${spentMeaning}</small>`] as const]),
    ...optional('Last order', lastOrderAt, dateTime),
    ...(tags.length === 0 ? [] : [['Tags', tags.join(', ')] as const]),
    ...optional('Internal note', note, (text) => text),
    ...(consents.length === 0
      ? []
      : [['Consents to marketing by', consents.map((channel) => channelNames[channel]).join(', ')] as const]),
    ...optional('Your reference', externalReference, code),
    ['Customer since', dateTime(customer.createdAt)],
    ['Id', code(customer.id)],
  ])
}

/**
 * Explains the total that a customer has spent. It differs from the sales reports, which also deduct refunds that are
 * not paid yet.
 */
const spentMeaning = 'payments minus the refunds that were paid, also of cancelled orders'

function optional<Value>(
  name: string,
  value: Value | null,
  show: (value: Value) => Markup | string,
): readonly (readonly [string, Markup | string])[] {
  return value === null ? [] : [[name, show(value)]]
}

function allOrders({ id }: Customer): Markup {
  return link(`/orders?customerId=${id}`, 'All orders')
}

async function orderTable({ context, tenant }: Visit, { data }: ReplyOf<'listOrders'>): Promise<Markup> {
  const ids = data.map(({ id }) => id)
  const orders = await listListedOrders(context.database, tenant.merchantId, ids)
  if (orders.length === 0) return empty('This customer has no orders.')
  return table('Newest orders', orders, [
    { title: 'Order', cell: ({ id, number }) => link(`/orders/${id}`, number), phone: 'title' },
    { title: 'Status', cell: ({ status, shipments }) => orderBadge(status, shipments), phone: 'state' },
    { title: 'Total', cell: ({ totalKobo }) => money(totalKobo), isNumber: true, phone: 'detail' },
    {
      title: 'Payment',
      cell: ({ paymentStatus }) => badge(paymentStatus, paymentTone[paymentStatus]),
      phone: 'detail',
    },
    { title: 'Created', cell: ({ createdAt }) => dateTime(createdAt), phone: 'detail' },
  ])
}

function afterSaleTable(afterSales: readonly AfterSale[]): Markup {
  return table('Newest refunds and returns', afterSales, [
    {
      title: 'Record',
      cell: ({ kind, id }) => (kind === 'refund' ? link(`/refunds/${id}`, 'Refund') : link(`/returns/${id}`, 'Return')),
      phone: 'title',
    },
    { title: 'Order', cell: ({ orderId, orderNumber }) => link(`/orders/${orderId}`, orderNumber), phone: 'detail' },
    {
      title: 'Amount',
      cell: ({ amountKobo }) => (amountKobo === null ? nothing : money(amountKobo)),
      isNumber: true,
      phone: 'detail',
    },
    {
      title: 'Status',
      cell: (row) =>
        row.kind === 'refund' ? badge(row.status, refundTone[row.status]) : badge(row.status, returnTone[row.status]),
      phone: 'state',
    },
    { title: 'Created', cell: ({ createdAt }) => dateTime(createdAt), phone: 'detail' },
  ])
}
