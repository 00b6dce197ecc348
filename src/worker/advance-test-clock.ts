import { setTimeout as wait } from 'node:timers/promises'
import type { MerchantId } from '../../registry/values/vocabulary.ts'
import { toMs, toTimestamp } from '../base/clock.ts'
import { expireOrders } from '../commerce/orders/expire-orders.ts'
import { applyCarrierCallbacks } from '../logistics/callbacks/apply-callbacks.ts'
import type { LogisticsContext } from '../logistics/carriers/context.ts'
import { checkDueShipments } from '../logistics/jobs/check-shipments.ts'
import { applyCallbacks } from '../payments/apply-callbacks.ts'
import type { PaymentContext } from '../payments/open-key.ts'
import { payRefunds } from '../payments/pay-refunds.ts'
import type { Simulator } from '../simulator/simulator.ts'
import { systemActor } from '../store/core/audit.ts'
import { bookkeep } from '../store/core/bookkeeping.ts'
import { isContention, isUnavailable } from '../store/core/faults.ts'
import { mutate } from '../store/core/mutation.ts'
import { holdTestClock } from '../store/core/test-clock-lock.ts'
import { type DueKind, listDueTimes, listQueuedEndpoints } from '../store/test-clock/due-work.ts'
import { listAttemptReferences, moveTimesBack } from '../store/test-clock/move-times.ts'
import { failAdvance, findTestClock, finishAdvance, type TestClock, takeStep } from '../store/test-clock/test-clocks.ts'
import { scheduleNextAttempts } from '../store/webhooks/next-attempts.ts'
import type { Pump } from '../webhooks/pump.ts'

/**
 * Makes an advance of a test clock:
 *
 *   do all due work ──> move the times back, up to the next due time ──> do all due work ──> … ──> idle
 *
 * A due time is passed over only after many steps (`exactStepsMax`) or long ones (`exactForMs`), or while earlier work of
 * its kind fails or takes too long (`settleMs`): an order expires before a later retry of a webhook is sent. The state is
 * in the database, so that another worker continues after a crash.
 */

export interface AdvanceContext extends PaymentContext {
  readonly wake: Pump['wake']
  /** The dependencies of shipping jobs. Undefined in a process without carriers. */
  readonly logistics?: LogisticsContext | undefined
  /**
   * The simulated carriers and the simulated payment provider, which send callbacks. Undefined in a process that does
   * not run them.
   */
  readonly simulator?: Simulator | undefined
  /**
   * Maximum total time of the exact steps of a job, in milliseconds. After this time, the job makes the rest of the
   * advance in few steps. Replaces the default.
   */
  readonly exactForMs?: number
}

/**
 * Maximum number of test clocks that one process advances at the same time. The number is lower than the maximum of all
 * concurrent jobs, because an advance occupies a job while it waits for its merchant's receivers. The next sweep starts
 * the other advances.
 */
const clocksMax = 4

/**
 * Maximum number of steps of an advance that each end exactly at a due time. An advance over all retries of a webhook
 * delivery has 6 such steps, and one over the life of a shipment about 30.
 */
const exactStepsMax = 900

/**
 * Maximum number of additional steps if an advance of the test clock has more due times than `exactStepsMax`. These
 * steps divide the rest of the advance evenly, so one step may pass several due times.
 */
const coarseStepsMax = 100

/**
 * Maximum total time, in milliseconds, of the steps of a job that end exactly at due times. After this time,
 * `lastStepsMax` steps complete the advance. During a step, writes of the merchant wait. If the merchant has very many
 * records, a thousand steps would block its writes for hours.
 */
const exactForMs = 300_000

/**
 * Maximum number of steps for the rest of an advance, after the steps to due times have taken `exactForMs`. These steps
 * divide the rest into equal parts. A step is longer only if no work becomes due before its end.
 */
const lastStepsMax = 10

/**
 * Maximum time in milliseconds for which the job waits, after a step, for the work that is then due. For example, a
 * webhook receiver has ten seconds to respond. Work that takes longer, or fails, stays due and delays no further steps
 * of the job.
 */
const settleMs = 20_000

/**
 * Delays in milliseconds between two searches for due work. Most work ends at once. If a receiver or a slow job delays
 * the end of the work, the delay doubles after each search, up to its maximum.
 */
