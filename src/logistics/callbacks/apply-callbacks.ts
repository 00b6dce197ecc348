import type { MerchantId } from '../../../registry/values/vocabulary.ts'
import { toMs, toTimestamp } from '../../base/clock.ts'
import { type ApplyContext, actorOf, applyDue } from '../../callbacks/apply-due.ts'
import type { CarrierEvent, OrderName } from '../../partners/carriers/carrier.ts'
import type { DueCallback, Resolution } from '../../store/callbacks/inbox.ts'
import { type CarrierReading, carrierCallbacks } from '../../store/callbacks/inboxes.ts'
import type { Tenant } from '../../store/core/mutation.ts'
import {
  advanceAttemptCheck,
  advanceShipmentCheck,
  findAttemptByOrder,
  scheduleCancelledCheck,
} from '../../store/logistics/shipments/tracking.ts'
import { monitoringMs } from '../dispatch/resolve-attempt.ts'
import { applyTracking } from '../tracking/apply-tracking.ts'
import type { TrackingOutcome } from '../tracking/attempt-update.ts'
import { replicationLagMs } from '../tracking/replication-lag.ts'

/**
 * Applies the callbacks of carriers. A callback about an order that the service does not know is retried, because the
 * order's dispatch may not have committed yet.
 */

type DueCarrierCallback = DueCallback & CarrierReading

/**
 * Time during which a callback is retried if the service does not know its carrier order. A dispatch attempt is
 * committed before its request is sent. If no attempt matches the callback after this time, none will match later.
 */
const retryForMs = 60 * 60_000

/**
 * Delay before a callback is first retried. Each further delay equals the age of the callback, so a dozen attempts are
 * made within an hour.
 */
const firstWaitMs = 5_000

/**
 * Maximum number of failed attempts to apply a callback. These attempts take about half a day: a temporary fault has
 * ended by then, and a permanent fault needs an operator.
 */
const attemptsMax = 12

/**
 * Delay after the first failure to apply a callback. It is doubled after each further failure, up to four hours: twelve
 * attempts take about half a day.
 */
const firstRetryMs = 30_000
const longestRetryMs = 4 * 60 * 60_000

/** Returns how many callbacks were claimed. */
export function applyCarrierCallbacks(context: ApplyContext, merchantId: MerchantId): Promise<number> {
  return applyDue(context, carrierCallbacks, merchantId, {
    apply: (tenant, due) => (due.isTrusted ? applyEvents(context, tenant, due) : followHint(context, due)),
    retryMs: (failures) =>
      failures < attemptsMax ? Math.min(firstRetryMs * 2 ** (failures - 1), longestRetryMs) : undefined,
  })
}

/**
 * Schedules an immediate poll of the carrier for each shipment that an unsigned callback mentions. A cancelled order is
 * polled once the records of the carrier must show its cancellation. The sender is not authenticated, so the content of
 * the callback is not applied.
 */
async function followHint(context: ApplyContext, due: DueCarrierCallback): Promise<void> {
  const { database, clock } = context
  const { merchantId, sender: carrier } = due
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
    // The carrier may carry out an order whose cancellation it had confirmed.
    await scheduleCancelledCheck(
      database,
      { ...key, number: attempt.number },
      { now, pauseSeconds: replicationLagMs / 1000, retrySeconds: monitoringMs / 1000 },
    )
  }
  if (known > 0) await close(context, due, { outcome: 'hint', reason: null })
  else await retryOrIgnore(context, due, 'shipment_unknown')
}

/** Each event has a transaction of its own, and the last one marks the callback as processed. */
async function applyEvents(context: ApplyContext, tenant: Tenant, due: DueCarrierCallback): Promise<void> {
  const events = eventsIn(due.parsedBody)
  let waiting: string | undefined
  let resolution: Resolution = { outcome: 'ignored', reason: 'unchanged' }
  for (const [index, event] of events.entries()) {
    // If one event of a callback must be retried, the whole callback is applied again. The events of the callback that
    // were already applied then change nothing.
    const isLast = index === events.length - 1 && waiting === undefined
    const outcome = await applyEvent(context, tenant, due, { event, resolutionBefore: isLast ? resolution : undefined })
    waiting ??= waitOf(outcome)
    resolution = resolutionOf(outcome, resolution)
  }
  if (waiting !== undefined) await retryOrIgnore(context, due, waiting)
  else if (events.length === 0) await close(context, due, resolution)
}

async function applyEvent(
  context: ApplyContext,
  { merchantId, mode }: Tenant,
  due: DueCarrierCallback,
  { event, resolutionBefore }: { readonly event: CarrierEvent; readonly resolutionBefore: Resolution | undefined },
): Promise<TrackingOutcome> {
  const { order, tracking } = event
  const attempt = await findAttemptByOrder(context.database, { merchantId, carrier: due.sender, ...order })
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
    const isResolved = await carrierCallbacks.resolve(trx, { ...due, ...resolutionOf(outcome, resolutionBefore), now })
    if (!isResolved) throw new Error('Another worker processed the carrier callback.')
  })
}

/** Returns the reason why an event of a callback must be retried. Undefined when the event is processed. */
function waitOf({ is }: TrackingOutcome): string | undefined {
  return is === 'shipment_unknown' || is === 'not_accepted_yet' ? is : undefined
}

/** The outcome is `applied` if at least one event of the callback was applied. */
function resolutionOf({ is }: TrackingOutcome, before: Resolution): Resolution {
  if (before.outcome === 'applied') return before
  if (is === 'unchanged') return before
  if (is === 'late' || is === 'shipment_unknown' || is === 'not_accepted_yet') return { outcome: 'ignored', reason: is }
  return { outcome: 'applied', reason: is === 'moved' || is === 'noted' ? null : is }
}

async function retryOrIgnore(context: ApplyContext, due: DueCarrierCallback, reason: string): Promise<void> {
  const { database, clock, log } = context
  const nowMs = clock.nowMs()
  const ageMs = nowMs - toMs(due.receivedAt)
  if (ageMs < retryForMs) {
    const nextAttemptAt = toTimestamp(nowMs + Math.max(firstWaitMs, ageMs))
    await carrierCallbacks.postpone(database, { ...due, nextAttemptAt, reason, now: toTimestamp(nowMs) })
    return
  }
  log.warn({ merchantId: due.merchantId, callbackId: due.id, reason }, 'A carrier callback names an unknown order.')
  await close(context, due, { outcome: 'ignored', reason })
}

async function close(
  { database, clock }: ApplyContext,
  due: DueCarrierCallback,
  resolution: Resolution,
): Promise<void> {
  await carrierCallbacks.close(database, { ...due, ...resolution, now: toTimestamp(clock.nowMs()) })
}

/**
 * A carrier adapter extracts the events of a callback when the callback arrives. For a stored callback, this adapter
 * may belong to the previous release.
 */
function eventsIn(parsedBody: unknown): readonly CarrierEvent[] {
  return Array.isArray(parsedBody) ? (parsedBody as readonly CarrierEvent[]) : []
}

function ordersIn(parsedBody: unknown): readonly Partial<OrderName>[] {
  return Array.isArray(parsedBody) ? (parsedBody as readonly Partial<OrderName>[]) : []
}
