import { hasLeftShop, isShipmentOver } from '../../../registry/logistics/shipment-states.ts'
import { outcomeSentence } from '../../logistics/dispatch/outcome-sentence.ts'
import { html, type Markup, nothing } from '../../markup/markup.ts'
import { badge, code, empty, facts, heading, money, section, table, time } from '../../markup/parts.ts'
import type { ReplyOf } from '../kit/call.ts'
import type { Content } from '../kit/content.ts'
import { ago, link, outside } from '../kit/parts.ts'
import { page } from '../kit/route.ts'
import { may, read, type Visit } from '../kit/visit.ts'
import { closingStatusesOf } from './close.ts'
import { exceptionTable } from './exceptions.ts'
import { shipmentBadge } from './tone.ts'

type Shipment = ReplyOf<'getShipment'>
type Tracking = ReplyOf<'trackShipment'>

export const shipmentPage = page({
  path: '/shipments/{id}',
  permission: 'logistics:read',
  show: async (visit, { id }): Promise<Content> => {
    const [shipment, tracking] = await Promise.all([
      read(visit, 'getShipment', { params: { id } }),
      read(visit, 'trackShipment', { params: { id } }),
    ])
    const title = `Shipment ${shipment.reference}`
    const main = html`${heading(title, html`${shipmentBadge(shipment.status)} ${actionsOf(visit, shipment)}`)}
${section('Exceptions', exceptionTable(visit, shipment))}
${section('Rider', rider(visit, tracking))}
${section('Details', details(shipment))}
${section('Price', prices(shipment))}
${section('Dispatch attempts', attemptTable(shipment.attempts))}
${section('Tracking events', eventTable(shipment.timeline))}`
    return { title, main, isLive: true }
  },
})

function actionsOf(visit: Visit, { id, status, cancellation }: Shipment): Markup {
  if (!may(visit, 'logistics:dispatch')) return nothing
  const cancel = cancellation.allowed ? link(`/shipments/${id}/cancel`, 'Cancel') : nothing
  const close = closingStatusesOf(status).length === 0 ? nothing : link(`/shipments/${id}/close`, 'Close')
  return html`${cancel} ${close}`
}

/** Shows a geographic position with a link to a map. The page itself loads nothing from another host. */
function place({ lat, lng }: { readonly lat: number; readonly lng: number }): Markup {
  return outside(`https://www.openstreetmap.org/?mlat=${lat}&mlon=${lng}#map=17/${lat}/${lng}`, `${lat}, ${lng}`)
}

function rider(
  { nowMs }: Visit,
  { courier, position, estimatedPosition, eta, distanceToNextStopMeters }: Tracking,
): Markup {
  const orUnknown = (value: string | null) => value ?? 'unknown'
  return facts([
    ['Name', courier === null ? 'no rider is assigned' : courier.name],
    ...(courier === null
      ? []
      : ([
          ['Phone', orUnknown(courier.phone)],
          ['Vehicle', orUnknown(courier.vehicle)],
          ['Plate ends in', orUnknown(courier.plateLastFour)],
        ] as const)),
    ['Delivery expected', eta === null ? 'unknown' : html`${time(eta.p50)}<small>90 %: ${time(eta.p90)}</small>`],
    [
      'Position',
      position === null
        ? 'unknown'
        : html`${place(position)} ${position.stale ? badge('outdated', 'waiting') : nothing}<small>${ago(position.recordedAt, nowMs)}</small>`,
    ],
    ...(estimatedPosition === null
      ? []
      : [
          [
            'Estimated position',
            html`${place(estimatedPosition)}<small>${estimatedPosition.confidence} confidence</small>`,
          ] as const,
        ]),
    ...(distanceToNextStopMeters === null
      ? []
      : [['Distance to the next stop', `${distanceToNextStopMeters} m`] as const]),
  ])
}

