import { beforePickupStatuses, isUnfetched, shipmentStatuses } from '../../../registry/logistics/shipment-states.ts'
import type { ShipmentId } from '../../../registry/values/vocabulary.ts'
import { html, type Markup, nothing } from '../../markup/markup.ts'
import { badge, dateTime, empty, heading, money, table, withWholeNumbers } from '../../markup/parts.ts'
import { type ListedCustomer, listShipmentCustomers } from '../../store/logistics/shipments/listed-shipments.ts'
import { exportLinks } from '../exports/files.ts'
import type { ReplyOf } from '../kit/call.ts'
import { chatLink, phoneLink } from '../kit/contact.ts'
import type { Content } from '../kit/content.ts'
import type { Draft } from '../kit/draft.ts'
import { referencedBy, referencedList } from '../kit/external-references.ts'
import { filterForm, filterSelect, hiddenField, optionsOf, select, textField } from '../kit/form.ts'
import { type ListStep, listStep, noStep } from '../kit/list-step.ts'
import { link, mainLink, pager, pick } from '../kit/parts.ts'
import { filterDraft } from '../kit/refused.ts'
import { page } from '../kit/route.ts'
import { tabs } from '../kit/tabs.ts'
import { may, type Visit } from '../kit/visit.ts'
import { shipmentBadge } from './tone.ts'
import { shipmentTabs, todayStart } from './views.ts'

const path = '/shipments'
const title = 'Shipments'

export const shipmentList = page({
  path,
  permission: 'logistics:read',
  show: async (visit): Promise<Content> => {
    const query = pick(visit.query, ['q', 'status', 'exceptions', 'delivered', 'reference', 'cursor'])
    const { exceptions, delivered, ...filters } = query
    const called = await visit.call('listShipments', {
      query: {
        ...filters,
        exception: exceptions === 'open' ? 'any' : undefined,
        deliveredFrom: delivered === 'today' ? todayStart(visit.now) : undefined,
      },
    })
    const draft = filterDraft(query, called.is === 'refused' ? called.refusal : undefined)
    const topOf = ({ main, note }: ListStep) =>
      html`${heading(title, main)}${note}${tabs('Views of the shipments', path, shipmentTabs({ ...query }))}${filtersOf(draft)}`
    if (called.is === 'refused') return { title, main: html`${topOf(noStep)}${empty(called.refusal.message)}` }
    const { data, pagination } = called.reply
    const ids = data.map(({ id }) => id)
    const [customers, referenced] = await Promise.all([
      listShipmentCustomers(visit.context.database, visit.tenant.merchantId, ids),
      query.cursor === undefined ? referencedBy(visit, (query.q ?? '').trim()) : [],
    ])
    const isDispatcher = data.length > 0 && may(visit, 'logistics:dispatch')
    const top = topOf(isDispatcher ? listStep('shipment', nextOf(data, customers)) : noStep)
    const tracked = referenced.filter(({ kind }) => kind === 'shipment')
    const found = referencedList(query.q ?? '', tracked)
    const list = data.length > 0 ? rows(data, customers) : tracked.length > 0 ? nothing : none(visit)
    const downloads = html`<p class="downloads">${exportLinks(visit, ['exportShipments'])}</p>`
    return {
      title,
      main: html`${top}${found}${list}${pager(path, query, pagination.cursor)}${downloads}`,
      isLive: true,
    }
  },
})

type Shipments = ReplyOf<'listShipments'>['data']

type Customers = ReadonlyMap<ShipmentId, ListedCustomer>

/**
 * Returns the link to the oldest listed shipment with a problem, or to the oldest one to hand over to a rider.
 * Shipments that a carrier has accepted come before those for which a rider is requested later. The start page counts
 * the same shipments under “To hand over”.
 */