const searchAgainMs = { first: 10, max: 500 }

/**
 * Returns a function that advances the test clock of a merchant, unless this process is already doing so. After a crash
 * of the worker, a job of another worker continues the advance, so two jobs of one merchant may overlap. If both jobs
 * try to make the same step, the step is made only once.
 */
export function openTestClocks(context: AdvanceContext): (merchantId: MerchantId) => Promise<void> {
  const advancing = new Set<MerchantId>()
  return async (merchantId) => {
    if (advancing.has(merchantId) || advancing.size >= clocksMax) return
    advancing.add(merchantId)
    try {
      await advanceTestClock(context, merchantId)
    } finally {
      advancing.delete(merchantId)
    }
  }
}

async function advanceTestClock(context: AdvanceContext, merchantId: MerchantId): Promise<void> {
  const advance: Advance = { context, merchantId, left: new Set(), made: { totalMs: 0, lastSteps: 0 } }
  for (;;) {
    // The test clock is read before the due work is done. If another worker makes a step of the advance in the
    // meantime, this worker makes no step. It only does the work that has become due.
    const clock = await findTestClock(context.database, merchantId)
    if (!(await endIfFailing(advance, clock, () => settleAndStep(advance, clock)))) return
  }
}

/**
 * Does all due work of an advance, and then makes the next step of the advance. Returns false when the advance has
 * ended, or when the worker stops.
 */
async function settleAndStep(advance: Advance, clock: TestClock): Promise<boolean> {
  const nextMs = await settle(advance)
  // A worker that stops may record results that make due work appear done, although it is not done. The test clock is
  // therefore not advanced further after the stop has begun.
  if (nextMs === undefined || advance.context.stopping?.aborted === true) return false
  if (clock.remainingMs > 0) {
    await step(advance, clock, nextMs)
    return true
  }
  if (clock.isAdvancing) await finish(advance, clock)
  return false
}

interface Advance {
  readonly context: AdvanceContext
  readonly merchantId: MerchantId
  /**
   * The kinds of due work that were not done within the time limit. The job no longer waits for work of these kinds.
   */
  readonly left: Set<DueKind>
  /**
   * `totalMs` is the real time that the steps took. `lastSteps` counts the steps since `totalMs` exceeded `exactForMs`.
   */
  readonly made: { totalMs: number; lastSteps: number }
}

/**
 * Does all work of the merchant that is due. Returns the time at which further work becomes due; undefined if the
 * worker stops before all due work is done.
 */
async function settle(advance: Advance): Promise<number | undefined> {
  const { context, left } = advance
  const untilMs = performance.now() + settleMs
  for (let delayMs = searchAgainMs.first; ; delayMs = Math.min(2 * delayMs, searchAgainMs.max)) {
    if (context.stopping?.aborted === true) return undefined
    const { due, nextMs } = await findWork(advance)
    const waiting = due.filter((kind) => !left.has(kind))
    if (waiting.length === 0) return nextMs
    if (performance.now() > untilMs) {
      for (const kind of waiting) left.add(kind)
      const { log } = context
      log.warn({ merchantId: advance.merchantId, kinds: waiting }, 'Due work of a test clock was not done in time.')
    }
    for (const kind of waiting) await work[kind](context, advance.merchantId)
    await wait(delayMs)
  }
}

interface Found {
  readonly due: readonly DueKind[]
  /** The time after now at which the merchant's next work becomes due. Infinite if no work becomes due. */
  readonly nextMs: number
}

async function findWork({ context: { database, clock }, merchantId }: Advance): Promise<Found> {
  const nowMs = clock.nowMs()
  const references = await listAttemptReferences(database, { merchantId })
  const times = await listDueTimes(database, { merchantId, references, now: toTimestamp(nowMs) })
  return {
    due: times.flatMap(({ kind, isDue }) => (isDue ? [kind] : [])),
    nextMs: Math.min(...times.flatMap(({ nextAt }) => (nextAt === null ? [] : toMs(nextAt)))),
  }
}

/**
 * For each kind of work, the function that does the work that is due for a merchant. Some of these functions also do
 * due work of other merchants.
 */
