import {
  isShipmentOver,
  isUnfetched,
  mayShipmentMove,
  type ShipmentStatus,
} from '../../../registry/logistics/shipment-states.ts'
import type { Timestamp } from '../../../registry/values/vocabulary.ts'
import type { Tracking } from '../../partners/carriers/carrier.ts'
import type { PastUpdate } from '../../store/logistics/shipments/tracking.ts'
import type { StoredAttempt, StoredShipment } from '../../store/tables/shipment.ts'

/**
 * What a carrier’s news means for a shipment. Carriers repeat themselves, tell late and out of order, and go on telling of
 * orders that were given up:
 *
 *   of the asking that counts    new and allowed by the table -> moves
 *                                the same status              -> stays
 *                                anything else                -> late, unless it was told before
 *   of one not answered yet      -> not_accepted_yet
 *   of one given up              -> late_acceptance if it shows that the carrier took it all the same, else late
 */
export type Verdict =
  | { readonly is: 'moves'; readonly to: ShipmentStatus }
  | { readonly is: 'stays'; readonly isNewWord: boolean; readonly isOld: boolean }
  | { readonly is: 'late'; readonly isDoubtful: boolean }
  | { readonly is: 'repeated' }
  | { readonly is: 'carrier_cancelled' }
  | { readonly is: 'cancelled_too_late' }
  | { readonly is: 'not_accepted_yet' }
  | { readonly is: 'late_acceptance' }

export interface CarrierUpdate {
  readonly status: ShipmentStatus | undefined
  readonly carrierStatus: string
  /** By the carrier’s clock and not in the future; undefined where it does not say. */
  readonly at: Timestamp | undefined
  /** The same, or when the carrier was asked; undefined for a callback without a time, which may have been long on its way. */
  readonly datedAt: Timestamp | undefined
  /** When it was told, as far as that is known: who carries it, and when it arrives, is of then. */
  readonly toldAt: Timestamp | undefined
}

export interface KnownState {
  readonly shipment: Pick<StoredShipment, 'status' | 'cancelRequestedAt'>
  readonly attempt: Pick<StoredAttempt, 'state' | 'resolvedAt'>
  /** What was told of this asking before, newest first. */
  readonly past: readonly PastUpdate[]
}

export function classifyUpdate({ shipment, attempt, past }: KnownState, news: CarrierUpdate): Verdict {
  if (attempt.state === 'sending' || attempt.state === 'unknown') return { is: 'not_accepted_yet' }
  const { status } = news
  if (!countingStates.includes(attempt.state)) {
    if (isRepeated(past, news)) return { is: 'repeated' }
    return isAcceptance(attempt, news) ? { is: 'late_acceptance' } : { is: 'late', isDoubtful: false }
  }
  if (status === 'cancelled' || status === 'failed') return judgeEnding(shipment, past, news)
  if (status === undefined || status === shipment.status) {
    return { is: 'stays', isNewWord: !isRepeated(past, news), isOld: isOld(past, news) }
  }
  const isNew = isFresh(past, news) || isFurther(past, status)
  if (mayShipmentMove(shipment.status, status) && !isHeldBack(shipment.status, status) && isNew) {
    return { is: 'moves', to: status }
  }
  // Without a time it may be old or the latest; the carrier knows.
  return isRepeated(past, news) ? { is: 'repeated' } : { is: 'late', isDoubtful: news.datedAt === undefined }
}

/** In these a carrier has the shipment, or has brought it. */
const countingStates: readonly StoredAttempt['state'][] = ['accepted', 'cancelling', 'completed']

/** The others are for this service alone to say, and mean nothing in a carrier’s mouth. */
export function carrierUpdateOf(status: ShipmentStatus | undefined): ShipmentStatus | undefined {
  return status === 'scheduled' || status === 'dispatching' || status === 'cancelling' ? undefined : status
}

