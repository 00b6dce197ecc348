import { isShipmentOver } from '../../../registry/logistics/shipment-states.ts'
import type { Timestamp } from '../../../registry/values/vocabulary.ts'
import { toMs, toTimestamp } from '../../base/clock.ts'
import type { Tracking } from '../../partners/carriers/carrier.ts'
import { systemActor } from '../../store/core/audit.ts'
import type { Tenant } from '../../store/core/mutation.ts'
import { findShipment, type ShipmentKey, type ShipmentWithAttempts } from '../../store/logistics/shipments/shipments.ts'
import type { StoredAttempt, StoredShipment } from '../../store/tables/shipment.ts'
import { carriersFor } from '../carriers/accounts.ts'
import { carrierNameOf } from '../carriers/carrier-names.ts'
import type { LogisticsContext } from '../carriers/context.ts'
import { changeShipment, type ShipmentCommand } from '../shipments/change-shipment.ts'
import { messageOf } from '../shipments/exception-message.ts'
import { factsOf, resolvedOf, silenceCodes, withException } from '../shipments/exceptions.ts'
import { moveShipment } from '../shipments/move-shipment.ts'
import { applyTracking, type TrackingOutcome } from './apply-tracking.ts'
import { latePickupOf, recordLatePickup } from './late-pickup.ts'
import { isStale, pollAfterSeconds } from './position-policy.ts'
import { recordStall } from './record-stall.ts'

/** What came of asking a carrier where a shipment is, and when to ask again; null once there is nothing to ask. */
export type PollOutcome =
  | { readonly is: 'told'; readonly outcome: TrackingOutcome; readonly nextCheckAt: Timestamp | null }
  /** No carrier has it now. */
  | { readonly is: 'nothing_to_ask'; readonly nextCheckAt: null }
  /** The carrier knows no such order, though it had accepted it. */
  | { readonly is: 'order_missing'; readonly attemptNumber: number; readonly nextCheckAt: Timestamp }
  | { readonly is: 'no_answer'; readonly reason: string; readonly nextCheckAt: Timestamp }

const tracker = systemActor('tracking of shipments')

/** A question about one order is answered at once or not at all. */
const answerMs = 10_000

/**
 * Asks the carrier that has a shipment where it is, and applies what it says, or notes that it says nothing for too long;
 * and notes when it should have been fetched by now.
 */
export async function pollShipment(
  context: LogisticsContext,
  tenant: Tenant,
  key: ShipmentKey,
  stopping?: AbortSignal,
): Promise<PollOutcome> {
  const found = await findShipment(context.database, key)
  const polled = await askCarrier({ context, tenant, key, found }, stopping)
  // What was just told may have been the pickup.
  if (found !== undefined && latePickupOf(found.shipment, context.clock.nowMs()) !== undefined) {
    await recordLatePickup({ context, tenant, actor: tracker, id: key.id })
  }
  return polled
}

interface Polled {
  readonly context: LogisticsContext
  readonly tenant: Tenant
  readonly key: ShipmentKey
  readonly found: ShipmentWithAttempts | undefined
}

async function askCarrier(
  { context, tenant, key, found }: Polled,
  stopping: AbortSignal | undefined,
): Promise<PollOutcome> {
  const { clock, breakers } = context
  const attempt = found?.attempts.find(({ state }) => state === 'accepted' || state === 'cancelling')
  if (found === undefined || attempt === undefined || attempt.carrierReference === null) {
    return { is: 'nothing_to_ask', nextCheckAt: null }
  }
  const { carrierReference, reference, number: attemptNumber } = attempt
  const usable = (await carriersFor(context, tenant)).find(({ carrier }) => carrier.code === attempt.carrier)
  const nextCheckAt = nextLookOf(found.shipment, attempt, clock.nowMs())
  const command = { context, tenant, actor: tracker, id: key.id }
  const trouble = (told: Trouble) => noteTrouble(command, attempt, told)
  if (usable === undefined) {
    await trouble('carrier_not_connected')
    await recordStall(command, found)
    return { is: 'no_answer', reason: 'carrier_not_connected', nextCheckAt }
  }
  const { carrier, account } = usable
  const askedAt = toTimestamp(clock.nowMs())
  const answer = await breakers.run({ carrier, account }, { operation: 'read', timeoutMs: answerMs }, (deadline) => {
    const signal = stopping === undefined ? deadline : AbortSignal.any([deadline, stopping])
    return carrier.get(account, { carrierReference, reference }, signal)
  })
  if (answer.is === 'refused' && answer.code === 'not_found') {
    if (clock.nowMs() - toMs(attempt.resolvedAt ?? attempt.startedAt) >= settledMs) await trouble('order_missing')
    await recordStall(command, found)
    return { is: 'order_missing', attemptNumber, nextCheckAt }
  }
  if (answer.is === 'refused' && answer.code === 'account_blocked') await trouble('carrier_account_blocked')
  if (answer.is !== 'ok') {
    await recordStall(command, found)
    return { is: 'no_answer', reason: answer.is, nextCheckAt }
  }
  const told = {
    shipment: key,
    attemptNumber,
    tracking: answer.value,
    source: 'poll',
    askedAt,
    actor: tracker,
  } as const
  const outcome = await applyTracking(context, tenant, told)
  await settleTrouble(command, found.shipment, attempt)
  // A rider who is seen to move is no silence, though nothing else is told.
  const isSeen = isSeenNow(answer.value, clock.nowMs())
  if (outcome.is === 'unchanged' && !isSeen) await recordStall(command, found)
  return { is: 'told', outcome, nextCheckAt: nextLookAfter(outcome, attempt, clock.nowMs(), isSeen) }
}