const work: Readonly<Record<DueKind, (context: AdvanceContext, merchantId: MerchantId) => Promise<unknown>>> = {
  orders: (context) => expireOrders(context),
  refunds: payRefunds,
  provider_callbacks: applyCallbacks,
  carrier_callbacks: applyCarrierCallbacks,
  shipments: async ({ logistics, stopping }) => logistics && checkDueShipments(logistics, stopping),
  simulated_callbacks: async ({ simulator }) => simulator?.tick(),
  deliveries: async ({ database, wake }, merchantId) => {
    wake(await listQueuedEndpoints(database, { merchantId }))
  },
}

/**
 * Runs a part of an advance. If the part fails with an error that would occur again, the advance ends as failed. For
 * example, a statement reaches its time limit if the merchant has very many records.
 */
async function endIfFailing(advance: Advance, clock: TestClock, work: () => Promise<boolean>): Promise<boolean> {
  try {
    return await work()
  } catch (error) {
    if (isUnavailable(error) || isContention(error)) throw error
    const { context, merchantId } = advance
    context.log.error(
      { err: error, merchantId },
      'The advance of a test clock has ended, because one of its steps failed.',
    )
    await end(advance, clock, 'failed')
    return false
  }
}

/**
 * Makes one step of an advance of the test clock. The step moves the times of the merchant's records back, so that the
 * next due time is reached. The length of the step is at most the remaining time of the advance.
 */
async function step(advance: Advance, clock: TestClock, nextMs: number): Promise<void> {
  const { context, merchantId, made } = advance
  const { remainingMs, steps } = clock
  const coarseMs = Math.max(1, Math.ceil(remainingMs / stepsLeftOf(advance, steps)))
  const spanMs = Math.min(remainingMs, Math.max(nextMs - context.clock.nowMs(), coarseMs))
  const startedMs = performance.now()
  const isMade = await bookkeep(context.database, async (trx) => {
    await holdTestClock(trx, { merchantId })
    const [isTaken, references] = await Promise.all([
      takeStep(trx, { merchantId, seenSteps: steps, stepMs: spanMs }),
      listAttemptReferences(trx, { merchantId }),
    ])
    if (isTaken) moveTimesBack(trx, { merchantId, spanMs }, { references })
    return isTaken
  })
  if (!isMade) return
  if (isLong(advance)) made.lastSteps += 1
  made.totalMs += performance.now() - startedMs
}

/**
 * Reports whether the steps of the job have taken longer than `exactForMs`. The next steps then need not end at a due
 * time.
 */
function isLong({ context, made }: Advance): boolean {
  return made.totalMs > (context.exactForMs ?? exactForMs)
}

/**
 * Returns the maximum number of further steps of an advance. Infinite while the steps still end exactly at due times.
 */
function stepsLeftOf(advance: Advance, steps: number): number {
  if (isLong(advance)) return Math.max(1, lastStepsMax - advance.made.lastSteps)
  return steps < exactStepsMax ? Number.POSITIVE_INFINITY : Math.max(1, exactStepsMax + coarseStepsMax - steps)
}

/**
 * Ends an advance whose due work is done. First schedules the jobs of the next webhook retries again, because the
 * advance has changed the times of the retries.
 */
async function finish(advance: Advance, clock: TestClock): Promise<void> {
  const { context, merchantId } = advance
  await scheduleNextAttempts(context.database, await listQueuedEndpoints(context.database, { merchantId }))
  await end(advance, clock, 'idle')
}

/**
 * Ends an advance of the test clock. The audit row states the result of the advance, and the remaining time by which
 * the clock was not advanced.
 */
async function end({ context, merchantId }: Advance, clock: TestClock, status: 'idle' | 'failed'): Promise<void> {
  const mutation = {
    tenant: { merchantId, mode: 'test' },
    actor: systemActor('advance_test_clock'),
    action: 'test_clock.end_advance',
    resourceType: 'test_clock',
    resourceId: () => merchantId,
  } as const
  const endAdvance = status === 'idle' ? finishAdvance : failAdvance
  await mutate(context, mutation, async ({ trx, note, abort }) => {
    if (!(await endAdvance(trx, { merchantId, seenSteps: clock.steps }))) return abort(undefined)
    const restSeconds = Math.ceil(clock.remainingMs / 1000)
    note({ status: ['advancing', status], ...(restSeconds === 0 ? {} : { remainingSeconds: [restSeconds, 0] }) })
  })
}