function nextOf(shipments: Shipments, customers: Customers): Markup | undefined {
  const problem = shipments.findLast(({ openExceptions }) => openExceptions.length > 0)
  if (problem !== undefined) return mainLink(`${path}/${problem.id}`, `Solve the problem of ${problem.reference}`)
  const toHandOver = shipments.filter(
    ({ id, status, returnId }) =>
      beforePickupStatuses.includes(status) && returnId === null && customers.get(id)?.isOrderCancelled !== true,
  )
  const waiting = toHandOver.findLast(({ status }) => isUnfetched(status)) ?? toHandOver.at(-1)
  return waiting && mainLink(`${path}/${waiting.id}`, `Hand over ${waiting.reference}`)
}

function filtersOf(draft: Draft): Markup {
  const exceptions = [
    ['', 'With and without'],
    ['open', 'Open'],
  ] as const
  const { delivered } = draft.values
  return filterForm(
    path,
    draft,
    html`${textField(draft, { name: 'q', label: 'Reference, tracking number or customer', type: 'search' })}
${filterSelect(draft, { name: 'status', label: 'Status', choices: optionsOf(shipmentStatuses, 'All statuses') })}
${select(draft, { name: 'exceptions', label: 'Problems', choices: exceptions })}
${textField(draft, { name: 'reference', label: 'Exact reference' })}${delivered === undefined ? nothing : hiddenField('delivered', delivered[0] ?? '')}`,
  )
}

/**
 * Returns the problems of a shipment: its open exceptions and, before the pickup, the cancellation of its order. The
 * cancellation is added here, because a shipment that no carrier has accepted gets no exception for it.
 */
function problemsOf(
  { status, openExceptions }: Shipments[number],
  customer: ListedCustomer | undefined,
): readonly string[] {
  const isStopped = customer?.isOrderCancelled === true && beforePickupStatuses.includes(status)
  return [...new Set([...openExceptions, ...(isStopped ? ['order_cancelled'] : [])])]
}

/** On a phone, a shipment is a card with its customer, area and status. */
function rows(shipments: Shipments, customers: Customers): Markup {
  const of = (id: ShipmentId) => customers.get(id)
  return table(title, shipments, [
    {
      title: 'Shipment',
      cell: ({ id, reference, returnId, recipient }) =>
        html`${link(`${path}/${id}`, reference)}${returnId === null ? nothing : html` ${badge('return', 'quiet')}`} <small>${of(id)?.name ?? recipient.name}</small>`,
      phone: 'title',
    },
    {
      title: 'Status',
      cell: (shipment) =>
        html`${shipmentBadge(shipment.status)}${problemsOf(shipment, of(shipment.id)).map((each) => html` ${badge(each, 'bad')}`)}`,
      phone: 'state',
    },
    { title: 'Area', cell: ({ id }) => of(id)?.area ?? '', phone: 'detail' },
    // The link to the chat is hidden on a phone, where it would need a line of its own. The page of the shipment shows
    // the link too.
    {
      title: 'Phone',
      cell: ({ id }) => contact(of(id)?.phone ?? null),
      phone: 'detail',
    },
    { title: 'Order', cell: ({ id }) => withWholeNumbers(of(id)?.orderNumber ?? ''), phone: 'hidden' },
    { title: 'Carrier', cell: ({ carrier }) => carrier?.name ?? 'none yet', phone: 'detail' },
    {
      title: 'Price',
      cell: ({ priceKobo }) => (priceKobo === null ? nothing : money(priceKobo)),
      isNumber: true,
      phone: 'hidden',
    },
    { title: 'Created', cell: ({ createdAt }) => dateTime(createdAt), phone: 'hidden' },
  ])
}

function contact(phone: string | null): Markup {
  return phone === null ? nothing : html`${phoneLink(phone)}<small class="wide-only">${chatLink(phone)}</small>`
}

function none({ query, ...visit }: Visit): Markup {
  if (Object.keys(query).length > 0)
    return empty('No shipment matches these filters.', html`<p>${mainLink(path, 'Show all shipments')}</p>`)
  const next = may(visit, 'logistics:dispatch')
    ? html`<p>${mainLink('/orders', 'Choose orders to dispatch')}</p>`
    : nothing
  return empty('There are no shipments yet.', next)
}