function isSeenNow({ position }: Tracking, nowMs: number): boolean {
  return position !== undefined && !isStale((nowMs - toMs(position.recordedAt)) / 1000)
}

/** A carrier may tell of its orders from a copy that lags, but not for so long. */
const settledMs = 5 * 60_000

type Trouble = 'carrier_not_connected' | 'carrier_account_blocked' | 'order_missing'

/** What asking again will not mend: whoever runs the shop has to be told whom to call. */
async function noteTrouble(command: ShipmentCommand, attempt: StoredAttempt, code: Trouble): Promise<void> {
  await changeShipment(command, 'shipment.record_exception', (work, { shipment }) => {
    const { carrier, number: attemptNumber } = attempt
    const facts = factsOf(attempt)
    const exception = { code, carrier, attemptNumber, facts, at: work.now }
    const exceptions = withException(shipment.exceptions, exception)
    if (exceptions === shipment.exceptions || isShipmentOver(shipment.status)) return undefined
    const news = { status: null, source: 'service', description: messageOf(exception), attemptNumber } as const
    return moveShipment(work, shipment, news, { exceptions })
  })
}

/** The carrier answers for its order again. */
async function settleTrouble(command: ShipmentCommand, { exceptions: known }: StoredShipment, attempt: StoredAttempt) {
  if (resolvedOf(known, silenceCodes, attempt.startedAt) === known) return
  await changeShipment(command, 'shipment.resolve_exception', (work, { shipment }) => {
    const exceptions = resolvedOf(shipment.exceptions, silenceCodes, work.now)
    if (exceptions === shipment.exceptions) return undefined
    const description = `${carrierNameOf(attempt.carrier)} answers for it again.`
    const news = { status: null, source: 'service', description, attemptNumber: attempt.number } as const
    return moveShipment(work, shipment, news, { exceptions })
  })
}

function nextLookAfter(
  outcome: TrackingOutcome,
  attempt: StoredAttempt,
  nowMs: number,
  isSeen: boolean,
): Timestamp | null {
  switch (outcome.is) {
    case 'moved':
    case 'noted':
    case 'late':
    case 'unchanged':
      if (isShipmentOver(outcome.shipment.status)) return null
      return nextLookOf(isSeen ? { ...outcome.shipment, checks: 0 } : outcome.shipment, attempt, nowMs)
    // Something is to be done about these at once.
    case 'carrier_cancelled':
    case 'riders_dropped':
    case 'late_acceptance':
    case 'not_accepted_yet':
      return toTimestamp(nowMs)
    case 'shipment_unknown':
      return null
  }
}

/** So many looks in a row that brought no news are as many as a usual way takes. */
const steadyLooks = 60

/** From then on the pace halves after each so many more: a parcel that stands still for a day is looked at twice an hour. */
const halvingLooks = 20

/** What is asked for once an hour costs nobody anything, and a parcel that turns up again is seen. */
const slowestSeconds = 3_600

/** As often as its state is worth, and ever more seldom while nothing comes of it; but when its rider should be named. */
function nextLookOf(
  { status, serviceLevel, checks }: StoredShipment,
  { assignDeadline }: StoredAttempt,
  nowMs: number,
): Timestamp {
  const halvings = Math.max(0, Math.floor((checks - steadyLooks) / halvingLooks))
  const seconds = Math.min(pollAfterSeconds(status, serviceLevel) * 2 ** halvings, slowestSeconds)
  const nextMs = nowMs + seconds * 1000
  const dueMs = status === 'awaiting_courier' && assignDeadline !== null ? toMs(assignDeadline) : 0
  return toTimestamp(dueMs > nowMs && dueMs < nextMs ? dueMs : nextMs)
}
