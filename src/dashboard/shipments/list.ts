import { shipmentStatuses } from '../../../registry/logistics/shipment-states.ts'
import { html, type Markup, nothing } from '../../markup/markup.ts'
import { badge, code, count, empty, heading, money, table, time } from '../../markup/parts.ts'
import { exportLinks } from '../exports/routes.ts'
import type { ReplyOf } from '../kit/call.ts'
import type { Content } from '../kit/content.ts'
import type { Draft } from '../kit/draft.ts'
import { filterForm, filterSelect, optionsOf, select, textField } from '../kit/form.ts'
import { command, link, pager, pick } from '../kit/parts.ts'
import { filterDraft } from '../kit/refused.ts'
import { page } from '../kit/route.ts'
import { sampleRequest } from '../kit/sample-request.ts'
import type { Visit } from '../kit/visit.ts'
import { shipmentBadge } from './tone.ts'

const path = '/shipments'
const title = 'Shipments'

export const shipmentList = page({
  path,
  permission: 'logistics:read',
  show: async (visit): Promise<Content> => {
    const query = pick(visit.query, ['status', 'exceptions', 'reference', 'cursor'])
    const { exceptions, ...filters } = query
    const called = await visit.call('listShipments', {
      query: { ...filters, exception: exceptions === 'open' ? 'any' : undefined },
    })
    const refusal = called.is === 'refused' ? called.refusal : undefined
    const top = html`${heading(title, exportLinks(visit, ['exportShipments']))}${filtersOf(filterDraft(query, refusal))}`
    if (called.is === 'refused') return { title, main: html`${top}${empty(called.refusal.message)}` }
    const { data, pagination } = called.reply
    const list = data.length === 0 ? none(visit) : rows(data)
    return { title, main: html`${top}${list}${pager(path, query, pagination.cursor)}`, isLive: true }
  },
})

function filtersOf(draft: Draft): Markup {
  const exceptions = [
    ['', 'With and without'],
    ['open', 'Open'],
  ] as const
  return filterForm(
    path,
    draft,
    html`${filterSelect(draft, { name: 'status', label: 'Status', choices: optionsOf(shipmentStatuses, 'All statuses') })}
${select(draft, { name: 'exceptions', label: 'Exceptions', choices: exceptions })}
${textField(draft, { name: 'reference', label: 'Reference' })}`,
  )
}

function rows(shipments: ReplyOf<'listShipments'>['data']): Markup {
  return table(title, shipments, [
    {
      title: 'Shipment',
      cell: ({ id, reference, returnId }) =>
        html`${link(`${path}/${id}`, reference)}${returnId === null ? nothing : html` ${badge('return', 'quiet')}`}`,
    },
    { title: 'Status', cell: ({ status }) => shipmentBadge(status) },
    {
      title: 'Recipient',
      cell: ({ recipient }) => html`${recipient.name}, ${recipient.area ?? recipient.lga ?? recipient.state}`,
    },
    {
      title: 'Exceptions',
      cell: ({ openExceptions }) => html`${openExceptions.map((each) => badge(each, 'bad'))}`,
    },
    { title: 'Carrier', cell: ({ carrier }) => carrier?.name ?? 'none yet' },
    { title: 'Carrier reference', cell: ({ carrierReference: own }) => (own === null ? '' : code(own)) },
    { title: 'Price', cell: ({ priceKobo }) => (priceKobo === null ? '' : money(priceKobo)), isNumber: true },
    { title: 'Attempts', cell: ({ attemptCount }) => count(attemptCount), isNumber: true },
    { title: 'Created', cell: ({ createdAt }) => time(createdAt) },
  ])
}

function none({ origin, query }: Visit): Markup {
  if (Object.keys(query).length > 0) return empty('No shipment matches these filters.')
  const example = sampleRequest(origin, 'createQuote', { body: { orderId: 'ord_…' } })
  return empty('There are no shipments yet. Request a quote for an order, then dispatch it:', command(example))
}
