import {
  isActiveOrDelivered,
  isShipmentOver,
  mayShipmentMove,
  type ShipmentStatus,
} from '../../../registry/logistics/shipment-states.ts'
import type { Timestamp } from '../../../registry/values/vocabulary.ts'
import { leavesUnsentUnits, resolveTakenOver } from '../../commerce/orders/unsent-units.ts'
import { followReturnShipment, hasReturnEnded } from '../../commerce/returns/follow-return-shipment.ts'
import { insertShipmentEvent, type StoredShipmentEvent } from '../../store/logistics/shipments/shipments.ts'
import type { StoredShipment } from '../../store/tables/shipment.ts'
import { carrierNameOf } from '../carriers/carrier-names.ts'
import { type DeliveryCash, recordCollection, withCash } from './collect-cash.ts'
import { resolvedBy, resolvedOf, withException, withRejectedCancellation, withStatusException } from './exceptions.ts'
import { type FollowOutcome, followShipment } from './follow-shipment.ts'
import { putShipment } from './put-shipment.ts'
import type { ShipmentWork } from './shipment-work.ts'
import { reasonOf } from './status-reason.ts'

/** The update comes from a carrier, an API request or this service. */
export interface ShipmentUpdate {
  /** Null when the update does not change the status. */
  readonly status: ShipmentStatus | null
  readonly reason?: { readonly code: string; readonly message: string } | null
  readonly source: StoredShipmentEvent['source']
  readonly description: string
  readonly carrierStatus?: string | null
  readonly attemptNumber?: number | null
  /** Cash that the carrier reports with a delivery. Left out for an update that is not from a carrier. */
  readonly cash?: DeliveryCash
  /** Time of the change that the update reports, by the clock of the update's source. Defaults to now. */
  readonly occurredAt?: Timestamp
}

/** Further database columns of the shipment that change together with the update. */
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
  /**
   * `late`: the current shipment status does not allow a change to the status of the update. The shipment's timeline
   * shows the update as not applied, and nothing else changes.
   */
  readonly is: 'moved' | 'noted' | 'late'
  readonly shipment: StoredShipment
  /** The effect of the shipment's status change on the status of the order. */
  readonly followed?: FollowOutcome
}

/**
 * Only this function changes the status of a shipment. It changes the status only if the transitions of the API allow
 * the change. It also adds the update to the timeline, changes the order's status, and emits one event per status
 * change. The shipment must be locked.
 */
export async function moveShipment(
  work: ShipmentWork,
  shipment: StoredShipment,
  update: ShipmentUpdate,
  change: ShipmentChange = {},
): Promise<RecordedChange> {
  const to = update.status ?? shipment.status
  const isMove = to !== shipment.status
  const isLate = isMove && !mayShipmentMove(shipment.status, to)
  const followed = isMove && !isLate ? await followShipment(work, shipment, to) : undefined
  const occurredAt = update.occurredAt ?? work.now
  const number = shipment.eventCount + 1
  insertShipmentEvent(work.trx, shipment, {
    number,
    attemptNumber: update.attemptNumber ?? null,
    status: update.status,
    carrierStatus: update.carrierStatus ?? null,
    source: update.source,
    description: update.description,
    isApplied: !isLate,
    occurredAt,
    receivedAt: work.now,
  })
  const base = { ...shipment, eventCount: number, version: shipment.version + 1, updatedAt: work.now }
  if (isLate) {
    return { is: 'late', shipment: putShipment(work, base) }
  }
  const changed: StoredShipment = { ...base, ...change }
  if (followed === undefined) {
    return { is: 'noted', shipment: putShipment(work, changed) }
  }
  const booked = { ...changed, ...bookedItems(followed, changed, update, work.now) }
  const columns = columnsOfMove(booked, to, update, occurredAt, work.now)
  const { orderId, returnId } = shipment
  const isReturnEnded = !isActiveOrDelivered(to) && (await hasReturnEnded(work, returnId))
  const isUnsent = to === 'failed' && !isReturnEnded && (await leavesUnits(work, shipment))
  const reached = { to, orderStatus: followed.orderStatus, isUnsent, isReturnEnded }
  const exceptions = withStatusException(columns.exceptions ?? booked.exceptions, booked, reached, work.now)
  const delivered = { ...booked, ...columns, exceptions }
  const cash = to === 'delivered' ? cashOf(update, delivered) : undefined
  const put = putShipment(work, cash === undefined ? delivered : withCash(delivered, cash, occurredAt, work.now))
  const moved = cash === undefined ? put : await recordCollection(work, shipment, put, cash.carrier)
  const isAccepted = isUnaccepted(shipment.status) && !isUnaccepted(to) && isActiveOrDelivered(to)
  if (orderId !== null && (isAccepted || isUnsent)) await resolveTakenOver(work, orderId, moved)
  emitMove(work, shipment, moved, update, occurredAt)
  if (returnId !== null) await followReturnShipment(work, { ...moved, returnId })
  if (followed.is === 'moved') work.note({ orderStatus: [followed.from, followed.to] })
  return { is: 'moved', shipment: moved, followed }
}

