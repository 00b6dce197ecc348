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
import { factsOf, pollFailureCodes, resolvedOf, withException } from '../shipments/exceptions.ts'
import { moveShipment } from '../shipments/move-shipment.ts'
import { applyTracking } from './apply-tracking.ts'
import type { TrackingOutcome } from './attempt-update.ts'
import { latePickupOf, recordLatePickup } from './late-pickup.ts'
import { isStale, pollAfterSeconds } from './position-policy.ts'
import { recordStall } from './record-stall.ts'
import { replicationLagMs } from './replication-lag.ts'

/** Outcome of polling a carrier. `nextCheckAt` is the time of the next poll; null when there is nothing to poll. */
export type PollOutcome =
  | { readonly is: 'updated'; readonly outcome: TrackingOutcome; readonly nextCheckAt: Timestamp | null }
  /** No carrier has accepted the shipment, so there is no carrier to poll. */
  | { readonly is: 'not_pollable'; readonly nextCheckAt: null }
  /** The carrier does not find an order that it had accepted. */
  | { readonly is: 'order_missing'; readonly attemptNumber: number; readonly nextCheckAt: Timestamp }
  | { readonly is: 'no_response'; readonly reason: string; readonly nextCheckAt: Timestamp }

export const tracker = systemActor('tracking of shipments')

/** Timeout of polling a carrier. A carrier responds to a request about one order quickly or not at all. */
const pollTimeoutMs = 10_000

/**
 * Polls the carrier of a shipment and applies the response. If the poll brings no update and the last update is too
 * old, records that the tracking has stalled. Also records a late pickup.
 */
export async function pollShipment(
  context: LogisticsContext,
  tenant: Tenant,
  key: ShipmentKey,
  stopping?: AbortSignal,
): Promise<PollOutcome> {
  const found = await findShipment(context.database, key)
  const polled = await pollCarrier({ context, tenant, key, found }, stopping)
  // The check whether the pickup is late runs after the poll of the carrier, because the poll may report that the
  // parcel was picked up.
  if (found !== undefined && latePickupOf(found.shipment, context.clock.nowMs()) !== undefined) {
    await recordLatePickup({ context, tenant, actor: tracker, id: key.id })
  }
  return polled
}

interface Poll {
  readonly context: LogisticsContext
  readonly tenant: Tenant
  readonly key: ShipmentKey
  readonly found: ShipmentWithAttempts | undefined
}

async function pollCarrier(
  { context, tenant, key, found }: Poll,
  stopping: AbortSignal | undefined,
): Promise<PollOutcome> {
  const { clock, breakers } = context
  const attempt = found?.attempts.find(({ state }) => state === 'accepted' || state === 'cancelling')
  if (found === undefined || attempt === undefined || attempt.carrierReference === null) {
    return { is: 'not_pollable', nextCheckAt: null }
  }
  const { carrierReference, reference, number: attemptNumber } = attempt
  const usable = (await carriersFor(context, tenant)).find(({ carrier }) => carrier.code === attempt.carrier)
  const nextCheckAt = nextPollAt(found.shipment, attempt, clock.nowMs())
  const command = { context, tenant, actor: tracker, id: key.id }
  const recordFailure = (code: PollFailureCode) => recordPollFailure(command, attempt, code)
  if (usable === undefined) {
    await recordFailure('carrier_not_connected')
    await recordStall(command, found)
    return { is: 'no_response', reason: 'carrier_not_connected', nextCheckAt }
  }
  const { carrier, account } = usable
  const polledAt = toTimestamp(clock.nowMs())
  const response = await breakers.run(
    { carrier, account },
    { operation: 'read', timeoutMs: pollTimeoutMs },
    (deadline) => {
      const signal = stopping === undefined ? deadline : AbortSignal.any([deadline, stopping])
      return carrier.get(account, { carrierReference, reference }, signal)
    },
  )
  if (response.is === 'refused' && response.code === 'not_found') {
    if (clock.nowMs() - toMs(attempt.resolvedAt ?? attempt.startedAt) >= replicationLagMs)
      await recordFailure('order_missing')
    await recordStall(command, found)
    return { is: 'order_missing', attemptNumber, nextCheckAt }
  }
  if (response.is === 'refused' && response.code === 'account_blocked') await recordFailure('carrier_account_blocked')
  if (response.is !== 'ok') {
    await recordStall(command, found)
    return { is: 'no_response', reason: response.is, nextCheckAt }
  }
  return applyResponse(command, found, attempt, { tracking: response.value, polledAt })
}

/**
 * Applies the tracking data of a carrier's response, and resolves the exceptions about failed polls. If no update has
 * arrived for too long, records that the tracking has stalled.
 */
