import type { MerchantId } from '../../../registry/values/vocabulary.ts'
import { toMs, toTimestamp } from '../../base/clock.ts'
import type { Log } from '../../base/log.ts'
import type { CarrierEvent, OrderName } from '../../partners/carriers/carrier.ts'
import { findMerchant } from '../../store/access/merchants.ts'
import type { Actor } from '../../store/core/audit.ts'
import { isContention, isUnavailable } from '../../store/core/faults.ts'
import type { Context, Tenant } from '../../store/core/mutation.ts'
import {
  type CarrierCallbackResolution,
  claimCarrierCallback,
  closeCarrierCallback,
  type DueCarrierCallback,
  failCarrierCallback,
  resolveCarrierCallback,
  retryCarrierCallback,
} from '../../store/logistics/carriers/carrier-callbacks.ts'
import {
  advanceAttemptCheck,
  advanceShipmentCheck,
  findAttemptByOrder,
} from '../../store/logistics/shipments/tracking.ts'
import { monitoringMs } from '../dispatch/resolve-attempt.ts'
import { applyTracking } from '../tracking/apply-tracking.ts'
import type { TrackingOutcome } from '../tracking/attempt-update.ts'

/**
 * Applies the callbacks of carriers, each once: a callback is marked as processed in the transaction of its change. A
 * callback about an unknown order is retried, because its dispatch may not have committed yet.
 */

export interface ApplyCallbacksContext extends Context {
  readonly log: Log
  /** Ends the loop before the next claim when it aborts. */
  readonly stopping?: AbortSignal
}

/**
 * How long a callback about an unknown order is retried. An attempt is committed before its request, so a later match
 * is impossible.
 */
const retryForMs = 60 * 60_000

/** First delay. Each further one equals the age of the callback, so an hour has a dozen attempts. */
const firstWaitMs = 5_000

/** Applies every due callback of a merchant’s carriers. Returns how many were claimed. */
export async function applyCarrierCallbacks(context: ApplyCallbacksContext, merchantId: MerchantId): Promise<number> {
  const { database, clock } = context
  const merchant = await findMerchant(database, merchantId)
  if (merchant === undefined) throw new Error(`Merchant ${merchantId} is gone.`)
  const tenant: Tenant = { merchantId, mode: merchant.mode }
  let count = 0
  while (context.stopping?.aborted !== true) {
    const due = await claimCarrierCallback(database, merchantId, toTimestamp(clock.nowMs()))
    if (due === undefined) return count
    count += 1
    try {
      if (due.isTrusted) await applyEvents(context, tenant, due)
      else await followHint(context, due)
    } catch (error) {
      await recordFailure(context, due, error)
    }
  }
  return count
}

/**
 * Maximum failures of a callback, about a day. A temporary fault has ended by then; a permanent one needs an operator.
 */
const attemptsMax = 12

/** First delay after a failure, doubled each time up to four hours: a dozen attempts take about a day. */
const firstRetryMs = 30_000
const longestRetryMs = 4 * 60 * 60_000

/** Length of a stored error message. */
const errorMax = 500

/**
 * Records a failure of this service to apply a callback, and schedules the next attempt. After the last one the
 * callback has failed.
 */
async function recordFailure({ database, clock, log }: ApplyCallbacksContext, due: DueCarrierCallback, error: unknown) {
  const { merchantId, id } = due
  // Nothing can be recorded without a database, and a lock timeout is not a failure of the callback. The callback is
  // claimed again after the lease.
  if (isUnavailable(error) || isContention(error)) {
    log.error(
      { err: error, merchantId, callbackId: id },
      'A carrier callback could not reach the database, and is claimed again after its lease.',
    )
    return
  }
  const failures = due.failures + 1
  const nowMs = clock.nowMs()
  const retryMs = Math.min(firstRetryMs * 2 ** due.failures, longestRetryMs)
  const nextAttemptAt = failures < attemptsMax ? toTimestamp(nowMs + retryMs) : null
  log.error(
    { err: error, merchantId, callbackId: id, failures },
    nextAttemptAt === null
      ? 'A carrier callback failed permanently; `shipment callbacks` lists it.'
      : 'A carrier callback was not applied.',
  )
  const message = error instanceof Error ? error.message : String(error)
  await failCarrierCallback(database, {
    merchantId,
    id,
    nextAttemptAt,
    error: message.slice(0, errorMax),
    now: toTimestamp(nowMs),
  })
}

/** Makes the shipments of an unsigned callback due for a poll, because its sender is not authenticated. */
async function followHint(context: ApplyCallbacksContext, due: DueCarrierCallback): Promise<void> {
  const { database, clock } = context
  const { merchantId, carrier } = due
  const now = toTimestamp(clock.nowMs())
  let known = 0
  for (const order of ordersIn(due.parsedBody)) {
    const attempt = await findAttemptByOrder(database, { merchantId, carrier, ...order })
    if (attempt === undefined) continue
    known += 1
    const key = { merchantId, id: attempt.shipmentId }
    await advanceShipmentCheck(database, key, now)
    // An abandoned attempt is checked again, even if its monitoring has ended.
    await advanceAttemptCheck(
      database,
      { ...key, number: attempt.number },
      { now, until: toTimestamp(clock.nowMs() + monitoringMs) },
    )
  }
  if (known > 0) await close(context, due, { outcome: 'hint', reason: null })
  else await retryOrIgnore(context, due, 'shipment_unknown')
}

