import { type Clock, toTimestamp } from '../base/clock.ts'
import type { Log } from '../base/log.ts'
import { recurringWorkOf } from '../base/recurring-work.ts'
import { tryEach } from '../base/try-each.ts'
import type { Simulator } from '../simulator/simulator.ts'
import { carrierCallbacks, providerCallbacks } from '../store/callbacks/inboxes.ts'
import type { Database } from '../store/core/database.ts'
import { isUnavailable } from '../store/core/faults.ts'
import { addJob, addMerchantJobs } from '../store/core/jobs.ts'
import { isAnyShipmentDue } from '../store/logistics/shipments/shipment-checks.ts'
import { isAnyMailDue } from '../store/notifications/mails.ts'
import { listMerchantsImporting } from '../store/products/product-imports.ts'
import { listMerchantsWithRefundsDue } from '../store/refunds/refund-checks.ts'
import { listMerchantsAdvancing } from '../store/test-clock/test-clocks.ts'
import { listMerchantsReplaying } from '../store/webhooks/bulk-replays.ts'
import { endStrayDeliveries } from '../store/webhooks/delivery-endings.ts'
import { resumeStrayDeliveries } from '../store/webhooks/delivery-holds.ts'
import { holdStrayDeliveries, listDueEndpoints } from '../store/webhooks/delivery-sweeps.ts'
import type { EndpointKey } from '../store/webhooks/endpoints.ts'
import { type Lease, listExpiredLeases, releaseEarlierLeases } from '../store/webhooks/leases.ts'
import { abandonedLease } from '../webhooks/abandoned-lease.ts'
import type { RecordContext } from '../webhooks/record-results.ts'
import { recordOrSplit } from '../webhooks/recorder.ts'

/**
 * Sweep interval in milliseconds. The cron of Graphile Worker is too coarse for these sweeps, because its shortest
 * interval is a minute. A refund must be submitted within five seconds. The deliveries of a killed worker must continue
 * within 40 s, after their lease of 30 s and one sweep.
 */
const sweepIntervalMs = 5_000

export interface DeliverySweepContext {
  readonly database: Database
  readonly clock: Clock
  readonly log: Log
  /** Wakes the pump (the loop that sends deliveries) for endpoints with deliveries that are due now. */
  readonly wake: (endpoints: readonly EndpointKey[]) => void
}

export interface SweepContext extends DeliverySweepContext, Pick<RecordContext, 'rules'> {
  readonly simulator?: Simulator | undefined
}

/**
 * Runs one sweep: releases the leases of dead workers, and enqueues or wakes all work that is due. Returns whether every
 * step succeeded.
 */
export function sweep(context: SweepContext): Promise<boolean> {
  return runSteps(context, [
    releaseExpiredLeases,
    releaseLeasesOfEarlierReleases,
    enqueueRefunds,
    enqueueProviderCallbacks,
    enqueueCarrierCallbacks,
    enqueueReplays,
    enqueueImports,
    enqueueShipmentChecks,
    enqueueMails,
    enqueueTestClocks,
    wakeForDeliveries,
  ])
}

/**
 * Finds deliveries whose job or notification was lost, and deliveries that were not updated when their endpoint changed
 * at the same time. Every worker does this when it connects, and one worker does it every minute. Returns whether every
 * step succeeded.
 */
export function sweepDeliveries(context: DeliverySweepContext): Promise<boolean> {
  return runSteps(context, [holdStrays, endStrays, resumeStrays, wakeForDeliveries])
}

async function runSteps<Context extends Pick<SweepContext, 'clock' | 'log'>>(
  context: Context,
  steps: readonly ((context: Context, nowMs: number) => Promise<void>)[],
): Promise<boolean> {
  const nowMs = context.clock.nowMs()
  const work = recurringWorkOf(context.log)
  let isComplete = true
  for (const step of steps) {
    try {
      await work.observe(`sweep.${step.name}`, () => step(context, nowMs))
    } catch (error) {
      isComplete = false
      // If the database is unavailable, the sweep ends. After any other error, the remaining steps of the sweep still
      // run.
      if (isUnavailable(error)) break
    }
  }
  return isComplete
}

async function releaseExpiredLeases(context: SweepContext, nowMs: number): Promise<void> {
  const expired = await listExpiredLeases(context.database, toTimestamp(nowMs))
  // The results of a merchant in test mode may have to wait for a step of the merchant's test clock. The results of
  // live mode are therefore recorded first. Then the results of each merchant in test mode are recorded separately.
  const live = expired.filter(({ mode }) => mode === 'live')
  const test = expired.filter(({ mode }) => mode === 'test')
  const parts = [live, ...Map.groupBy(test, ({ merchantId }) => merchantId).values()]
  await tryEach(parts.map((leases) => () => releaseLeases(context, leases, nowMs)))
}

async function releaseLeases(context: SweepContext, leases: readonly Lease[], nowMs: number): Promise<void> {
  if (leases.length === 0) return
  const { log, wake } = context
  const results = leases.map((lease) => abandonedLease(lease, 'worker_lost', nowMs))
  const { suspected } = await recordOrSplit(context, results)
  wake(leases)
  log.warn({ deliveries: leases.length }, 'The deliveries of a dead worker were released.')
  if (suspected.length > 0)
    log.error(
      { deliveryIds: suspected },
      'Three workers died while sending the same deliveries, which are postponed for an hour.',
    )
}

