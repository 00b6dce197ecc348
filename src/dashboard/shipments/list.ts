import { type ShipmentStatus, shipmentStatuses } from '../../../registry/logistics/shipment-states.ts'
import { pageSize } from '../../../registry/values/limits.ts'
import { ShipmentId } from '../../../registry/values/vocabulary.ts'
import { carrierNameOf } from '../../logistics/carriers/carrier-names.ts'
import { listShipmentPage, type ShipmentRow } from '../../store/logistics/shipments/shipment-pages.ts'
import type { Content } from '../kit/content.ts'
import { newDraft } from '../kit/draft.ts'
import { filterForm, optionsOf, select } from '../kit/form.ts'
import { html, type Markup } from '../kit/markup.ts'
import { badge, code, command, count, empty, heading, link, money, pager, pick, table, time } from '../kit/parts.ts'
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
    const query = pick(visit.query, ['status', 'exceptions', 'cursor'])
    const { shipments, next } = await listShipmentPage(visit.context.database, {
      merchantId: visit.tenant.merchantId,
      limit: pageSize.default,
      status: shipmentStatuses.find((status): status is ShipmentStatus => status === query.status) ?? null,
      hasOpenException: query.exceptions === 'open',
      after: ShipmentId.safeParse(query.cursor).data ?? null,
    })
    const list = shipments.length === 0 ? none(visit, next !== null) : rows(shipments)
    const main = html`${heading(title)}${filtersOf(query)}${list}${pager(path, query, next)}`
    return { title, main, isLive: true }
  },
})

function filtersOf(query: Readonly<Record<string, string>>): Markup {
  const draft = newDraft(query)
  const exceptions = [
    ['', 'With and without'],
    ['open', 'Open'],
  ] as const
  return filterForm(
    path,
    html`${select(draft, { name: 'status', label: 'Status', choices: optionsOf(shipmentStatuses, 'All statuses') })}
${select(draft, { name: 'exceptions', label: 'Exceptions', choices: exceptions })}`,
  )
}

function rows(shipments: readonly ShipmentRow[]): Markup {
  return table(title, shipments, [
    { title: 'Shipment', cell: ({ id, reference }) => link(`${path}/${id}`, reference) },
    { title: 'Status', cell: ({ status }) => shipmentBadge(status) },
    {
      title: 'Exceptions',
      cell: ({ openExceptions }) => html`${openExceptions.map((each) => badge(each, 'bad'))}`,
    },
    { title: 'Carrier', cell: ({ carrier }) => (carrier === null ? 'none yet' : carrierNameOf(carrier)) },
    { title: 'Carrier reference', cell: ({ carrierReference: own }) => (own === null ? '' : code(own)) },
    { title: 'Price', cell: ({ priceKobo }) => (priceKobo === null ? '' : money(priceKobo)), isNumber: true },
    { title: 'Attempts', cell: ({ attemptCount }) => count(attemptCount), isNumber: true },
    { title: 'Created', cell: ({ createdAt }) => time(createdAt) },
  ])
}

function none({ origin, query }: Visit, hasMore: boolean): Markup {
  if (hasMore)
    return empty(
      'No shipment in the searched part of the list matches these filters. The next page searches older shipments.',
    )
  if (Object.keys(query).length > 0) return empty('No shipment matches these filters.')
  const example = sampleRequest(origin, 'createQuote', { body: { orderId: 'ord_…' } })
  return empty('There are no shipments yet. Request a quote for an order, then dispatch it:', command(example))
}
