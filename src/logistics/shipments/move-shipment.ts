import { isShipmentOver, mayShipmentMove, type ShipmentStatus } from '../../../registry/logistics/shipment-states.ts'
import type { Timestamp } from '../../../registry/values/vocabulary.ts'
import type { Work } from '../../store/core/mutation.ts'
import {
  insertShipmentEvent,
  type StoredShipmentEvent,
  writeShipment,
} from '../../store/logistics/shipments/shipments.ts'
import type { StoredShipment } from '../../store/tables/shipment.ts'
import { carrierNameOf } from '../carriers/carrier-names.ts'
import { resolvedBy, resolvedOf, withException, withRefusal } from './exceptions.ts'
import { type FollowOutcome, followShipment } from './follow-shipment.ts'

/** A step of a shipment’s life may move its order too. */
export type ShipmentWork = Work<'shipment.status_changed' | 'order.status_changed'>

/** A piece of news about a shipment, whoever tells it. */
export interface ShipmentUpdate {
  /** Where it is by this news; null where it says nothing of that. */
  readonly status: ShipmentStatus | null
  /** Why it is there, where there is something to say. */
  readonly reason?: { readonly code: string; readonly message: string } | null
  readonly source: StoredShipmentEvent['source']
  readonly description: string
  readonly carrierStatus?: string | null
  readonly attemptNumber?: number | null
  /** By the clock of whoever tells; now when left out. */
  readonly occurredAt?: Timestamp
}

/** What else changes with it. */
export type ShipmentChange = Partial<
  Omit<
    StoredShipment,
    | 'merchantId'
    | 'id'
    | 'status'
    | 'statusCode'
    | 'statusMessage'
    | 'version'
    | 'updatedAt'
    | 'eventCount'
    | 'createdAt'
  >
>

export interface RecordedChange {
  /** `late` is news that does not fit the table: it is kept in the timeline, and moves and changes nothing. */
  readonly is: 'moved' | 'noted' | 'late'
  readonly shipment: StoredShipment
  /** What became of its order, of a move. */
  readonly followed?: FollowOutcome
}

/**
 * The one way a shipment’s status changes. It holds to the published table, keeps the news in the timeline whether or not
 * it moved anything, takes the order along, and tells of a move exactly once. The shipment must be locked.
 */
export async function moveShipment(
  work: ShipmentWork,
  shipment: StoredShipment,
  news: ShipmentUpdate,
  change: ShipmentChange = {},
): Promise<RecordedChange> {
  const to = news.status ?? shipment.status
  const isMove = to !== shipment.status
  const isLate = isMove && !mayShipmentMove(shipment.status, to)
  const followed = isMove && !isLate ? await followShipment(work, shipment, to) : undefined
  const occurredAt = news.occurredAt ?? work.now
  const number = shipment.eventCount + 1
  insertShipmentEvent(work.trx, shipment, {
    number,
    attemptNumber: news.attemptNumber ?? null,
    status: news.status,
    carrierStatus: news.carrierStatus ?? null,
    source: news.source,
    description: news.description,
    isApplied: !isLate,
    occurredAt,
    receivedAt: work.now,
  })
  const base = { ...shipment, eventCount: number, version: shipment.version + 1, updatedAt: work.now }
  if (isLate) {
    writeShipment(work.trx, base)
    return { is: 'late', shipment: base }
  }
  const changed: StoredShipment = { ...base, ...change }
  if (followed === undefined) {
    writeShipment(work.trx, changed)
    return { is: 'noted', shipment: changed }
  }
  const booked = { ...changed, ...bookedBy(followed, changed, news, work.now) }
  const moved = { ...booked, ...marksOf(booked, to, news, occurredAt, work.now) }
  writeShipment(work.trx, moved)
  tellOfMove(work, shipment, moved, news, occurredAt)
  if (followed.is === 'moved') work.note({ orderStatus: [followed.from, followed.to] })
  return { is: 'moved', shipment: moved, followed }
}

/** What the order counts of it, and whether a person has to see to the order. */
function bookedBy(
  followed: FollowOutcome,
  { exceptions, carrier }: StoredShipment,
  { attemptNumber }: ShipmentUpdate,
  at: Timestamp,
): Pick<StoredShipment, 'itemsBooked' | 'exceptions'> {
  const { itemsBooked } = followed
  if (followed.is !== 'not_moved') return { itemsBooked, exceptions: resolvedOf(exceptions, ['order_not_moved'], at) }
  const of = {
    ...(carrier === null ? {} : { carrier }),
    ...(typeof attemptNumber === 'number' ? { attemptNumber } : {}),
  }
  const told = { code: 'order_not_moved', ...followed.why, ...of, at } as const
  return { itemsBooked, exceptions: withException(exceptions, told) }
}

/** What is noted of arriving in a state, beside what the caller has to say. */
function marksOf(
  shipment: StoredShipment,
  to: ShipmentStatus,
  news: ShipmentUpdate,
  at: Timestamp,
  now: Timestamp,
): Partial<StoredShipment> {
  return {
    status: to,
    exceptions: resolvedBy(withRefusal(shipment, to, now), to, now),
    statusCode: news.reason?.code ?? null,
    statusMessage: news.reason?.message ?? null,
    ...(to === 'courier_assigned' ? { assignedAt: shipment.assignedAt ?? at } : {}),
    ...(to === 'picked_up' ? { pickedUpAt: at } : {}),
    ...(to === 'delivered' ? { deliveredAt: at } : {}),
    // Who carried it is nobody’s business once it is over.
    ...(isShipmentOver(to) ? { endedAt: at, courier: null, nextCheckAt: null } : {}),
  }
}

function tellOfMove(
  work: ShipmentWork,
  before: StoredShipment,
  moved: StoredShipment,
  news: ShipmentUpdate,
  occurredAt: Timestamp,
): void {
  const { id: shipmentId, reference, orderId, items, carrier, trackingUrl, version } = moved
  work.emit('shipment.status_changed', shipmentId, {
    shipmentId,
    reference,
    orderId,
    items: [...items],
    from: before.status,
    to: moved.status,
    statusReason: reasonOf(moved),
    carrier: carrier === null ? null : { code: carrier, name: carrierNameOf(carrier) },
    attemptNumber: news.attemptNumber ?? null,
    trackingUrl,
    version,
    occurredAt,
  })
  // The order’s move has noted its own status under the same name.
  work.note({ status: [before.status, moved.status] })
}

export function reasonOf({ statusCode, statusMessage }: StoredShipment): { code: string; message: string } | null {
  return statusCode === null ? null : { code: statusCode, message: statusMessage ?? statusCode }
}