async function releaseLeasesOfEarlierReleases({ database }: SweepContext, nowMs: number): Promise<void> {
  await releaseEarlierLeases(database, toTimestamp(nowMs))
}

async function holdStrays({ database }: DeliverySweepContext): Promise<void> {
  await holdStrayDeliveries(database)
}

async function resumeStrays({ database }: DeliverySweepContext, nowMs: number): Promise<void> {
  let resumed: number
  do {
    resumed = await resumeStrayDeliveries(database, toTimestamp(nowMs))
  } while (resumed > 0)
}

async function endStrays({ database }: DeliverySweepContext, nowMs: number): Promise<void> {
  await endStrayDeliveries(database, toTimestamp(nowMs))
}

async function wakeForDeliveries({ database, wake }: DeliverySweepContext, nowMs: number): Promise<void> {
  wake(await listDueEndpoints(database, toTimestamp(nowMs)))
}

/** A due refund waits for at most one sweep interval. */
async function enqueueRefunds({ database }: SweepContext, nowMs: number): Promise<void> {
  await addMerchantJobs(database, 'pay_refunds', await listMerchantsWithRefundsDue(database, toTimestamp(nowMs)))
}

/** Enqueues callbacks that are due for a retry, and callbacks whose job was lost. */
async function enqueueProviderCallbacks({ database }: SweepContext, nowMs: number): Promise<void> {
  await enqueueCallbacks(database, providerCallbacks, nowMs)
}

async function enqueueCarrierCallbacks({ database }: SweepContext, nowMs: number): Promise<void> {
  await enqueueCallbacks(database, carrierCallbacks, nowMs)
}

async function enqueueCallbacks(
  database: Database,
  { job, listMerchants }: typeof providerCallbacks | typeof carrierCallbacks,
  nowMs: number,
): Promise<void> {
  await addMerchantJobs(database, job, await listMerchants(database, toTimestamp(nowMs)))
}

async function enqueueReplays({ database }: SweepContext): Promise<void> {
  await addMerchantJobs(database, 'replay_webhooks', await listMerchantsReplaying(database))
}

/** Enqueues the product imports whose job was lost or whose worker has stopped. */
async function enqueueImports({ database }: SweepContext, nowMs: number): Promise<void> {
  await addMerchantJobs(
    database,
    'import_products',
    await listMerchantsImporting(database, { now: toTimestamp(nowMs) }),
  )
}

/** Shipments are checked by a job, so that a sweep does not wait for carriers. */
async function enqueueShipmentChecks({ database }: SweepContext, nowMs: number): Promise<void> {
  if (await isAnyShipmentDue(database, toTimestamp(nowMs))) await addJob(database, 'check_shipments')
}

/** E-mails are sent by a job, so that a sweep does not wait for the SMTP server. */
async function enqueueMails({ database }: SweepContext, nowMs: number): Promise<void> {
  if (await isAnyMailDue(database, toTimestamp(nowMs))) await addJob(database, 'send_mails')
}

/** Enqueues advances of test clocks whose job was lost, or whose worker has stopped. */
async function enqueueTestClocks({ database }: SweepContext): Promise<void> {
  await addMerchantJobs(database, 'advance_test_clock', await listMerchantsAdvancing(database, {}))
}

export interface Sweeper {
  /** Returns the time in milliseconds since the last sweep of which every step succeeded. */
  sinceSweepMs(): number
  stop(): Promise<void>
}

/** Starts a sweep now, and then repeats the sweep at each interval. If a sweep fails, the next sweep does its work. */
export function startSweeper(context: SweepContext): Sweeper {
  const { log, simulator } = context
  // Sweeps do not overlap, so that a slow database does not get even more load.
  let sweptAtMs = performance.now()
  const sweeps = onceAtATime(async () => {
    if (await sweep(context)) sweptAtMs = performance.now()
  })
  // Callbacks of simulated carriers are sent in parallel with the sweeps: they use HTTP, and a receiver that hangs must
  // not delay the sweeps.
  const ticks = onceAtATime(async () => {
    if (simulator !== undefined) await recurringWorkOf(log).attempt('simulated_callbacks', simulator.tick)
  })
  const start = () => {
    sweeps.start()
    ticks.start()
  }
  start()
  const timer = setInterval(start, sweepIntervalMs)
  return {
    sinceSweepMs: () => performance.now() - sweptAtMs,
    stop: async () => {
      clearInterval(timer)
      await Promise.all([sweeps.ended(), ticks.ended()])
    },
  }
}

/**
 * Returns two functions. One calls `run`, unless an earlier call of `run` is still in progress. The other waits for the
 * end of the call in progress.
 */
function onceAtATime(run: () => Promise<void>): { start(): void; ended(): Promise<void> } {
  let running: Promise<void> | undefined
  return {
    start: () => {
      running ??= run().finally(() => {
        running = undefined
      })
    },
    ended: () => running ?? Promise.resolve(),
  }
}
