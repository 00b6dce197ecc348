import type { Instant, Timestamp } from '../../../registry/values/vocabulary.ts'
import { normaliseInstant, toMs, toTimestamp } from '../../base/clock.ts'
import type { ShipmentWindows, StoredWindow } from '../../store/logistics/shipments/shipment-windows.ts'
import type { PlannedOffer, StoredShipment } from '../../store/tables/shipment.ts'

/**
 * Computes when an offer must be dispatched so that the rider arrives within the pickup and dropoff windows of a quote.
 * No supported carrier accepts an order with a time window, so the service waits and requests the carrier in time.
 * Quotes, dispatches and failovers use the same functions.
 */

type Timed = Pick<PlannedOffer, 'pickupMinutes' | 'dropoffMinutes'>

const minuteMs = 60_000

export const noWindows: ShipmentWindows = { pickup: null, dropoff: null }

/** Stored timestamps are in UTC, but a client may send any UTC offset. */
export function storedWindow(
  window: { readonly from: Instant; readonly to: Instant } | undefined,
): StoredWindow | null {
  return window === undefined ? null : { from: normaliseInstant(window.from), to: normaliseInstant(window.to) }
}

/**
 * Returns when to place the order so that the rider, by the median estimate, arrives at the start of the pickup window.
 * An early rider waits, and a late rider is still within the window. With only a dropoff window, delivery is planned
 * for its middle, because an early rider would not find the recipient. `defaultLeadMs` is the lead time of a carrier
 * without a pickup estimate.
 */
export function dispatchTime(windows: ShipmentWindows, offer: Timed, now: Timestamp, defaultLeadMs: number): Timestamp {
  const { pickup, dropoff } = windows
  if (pickup !== null) return later(now, toMs(pickup.from) - leadMs(offer, defaultLeadMs))
  if (dropoff === null || offer.dropoffMinutes === null) return now
  const middleMs = (toMs(dropoff.from) + toMs(dropoff.to)) / 2
  return later(now, middleMs - offer.dropoffMinutes.p50 * minuteMs)
}

/**
 * Returns when the rider is expected at the pickup. Null if the dispatch does not wait for a time window, or if the
 * time of the pickup is unknown.
 */
export function pickupTime(
  windows: ShipmentWindows,
  offer: Timed,
  {
    now,
    dispatchAt,
    defaultLeadMs,
  }: { readonly now: Timestamp; readonly dispatchAt: Timestamp; readonly defaultLeadMs: number },
): Timestamp | null {
  const { pickup } = windows
  const isHeld = toMs(dispatchAt) > toMs(now) || (pickup !== null && toMs(pickup.from) > toMs(now))
  if (!isHeld || (pickup === null && offer.pickupMinutes === null)) return null
  return toTimestamp(Math.round(toMs(dispatchAt) + leadMs(offer, defaultLeadMs)))
}

function leadMs({ pickupMinutes }: Timed, defaultLeadMs: number): number {
  return pickupMinutes === null ? defaultLeadMs : pickupMinutes.p50 * minuteMs
}

/**
 * Returns the time from which the minutes of an offer are counted. This is the dispatch time of the offer or, if the
 * offer has no pickup estimate, the start of the pickup window.
 */
export function etaStart(windows: ShipmentWindows, offer: Timed, now: Timestamp): Timestamp {
  return dispatchTime(windows, offer, now, 0)
}

/** Uses the median estimates of the offer. An offer without an estimate misses no time window. */
export function missedWindows(
  windows: ShipmentWindows,
  offer: Timed,
  now: Timestamp,
): readonly ('pickup' | 'dropoff')[] {
  const { pickup, dropoff } = windows
  const { pickupMinutes, dropoffMinutes } = offer
  const fromMs = toMs(etaStart(windows, offer, now))
  const isLate = (window: StoredWindow | null, minutes: Timed['pickupMinutes']) =>
    window !== null && minutes !== null && fromMs + minutes.p50 * minuteMs > toMs(window.to)
  // If the dispatch time is unknown, the delivery time cannot be computed from the offer's delivery minutes.
  const isDispatchTimeKnown = pickup === null || pickupMinutes !== null || toMs(pickup.from) <= toMs(now)
  return [
    ...(isLate(pickup, pickupMinutes) ? (['pickup'] as const) : []),
    ...(isDispatchTimeKnown && isLate(dropoff, dropoffMinutes) ? (['dropoff'] as const) : []),
  ]
}

/**
 * Maximum time in minutes by which a late request may make a rider miss the end of a time window. An offer that just
 * meets its window at the dispatch time is requested some seconds later by a worker, about a minute later if the first
 * worker crashed, and about five minutes later if another carrier failed first (`failureMinutes`).
 */
const lateMinutesMax = 5

/**
 * Returns the time windows that an offer misses by more than `lateMinutesMax` if its carrier is requested now, although
 * the planned offer met them at an earlier time. Every offer misses a window that has ended.
 */
function lostWindows(
  windows: ShipmentWindows,
  { planned, renewed = planned }: DueOffer,
  { since, now }: { readonly since: Timestamp; readonly now: Timestamp },
): readonly ('pickup' | 'dropoff')[] {
  const missedBefore = missedWindows(windows, planned, since)
  const missedNow = missedWindows(windows, renewed, toTimestamp(toMs(now) - lateMinutesMax * minuteMs))
  return (['pickup', 'dropoff'] as const).filter((name) => {
    const window = windows[name]
    const isMissed = missedNow.includes(name) || (window !== null && toMs(window.to) <= toMs(now))
    return isMissed && !missedBefore.includes(name)
  })
}

/** An offer of the plan, and the offer that replaces it if it expired. */
interface DueOffer {
  readonly planned: Timed
  readonly renewed?: Timed
}

/** A shipment, with the time windows of its quote. */
interface WindowedShipment {
  readonly shipment: Pick<StoredShipment, 'dispatchAt' | 'scheduledPickupAt' | 'createdAt'>
  readonly windows?: ShipmentWindows | null
}

/**
 * Whether it is too late for an offer to meet the time windows of its shipment. A carrier may be requested late, for
 * example because the order was on hold, and a rider must not come after a window.
 */
export function isTooLate({ shipment, windows = null }: WindowedShipment, offer: DueOffer, now: Timestamp): boolean {
  const { dispatchAt, scheduledPickupAt, createdAt } = shipment
  // A `scheduleAt` in the dispatch request overrides the windows. It is stored as `dispatchAt`, without a scheduled
  // pickup, like the dispatch time for a dropoff window and an offer without a pickup estimate.
  const mayBeOverridden = dispatchAt !== null && scheduledPickupAt === null
  if (windows === null || mayBeOverridden) return false
  return lostWindows(windows, offer, { since: createdAt, now }).length > 0
}

/** After the returned time, no offer can meet all time windows. Undefined without time windows. */
export function windowsEnd({ pickup, dropoff }: ShipmentWindows): Timestamp | undefined {
  const ends = [pickup, dropoff].flatMap((window) => (window === null ? [] : [toMs(window.to)]))
  return ends.length === 0 ? undefined : toTimestamp(Math.min(...ends))
}

function later(now: Timestamp, ms: number): Timestamp {
  return toTimestamp(Math.round(Math.max(toMs(now), ms)))
}
