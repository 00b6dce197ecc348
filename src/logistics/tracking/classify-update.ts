import {
  isParcelEnd,
  isShipmentOver,
  isUnfetched,
  mayShipmentMove,
  type ShipmentStatus,
} from '../../../registry/logistics/shipment-states.ts'
import type { Timestamp } from '../../../registry/values/vocabulary.ts'
import { toMs } from '../../base/clock.ts'
import type { Tracking } from '../../partners/carriers/carrier.ts'
import type { PastUpdate } from '../../store/logistics/shipments/tracking.ts'
import { cancelledStates, type StoredAttempt, type StoredShipment } from '../../store/tables/shipment.ts'
import { replicationLagMs } from './replication-lag.ts'

/**
 * Effect of a carrier’s tracking update on a shipment. Carriers repeat updates, send them late and out of order, and
 * continue to send them for abandoned attempts:
 *
 *    live attempt          new and allowed by the transitions -> moves
 *                          the same status                    -> stays
 *                          another end after the end          -> other_end
 *                          anything else                      -> late, unless it repeats a stored update
 *    not accepted yet      -> not_accepted_yet
 *    ended attempt         -> late_acceptance if it shows that the carrier carries out the order, else late
 */
export type Verdict =
  | { readonly is: 'moves'; readonly to: ShipmentStatus }
  | {
      readonly is: 'stays'
      readonly isNewCarrierStatus: boolean
      readonly isStale: boolean
      /**
       * Whether another delivery attempt has failed since the failed attempt that set the current status of the
       * shipment.
       */
      readonly isAnotherFailure: boolean
    }
  | { readonly is: 'late'; readonly isUndated: boolean }
  | { readonly is: 'repeated' }
  | { readonly is: 'carrier_cancelled' }
  | { readonly is: 'cancelled_too_late' }
  /** The carrier reports an end of the parcel after the shipment has ended in another way. */
  | { readonly is: 'other_end' }
  | { readonly is: 'not_accepted_yet' }
  | { readonly is: 'late_acceptance' }

export interface CarrierUpdate {
  readonly status: ShipmentStatus | undefined
  readonly carrierStatus: string
  /** Time of the update by the carrier’s clock, never in the future; undefined when the carrier gives none. */
  readonly at: Timestamp | undefined
  /**
   * Whether the carrier's time of the update is in the future. `at` is then the time of receipt, which differs each
   * time the carrier repeats the update.
   */
  readonly isClockAhead: boolean
  /**
   * The time `at` of the update, or the time of the poll if a polled update has no time. Undefined for a callback
   * without a time, because the callback may be stale.
   */
  readonly datedAt: Timestamp | undefined
  /**
   * The time for which the update states the rider and the estimate: the time of the poll, or `at` for a callback.
   * Undefined if unknown.
   */
  readonly statedAt: Timestamp | undefined
  /** Undefined for a callback. */
  readonly polledAt?: Timestamp | undefined
}

export interface KnownState {
  readonly shipment: Pick<StoredShipment, 'status' | 'cancelRequestedAt'>
  readonly attempt: Pick<StoredAttempt, 'state' | 'resolvedAt'>
  /** Earlier tracking updates of the same dispatch attempt, newest first. */
  readonly past: readonly PastUpdate[]
}