function details(shipment: Shipment): Markup {
  const { carrier, orderId, returnId, statusReason, pickup, dropoff, cancellation, proof } = shipment
  const orNone = (text: string | null) => (text === null ? 'none' : code(text))
  return facts([
    ['Id', code(shipment.id)],
    ['Order', orderId === null ? 'none' : link(`/orders/${orderId}`, code(orderId))],
    ...(returnId === null ? [] : [['Return', link(`/returns/${returnId}`, code(returnId))] as const]),
    ...(statusReason === null ? [] : [['Reason', statusReason.message] as const]),
    ['Carrier', carrier === null ? 'none yet' : carrier.name],
    ['Service', shipment.service ?? 'none yet'],
    ['Carrier reference', orNone(shipment.carrierReference)],
    ['Tracking page', shipment.trackingUrl === null ? 'none' : outside(shipment.trackingUrl, 'of the carrier')],
    ['Pickup', placeOf(pickup)],
    ['Dropoff', placeOf(dropoff)],
    ['Distance', `${shipment.distanceMeters} m`],
    ['PIN of the recipient', orNone(proof.pin)],
    [
      'Warnings',
      shipment.warnings.length === 0 ? 'none' : html`${shipment.warnings.map((each) => badge(each, 'waiting'))}`,
    ],
    ['Created', time(shipment.createdAt)],
    ['Picked up', pickedUp(shipment)],
    ['Delivered', shipment.deliveredAt === null ? missing(shipment) : time(shipment.deliveredAt)],
    ...(cancellation.requestedAt === null
      ? []
      : ([
          ['Cancellation requested', time(cancellation.requestedAt)],
          ['Cancellation reason', html`${cancellation.reason?.replaceAll('_', ' ') ?? ''} ${cancellation.note ?? ''}`],
          ['Cancellation fee', cancellation.feeKobo === null ? 'not known yet' : money(cancellation.feeKobo)],
        ] as const)),
  ])
}

/**
 * Shows the time at which the carrier collected the parcel. A carrier can report a later status without reporting the
 * pickup.
 */
function pickedUp({ pickedUpAt, status, timeline }: Shipment): Markup | string {
  if (pickedUpAt !== null) return time(pickedUpAt)
  const later = timeline.find((event) => event.applied && event.status !== null && hasLeftShop(event.status))
  if (later !== undefined) return html`before ${time(later.at)}<small>The carrier reported no pickup time.</small>`
  return hasLeftShop(status) ? 'at an unknown time' : missing({ status })
}

/**
 * Returns the text for an event that has not happened, such as the pickup: `not yet`, or `no` if the shipment has
 * ended.
 */
function missing({ status }: Pick<Shipment, 'status'>): string {
  return isShipmentOver(status) ? 'no' : 'not yet'
}

function placeOf({ name, phone, line1, area, state }: Shipment['pickup']): Markup {
  const address = [line1, area, state].filter((part) => part !== null).join(', ')
  return html`${name ?? 'no name'}<small>${phone ?? 'no phone number'}</small><small>${address}</small>`
}

function prices(shipment: Shipment): Markup {
  const { priceKobo, quotedPriceKobo, surgeKobo, priceCeilingKobo, codAmountKobo, codCollectedKobo } = shipment
  return facts([
    ['Price', priceKobo === null ? 'no carrier has accepted yet' : money(priceKobo)],
    ['Surge in the price', money(surgeKobo)],
    ['Quoted', money(quotedPriceKobo)],
    ['Price ceiling', money(priceCeilingKobo)],
    ...(codAmountKobo === null
      ? []
      : ([
          ['Cash on delivery', money(codAmountKobo)],
          ['Collected cash', codCollectedKobo === null ? missing(shipment) : money(codCollectedKobo)],
        ] as const)),
  ])
}

function attemptTable(attempts: Shipment['attempts']): Markup {
  if (attempts.length === 0) return empty('No carrier was requested yet.')
  return table('Dispatch attempts', attempts, [
    { title: 'Number', cell: ({ number }) => String(number), isNumber: true },
    { title: 'Carrier', cell: ({ carrier, service }) => html`${carrier}<small>${service}</small>` },
    {
      title: 'State',
      cell: ({ state }) => badge(state, state === 'accepted' || state === 'completed' ? 'good' : 'quiet'),
    },
    {
      title: 'Outcome',
      cell: ({ outcome }) => (outcome === null ? 'in progress' : outcomeText(outcome)),
    },
    { title: 'Price', cell: ({ priceKobo }) => money(priceKobo), isNumber: true },
    { title: 'Started', cell: ({ startedAt }) => time(startedAt) },
  ])
}

/** Shows the outcome of a dispatch attempt as a sentence, with the carrier's own message below it. */
function outcomeText({ code: outcomeCode, message }: NonNullable<Shipment['attempts'][number]['outcome']>): Markup {
  const sentence = outcomeSentence(outcomeCode)
  return sentence === undefined ? html`${message}` : html`${sentence}<small>${message}</small>`
}

function eventTable(events: Shipment['timeline']): Markup {
  if (events.length === 0) return empty('There are no tracking events yet.')
  return table('Tracking events', events, [
    { title: 'Time', cell: ({ at }) => time(at) },
    { title: 'Status', cell: ({ status }) => (status === null ? '' : shipmentBadge(status)) },
    {
      title: 'Description',
      cell: ({ description, applied }) =>
        html`${description}${applied ? nothing : html` ${badge('not applied', 'quiet')}`}`,
    },
    {
      title: 'Source',
      cell: ({ source, carrierStatus }) =>
        html`${source}${carrierStatus === null ? nothing : html` ${code(carrierStatus)}`}`,
    },
  ])
}