/**
 * Applies the events of a signed callback, usually one. Each has a transaction of its own, and the last one marks the
 * callback as processed.
 */
async function applyEvents(context: ApplyCallbacksContext, tenant: Tenant, due: DueCarrierCallback): Promise<void> {
  const events = eventsIn(due.parsedBody)
  let waiting: string | undefined
  let resolution: CarrierCallbackResolution = { outcome: 'ignored', reason: 'unchanged' }
  for (const [index, event] of events.entries()) {
    // When an event must wait, the whole callback is applied again, and the events before it then change nothing.
    const isLast = index === events.length - 1 && waiting === undefined
    const outcome = await applyEvent(context, tenant, due, { event, resolutionBefore: isLast ? resolution : undefined })
    waiting ??= waitOf(outcome)
    resolution = resolutionOf(outcome, resolution)
  }
  if (waiting !== undefined) await retryOrIgnore(context, due, waiting)
  else if (events.length === 0) await close(context, due, resolution)
}

async function applyEvent(
  context: ApplyCallbacksContext,
  { merchantId, mode }: Tenant,
  due: DueCarrierCallback,
  {
    event,
    resolutionBefore,
  }: { readonly event: CarrierEvent; readonly resolutionBefore: CarrierCallbackResolution | undefined },
): Promise<TrackingOutcome> {
  const { order, tracking } = event
  const attempt = await findAttemptByOrder(context.database, { merchantId, carrier: due.carrier, ...order })
  if (attempt === undefined) return { is: 'shipment_unknown' }
  const update = {
    shipment: { merchantId, id: attempt.shipmentId },
    attemptNumber: attempt.number,
    tracking,
    source: 'callback',
    carrierReference: order.carrierReference,
    actor: actorOf(due),
  } as const
  return applyTracking(context, { merchantId, mode }, update, async (trx, outcome, now) => {
    if (resolutionBefore === undefined || waitOf(outcome) !== undefined) return
    const isResolved = await resolveCarrierCallback(trx, { ...due, ...resolutionOf(outcome, resolutionBefore), now })
    if (!isResolved) throw new Error('Another worker processed the callback.')
  })
}

/** Returns the reason why an event must be retried; undefined when it is processed. */
function waitOf({ is }: TrackingOutcome): string | undefined {
  return is === 'shipment_unknown' || is === 'not_accepted_yet' ? is : undefined
}

/** Returns the resolution of a callback after another event: applied if any of its events was. */
function resolutionOf({ is }: TrackingOutcome, before: CarrierCallbackResolution): CarrierCallbackResolution {
  if (before.outcome === 'applied') return before
  if (is === 'unchanged') return before
  if (is === 'late' || is === 'shipment_unknown' || is === 'not_accepted_yet') return { outcome: 'ignored', reason: is }
  return { outcome: 'applied', reason: is === 'moved' || is === 'noted' ? null : is }
}

async function retryOrIgnore(context: ApplyCallbacksContext, due: DueCarrierCallback, reason: string): Promise<void> {
  const { database, clock, log } = context
  const nowMs = clock.nowMs()
  const ageMs = nowMs - toMs(due.receivedAt)
  if (ageMs < retryForMs) {
    const nextAttemptAt = toTimestamp(nowMs + Math.max(firstWaitMs, ageMs))
    await retryCarrierCallback(database, { ...due, nextAttemptAt, reason })
    return
  }
  log.warn(
    { merchantId: due.merchantId, callbackId: due.id, reason },
    'A carrier callback names an order that is unknown.',
  )
  await close(context, due, { outcome: 'ignored', reason })
}

function close(
  { database, clock }: ApplyCallbacksContext,
  due: DueCarrierCallback,
  resolution: CarrierCallbackResolution,
): Promise<void> {
  return closeCarrierCallback(database, { ...due, ...resolution, now: toTimestamp(clock.nowMs()) })
}

function actorOf({ carrier, sourceIp, requestId, userAgent }: DueCarrierCallback): Actor {
  return { type: 'provider', id: null, label: carrier, sessionId: null, sourceIp, requestId, userAgent }
}

/** Returns the events of a stored callback, written by the adapters of this release or of the previous one. */
function eventsIn(parsedBody: unknown): readonly CarrierEvent[] {
  return Array.isArray(parsedBody) ? (parsedBody as readonly CarrierEvent[]) : []
}

function ordersIn(parsedBody: unknown): readonly Partial<OrderName>[] {
  return Array.isArray(parsedBody) ? (parsedBody as readonly Partial<OrderName>[]) : []
}
