import { endpoints } from '../../../registry/index.ts'
import { dueKoboOf } from '../../../registry/orders/due.ts'
import { orderStatuses, paymentStatuses } from '../../../registry/orders/order-states.ts'
import { pageSize } from '../../../registry/values/limits.ts'
import type { OrderId } from '../../../registry/values/vocabulary.ts'
import { normaliseInstant } from '../../base/clock.ts'
import { counted } from '../../base/counted.ts'
import { html, type Markup, nothing } from '../../markup/markup.ts'
import { badge, count, dateTime, empty, heading, money, table } from '../../markup/parts.ts'
import { type ListedOrder, listListedOrders } from '../../store/orders/listed-orders.ts'
import { type OrderFilters, summedMax, sumOrders } from '../../store/orders/order-list.ts'
import {
  countOrderViews,
  listOrdersToPack,
  listProblemOrders,
  listUnpaidOrders,
  toPackMax,
  unpaidMax,
} from '../../store/orders/order-views.ts'
import { exportLinks } from '../exports/files.ts'
import type { Content } from '../kit/content.ts'
import { dayEnd, dayStart } from '../kit/days.ts'
import type { Draft } from '../kit/draft.ts'
import { filterForm, filterSelect, hiddenField, optionsOf, textField } from '../kit/form.ts'
import { cursorOf, link, pager, pick, withQuery } from '../kit/parts.ts'
import { filterDraft } from '../kit/refused.ts'
import { root } from '../kit/root.ts'
import { page } from '../kit/route.ts'
import { tabs } from '../kit/tabs.ts'
import { may, type Visit } from '../kit/visit.ts'
import { chooseBox, chooseForm, tickedIds } from './choose-form.ts'
import { newOrderPath } from './editor/new-form.ts'
import { orderBadge, paymentTone } from './tone.ts'
import { viewTabs } from './views.ts'

const path = '/orders'
const title = 'Orders'
const exported = ['exportOrders', 'exportOrderItems', 'exportPayments', 'exportCustomers'] as const

const filterNames = ['q', 'number', 'status', 'paymentStatus', 'customerId', 'from', 'to', 'cursor', 'view'] as const

type Query = { readonly [Name in (typeof filterNames)[number]]?: string }

export const orderList = page({
  path,
  permission: 'orders:read',
  show: async (visit): Promise<Content> => {
    const query: Query = pick(visit.query, filterNames)
    const { previous = '' } = visit.query
    const { database } = visit.context
    const { merchantId } = visit.tenant
    const [counts, found] = await Promise.all([
      countOrderViews(database, { merchantId, now: visit.now }),
      ordersOf(visit, query),
    ])
    const { ids, sum, cursor, draft } = found
    const orders = await listListedOrders(database, merchantId, ids)
    const ticked = tickedIds(visit, ids)
    const isToDispatch = query.view === 'to_pack' && orders.length > 0 && may(visit, 'logistics:dispatch')
    const form = { listPath: path, ticked: ticked.size, isToDispatch, list: rows(orders, ticked) }
    const list = orders.length === 0 ? none(visit, draft) : html`${sumOf(sum)}${chooseForm(visit, form)}`
    const isAll = Object.keys(query).length === 0
    const next = isAll && counts.toPack > 0 ? packLink(counts.toPack) : nothing
    const isNext = next !== nothing || isToDispatch || ticked.size > 0
    const main = html`${heading(title, html`${next}${newOrderLink(visit, isNext)}`)}
${tabs('Views of the orders', path, viewTabs({ ...query }, counts))}
${filtersOf(draft, query.customerId)}
${list}${pager(path, { ...query, previous }, cursor)}
<p class="downloads">${link('/orders/slips', 'Packing slips of all orders to pack')} ${link('/activity', 'Orders per month')} ${exportLinks(visit, exported)}</p>`
    return { title, main, isLive: query.cursor === undefined }
  },
})

interface ShownSum {
  readonly count: number
  readonly totalKobo: number
  /**
   * Whether `totalKobo` is the sum of the amounts due of the orders. Otherwise, it is the sum of the totals of the
   * orders.
   */
  readonly isDue: boolean
}