async function applyResponse(
  command: ShipmentCommand,
  found: ShipmentWithAttempts,
  attempt: StoredAttempt,
  { tracking, polledAt }: { readonly tracking: Tracking; readonly polledAt: Timestamp },
): Promise<PollOutcome> {
  const { context, tenant, id } = command
  const update = {
    shipment: { merchantId: tenant.merchantId, id },
    attemptNumber: attempt.number,
    tracking,
    source: 'poll',
    polledAt,
    actor: tracker,
  } as const
  const outcome = await applyTracking(context, tenant, update)
  await resolvePollFailures(command, found.shipment, attempt)
  const nowMs = context.clock.nowMs()
  // A rider who moves is a sign of activity even if the status is unchanged, so the poll interval does not grow.
  const hasFreshPosition = isPositionFresh(tracking, nowMs)
  if (outcome.is === 'unchanged' && !hasFreshPosition) await recordStall(command, found)
  return {
    is: 'updated',
    outcome,
    nextCheckAt: nextPollAfter(outcome, attempt, context.clock.nowMs(), hasFreshPosition),
  }
}

function isPositionFresh({ position }: Tracking, nowMs: number): boolean {
  return position !== undefined && !isStale((nowMs - toMs(position.recordedAt)) / 1000)
}

type PollFailureCode = 'carrier_not_connected' | 'carrier_account_blocked' | 'order_missing'

/** Adds an exception for a poll failure that further polls cannot resolve. */
async function recordPollFailure(
  command: ShipmentCommand,
  attempt: StoredAttempt,
  code: PollFailureCode,
): Promise<void> {
  await changeShipment(command, 'shipment.record_exception', (work, { shipment }) => {
    const { carrier, number: attemptNumber } = attempt
    const facts = factsOf(attempt)
    const exception = { code, carrier, attemptNumber, facts, at: work.now }
    const exceptions = withException(shipment.exceptions, exception)
    if (exceptions === shipment.exceptions || isShipmentOver(shipment.status)) return undefined
    const update = { status: null, source: 'service', description: messageOf(exception), attemptNumber } as const
    return moveShipment(work, shipment, update, { exceptions })
  })
}

async function resolvePollFailures(
  command: ShipmentCommand,
  { exceptions: known }: StoredShipment,
  attempt: StoredAttempt,
) {
  if (resolvedOf(known, pollFailureCodes, attempt.startedAt) === known) return
  await changeShipment(command, 'shipment.resolve_exception', (work, { shipment }) => {
    const exceptions = resolvedOf(shipment.exceptions, pollFailureCodes, work.now)
    if (exceptions === shipment.exceptions) return undefined
    const description = `${carrierNameOf(attempt.carrier)} responds to requests about the order again.`
    const update = { status: null, source: 'service', description, attemptNumber: attempt.number } as const
    return moveShipment(work, shipment, update, { exceptions })
  })
}

function nextPollAfter(
  outcome: TrackingOutcome,
  attempt: StoredAttempt,
  nowMs: number,
  hasFreshPosition: boolean,
): Timestamp | null {
  switch (outcome.is) {
    case 'moved':
    case 'noted':
    case 'late':
    case 'unchanged':
      if (isShipmentOver(outcome.shipment.status)) return null
      return nextPollAt(hasFreshPosition ? { ...outcome.shipment, checks: 0 } : outcome.shipment, attempt, nowMs)
    // After each of the poll outcomes below, the shipment needs another processing step at once, so its next check is
    // due now.
    case 'carrier_cancelled':
    case 'riders_dropped':
    case 'late_acceptance':
    case 'not_accepted_yet':
      return toTimestamp(nowMs)
    case 'shipment_unknown':
      return null
  }
}

/**
 * Number of consecutive polls without a tracking update that never lengthen the poll interval. A usual delivery takes
 * about as many polls.
 */
const steadyPolls = 60

/**
 * The poll interval doubles after each further series of this many polls without an update. A parcel without an update
 * for a day is polled hourly.
 */
const doublingPolls = 20

/** Longest poll interval in seconds. Hourly polls cost little, and still notice when a parcel moves again. */
const slowestSeconds = 3_600

/**
 * The poll interval depends on the status and grows while no update arrives. The next poll is never after the
 * assignment deadline.
 */
function nextPollAt(
  { status, serviceLevel, checks }: StoredShipment,
  { assignDeadline }: StoredAttempt,
  nowMs: number,
): Timestamp {
  const doublings = Math.max(0, Math.floor((checks - steadyPolls) / doublingPolls))
  const seconds = Math.min(pollAfterSeconds(status, serviceLevel) * 2 ** doublings, slowestSeconds)
  const nextMs = nowMs + seconds * 1000
  const deadlineMs = status === 'awaiting_courier' && assignDeadline !== null ? toMs(assignDeadline) : 0
  return toTimestamp(deadlineMs > nowMs && deadlineMs < nextMs ? deadlineMs : nextMs)
}
