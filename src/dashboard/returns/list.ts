import { returnReasons, returnStatuses } from '../../../registry/returns/return-states.ts'
import { isUnsettled } from '../../commerce/refunds/unsettled-return.ts'
import { html, type Markup } from '../../markup/markup.ts'
import { badge, dateTime, empty, heading, table, withWholeNumbers } from '../../markup/parts.ts'
import { type ListedReturn, listListedReturns } from '../../store/returns/listed-returns.ts'
import type { ReplyOf } from '../kit/call.ts'
import type { Content } from '../kit/content.ts'
import { dayEnd, dayStart } from '../kit/days.ts'
import type { Draft } from '../kit/draft.ts'
import { filterForm, filterSelect, optionsOf, textField } from '../kit/form.ts'
import { listStep, noStep } from '../kit/list-step.ts'
import { filteredOrder, noOrder, orderField, unknownOrder } from '../kit/order-filter.ts'
import { link, mainLink, pager, pick } from '../kit/parts.ts'
import { filterDraft } from '../kit/refused.ts'
import { page } from '../kit/route.ts'
import { unitsText } from '../kit/units.ts'
import { may } from '../kit/visit.ts'
import { returnTone } from './tone.ts'

const path = '/returns'
const title = 'Returns'

export const returnList = page({
  path,
  permission: 'orders:read',
  show: async (visit): Promise<Content> => {
    const query = pick(visit.query, ['status', 'reason', 'order', 'from', 'to', 'cursor'])
    const { from, to, order, ...filters } = query
    const orderId = await filteredOrder(visit, order)
    const top = (draft: Draft, { main, note } = noStep) => html`${heading(title, main)}${note}${filtersOf(draft)}`
    if (orderId === null) return { title, main: html`${top(unknownOrder(query))}${empty(noOrder)}` }
    const called = await visit.call('listReturns', {
      query: { ...filters, orderId, createdFrom: dayStart(from), createdTo: dayEnd(to) },
    })
    const refusal = called.is === 'refused' ? called.refusal : undefined
    const draft = filterDraft(query, refusal, { createdFrom: 'from', createdTo: 'to' })
    if (called.is === 'refused') return { title, main: html`${top(draft)}${empty(called.refusal.message)}` }
    const { data, pagination } = called.reply
    const step = data.length > 0 && may(visit, 'orders:write') ? listStep('return', nextOf(data)) : noStep
    const named = await listListedReturns(
      visit.context.database,
      visit.tenant.merchantId,
      data.map(({ id }) => id),
    )
    const list = data.length === 0 ? none(query) : rows(data, named)
    return { title, main: html`${top(draft, step)}${list}${pager(path, query, pagination.cursor)}` }
  },
})

function none(query: object): Markup {
  if (Object.keys(query).length > 0)
    return empty('No return matches these filters.', html`<p>${mainLink(path, 'Show all returns')}</p>`)
  const next = html`<p>${mainLink('/orders?status=delivered', 'Open the delivered orders')}</p>`
  return empty('There are no returns yet. To return units of an order, open it and choose Create a return.', next)
}

type Returns = ReplyOf<'listReturns'>['data']

/**
 * Returns the link to the next step of the listed returns. It leads to the oldest return that must be approved or
 * rejected. If there is none, it leads to the oldest return to receive, otherwise to the oldest received return that is
 * neither refunded nor exchanged.
 */
function nextOf(returns: Returns): Markup | undefined {
  const requested = returns.findLast(({ status }) => status === 'requested')
  if (requested !== undefined)
    return mainLink(`${path}/${requested.id}`, `Approve or reject the return of ${requested.orderNumber}`)
  const approved = returns.findLast(({ status }) => status === 'approved' || status === 'in_transit')
  if (approved !== undefined)
    return mainLink(`${path}/${approved.id}/receive`, `Receive the return of ${approved.orderNumber}`)
  const unsettled = returns.findLast(isUnsettled)
  return unsettled && mainLink(`${path}/${unsettled.id}`, `Refund or close the return of ${unsettled.orderNumber}`)
}

function filtersOf(draft: Draft): Markup {
  return filterForm(
    path,
    draft,
    html`${filterSelect(draft, { name: 'status', label: 'Status', choices: optionsOf(returnStatuses, 'All statuses') })}
${filterSelect(draft, { name: 'reason', label: 'Reason', choices: optionsOf(returnReasons, 'All reasons') })}
${orderField(draft)}
${textField(draft, { name: 'from', label: 'Created from', type: 'date' })}
${textField(draft, { name: 'to', label: 'Created until', type: 'date' })}`,
  )
}

function rows(returns: Returns, named: ReadonlyMap<string, ListedReturn>): Markup {
  return table(title, returns, [
    {
      title: 'Return',
      phone: 'title',
      cell: ({ id, orderNumber }) =>
        html`${link(`${path}/${id}`, withWholeNumbers(`Return of ${orderNumber}`))} <small>${named.get(id)?.customerName ?? ''}</small>`,
    },
    {
      title: 'Items',
      phone: 'detail',
      cell: ({ id }) => unitsText(named.get(id)?.items ?? []),
    },
    { title: 'Status', phone: 'state', cell: ({ status }) => badge(status, returnTone[status]) },
    { title: 'Reason', phone: 'detail', cell: ({ reason }) => reason.replaceAll('_', ' ') },
    { title: 'Created', phone: 'detail', cell: ({ createdAt }) => dateTime(createdAt) },
  ])
}