interface Found {
  readonly ids: readonly OrderId[]
  /** The number and the total amount of all orders that match the filters. Undefined if the page shows no sum. */
  readonly sum: ShownSum | undefined
  readonly cursor: string | null
  readonly draft: Draft
}

/**
 * The first page also has the number and the total of all matching orders, unless the filters contain a search text:
 * the matches of a search are expensive to count.
 */
async function matchingOrders(visit: Visit, query: Query): Promise<Found> {
  const { from, to, cursor, view: _view, ...filters } = query
  const given = { ...filters, createdFrom: dayStart(from), createdTo: dayEnd(to) }
  const called = await visit.call('listOrders', { query: { ...given, cursor } })
  const refusal = called.is === 'refused' ? called.refusal : undefined
  const draft = filterDraft(query, refusal, { createdFrom: 'from', createdTo: 'to' })
  if (called.is === 'refused') return { ids: [], sum: undefined, cursor: null, draft }
  const { data, pagination } = called.reply
  const isSummed =
    cursor === undefined && given.q === undefined && Object.values(given).some((value) => value !== undefined)
  const { database } = visit.context
  const sum = isSummed
    ? { ...(await sumOrders(database, visit.tenant.merchantId, filtersFor(given))), isDue: false }
    : undefined
  return { ids: data.map(({ id }) => id), sum, cursor: pagination.cursor, draft }
}

/** Converts filters, which the list operation has already accepted, to the form that the store requires. */
function filtersFor(given: Readonly<Record<string, string | undefined>>): OrderFilters {
  const named = Object.entries(given).filter(([, value]) => value !== undefined)
  const { updatedFrom: _updated, ...filters } = endpoints.listOrders.filters.parse(Object.fromEntries(named))
  const { createdFrom, createdTo } = filters
  const range = {
    createdFrom: createdFrom && normaliseInstant(createdFrom),
    createdTo: createdTo && normaliseInstant(createdTo),
  }
  return { ...filters, ...range }
}

/**
 * Returns a page of the unpaid orders, the oldest first. The first page also has the total amount due of all unpaid
 * orders.
 */
async function unpaidPage({ context, tenant, now }: Visit, query: Query): Promise<Found> {
  const unpaid = await listUnpaidOrders(context.database, { merchantId: tenant.merchantId, now })
  const after = cursorOf(query)
  // The last order of the previous page, whose id is the cursor, may have been paid since then. The page therefore
  // starts after this id, even if the order is no longer in the list.
  const rest = after === undefined ? unpaid : unpaid.filter(({ id }) => id > after)
  const ids = rest.slice(0, pageSize.default).map(({ id }) => id)
  const totalKobo = unpaid.reduce((total, { dueKobo }) => total + dueKobo, 0)
  const sum = { count: unpaid.length, totalKobo, isDue: true }
  return {
    ids,
    sum: after === undefined && unpaid.length > 0 ? sum : undefined,
    cursor: rest.length > ids.length ? (ids.at(-1) ?? null) : null,
    draft: filterDraft({}, undefined),
  }
}

/** The views of the list, such as the orders to pack, that cannot be expressed with the filters of the list. */
const listsOfViews = new Map([
  ['problems', listProblemOrders],
  ['to_pack', listOrdersToPack],
])

async function ordersOf(visit: Visit, query: Query): Promise<Found> {
  if (query.view === 'unpaid') return unpaidPage(visit, query)
  const list = listsOfViews.get(query.view ?? '')
  if (list === undefined) return matchingOrders(visit, query)
  const { context, tenant, now } = visit
  const ids = await list(context.database, { merchantId: tenant.merchantId, now })
  return { ids, sum: undefined, cursor: null, draft: filterDraft({}, undefined) }
}

/** The link is the main action of the order list while there are orders to pack. */
function packLink(toPack: number): Markup {
  const orders = toPack >= toPackMax ? `${count(toPackMax)} or more orders` : counted(toPack, 'order')
  return html`<a class="main unless-chosen" href="${root}${withQuery(path, { view: 'to_pack' })}">Pack ${orders}</a>`
}

