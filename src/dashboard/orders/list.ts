import { orderStatuses, paymentStatuses } from '../../../registry/orders/order-states.ts'
import type { OrderId } from '../../../registry/values/vocabulary.ts'
import { html, type Markup, nothing } from '../../markup/markup.ts'
import { badge, empty, heading, money, table, time } from '../../markup/parts.ts'
import { type ListedOrder, listListedOrders } from '../../store/orders/listed-orders.ts'
import { exportLinks } from '../exports/routes.ts'
import type { ReplyOf } from '../kit/call.ts'
import type { Content } from '../kit/content.ts'
import { dayEnd, dayStart } from '../kit/days.ts'
import type { Draft } from '../kit/draft.ts'
import { filterForm, filterSelect, hiddenField, optionsOf, textField } from '../kit/form.ts'
import { command, link, pager, pick } from '../kit/parts.ts'
import { filterDraft } from '../kit/refused.ts'
import { page } from '../kit/route.ts'
import { sampleRequest } from '../kit/sample-request.ts'
import type { Visit } from '../kit/visit.ts'
import { orderBadge, paymentTone } from './tone.ts'

const path = '/orders'
const title = 'Orders'
const exported = ['exportOrders', 'exportOrderItems', 'exportPayments', 'exportCustomers'] as const

export const orderList = page({
  path,
  permission: 'orders:read',
  show: async (visit): Promise<Content> => {
    const query = pick(visit.query, ['q', 'number', 'status', 'paymentStatus', 'customerId', 'from', 'to', 'cursor'])
    const { from, to, ...filters } = query
    const called = await visit.call('listOrders', {
      query: { ...filters, createdFrom: dayStart(from), createdTo: dayEnd(to) },
    })
    const refusal = called.is === 'refused' ? called.refusal : undefined
    const draft = filterDraft(query, refusal, { createdFrom: 'from', createdTo: 'to' })
    const top = html`${heading(title, html`${link('/activity', 'Orders per month')}${exportLinks(visit, exported)}`)}${filtersOf(draft, query.customerId)}`
    if (called.is === 'refused') return { title, main: html`${top}${empty(called.refusal.message)}` }
    const { data, pagination } = called.reply
    const { database } = visit.context
    const ids = data.map(({ id }) => id)
    const shown = await listListedOrders(database, visit.tenant.merchantId, ids)
    const list = data.length === 0 ? none(visit) : rows(data, shown)
    return { title, main: html`${top}${list}${pager(path, query, pagination.cursor)}` }
  },
})

function filtersOf(draft: Draft, customerId: string | undefined): Markup {
  return filterForm(
    path,
    html`${textField(draft, { name: 'q', label: 'Number or customer', type: 'search' })}
${filterSelect(draft, { name: 'status', label: 'Status', choices: optionsOf(orderStatuses, 'All statuses') })}
${filterSelect(draft, { name: 'paymentStatus', label: 'Payment', choices: optionsOf(paymentStatuses, 'All') })}
${textField(draft, { name: 'number', label: 'Exact number' })}
${textField(draft, { name: 'from', label: 'Created from', type: 'date' })}
${textField(draft, { name: 'to', label: 'Created until', type: 'date' })}
${customerId === undefined ? nothing : hiddenField('customerId', customerId)}`,
  )
}

function rows(orders: ReplyOf<'listOrders'>['data'], shown: ReadonlyMap<OrderId, ListedOrder>): Markup {
  const payment = (id: OrderId) => {
    const status = shown.get(id)?.paymentStatus
    return status === undefined ? nothing : badge(status, paymentTone[status])
  }
  return table(title, orders, [
    { title: 'Order', cell: ({ id, number }) => link(`${path}/${id}`, number) },
    { title: 'Customer', cell: ({ customer }) => customer.name },
    { title: 'Total', cell: ({ totalKobo }) => money(totalKobo), isNumber: true },
    { title: 'Status', cell: ({ id, status }) => orderBadge(status, shown.get(id)?.shipments ?? []) },
    { title: 'Payment', cell: ({ id }) => payment(id) },
    { title: 'Created', cell: ({ createdAt }) => time(createdAt) },
  ])
}

function none({ origin, query }: Visit): Markup {
  if (Object.keys(query).length > 0) return empty('No order matches these filters.')
  const example = sampleRequest(origin, 'createOrder', {
    body: {
      customer: { name: 'Adaeze Okafor', email: 'adaeze.okafor@example.com' },
      items: [{ variantId: 'var_…', quantity: 1 }],
      paymentMethod: 'bank_transfer',
    },
  })
  return empty('There are no orders yet. Create one with the API:', command(example))
}
