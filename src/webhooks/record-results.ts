import type { DeliveryId } from '../../registry/vocabulary.ts'
import { toMs, toTimestamp } from '../clock.ts'
import type { AttemptRecord } from '../store/attempts.ts'
import { bookkeep } from '../store/bookkeeping.ts'
import type { Database, WriteTrx } from '../store/database.ts'
import { queueHold } from '../store/delivery-holds.ts'
import {
  type LeasedDelivery,
  lockLeasedDeliveries,
  recordSuccesses,
  type SettledDelivery,
  settleDeliveries,
  settleOriginalDelivery,
} from '../store/delivery-results.ts'
import { lockEndpointStates, saveEndpointStates } from '../store/endpoint-states.ts'
import type { EndpointKey } from '../store/endpoints.ts'
import { tellEndpoint } from './endpoint-news.ts'
import { endpointRowOf, endpointStateOf } from './endpoint-row.ts'
import type { DeliveryRules } from './pace.ts'
import { type AttemptEnd, type DeliveryState, type Reduction, reduceAttempt } from './reduce.ts'

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
  /** Held after the third worker in a row died with them. */
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
  const [endpointRows, leased] = await Promise.all([lockEndpointStates(trx, keys), lockLeasedDeliveries(trx, attempts)])
  const endpoints = new Map(endpointRows.map((row) => [keyOf(row), endpointStateOf(row)]))
  const before = new Map(endpoints)
  const deliveries = new Map(leased.map((delivery) => [delivery.id, delivery]))
  const settled: SettledDelivery[] = []
  const told: (() => void)[] = []
  const disabled: EndpointKey[] = []
  const suspected: DeliveryId[] = []
  const lost: DeliveryId[] = []
  for (const { attempt, end } of results) {
    const { merchantId, endpointId, deliveryId } = attempt
    const endpoint = endpoints.get(keyOf(attempt))
    const delivery = deliveries.get(deliveryId)
    if (endpoint === undefined || delivery === undefined) {
      lost.push(deliveryId)
      continue
    }
    const nowMs = toMs(attempt.finishedAt)
    const reduction = reduceAttempt(rules, { endpoint, delivery: deliveryStateOf(delivery) }, end, nowMs)
    endpoints.set(keyOf(attempt), reduction.endpoint)
    settled.push(settledOf(attempt, end, reduction))
    for (const effect of reduction.effects) {
      switch (effect) {
        case 'settle_original':
          if (delivery.replayOf !== null) {
            const original = { merchantId, id: delivery.replayOf, now: attempt.finishedAt }
            told.push(() => settleOriginalDelivery(trx, original))
          }
          break
        case 'hold_the_rest':
          told.push(() => queueHold(trx, { merchantId, endpointId }))
          break
        case 'warn_merchant':
        case 'tell_disabled':
          if (effect === 'tell_disabled') disabled.push({ merchantId, endpointId })
          told.push(() => tellEndpoint(trx, { merchantId, endpointId }, effect, reduction.endpoint, nowMs))
          break
        case 'tell_operator':
          suspected.push(deliveryId)
          break
      }
    }
  }
  settleDeliveries(trx, settled)
  const changed = endpointRows.filter((row) => endpoints.get(keyOf(row)) !== before.get(keyOf(row)))
  const lastEnd = attempts.reduce((latest, { finishedAt }) => (finishedAt > latest ? finishedAt : latest), '')
  saveEndpointStates(
    trx,
    changed.map((row) => endpointRowOf(row, endpoints.get(keyOf(row)) ?? endpointStateOf(row))),
    toTimestamp(Date.parse(lastEnd)),
  )
  // After the deliveries are written, so that those of this very batch are held with the rest.
  for (const tell of told) tell()
  return { lost, disabled, suspected }
}

function deliveryStateOf(delivery: LeasedDelivery): DeliveryState {
  return { ...delivery, nextAttemptMs: null, heldBecause: null, completedMs: null }
}

function settledOf(attempt: AttemptRecord, end: AttemptEnd, { delivery }: Reduction): SettledDelivery {
  const { status, attemptCount, nextAttemptMs, isPaced, heldBecause, lostCount, completedMs } = delivery
  return {
    attempt,
    outcome: end.is,
    status,
    attemptCount,
    nextAttemptAt: nextAttemptMs === null ? null : toTimestamp(nextAttemptMs),
    isPaced,
    heldBecause,
    lostCount,
    completedAt: completedMs === null ? null : toTimestamp(completedMs),
  }
}