function newOrderLink(visit: Visit, hasOther: boolean): Markup {
  if (!may(visit, 'orders:write')) return nothing
  if (hasOther) return link(newOrderPath, 'New order')
  return html`<a class="main unless-chosen" href="${root}${newOrderPath}">New order</a>`
}

function sumOf(sum: ShownSum | undefined): Markup {
  if (sum === undefined) return nothing
  if (sum.count === summedMax) return html`<p class="hint">More than ${count(summedMax)} orders match.</p>`
  const more = sum.isDue && sum.count === unpaidMax ? 'The oldest ' : ''
  return html`<p class="hint">${more}${count(sum.count)} ${sum.count === 1 ? 'order' : 'orders'}, ${money(sum.totalKobo)}${sum.isDue ? ' due' : ''}</p>`
}

function filtersOf(draft: Draft, customerId: string | undefined): Markup {
  return filterForm(
    path,
    draft,
    html`${textField(draft, { name: 'q', label: 'Number or customer', type: 'search' })}
${filterSelect(draft, { name: 'status', label: 'Status', choices: optionsOf(orderStatuses, 'All statuses') })}
${filterSelect(draft, { name: 'paymentStatus', label: 'Payment', choices: optionsOf(paymentStatuses, 'All') })}
${textField(draft, { name: 'number', label: 'Exact number' })}
${textField(draft, { name: 'from', label: 'Created from', type: 'date' })}
${textField(draft, { name: 'to', label: 'Created until', type: 'date' })}
${customerId === undefined ? nothing : hiddenField('customerId', customerId)}`,
  )
}

/**
 * Shows orders. On a phone, an order is a card with its number, customer, status, total and items. The total also shows
 * the amount due, if there is one.
 */
function rows(orders: readonly ListedOrder[], ticked: ReadonlySet<string>): Markup {
  return table(title, orders, [
    {
      title: 'Chosen',
      cell: ({ id, number }) => chooseBox({ id, number, isTicked: ticked.has(id) }),
      phone: 'check',
    },
    {
      title: 'Order',
      cell: ({ id, number, customerName }) =>
        html`<span class="record-number">${link(`${path}/${id}`, number)}</span> <small>${customerName}</small>`,
      phone: 'title',
    },
    { title: 'Status', cell: ({ status, shipments }) => orderBadge(status, shipments), phone: 'state' },
    { title: 'Total', cell: totalOf, isNumber: true, phone: 'detail' },
    { title: 'Items', cell: itemsOf, phone: 'detail' },
    {
      title: 'Payment',
      cell: ({ paymentStatus, paymentMethod }) =>
        html`${badge(paymentStatus, paymentTone[paymentStatus])} <small>${paymentMethod.replaceAll('_', ' ')}</small>`,
      phone: 'hidden',
    },
    {
      title: 'Area',
      cell: ({ area, customerPhone }) => html`${area ?? ''} <small>${customerPhone ?? ''}</small>`,
      phone: 'hidden',
    },
    { title: 'Created', cell: ({ createdAt }) => dateTime(createdAt), phone: 'hidden' },
  ])
}

function totalOf({ status, totalKobo, paidKobo }: ListedOrder): Markup {
  const dueKobo = dueKoboOf({ status, balanceKobo: totalKobo - paidKobo })
  return html`${money(totalKobo)}${dueKobo > 0 ? html` <small class="nowrap">${money(dueKobo)} due</small>` : nothing}`
}

function itemsOf({ units, firstTitle, otherItems }: ListedOrder): string {
  if (firstTitle === null) return ''
  const titles = otherItems === 0 ? firstTitle : `${firstTitle} and ${counted(otherItems, 'other item')}`
  // A cancelled order has no units left, so the list shows only the titles of its items.
  if (units === 0) return titles
  return otherItems === 0 ? `${count(units)} × ${titles}` : `${counted(units, 'unit')}: ${titles}`
}

function none({ query, ...visit }: Visit, { problems }: Draft): Markup {
  if (problems.length > 0) return empty('Correct the filters to see orders.')
  if (Object.keys(query).length > 0) return empty('No order matches these filters.')
  const next = may(visit, 'orders:write') ? html`<p>${link(newOrderPath, 'Enter the first order')}.</p>` : nothing
  return empty('There are no orders yet.', next)
}
