import { type Clock, toMs, toTimestamp } from '../base/clock.ts'
import type { Log } from '../base/log.ts'
import type { Simulator } from '../simulator/simulator.ts'
import type { Database } from '../store/core/database.ts'
import { isUnavailable } from '../store/core/faults.ts'
import { addJob, addMerchantJobs, addScheduledJobs } from '../store/core/jobs.ts'
import { listMerchantsWithCarrierCallbacks } from '../store/logistics/carriers/carrier-callbacks.ts'
import { isAnyShipmentDue } from '../store/logistics/shipments/shipment-checks.ts'
import { listMerchantsWithCallbacks } from '../store/payments/callbacks.ts'
import { listMerchantsWithRefundsDue } from '../store/refunds/refund-claims.ts'
import { listMerchantsReplaying } from '../store/webhooks/bulk-replays.ts'
import { endStrayDeliveries } from '../store/webhooks/delivery-endings.ts'
import { resumeStrayDeliveries } from '../store/webhooks/delivery-holds.ts'
import { holdStrayDeliveries, listDueEndpoints, listExpiredLeases } from '../store/webhooks/delivery-sweeps.ts'
import type { EndpointKey } from '../store/webhooks/endpoints.ts'
import { abandonedLease } from '../webhooks/abandoned-lease.ts'
import type { RecordContext } from '../webhooks/record-results.ts'
import { recordOrSplit } from '../webhooks/recorder.ts'
import { nextRuns } from './schedule.ts'
import type { WakeUps } from './wake-ups.ts'

/** A killed worker's deliveries move on after their lease of 30 s and at most one pulse: within 40 s. */
const pulseMs = 5_000

export interface SweepContext extends Pick<RecordContext, 'rules'> {
  readonly database: Database
  readonly clock: Clock
  readonly log: Log
  readonly simulator?: Simulator | undefined
  /** For what is due now. */
  readonly wake: (endpoints: readonly EndpointKey[]) => void
  /** For what is due before the next pulse. */
  readonly scheduleWake: WakeUps['scheduleWake']
}

/** One look at everything: frees what dead workers hold, and calls for each endpoint with something due before the next. */
export async function sweep(context: SweepContext): Promise<void> {
  const nowMs = context.clock.nowMs()
  for (const look of [
    freeExpired,
    holdStrays,
    endStrays,
    resumeStrays,
    callForDeliveries,
    callForPayments,
    callForCarriers,
    callForReplays,
    callForShipments,
    schedule,
  ]) {
    try {
      await look(context, nowMs)
    } catch (error) {
      // Without a database none of them can do anything; otherwise one that fails must not hinder the rest.
      if (isUnavailable(error)) throw error
      context.log.error({ err: error, look: look.name }, 'A part of the pulse failed.')
    }
  }
}

async function freeExpired(context: SweepContext, nowMs: number): Promise<void> {
  const { database, log } = context
  const expired = await listExpiredLeases(database, toTimestamp(nowMs))
  if (expired.length === 0) return
  const { suspected } = await recordOrSplit(
    context,
    expired.map((lease) => abandonedLease(lease, 'worker_lost', nowMs)),
  )
  log.warn({ deliveries: expired.length }, 'Deliveries of a lost worker were freed.')
  if (suspected.length > 0)
    log.error(
      { deliveryIds: suspected },
      'Three workers died while sending these deliveries. They are postponed for an hour.',
    )
}

async function holdStrays({ database }: SweepContext): Promise<void> {
  await holdStrayDeliveries(database)
}

async function resumeStrays({ database }: SweepContext, nowMs: number): Promise<void> {
  await resumeStrayDeliveries(database, toTimestamp(nowMs))
}

async function endStrays({ database }: SweepContext, nowMs: number): Promise<void> {
  await endStrayDeliveries(database, toTimestamp(nowMs))
}

async function callForDeliveries({ database, wake, scheduleWake }: SweepContext, nowMs: number): Promise<void> {
  const due = await listDueEndpoints(database, toTimestamp(nowMs + pulseMs))
  wake(due.filter(({ dueAt }) => toMs(dueAt) <= nowMs))
  for (const endpoint of due) if (toMs(endpoint.dueAt) > nowMs) scheduleWake(endpoint, endpoint.dueAt)
}

/** A refund waits at most one pulse until its provider is asked, and what the provider tells until it is applied. */
async function callForPayments({ database }: SweepContext, nowMs: number): Promise<void> {
  const now = toTimestamp(nowMs)
  const [withCallbacks, withRefunds] = await Promise.all([
    listMerchantsWithCallbacks(database, now),
    listMerchantsWithRefundsDue(database, now),
  ])
  await addMerchantJobs(database, 'apply_callbacks', withCallbacks)
  await addMerchantJobs(database, 'pay_refunds', withRefunds)
}

/** What carriers told is called for when it comes; the pulse finds what was lost, and what was put off. */
async function callForCarriers({ database }: SweepContext, nowMs: number): Promise<void> {
  const withCallbacks = await listMerchantsWithCarrierCallbacks(database, toTimestamp(nowMs))
  await addMerchantJobs(database, 'apply_carrier_callbacks', withCallbacks)
}

/** What waits of a replay is topped up with each pulse. */
async function callForReplays({ database }: SweepContext): Promise<void> {
  await addMerchantJobs(database, 'replay_webhooks', await listMerchantsReplaying(database))
}

/** A job asks the carriers: a pulse must not wait for them. */
async function callForShipments({ database }: SweepContext, nowMs: number): Promise<void> {
  if (await isAnyShipmentDue(database, toTimestamp(nowMs))) await addJob(database, 'check_shipments')
}

/** Every job's next run is in the queue before its time comes. */
async function schedule({ database }: SweepContext, nowMs: number): Promise<void> {
  await addScheduledJobs(database, nextRuns(nowMs))
}

/** Beats now and from then on. A beat that fails is logged; the next one does its work. */
export function startSweeper(context: SweepContext): { stop(): Promise<void> } {
  const { log, simulator } = context
  // A database so slow that beats would pile up is not helped by more of them.
  const beating = onceAtATime(() => sweep(context).catch((error) => log.error({ err: error }, 'The pulse failed.')))
  // The companies of test mode call back over HTTP, and one receiver that hangs must not delay the beats.
  const ticking = onceAtATime(async () => {
    await simulator?.tick().catch((error) => log.error({ err: error }, 'The test carriers could not call back.'))
  })
  const begin = () => {
    beating.begin()
    ticking.begin()
  }
  begin()
  const timer = setInterval(begin, pulseMs)
  return {
    stop: async () => {
      clearInterval(timer)
      await Promise.all([beating.ended(), ticking.ended()])
    },
  }
}

/** Begins a run unless one is under way. */
function onceAtATime(run: () => Promise<void>): { begin(): void; ended(): Promise<void> } {
  let running: Promise<void> | undefined
  return {
    begin: () => {
      running ??= run().finally(() => {
        running = undefined
      })
    },
    ended: () => running ?? Promise.resolve(),
  }
}
