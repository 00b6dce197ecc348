import { refundStatuses } from '../../../registry/refunds/refund-states.ts'
import { toMs } from '../../base/clock.ts'
import { html, type Markup, nothing } from '../../markup/markup.ts'
import { badge, dateTime, empty, heading, money, table, withWholeNumbers } from '../../markup/parts.ts'
import { failedRefundDays } from '../../store/attention/concern.ts'
import { type ListedRefund, listListedRefunds } from '../../store/refunds/listed-refunds.ts'
import { exportLinks } from '../exports/files.ts'
import type { ReplyOf } from '../kit/call.ts'
import type { Content } from '../kit/content.ts'
import { dayEnd, dayStart } from '../kit/days.ts'
import type { Draft } from '../kit/draft.ts'
import { filterForm, filterSelect, hiddenField, optionsOf, textField } from '../kit/form.ts'
import { listStep, noStep } from '../kit/list-step.ts'
import { filteredOrder, noOrder, orderField, unknownOrder } from '../kit/order-filter.ts'
import { link, mainLink, pager, pick } from '../kit/parts.ts'
import { filterDraft } from '../kit/refused.ts'
import { page } from '../kit/route.ts'
import { unitsText } from '../kit/units.ts'
import { may, type Visit } from '../kit/visit.ts'
import { actorText } from './creator.ts'
import { refundTone } from './tone.ts'

const path = '/refunds'
const title = 'Refunds'

export const refundList = page({
  path,
  permission: 'refunds:read',
  show: async (visit): Promise<Content> => {
    const query = pick(visit.query, ['status', 'reason', 'order', 'returnId', 'from', 'to', 'cursor'])
    const { from, to, order, ...filters } = query
    const orderId = await filteredOrder(visit, order)
    const top = (draft: Draft, { main, note } = noStep) =>
      html`${heading(title, html`${main} ${exportLinks(visit, ['exportRefunds'])}`)}${note}${filtersOf(draft)}`
    if (orderId === null) return { title, main: html`${top(unknownOrder(query))}${empty(noOrder)}` }
    const called = await visit.call('listRefunds', {
      query: { ...filters, orderId, createdFrom: dayStart(from), createdTo: dayEnd(to) },
    })
    const refusal = called.is === 'refused' ? called.refusal : undefined
    const draft = filterDraft(query, refusal, { createdFrom: 'from', createdTo: 'to' })
    if (called.is === 'refused') return { title, main: html`${top(draft)}${empty(called.refusal.message)}` }
    const { data, pagination } = called.reply
    const step = data.length > 0 && may(visit, 'refunds:write') ? listStep('refund', nextOf(visit, data)) : noStep
    const named = await listListedRefunds(
      visit.context.database,
      visit.tenant.merchantId,
      data.map(({ id }) => id),
    )
    const ofReturn = query.returnId === undefined ? nothing : html`<p>Only the refunds of one return are listed.</p>`
    const list = data.length === 0 ? none(query) : html`${ofReturn}${rows(data, named)}`
    return { title, main: html`${top(draft, step)}${list}${pager(path, query, pagination.cursor)}` }
  },
})

function none(query: object): Markup {
  if (Object.keys(query).length > 0)
    return empty('No refund matches these filters.', html`<p>${mainLink(path, 'Show all refunds')}</p>`)
  const next = html`<p>${mainLink('/orders', 'Open the orders')}</p>`
  return empty('There are no refunds yet. To refund an order, open it and choose Refund.', next)
}

type Refunds = ReplyOf<'listRefunds'>['data']

const dayMs = 24 * 60 * 60 * 1000

/**
 * Returns the link to the oldest listed refund that needs bank details. If no refund needs them, returns the link to
 * the oldest refund that failed recently. The start page reports the same problems.
 */
function nextOf({ nowMs }: Visit, refunds: Refunds): Markup | undefined {
  const stopped = refunds.findLast(({ status }) => status === 'needs_attention')
  if (stopped !== undefined)
    return mainLink(`${path}/${stopped.id}/bank-details`, `Enter bank details for ${stopped.orderNumber}`)
  const sinceMs = nowMs - failedRefundDays * dayMs
  const failed = refunds.findLast(({ failedAt }) => failedAt !== null && toMs(failedAt) >= sinceMs)
  return failed && mainLink(`${path}/${failed.id}`, `Check the failed refund of ${failed.orderNumber}`)
}

function filtersOf(draft: Draft): Markup {
  const [returnId] = draft.values.returnId ?? []
  return filterForm(
    path,
    draft,
    html`${returnId === undefined ? nothing : hiddenField('returnId', returnId)}${filterSelect(draft, { name: 'status', label: 'Status', choices: optionsOf(refundStatuses, 'All statuses') })}
${textField(draft, { name: 'reason', label: 'Reason' })}
${orderField(draft)}
${textField(draft, { name: 'from', label: 'Created from', type: 'date' })}
${textField(draft, { name: 'to', label: 'Created until', type: 'date' })}`,
  )
}

function rows(refunds: Refunds, named: ReadonlyMap<string, ListedRefund>): Markup {
  return table(title, refunds, [
    {
      title: 'Refund',
      phone: 'title',
      cell: ({ id, orderNumber }) =>
        html`${link(`${path}/${id}`, withWholeNumbers(`Refund of ${orderNumber}`))} <small>${named.get(id)?.customerName ?? ''}</small>`,
    },
    {
      title: 'Items',
      phone: 'detail',
      cell: ({ id }) => unitsText(named.get(id)?.items ?? []) || 'amount without items',
    },
    { title: 'Amount', phone: 'detail', cell: ({ amountKobo }) => money(amountKobo), isNumber: true },
    { title: 'Status', phone: 'state', cell: ({ status }) => badge(status, refundTone[status]) },
    { title: 'Reason', phone: 'detail', cell: ({ reason }) => reason.replaceAll('_', ' ') },
    {
      title: 'By',
      phone: 'labelled',
      cell: ({ id, createdBy }) => named.get(id)?.creator ?? actorText(createdBy.type),
    },
    { title: 'Created', phone: 'detail', cell: ({ createdAt }) => dateTime(createdAt) },
  ])
}