export function classifyUpdate({ shipment, attempt, past }: KnownState, update: CarrierUpdate): Verdict {
  if (attempt.state === 'sending' || attempt.state === 'unknown') return { is: 'not_accepted_yet' }
  const { status } = update
  if (!liveStates.includes(attempt.state)) {
    if (isUncancelled(attempt, update)) return { is: 'late_acceptance' }
    if (isRepeated(past, update)) return { is: 'repeated' }
    return isAcceptance(attempt, update) ? { is: 'late_acceptance' } : { is: 'late', isUndated: false }
  }
  if (status === 'cancelled' || status === 'failed') return classifyEnding(shipment, past, update)
  if (status === undefined || status === shipment.status) {
    return {
      is: 'stays',
      isNewCarrierStatus: !isRepeated(past, update),
      isStale: isStale(past, update),
      isAnotherFailure: isAnotherFailure(past, update),
    }
  }
  const isNew = isFresh(past, update) || isFurther(past, status)
  if (mayShipmentMove(shipment.status, status) && !isHeldBack(shipment.status, status) && isNew) {
    return { is: 'moves', to: status }
  }
  if (isRepeated(past, update)) return { is: 'repeated' }
  const isLater = isNew || update.datedAt === undefined
  if (isLater && isParcelEnd(shipment.status) && isParcelEnd(status)) return { is: 'other_end' }
  // An update without a time may be stale or the latest, so the carrier is polled.
  return { is: 'late', isUndated: update.datedAt === undefined }
}

/** States that a dispatch attempt can have once the carrier has accepted it, also after the delivery of its parcel. */
const liveStates: readonly StoredAttempt['state'][] = ['accepted', 'cancelling', 'completed']

/** Returns the shipment status if a carrier may report it; undefined for a status that exists only in this service. */
export function carrierUpdateOf(status: ShipmentStatus | undefined): ShipmentStatus | undefined {
  return status === 'scheduled' || status === 'dispatching' || status === 'cancelling' ? undefined : status
}

/**
 * Returns the shipment status that a tracking update reports. Undefined if the carrier status does not show whether a
 * rider is assigned, and the shipment already has a rider. The update must not remove this rider.
 */
export function statusWithin(
  { status, isCourierOpen }: Pick<Tracking, 'status' | 'isCourierOpen'>,
  current: ShipmentStatus,
): ShipmentStatus | undefined {
  const hasCourier = current === 'courier_assigned' || current === 'at_pickup'
  return isCourierOpen === true && hasCourier ? undefined : status
}

/**
 * Classifies the carrier statuses `cancelled` and `failed`. Before the pickup they do not end the shipment, because
 * another carrier may take it.
 */
function classifyEnding(
  { status, cancelRequestedAt }: KnownState['shipment'],
  past: KnownState['past'],
  update: CarrierUpdate,
): Verdict {
  if (cancelRequestedAt !== null && mayShipmentMove(status, 'cancelled')) return { is: 'moves', to: 'cancelled' }
  if (isUnfetched(status)) return { is: 'carrier_cancelled' }
  if (isRepeated(past, update)) return { is: 'repeated' }
  return isShipmentOver(status) ? { is: 'late', isUndated: false } : { is: 'cancelled_too_late' }
}

/**
 * Whether an update must not replace the status `cancelling`. An update with a status before the pickup does not prove
 * that the carrier rejected the cancellation.
 */
function isHeldBack(from: ShipmentStatus, to: ShipmentStatus): boolean {
  return from === 'cancelling' && isUnfetched(to)
}

/** Rank of a parcel's progress by shipment status. Statuses that no carrier reports are missing. */
const ranks: Readonly<Partial<Record<ShipmentStatus, number>>> = {
  awaiting_courier: 0,
  courier_assigned: 1,
  at_pickup: 2,
  picked_up: 3,
  in_transit: 4,
  at_dropoff: 5,
  delivery_failed: 6,
  returning: 7,
  delivered: 8,
  returned: 8,
  lost: 8,
}

function rankOf(status: ShipmentStatus): number {
  return ranks[status] ?? 0
}

interface AppliedUpdate extends PastUpdate {
  readonly status: ShipmentStatus
}

function applied(past: readonly PastUpdate[]): AppliedUpdate[] {
  return past.filter((known): known is AppliedUpdate => known.isApplied && known.status !== null)
}

/**
 * Returns the applied tracking update with the latest time. Of updates with equal times, it is the one received last.
 */
