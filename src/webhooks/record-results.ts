import type { DeliveryId, MerchantId } from '../../registry/values/vocabulary.ts'
import { toMs, toTimestamp } from '../base/clock.ts'
import { bookkeep } from '../store/core/bookkeeping.ts'
import type { Database, WriteTrx } from '../store/core/database.ts'
import { shareTestClocks } from '../store/core/test-clock-lock.ts'
import type { AttemptRecord } from '../store/webhooks/attempts.ts'
import { queueHold } from '../store/webhooks/delivery-holds.ts'
import {
  type CompletedDelivery,
  completeDeliveries,
  completeOriginalDelivery,
  type LeasedDelivery,
  type LeaseOfDelivery,
  lockLeasedDeliveries,
  recordSuccesses,
  releaseDeliveries,
} from '../store/webhooks/delivery-results.ts'
import { lockEndpointStates, saveEndpointStates } from '../store/webhooks/endpoint-states.ts'
import type { EndpointKey } from '../store/webhooks/endpoints.ts'
import { queueNextAttempts } from '../store/webhooks/next-attempts.ts'
import { notifyEndpointChange } from './endpoint-notifications.ts'
import { endpointRowOf, endpointStateOf } from './endpoint-row.ts'
import type { DeliveryRules } from './pace.ts'
import {
  type AttemptEnd,
  type DeliveryState,
  type Effect,
  type EndpointState,
  type Reduction,
  reduceAttempt,
} from './reduce.ts'

/**
 * Records the results of many attempts at once: the attempt's row, the delivery's state, the endpoint's failure count
 * and, after the sixth consecutive failure, the disabling of the endpoint.
 *
 *   successes of healthy endpoints, on a database of one server ──> one statement
 *   all other results ──> lock endpoints, lock deliveries, apply results in order of completion, save,
 *                         schedule the next attempts
 */
export interface Result {
  readonly attempt: AttemptRecord
  readonly end: AttemptEnd
  readonly trigger: 'automatic' | 'replay' | 'test'
  readonly mode: 'live' | 'test'
  /** Whether the endpoint had no consecutive failures when the delivery was claimed. */
  readonly isHealthy: boolean
}

export interface Recorded {
  /**
   * Deliveries whose attempt result was discarded. There are two cases. In the first case, the lease had expired, and
   * the delivery had been released or leased again. In the second case, the outcome of the attempt is unknown, and the
   * delivery had been completed or rescheduled.
   */
  readonly lost: readonly DeliveryId[]
  readonly disabled: readonly EndpointKey[]
  /** Deliveries that were postponed because three workers in a row crashed while sending them. */
  readonly suspected: readonly DeliveryId[]
}

export interface RecordContext {
  readonly database: Database
  readonly rules: DeliveryRules
  /** A test hook, called at points where a test may end the process. */
  readonly reach?: (point: ResultPoint) => Promise<void>
}

export type ResultPoint = 'success_not_written' | 'result_not_committed' | 'result_committed'

export async function recordResults(context: RecordContext, results: readonly Result[]): Promise<Recorded> {
  const recorded = await writeResults(context, results)
  await context.reach?.('result_committed')
  return recorded
}

async function writeResults(context: RecordContext, results: readonly Result[]): Promise<Recorded> {
  const isDistributed = context.database.reachability.isDistributed()
  const plain = isDistributed ? [] : simpleResultsOf(results).map(({ attempt }) => attempt)
  if (plain.length > 0) await context.reach?.('success_not_written')
  const merchantIds = testMerchantsOf(results)
  const written = plain.length === 0 ? [] : await recordSuccesses(context.database, plain, merchantIds)
  const recorded = new Set(written.map(leaseKeyOf))
  const left = results.filter(({ attempt }) => !recorded.has(leaseKeyOf(attempt)))
  if (left.length === 0) return { lost: [], disabled: [], suspected: [] }
  return bookkeep(context.database, async (trx) => {
    const [, recorded] = await Promise.all([shareTestClocks(trx, merchantIds), applyRules(trx, context.rules, left)])
    await context.reach?.('result_not_committed')
    return recorded
  })
}

/**
 * Returns the merchants in test mode. Their test clocks are locked while their results are recorded, because a step of
 * a test clock must move either all times of a result or none.
 */
function testMerchantsOf(results: readonly Result[]): readonly MerchantId[] {
  return [...new Set(results.flatMap(({ mode, attempt }) => (mode === 'test' ? [attempt.merchantId] : [])))].toSorted()
}

/**
 * Returns the results that need no full delivery rules, so that a single statement can record them. The results of an
 * endpoint must be applied in order. If one of them needs the full delivery rules, all results of the endpoint are
 * recorded with these rules, and none of them is returned.
 */
function simpleResultsOf(results: readonly Result[]): readonly Result[] {
  const withFullRules = new Set<string>()
  for (const { attempt, end, trigger, isHealthy } of results) {
    if (end.is !== 'succeeded' || trigger === 'replay' || !isHealthy) withFullRules.add(keyOf(attempt))
  }
  return results.filter(({ attempt }) => !withFullRules.has(keyOf(attempt)))
}

function keyOf({ merchantId, endpointId }: EndpointKey): string {
  return `${merchantId}/${endpointId}`
}

function leaseKeyOf({ leaseId, deliveryId }: LeaseOfDelivery): string {
  return `${leaseId}/${deliveryId}`
}

/**
 * Records results by the full delivery rules. Endpoints are always locked before deliveries, so that two transactions
 * cannot deadlock.
 */