/** Reports whether units of an order or of a return must be sent again when their shipment fails. */
async function leavesUnits(work: ShipmentWork, shipment: StoredShipment): Promise<boolean> {
  const { orderId, returnId } = shipment
  return returnId !== null || (orderId !== null && (await leavesUnsentUnits(work, orderId, shipment)))
}

/**
 * Returns the cash that the rider collected at a delivery. If the update contains no cash, because it is not from a
 * carrier, the amount is undefined.
 */
function cashOf({ cash }: ShipmentUpdate, { carrier }: StoredShipment): DeliveryCash | undefined {
  return cash ?? (carrier === null ? undefined : { carrier, amountKobo: undefined })
}

/** Reports whether a shipment with this status has not been accepted by a carrier yet, or is being cancelled. */
function isUnaccepted(status: ShipmentStatus): boolean {
  return status === 'scheduled' || status === 'dispatching' || status === 'cancelling'
}

/**
 * Returns which items of the shipment are counted on its order, and the exceptions of the shipment. Adds the exception
 * `order_not_moved` if the status of the order could not follow the shipment. Otherwise, resolves this exception.
 */
function bookedItems(
  followed: FollowOutcome,
  { exceptions, carrier }: StoredShipment,
  { attemptNumber }: ShipmentUpdate,
  at: Timestamp,
): Pick<StoredShipment, 'itemsBooked' | 'exceptions'> {
  const { itemsBooked } = followed
  if (followed.is !== 'not_moved') return { itemsBooked, exceptions: resolvedOf(exceptions, ['order_not_moved'], at) }
  const origin = {
    ...(carrier === null ? {} : { carrier }),
    ...(typeof attemptNumber === 'number' ? { attemptNumber } : {}),
  }
  const exception = { code: 'order_not_moved', ...followed.why, ...origin, at } as const
  return { itemsBooked, exceptions: withException(exceptions, exception) }
}

/** Returns the database columns that every change of a shipment's status sets. */
function columnsOfMove(
  shipment: StoredShipment,
  to: ShipmentStatus,
  update: ShipmentUpdate,
  at: Timestamp,
  now: Timestamp,
): Partial<StoredShipment> {
  // Some carriers never report the pickup. The rider assignment is then the last event before the delivery or another
  // final status.
  const afterPickup = latest(at, shipment.pickedUpAt ?? shipment.assignedAt)
  return {
    status: to,
    exceptions: resolvedBy(withRejectedCancellation(shipment, to, now), to, now),
    statusCode: update.reason?.code ?? null,
    statusMessage: update.reason?.message ?? null,
    ...(to === 'courier_assigned' ? { assignedAt: shipment.assignedAt ?? at } : {}),
    ...(to === 'picked_up' ? { pickedUpAt: latest(at, shipment.assignedAt) } : {}),
    ...(to === 'delivered' ? { deliveredAt: afterPickup } : {}),
    // The rider’s data is not stored after the shipment has ended.
    ...(isShipmentOver(to)
      ? {
          endedAt: to === 'cancelled' ? latest(at, shipment.cancelRequestedAt) : afterPickup,
          courier: null,
          nextCheckAt: null,
        }
      : {}),
  }
}

/**
 * Returns the time of a shipment event, but at least the time of the event before it. The clocks of the carrier and the
 * service can differ, but the times of the events must follow the sequence of the events.
 */
function latest(at: Timestamp, before: Timestamp | null): Timestamp {
  return before !== null && before > at ? before : at
}

function emitMove(
  work: ShipmentWork,
  before: StoredShipment,
  moved: StoredShipment,
  update: ShipmentUpdate,
  occurredAt: Timestamp,
): void {
  const { id: shipmentId, reference, orderId, returnId, items, carrier, trackingUrl, version } = moved
  work.emit('shipment.status_changed', shipmentId, {
    shipmentId,
    reference,
    orderId,
    returnId,
    items: [...items],
    from: before.status,
    to: moved.status,
    statusReason: reasonOf(moved),
    carrier: carrier === null ? null : { code: carrier, name: carrierNameOf(carrier) },
    attemptNumber: update.attemptNumber ?? null,
    trackingUrl,
    version,
    occurredAt,
  })
  // If the order's status changes together with the shipment's, the audit entry contains the order status as
  // `orderStatus`.
  work.note({ status: [before.status, moved.status] })
}
