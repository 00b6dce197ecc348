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
 * Applies the callbacks of carriers, each exactly once: the transaction that makes the change also marks the callback
 * as processed. A callback about an order that the service does not know is retried, because the order's dispatch may
 * not have committed yet.
 */

export interface ApplyCallbacksContext extends Context {
  readonly log: Log
  /** Signal that stops the processing of callbacks before the next one is claimed. */
  readonly stopping?: AbortSignal
}

/**
 * How long a callback about a carrier order that the service does not know is retried. A dispatch attempt is committed
 * before its request is sent, so after this time no attempt can match.
 */
const retryForMs = 60 * 60_000

/**
 * Delay before a callback is first retried. Each further delay equals the age of the callback, so a dozen attempts are
 * made within an hour.
 */
const firstWaitMs = 5_000

/** Applies every due callback of a merchant’s carriers. Returns how many callbacks were claimed. */
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
 * Maximum number of failed attempts to apply a callback, which take about a day. A temporary fault has ended by then; a
 * permanent fault needs an operator.
 */
const attemptsMax = 12

/**
 * Delay after the first failure to apply a callback. It is doubled after each further failure, up to four hours: twelve
 * attempts take a day.
 */
const firstRetryMs = 30_000
const longestRetryMs = 4 * 60 * 60_000

/** Maximum length of an error message that is stored with a callback. */
const errorMax = 500

/**
 * Records that this service failed to apply a callback, and schedules the next attempt. After the last attempt the
 * callback counts as failed.
 */
async function recordFailure({ database, clock, log }: ApplyCallbacksContext, due: DueCarrierCallback, error: unknown) {
  const { merchantId, id } = due
  // If the database is unavailable, nothing can be recorded, and a lock timeout is not a failure of the callback. In
  // both cases the callback is claimed again after its lease.
  if (isUnavailable(error) || isContention(error)) {
    log.error(
      { err: error, merchantId, callbackId: id },
      'A carrier callback could not be processed, because the database could not be reached. It is claimed again after its lease.',
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

/**
 * Schedules an immediate poll of the carrier for each shipment that an unsigned callback mentions. The sender is not
 * authenticated, so the content of the callback is not applied.
 */
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
    // An abandoned dispatch attempt that a callback mentions is checked again, even if its monitoring has ended.
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
 * Applies the events of a signed callback, usually one. Each event has a transaction of its own, and the last one marks
 * the callback as processed.
 */
async function applyEvents(context: ApplyCallbacksContext, tenant: Tenant, due: DueCarrierCallback): Promise<void> {
  const events = eventsIn(due.parsedBody)
  let waiting: string | undefined
  let resolution: CarrierCallbackResolution = { outcome: 'ignored', reason: 'unchanged' }
  for (const [index, event] of events.entries()) {
    // If one event must be retried, the whole callback is applied again. The events that were already applied then
    // change nothing.
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
    if (!isResolved) throw new Error('Another worker processed the carrier callback.')
  })
}

/** Returns the reason why an event of a callback must be retried. Undefined when the event is processed. */
function waitOf({ is }: TrackingOutcome): string | undefined {
  return is === 'shipment_unknown' || is === 'not_accepted_yet' ? is : undefined
}

/**
 * Returns the stored outcome of a callback after one more of its events was processed: `applied` if any of its events
 * was applied.
 */
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
  log.warn({ merchantId: due.merchantId, callbackId: due.id, reason }, 'A carrier callback names an unknown order.')
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

/**
 * Returns the events of a stored callback. The carrier adapters of this release or of the previous one extracted them.
 */
function eventsIn(parsedBody: unknown): readonly CarrierEvent[] {
  return Array.isArray(parsedBody) ? (parsedBody as readonly CarrierEvent[]) : []
}

function ordersIn(parsedBody: unknown): readonly Partial<OrderName>[] {
  return Array.isArray(parsedBody) ? (parsedBody as readonly Partial<OrderName>[]) : []
}
