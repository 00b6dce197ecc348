import { carrierNameOf } from '../../logistics/carriers/carrier-names.ts'
import { outcomeSentence } from '../../logistics/dispatch/outcome-sentence.ts'
import { html, type Markup, nothing } from '../../markup/markup.ts'
import { badge, dateTime, empty, money, recordHeading, section, table } from '../../markup/parts.ts'
import type { ReplyOf } from '../kit/call.ts'
import type { Content } from '../kit/content.ts'
import { nextNote, restNote } from '../kit/next-note.ts'
import { backLink } from '../kit/parts.ts'
import { page } from '../kit/route.ts'
import { read } from '../kit/visit.ts'
import { shipmentActions } from './actions.ts'
import { contentsSection, shippedRecordOf, trackingLinkSection } from './contents.ts'
import { details, prices } from './details.ts'
import { exceptionTable } from './exceptions.ts'
import { riderSection } from './rider.ts'
import { shipmentBadge } from './tone.ts'

type Shipment = ReplyOf<'getShipment'>

export const shipmentPage = page({
  path: '/shipments/{id}',
  permission: 'logistics:read',
  show: async (visit, { id }): Promise<Content> => {
    const [shipment, tracking] = await Promise.all([
      read(visit, 'getShipment', { params: { id } }),
      read(visit, 'trackShipment', { params: { id } }),
    ])
    const record = await shippedRecordOf(visit, shipment)
    const title = `Shipment ${shipment.reference}`
    const actions = shipmentActions(visit, { shipment, courier: tracking.courier, record })
    const main = html`${backLink('/shipments', 'All shipments')}${recordHeading(title, shipmentBadge(shipment.status), actions)}
${reason(shipment)}
${actions.isAtRest === true ? restNote(actions.text) : nextNote(actions.text)}
${shipment.exceptions.length === 0 ? nothing : section('Problems', exceptionTable(visit, shipment))}
${riderSection(visit, tracking)}
${section('Recipient and delivery', details(shipment, record))}
${contentsSection(shipment, record)}
${trackingLinkSection(visit, record)}
${section('Price', prices(shipment))}
${section('Tracking events', eventTable(shipment.timeline))}
${section('Dispatch attempts', attemptTable(shipment.attempts))}`
    return { title, main, isLive: true }
  },
})

/** The message of a status reason also states the next step. */
function reason({ statusReason }: Shipment): Markup {
  return statusReason === null ? nothing : html`<p class="problem">${statusReason.message}</p>`
}

function attemptTable(attempts: Shipment['attempts']): Markup {
  if (attempts.length === 0) return empty('No carrier has been requested yet.')
  return table('Dispatch attempts', attempts, [
    { title: 'Number', cell: ({ number }) => String(number), isNumber: true },
    { title: 'Carrier', cell: ({ carrier, service }) => html`${carrierNameOf(carrier)}<small>${service}</small>` },
    {
      title: 'State',
      cell: ({ state }) => badge(state, state === 'accepted' || state === 'completed' ? 'good' : 'quiet'),
    },
    {
      title: 'Outcome',
      cell: ({ outcome }) => (outcome === null ? 'in progress' : outcomeText(outcome)),
    },
    { title: 'Price', cell: ({ priceKobo }) => money(priceKobo), isNumber: true },
    { title: 'Started', cell: ({ startedAt }) => dateTime(startedAt) },
  ])
}

function outcomeText({ code: outcomeCode, message }: NonNullable<Shipment['attempts'][number]['outcome']>): Markup {
  const sentence = outcomeSentence(outcomeCode)
  return sentence === undefined ? html`${message}` : html`${sentence}<small>${message}</small>`
}

const sources = {
  request: 'Shop or API',
  callback: 'Report of the carrier',
  poll: 'Query to the carrier',
  service: 'Commerce Service',
} as const satisfies Record<Shipment['timeline'][number]['source'], string>

function eventTable(events: Shipment['timeline']): Markup {
  if (events.length === 0) return empty('There are no tracking events yet.')
  return table('Tracking events', events, [
    { title: 'Time', cell: ({ at }) => dateTime(at) },
    { title: 'Status', cell: ({ status }) => (status === null ? '' : shipmentBadge(status)) },
    {
      title: 'Description',
      cell: ({ description, applied }) =>
        html`${description}${applied ? nothing : html` ${badge('not applied', 'quiet')}`}`,
    },
    {
      title: 'Source',
      cell: ({ source, carrierStatus }) =>
        html`${sources[source]}${carrierStatus === null ? nothing : html`<small>Reported as “${carrierStatus.replaceAll('_', ' ')}”</small>`}`,
    },
  ])
}
