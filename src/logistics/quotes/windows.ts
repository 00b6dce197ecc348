import type { Instant, Timestamp } from '../../../registry/values/vocabulary.ts'
import { normaliseInstant, toMs, toTimestamp } from '../../base/clock.ts'
import type { ShipmentWindows, StoredWindow } from '../../store/logistics/shipments/shipment-windows.ts'
import type { PlannedOffer } from '../../store/tables/shipment.ts'

/**
 * What the windows of a quote mean for an offer. No carrier here takes a window with an order, so the service holds it and calls
 * for the rider in time (design, logistics 5.4). Pure, and the same for a quote, a dispatch and a failover.
 */

/** An offer as far as time goes. */
type Timed = Pick<PlannedOffer, 'pickupMinutes' | 'dropoffMinutes'>

const minuteMs = 60_000

export const noWindows: ShipmentWindows = { pickup: null, dropoff: null }

/** As they are kept: a client may write them in any offset. */
export function storedWindow(
  window: { readonly from: Instant; readonly to: Instant } | undefined,
): StoredWindow | null {
  return window === undefined ? null : { from: normaliseInstant(window.from), to: normaliseInstant(window.to) }
}

/**
 * When a carrier is to be called so that its rider comes as the window begins: by the median, because one who is a little early
 * waits, and one who is a little late is in the window still. Where only the arrival has a window, the middle of it is
 * aimed at, because there an early rider finds nobody. A carrier that does not say how soon it comes takes the time given.
 */
export function callTime(windows: ShipmentWindows, offer: Timed, now: Timestamp, unknownLeadMs: number): Timestamp {
  const { pickup, dropoff } = windows
  if (pickup !== null) return later(now, toMs(pickup.from) - leadMs(offer, unknownLeadMs))
  if (dropoff === null || offer.dropoffMinutes === null) return now
  const middleMs = (toMs(dropoff.from) + toMs(dropoff.to)) / 2
  return later(now, middleMs - offer.dropoffMinutes.p50 * minuteMs)
}

/** When the rider is expected who is called then; null where no window has to be waited for, or nothing is known of it. */
export function pickupTime(
  windows: ShipmentWindows,
  offer: Timed,
  {
    now,
    callAt,
    unknownLeadMs,
  }: { readonly now: Timestamp; readonly callAt: Timestamp; readonly unknownLeadMs: number },
): Timestamp | null {
  const { pickup } = windows
  const isHeld = toMs(callAt) > toMs(now) || (pickup !== null && toMs(pickup.from) > toMs(now))
  if (!isHeld || (pickup === null && offer.pickupMinutes === null)) return null
  return toTimestamp(Math.round(toMs(callAt) + leadMs(offer, unknownLeadMs)))
}

function leadMs({ pickupMinutes }: Timed, unknownLeadMs: number): number {
  return pickupMinutes === null ? unknownLeadMs : pickupMinutes.p50 * minuteMs
}

/** When the minutes of an offer begin: at the call. Where it is not known how soon the rider comes, at the pickup window. */
export function countedFrom(windows: ShipmentWindows, offer: Timed, now: Timestamp): Timestamp {
  return callTime(windows, offer, now, 0)
}

/** The windows that an offer cannot keep, by the median of what its carrier says. Where it says nothing, nothing is held against it. */
export function missedWindows(
  windows: ShipmentWindows,
  offer: Timed,
  now: Timestamp,
): readonly ('pickup' | 'dropoff')[] {
  const { pickup, dropoff } = windows
  const { pickupMinutes, dropoffMinutes } = offer
  const fromMs = toMs(countedFrom(windows, offer, now))
  const isLate = (window: StoredWindow | null, minutes: Timed['pickupMinutes']) =>
    window !== null && minutes !== null && fromMs + minutes.p50 * minuteMs > toMs(window.to)
  // How long a carrier takes in all says little, as long as it is not known when it would be called.
  const isCallKnown = pickup === null || pickupMinutes !== null || toMs(pickup.from) <= toMs(now)
  return [
    ...(isLate(pickup, pickupMinutes) ? (['pickup'] as const) : []),
    ...(isCallKnown && isLate(dropoff, dropoffMinutes) ? (['dropoff'] as const) : []),
  ]
}

/** After this nothing can come in time any more; undefined without windows. */
export function windowsEnd({ pickup, dropoff }: ShipmentWindows): Timestamp | undefined {
  const ends = [pickup, dropoff].flatMap((window) => (window === null ? [] : [toMs(window.to)]))
  return ends.length === 0 ? undefined : toTimestamp(Math.min(...ends))
}

function later(now: Timestamp, ms: number): Timestamp {
  return toTimestamp(Math.round(Math.max(toMs(now), ms)))
}