/** What a carrier's status says of a shipment in this state. One that leaves the rider open takes no rider back. */
export function statusWithin(
  { status, isCourierOpen }: Pick<Tracking, 'status' | 'isCourierOpen'>,
  current: ShipmentStatus,
): ShipmentStatus | undefined {
  const hasCourier = current === 'courier_assigned' || current === 'at_pickup'
  return isCourierOpen === true && hasCourier ? undefined : status
}

/** A carrier’s own end before the pickup is no end of the shipment: another carrier may take it. */
function judgeEnding(
  { status, cancelRequestedAt }: KnownState['shipment'],
  past: KnownState['past'],
  news: CarrierUpdate,
): Verdict {
  if (cancelRequestedAt !== null && mayShipmentMove(status, 'cancelled')) return { is: 'moves', to: 'cancelled' }
  if (isUnfetched(status)) return { is: 'carrier_cancelled' }
  if (isRepeated(past, news)) return { is: 'repeated' }
  return isShipmentOver(status) ? { is: 'late', isDoubtful: false } : { is: 'cancelled_too_late' }
}

/** A rider who is on the way to the pickup says nothing of whether the carrier lets itself be called off. */
function isHeldBack(from: ShipmentStatus, to: ShipmentStatus): boolean {
  return from === 'cancelling' && isUnfetched(to)
}

/** How far along a parcel is. What is not here is not for a carrier to say. */
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

interface AppliedNews extends PastUpdate {
  readonly status: ShipmentStatus
}

function applied(past: readonly PastUpdate[]): AppliedNews[] {
  return past.filter((told): told is AppliedNews => told.isApplied && told.status !== null)
}

/** Of what counted, the news of the latest moment; of one moment, what was told last. */
function lastOf(past: readonly PastUpdate[]): AppliedNews | undefined {
  const [newest, ...others] = applied(past)
  return others.reduce((last, told) => (last && told.occurredAt > last.occurredAt ? told : last), newest)
}

/** Whether it is of a later moment than the last that counted; at the same moment, the one further along is the later. */
function isFresh(past: readonly PastUpdate[], { status, datedAt }: CarrierUpdate): boolean {
  const last = lastOf(past)
  if (last === undefined) return true
  if (datedAt === undefined) return false
  if (datedAt !== last.occurredAt) return datedAt > last.occurredAt
  return status !== undefined && rankOf(status) > rankOf(last.status)
}

/** Whether there is later news by now. */
function isOld(past: readonly PastUpdate[], { toldAt }: CarrierUpdate): boolean {
  const last = lastOf(past)
  return last !== undefined && toldAt !== undefined && toldAt < last.occurredAt
}

/** Whether the parcel was never as far: then it counts though it comes late or has no time. */
function isFurther(past: readonly PastUpdate[], status: ShipmentStatus): boolean {
  return applied(past).every((told) => rankOf(told.status) < rankOf(status))
}

function isRepeated(past: readonly PastUpdate[], { status, carrierStatus, at }: CarrierUpdate): boolean {
  // A word that moved nothing by itself was kept without a status.
  const isSame = (told: PastUpdate) =>
    told.carrierStatus === carrierStatus && (told.status === null || told.status === status)
  const [latest] = past
  if (latest !== undefined && isSame(latest)) return true
  return past.some((told) => isSame(told) && (at === undefined || told.occurredAt === at))
}

/** Ended before the carrier had taken it, as far as was known. */
const neverAccepted: readonly StoredAttempt['state'][] = [
  'abandoned',
  'not_found_at_carrier',
  'refused',
  'unavailable',
  'invalid',
  'skipped',
]

/** Whether it shows that a carrier took an order that was given up, or fetched one that was called off. */
function isAcceptance({ state, resolvedAt }: KnownState['attempt'], { status, at }: CarrierUpdate): boolean {
  if (status === undefined || status === 'cancelled' || status === 'failed') return false
  if (neverAccepted.includes(state)) return true
  // What it told before it was called off comes late, and is no contradiction.
  return status !== 'awaiting_courier' && (at === undefined || resolvedAt === null || at > resolvedAt)
}
