import { refundStatuses } from '../../../registry/refunds/refund-states.ts'
import { html, type Markup } from '../../markup/markup.ts'
import { badge, dateTime, empty, heading, money, table } from '../../markup/parts.ts'
import { type ListedRefund, listListedRefunds } from '../../store/refunds/listed-refunds.ts'
import { exportLinks } from '../exports/files.ts'
import type { ReplyOf } from '../kit/call.ts'
import type { Content } from '../kit/content.ts'
import { dayEnd, dayStart } from '../kit/days.ts'
import type { Draft } from '../kit/draft.ts'
import { filterSelect, mainFilterForm, optionsOf, textField } from '../kit/form.ts'
import { link, pager, pick } from '../kit/parts.ts'
import { filterDraft } from '../kit/refused.ts'
import { page } from '../kit/route.ts'
import { unitsText } from '../kit/units.ts'
import { actorText } from './creator.ts'
import { refundTone } from './tone.ts'

const path = '/refunds'
const title = 'Refunds'

export const refundList = page({
  path,
  permission: 'refunds:read',
  show: async (visit): Promise<Content> => {
    const query = pick(visit.query, ['status', 'reason', 'orderId', 'returnId', 'from', 'to', 'cursor'])
    const { from, to, ...filters } = query
    const called = await visit.call('listRefunds', {
      query: { ...filters, createdFrom: dayStart(from), createdTo: dayEnd(to) },
    })
    const refusal = called.is === 'refused' ? called.refusal : undefined
    const draft = filterDraft(query, refusal, { createdFrom: 'from', createdTo: 'to' })
    const top = html`${heading(title, exportLinks(visit, ['exportRefunds']))}${filtersOf(draft)}`
    if (called.is === 'refused') return { title, main: html`${top}${empty(called.refusal.message)}` }
    const { data, pagination } = called.reply
    const isFiltered = Object.keys(query).length > 0
    const none = isFiltered
      ? 'No refund matches these filters.'
      : 'There are no refunds yet. To refund an order, open it and choose Refund.'
    const named = await listListedRefunds(
      visit.context.database,
      visit.tenant.merchantId,
      data.map(({ id }) => id),
    )
    const list = data.length === 0 ? empty(none) : rows(data, named)
    return { title, main: html`${top}${list}${pager(path, query, pagination.cursor)}` }
  },
})

function filtersOf(draft: Draft): Markup {
  return mainFilterForm(
    path,
    draft,
    html`${filterSelect(draft, { name: 'status', label: 'Status', choices: optionsOf(refundStatuses, 'All statuses') })}
${textField(draft, { name: 'reason', label: 'Reason code' })}
${textField(draft, { name: 'orderId', label: 'Order id' })}
${textField(draft, { name: 'returnId', label: 'Return id' })}
${textField(draft, { name: 'from', label: 'Created from', type: 'date' })}
${textField(draft, { name: 'to', label: 'Created until', type: 'date' })}`,
  )
}

function rows(refunds: ReplyOf<'listRefunds'>['data'], named: ReadonlyMap<string, ListedRefund>): Markup {
  return table(title, refunds, [
    {
      title: 'Refund',
      phone: 'title',
      cell: ({ id, orderNumber }) =>
        html`${link(`${path}/${id}`, `Refund of ${orderNumber}`)} <small>${named.get(id)?.customerName ?? ''}</small>`,
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
