import { hasLeftShop, isShipmentOver } from '../../../registry/logistics/shipment-states.ts'
import { html, type Markup } from '../../markup/markup.ts'
import { badge, code, dateTime, facts, money } from '../../markup/parts.ts'
import type { ReplyOf } from '../kit/call.ts'
import { link, outside } from '../kit/parts.ts'
import type { ShippedRecord } from './contents.ts'
import { placeOf } from './place.ts'

type Shipment = ReplyOf<'getShipment'>
type Entry = readonly [string, Markup | string]

/** Omits fields without a value. */
export function details(shipment: Shipment, record: ShippedRecord): Markup {
  const { carrier, service, carrierReference, trackingUrl, pickup, dropoff, proof, warnings } = shipment
  return facts([
    ['Recipient', placeOf(dropoff)],
    ...recordEntries(shipment, record),
    ...(carrier === null ? [] : ([['Carrier', html`${carrier.name}<small>${service ?? ''}</small>`]] as const)),
    ...(carrierReference === null ? [] : ([['Carrier reference', code(carrierReference)]] as const)),
    ...(trackingUrl === null ? [] : ([['Tracking page', outside(trackingUrl, 'of the carrier')]] as const)),
    ...(proof.pin === null ? [] : ([['PIN of the recipient', code(proof.pin)]] as const)),
    ...proofEntries(shipment),
    ...(warnings.length === 0
      ? []
      : ([['Warnings', html`${warnings.map((each) => badge(each, 'waiting'))}`]] as const)),
    ['Created', dateTime(shipment.createdAt)],
    ['Picked up', pickedUp(shipment)],
    ['Delivered', shipment.deliveredAt === null ? missing(shipment) : dateTime(shipment.deliveredAt)],
    ...cancellationEntries(shipment),
    ['Pickup', placeOf(pickup)],
    ['Id', code(shipment.id)],
  ])
}

function recordEntries({ orderId, returnId }: Shipment, { order, returnOf }: ShippedRecord): readonly Entry[] {
  const ofOrder: readonly Entry[] =
    orderId === null ? [] : [['Order', link(`/orders/${orderId}`, order?.number ?? code(orderId))]]
  if (returnId === null) return ofOrder
  const text = returnOf === undefined ? code(returnId) : `Return of ${returnOf}`
  return [...ofOrder, ['Return', link(`/returns/${returnId}`, text)]]
}

function proofEntries({ proof: { captured } }: Shipment): readonly Entry[] {
  if (captured.length === 0) return []
  const proofs = captured.map(({ type, url, capturedAt }) => {
    return html`<li>${url === null ? type : outside(url, type)} ${dateTime(capturedAt)}</li>`
  })
  return [['Proof of delivery', html`<ul>${proofs}</ul>`]]
}

function cancellationEntries({ cancellation }: Shipment): readonly Entry[] {
  const { requestedAt, reason, note, feeKobo } = cancellation
  if (requestedAt === null) return []
  return [
    ['Cancellation requested', dateTime(requestedAt)],
    ['Cancellation reason', html`${reason?.replaceAll('_', ' ') ?? ''} ${note ?? ''}`],
    ['Cancellation fee', feeKobo === null ? 'not known yet' : money(feeKobo)],
  ]
}

/** A carrier can report a later status without reporting the pickup. */
function pickedUp({ pickedUpAt, status, timeline }: Shipment): Markup | string {
  if (pickedUpAt !== null) return dateTime(pickedUpAt)
  const later = timeline.find((event) => event.applied && event.status !== null && hasLeftShop(event.status))
  if (later !== undefined) return html`before ${dateTime(later.at)}<small>The carrier reported no pickup time.</small>`
  return hasLeftShop(status) ? 'at an unknown time' : missing({ status })
}

/**
 * Returns the text for an event that has not happened, such as the pickup: `not yet`, or `no` if the shipment has
 * ended.
 */
function missing({ status }: Pick<Shipment, 'status'>): string {
  return isShipmentOver(status) ? 'no' : 'not yet'
}

export function prices(shipment: Shipment): Markup {
  const { priceKobo, quotedPriceKobo, surgeKobo, priceCeilingKobo, codAmountKobo, codCollectedKobo } = shipment
  return facts([
    ['Price', priceKobo === null ? 'no carrier has accepted yet' : money(priceKobo)],
    ...(surgeKobo === 0 ? [] : ([['Surge included in the price', money(surgeKobo)]] as const)),
    ['Quoted', money(quotedPriceKobo)],
    ['Maximum price', money(priceCeilingKobo)],
    ...(codAmountKobo === null
      ? []
      : ([
          ['Cash on delivery', money(codAmountKobo)],
          ['Collected cash', codCollectedKobo === null ? missing(shipment) : money(codCollectedKobo)],
        ] as const)),
  ])
}
