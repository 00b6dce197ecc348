import type { DeliveryId } from '../../registry/values/vocabulary.ts'
import { toMs, toTimestamp } from '../base/clock.ts'
import { bookkeep } from '../store/core/bookkeeping.ts'
import type { Database, WriteTrx } from '../store/core/database.ts'
import type { AttemptRecord } from '../store/webhooks/attempts.ts'
import { queueHold } from '../store/webhooks/delivery-holds.ts'
import {
  type CompletedDelivery,
  completeDeliveries,
  completeOriginalDelivery,
  type LeasedDelivery,
  lockLeasedDeliveries,
  recordLateAttempts,
  recordSuccesses,
} from '../store/webhooks/delivery-results.ts'
import { lockEndpointStates, saveEndpointStates } from '../store/webhooks/endpoint-states.ts'
import type { EndpointKey } from '../store/webhooks/endpoints.ts'
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
 * Writes down how attempts ended, many at once: each one's row in the history, its delivery's state, what its endpoint's
 * count has become and, with the sixth failure in a row, the disabling with all that belongs to it.
 *
 *   successes of endpoints with nothing against them ──> one statement
 *   everything else ──> endpoints locked, deliveries locked, judged one by one in the order they ended, written back
 */
export interface Result {
  readonly attempt: AttemptRecord
  readonly end: AttemptEnd
  readonly trigger: 'automatic' | 'replay' | 'test'
  /** Whether the endpoint had nothing counted against it when the attempt was claimed. */
  readonly isClean: boolean
}

export interface Recorded {
  /** Somebody else has them by now, or a replay has settled them: their results changed nothing. */
  readonly lost: readonly DeliveryId[]
  readonly disabled: readonly EndpointKey[]
  /** Put off after the third worker in a row died with them. */
  readonly suspected: readonly DeliveryId[]
}

export interface RecordContext {
  readonly database: Database
  readonly rules: DeliveryRules
  /** Told at points where a test may end the process. */
  readonly reach?: (point: ResultPoint) => Promise<void>
}

export type ResultPoint = 'success_not_written' | 'result_not_committed' | 'result_committed'

export async function recordResults(context: RecordContext, results: readonly Result[]): Promise<Recorded> {
  const recorded = await writeResults(context, results)
  await context.reach?.('result_committed')
  return recorded
}

async function writeResults(context: RecordContext, results: readonly Result[]): Promise<Recorded> {
  const plain = plainOf(results).map(({ attempt }) => attempt)
  const [first] = plain
  if (first !== undefined) await context.reach?.('success_not_written')
  const written = first === undefined ? new Set() : await recordSuccesses(context.database, first.workerId, plain)
  const left = results.filter(({ attempt }) => !written.has(attempt.deliveryId))
  if (left.length === 0) return { lost: [], disabled: [], suspected: [] }
  return bookkeep(context.database, async (trx) => {
    const recorded = await judge(trx, context.rules, left)
    await context.reach?.('result_not_committed')
    return recorded
  })
}

/** The order counts, so one result of an endpoint that has to be judged takes the others of that endpoint along. */
function plainOf(results: readonly Result[]): readonly Result[] {
  const judged = new Set<string>()
  for (const { attempt, end, trigger, isClean } of results) {
    if (end.is !== 'succeeded' || trigger === 'replay' || !isClean) judged.add(keyOf(attempt))
  }
  return results.filter(({ attempt }) => !judged.has(keyOf(attempt)))
}

function keyOf({ merchantId, endpointId }: EndpointKey): string {
  return `${merchantId}/${endpointId}`
}

/** Endpoints are locked before deliveries, as everywhere, so that two of these cannot deadlock. */
async function judge(trx: WriteTrx, rules: DeliveryRules, results: readonly Result[]): Promise<Recorded> {
  const attempts = results.map(({ attempt }) => attempt)
  const keys = [...new Map(attempts.map((attempt) => [keyOf(attempt), attempt])).values()]
  const [rows, leased] = await Promise.all([lockEndpointStates(trx, keys), lockLeasedDeliveries(trx, attempts)])
  const judged = foldResults(rules, results, {
    endpoints: new Map(rows.map((row) => [keyOf(row), endpointStateOf(row)])),
    deliveries: new Map(leased.map((delivery) => [delivery.id, delivery])),
  })
  completeDeliveries(
    trx,
    judged.reductions.map(({ result, reduction }) => settledOf(result, reduction)),
  )
  recordLateAttempts(
    trx,
    judged.lost.map(({ attempt, end }) => ({ attempt, outcome: end.is })),
  )
  const changed = rows.flatMap((row) => {
    const state = judged.endpoints.get(keyOf(row))
    return state === undefined ? [] : [endpointRowOf(row, state)]
  })
  const lastMs = Math.max(...attempts.map(({ finishedAt }) => toMs(finishedAt)))
  saveEndpointStates(trx, changed, toTimestamp(lastMs))
  // After the deliveries are written, so that those of this very lot are held with the rest.
  for (const each of judged.reductions) for (const effect of each.reduction.effects) follow(trx, effect, each)
  const having = (wanted: Effect) => judged.reductions.filter(({ reduction }) => reduction.effects.includes(wanted))
  return {
    lost: judged.lost.map(({ attempt }) => attempt.deliveryId),
    disabled: having('tell_disabled').map(({ result }) => result.attempt),
    suspected: having('tell_operator').map(({ result }) => result.attempt.deliveryId),
  }
}

interface Judged {
  readonly result: Result
  readonly delivery: LeasedDelivery
  readonly reduction: Reduction
}

interface Known {
  readonly endpoints: ReadonlyMap<string, EndpointState>
  readonly deliveries: ReadonlyMap<DeliveryId, LeasedDelivery>
}

/** One after the other in the order they ended, each on what those before it made of the endpoint. */
function foldResults(rules: DeliveryRules, results: readonly Result[], known: Known) {
  const endpoints = new Map<string, EndpointState>()
  const reductions: Judged[] = []
  const lost: Result[] = []
  for (const result of results) {
    const key = keyOf(result.attempt)
    const endpoint = endpoints.get(key) ?? known.endpoints.get(key)
    const delivery = known.deliveries.get(result.attempt.deliveryId)
    if (endpoint === undefined || delivery === undefined) {
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

function follow(trx: WriteTrx, effect: Effect, { result, delivery, reduction }: Judged): void {
  const { merchantId, endpointId, finishedAt } = result.attempt
  switch (effect) {
    case 'settle_original':
      if (delivery.replayOf !== null)
        completeOriginalDelivery(trx, { merchantId, id: delivery.replayOf, now: finishedAt })
      return
    case 'hold_the_rest':
      queueHold(trx, { merchantId, endpointId })
      return
    case 'warn_merchant':
    case 'tell_disabled':
      notifyEndpointChange(trx, result.attempt, effect, reduction.endpoint)
      return
    case 'tell_operator':
      // Told in the log, once it is committed.
      return
  }
}

function deliveryStateOf(delivery: LeasedDelivery): DeliveryState {
  return { ...delivery, nextAttemptMs: null, completedMs: null }
}

function settledOf({ attempt, end }: Result, { delivery }: Reduction): CompletedDelivery {
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