function lastOf(past: readonly PastUpdate[]): AppliedUpdate | undefined {
  const [newest, ...others] = applied(past)
  return others.reduce((last, known) => (last && known.occurredAt > last.occurredAt ? known : last), newest)
}

/**
 * Whether a tracking update is later than the last applied one. Of two updates with the same time, the one with the
 * more advanced status is later.
 */
function isFresh(past: readonly PastUpdate[], { status, datedAt }: CarrierUpdate): boolean {
  const last = lastOf(past)
  if (last === undefined) return true
  if (datedAt === undefined) return false
  if (datedAt !== last.occurredAt) return datedAt > last.occurredAt
  return status !== undefined && rankOf(status) > rankOf(last.status)
}

/** Whether a tracking update with a later time was already applied. */
function isStale(past: readonly PastUpdate[], { statedAt }: CarrierUpdate): boolean {
  const last = lastOf(past)
  return last !== undefined && statedAt !== undefined && statedAt < last.occurredAt
}

/**
 * Whether this tracking update has a more advanced status than every update that was already applied. Such an update is
 * applied even if it arrives late or has no time.
 */
function isFurther(past: readonly PastUpdate[], status: ShipmentStatus): boolean {
  return applied(past).every((known) => rankOf(known.status) < rankOf(status))
}

/**
 * Minimum time between two failed deliveries of a parcel. The times that a carrier’s callbacks and polls report for the
 * same failure may differ by seconds, and a rider needs longer than a minute for another attempt.
 */
const failuresApartMs = 60_000

/**
 * Whether a tracking update reports another failed delivery. The time of the update must be at least `failuresApartMs`
 * later than the time of every failed delivery reported before.
 */
function isAnotherFailure(past: readonly PastUpdate[], { status, at, isClockAhead }: CarrierUpdate): boolean {
  if (status !== 'delivery_failed' || at === undefined || isClockAhead) return false
  const atMs = Date.parse(at)
  return past
    .filter((known) => known.status === 'delivery_failed')
    .every((known) => atMs - Date.parse(known.occurredAt) >= failuresApartMs)
}

function isRepeated(past: readonly PastUpdate[], { status, carrierStatus, at }: CarrierUpdate): boolean {
  // A tracking update whose carrier status did not change the shipment was stored with null as its shipment status.
  const isSame = (known: PastUpdate) =>
    known.carrierStatus === carrierStatus && (known.status === null || known.status === status)
  const [latest] = past
  if (latest !== undefined && isSame(latest)) return true
  return past.some((known) => isSame(known) && (at === undefined || known.occurredAt === at))
}

/** States of an attempt that ended before this service knew of an acceptance by the carrier. */
const neverAccepted: readonly StoredAttempt['state'][] = [
  'abandoned',
  'not_found_at_carrier',
  'refused',
  'unavailable',
  'invalid',
  'skipped',
]

/** Whether an update shows that a carrier accepted an abandoned attempt, or picked up a cancelled order. */
function isAcceptance({ state, resolvedAt }: KnownState['attempt'], { status, at }: CarrierUpdate): boolean {
  if (status === undefined || status === 'cancelled' || status === 'failed') return false
  if (neverAccepted.includes(state)) return true
  // An update from before the cancellation is classified as `late`: it does not show that the carrier continues the
  // order.
  return status !== 'awaiting_courier' && (at === undefined || resolvedAt === null || at > resolvedAt)
}

/**
 * Whether a poll shows that the carrier carries out an order after it had confirmed the cancellation. A poll states the
 * current status of the order, even if the status is older than the cancellation or was reported before.
 */
function isUncancelled({ state, resolvedAt }: KnownState['attempt'], { status, polledAt }: CarrierUpdate): boolean {
  if (!cancelledStates.some((each) => each === state) || polledAt === undefined || resolvedAt === null) return false
  if (status === undefined || status === 'cancelled' || status === 'failed') return false
  return toMs(polledAt) - toMs(resolvedAt) >= replicationLagMs
}