async function applyRules(trx: WriteTrx, rules: DeliveryRules, results: readonly Result[]): Promise<Recorded> {
  const attempts = results.map(({ attempt }) => attempt)
  const keys = [...new Map(attempts.map((attempt) => [keyOf(attempt), attempt])).values()]
  const [rows, leased] = await Promise.all([lockEndpointStates(trx, keys), lockLeasedDeliveries(trx, attempts)])
  const applied = foldResults(rules, results, {
    endpoints: new Map(rows.map((row) => [keyOf(row), endpointStateOf(row)])),
    deliveries: new Map(leased.map((delivery) => [leaseKeyOf(delivery), delivery])),
  })
  completeDeliveries(
    trx,
    applied.reductions.map(({ result, reduction }) => completedDeliveryOf(result, reduction)),
  )
  releaseDeliveries(
    trx,
    applied.lost.map(({ attempt }) => attempt),
  )
  const changed = rows.flatMap((row) => {
    const state = applied.endpoints.get(keyOf(row))
    return state === undefined ? [] : [endpointRowOf(row, state)]
  })
  const lastMs = Math.max(...attempts.map(({ finishedAt }) => toMs(finishedAt)))
  saveEndpointStates(trx, changed, toTimestamp(lastMs))
  // The effects of the results are applied after the deliveries are saved, so that disabling an endpoint also sets the
  // queued deliveries of this batch to `held`.
  for (const each of applied.reductions) for (const effect of each.reduction.effects) applyEffect(trx, effect, each)
  await queueNextAttempts(trx, keys)
  const withEffect = (wanted: Effect) =>
    applied.reductions.filter(({ reduction }) => reduction.effects.includes(wanted))
  return {
    lost: applied.lost.map(({ attempt }) => attempt.deliveryId),
    disabled: withEffect('notify_disabled').map(({ result }) => result.attempt),
    suspected: withEffect('alert_operator').map(({ result }) => result.attempt.deliveryId),
  }
}

interface AppliedResult {
  readonly result: Result
  readonly delivery: LeasedDelivery
  readonly reduction: Reduction
}

interface LockedRows {
  readonly endpoints: ReadonlyMap<string, EndpointState>
  /**
   * The deliveries of a batch by lease id and delivery id. The delivery id alone is not sufficient, because the batch
   * may contain the results of two leases of the same delivery.
   */
  readonly deliveries: ReadonlyMap<string, LeasedDelivery>
}

/**
 * Applies results in order of completion. Each result starts from the endpoint state that the previous result produced.
 */
function foldResults(rules: DeliveryRules, results: readonly Result[], known: LockedRows) {
  const endpoints = new Map<string, EndpointState>()
  const reductions: AppliedResult[] = []
  const lost: Result[] = []
  for (const result of results) {
    const key = keyOf(result.attempt)
    const endpoint = endpoints.get(key) ?? known.endpoints.get(key)
    const delivery = known.deliveries.get(leaseKeyOf(result.attempt))
    if (endpoint === undefined || delivery === undefined || isOver(delivery, result)) {
      lost.push(result)
      continue
    }
    const state = { endpoint, delivery: deliveryStateOf(delivery) }
    const reduction = reduceAttempt(rules, state, result.end, toMs(result.attempt.finishedAt))
    if (reduction.endpoint !== endpoint) endpoints.set(key, reduction.endpoint)
    reductions.push({ result, delivery, reduction })
  }
  return { endpoints, reductions, lost }
}

/**
 * Reports whether the result of an attempt must not be recorded. There are two such cases. A worker of an earlier
 * release has leased the delivery in the meantime. Or the attempt was aborted, and the delivery was completed or
 * rescheduled during the attempt.
 */
function isOver({ completedAt, isRescheduled, isLeasedByEarlierRelease }: LeasedDelivery, { end }: Result): boolean {
  return isLeasedByEarlierRelease || (end.is === 'aborted' && (completedAt !== null || isRescheduled))
}

function applyEffect(trx: WriteTrx, effect: Effect, { result, delivery, reduction }: AppliedResult): void {
  const { merchantId, endpointId, finishedAt } = result.attempt
  switch (effect) {
    case 'complete_original':
      if (delivery.replayOf !== null)
        completeOriginalDelivery(trx, { merchantId, id: delivery.replayOf, now: finishedAt })
      return
    case 'hold_deliveries':
      queueHold(trx, { merchantId, endpointId })
      return
    case 'warn_merchant':
    case 'notify_disabled':
      notifyEndpointChange(trx, result.attempt, effect, reduction.endpoint)
      return
    case 'alert_operator':
      // The effect `alert_operator` only causes a log entry, after the commit.
      return
  }
}

function deliveryStateOf(delivery: LeasedDelivery): DeliveryState {
  const { completedAt } = delivery
  return { ...delivery, nextAttemptMs: null, completedMs: completedAt === null ? null : toMs(completedAt) }
}

function completedDeliveryOf({ attempt, end }: Result, { delivery }: Reduction): CompletedDelivery {
  const { status, attemptCount, nextAttemptMs, isPaced, lostCount, completedMs } = delivery
  return {
    attempt,
    outcome: end.is,
    status,
    attemptCount,
    nextAttemptAt: nextAttemptMs === null ? null : toTimestamp(nextAttemptMs),
    isPaced,

    lostCount,
    completedAt: completedMs === null ? null : toTimestamp(completedMs),
  }
}
