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
import { applyTracking, type TrackingOutcome } from '../tracking/apply-tracking.ts'

/**
 * Applies what carriers told, once each: a callback is settled in the very transaction that changes something by it. One
 * about an order that is not known is tried again, because the dispatch of it may not have committed yet.
 */

export interface ApplyCallbacksContext extends Context {
  readonly log: Log
  /** No further claim once it has aborted. */
  readonly stopping?: AbortSignal
}

/** A dispatch writes its asking down before it asks, so an order that is unknown for so long is none of ours. */
const retryForMs = 60 * 60_000

/** The first wait; from then on each is as long as all before it, so that an hour takes a dozen tries. */
const firstWaitMs = 5_000

/** Applies every callback of a merchant’s carriers that is due, until none is. */
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

/** A fault that passes has passed after a day; one that does not is a person’s to mend, who finds what it was kept with. */
const attemptsMax = 12

/** Doubled with each failure, up to four hours: a dozen tries take about a day. */
const firstAgainMs = 30_000
const longestAgainMs = 4 * 60 * 60_000

/** As much of an error as says what it is. */
const errorMax = 500

/** Our own fault. It must not hold up the others, be tried for ever, or be lost. */
async function recordFailure({ database, clock, log }: ApplyCallbacksContext, due: DueCarrierCallback, error: unknown) {
  const { merchantId, id } = due
  // Without a database nothing can be noted, and a lock timeout is no fault of the callback: the claim runs out and the
  // callback is claimed again.
  if (isUnavailable(error) || isContention(error)) {
    log.error({ err: error, callbackId: id }, 'A carrier’s callback waits for the database.')
    return
  }
  const failures = due.failures + 1
  const nowMs = clock.nowMs()
  const againMs = Math.min(firstAgainMs * 2 ** due.failures, longestAgainMs)
  const nextAttemptAt = failures < attemptsMax ? toTimestamp(nowMs + againMs) : null
  log.error(
    { err: error, merchantId, callbackId: id, failures },
    nextAttemptAt === null
      ? 'A carrier’s callback is given up; `shipment callbacks` lists it.'
      : 'A carrier’s callback was not applied.',
  )
  const words = error instanceof Error ? error.message : String(error)
  await failCarrierCallback(database, {
    merchantId,
    id,
    nextAttemptAt,
    error: words.slice(0, errorMax),
    now: toTimestamp(nowMs),
  })
}

/** Nobody knows who sent it, so the carrier itself is asked. */
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
    // Of one that was given up nobody may be looking for an order any more.
    await advanceAttemptCheck(
      database,
      { ...key, number: attempt.number },
      { now, until: toTimestamp(clock.nowMs() + monitoringMs) },
    )
  }
  if (known > 0) await close(context, due, { outcome: 'hint', reason: null })
  else await retryOrIgnore(context, due, 'shipment_unknown')
}

/** Most tell one piece of news; each has a transaction of its own, and the last that changes something settles them. */
async function applyEvents(context: ApplyCallbacksContext, tenant: Tenant, due: DueCarrierCallback): Promise<void> {
  const events = eventsIn(due.parsedBody)
  let waiting: string | undefined
  let resolution: CarrierCallbackResolution = { outcome: 'ignored', reason: 'unchanged' }
  for (const [index, event] of events.entries()) {
    // Those before it are told again with it when it has to wait, and then change nothing.
    const isLast = index === events.length - 1 && waiting === undefined
    const outcome = await applyEvent(context, tenant, due, { event, settlement: isLast ? resolution : undefined })
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
  { event, settlement }: { readonly event: CarrierEvent; readonly settlement: CarrierCallbackResolution | undefined },
): Promise<TrackingOutcome> {
  const { order, tracking } = event
  const attempt = await findAttemptByOrder(context.database, { merchantId, carrier: due.carrier, ...order })
  if (attempt === undefined) return { is: 'shipment_unknown' }
  const told = {
    shipment: { merchantId, id: attempt.shipmentId },
    attemptNumber: attempt.number,
    tracking,
    source: 'callback',
    carrierReference: order.carrierReference,
    actor: actorOf(due),
  } as const
  return applyTracking(context, { merchantId, mode }, told, async (trx, outcome, now) => {
    if (settlement === undefined || waitOf(outcome) !== undefined) return
    const isOurs = await resolveCarrierCallback(trx, { ...due, ...resolutionOf(outcome, settlement), now })
    if (!isOurs) throw new Error('The callback was settled by another worker.')
  })
}

/** Why it has to wait; undefined where it is done with. */
function waitOf({ is }: TrackingOutcome): string | undefined {
  return is === 'shipment_unknown' || is === 'not_accepted_yet' ? is : undefined
}

/** Applied if any of its news was. */
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
  log.warn({ merchantId: due.merchantId, callbackId: due.id, reason }, 'A carrier told of an order that is not ours.')
  await close(context, due, { outcome: 'ignored', reason })
}

function close(
  { database, clock }: ApplyCallbacksContext,
  due: DueCarrierCallback,
  settlement: CarrierCallbackResolution,
): Promise<void> {
  return closeCarrierCallback(database, { ...due, ...settlement, now: toTimestamp(clock.nowMs()) })
}

function actorOf({ carrier, sourceIp, requestId, userAgent }: DueCarrierCallback): Actor {
  return { type: 'provider', id: null, label: carrier, sourceIp, requestId, userAgent }
}

/** The row holds what an adapter of this service wrote, of this release or of the one before. */
function eventsIn(parsedBody: unknown): readonly CarrierEvent[] {
  return Array.isArray(parsedBody) ? (parsedBody as readonly CarrierEvent[]) : []
}

function ordersIn(parsedBody: unknown): readonly Partial<OrderName>[] {
  return Array.isArray(parsedBody) ? (parsedBody as readonly Partial<OrderName>[]) : []
}
