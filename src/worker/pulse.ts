import { type Clock, toMs, toTimestamp } from '../clock.ts'
import type { Log } from '../log.ts'
import type { Simulator } from '../simulator/simulator.ts'
import { listMerchantsReplaying } from '../store/bulk-replays.ts'
import { listMerchantsWithCallbacks } from '../store/callbacks.ts'
import { listMerchantsWithCarrierCallbacks } from '../store/carrier-callbacks.ts'
import type { Database } from '../store/database.ts'
import { endStrayDeliveries } from '../store/delivery-endings.ts'
import { resumeStrayDeliveries } from '../store/delivery-holds.ts'
import { holdStrayDeliveries, listDueEndpoints, listExpiredLeases } from '../store/delivery-sweeps.ts'
import type { EndpointKey } from '../store/endpoints.ts'
import { isUnavailable } from '../store/faults.ts'
import { addJob, addMerchantJobs, addScheduledJobs } from '../store/jobs.ts'
import { listMerchantsWithRefundsDue } from '../store/refund-claims.ts'
import { isAnyShipmentDue } from '../store/shipment-looks.ts'
import { givenUp } from '../webhooks/given-up.ts'
import type { RecordContext } from '../webhooks/record-results.ts'
import { recordApart } from '../webhooks/recorder.ts'
import type { CallBack } from './call-back.ts'
import { nextRuns } from './schedule.ts'

/** A killed worker's deliveries move on after their lease of 30 s and at most one pulse: within 40 s. */
const pulseMs = 5_000

export interface PulseContext extends Pick<RecordContext, 'rules'> {
  readonly database: Database
  readonly clock: Clock
  readonly log: Log
  readonly simulator?: Simulator | undefined
  /** For what is due now. */
  readonly wake: (endpoints: readonly EndpointKey[]) => void
  /** For what is due before the next pulse. */
  readonly callBack: CallBack['callBack']
}

/** One look at everything: frees what dead workers hold, and calls for each endpoint with something due before the next. */
export async function beat(context: PulseContext): Promise<void> {
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
    tickSimulator,
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

async function freeExpired(context: PulseContext, nowMs: number): Promise<void> {
  const { database, log } = context
  const expired = await listExpiredLeases(database, toTimestamp(nowMs))
  if (expired.length === 0) return
  const { suspected } = await recordApart(
    context,
    expired.map((lease) => givenUp(lease, 'worker_lost', nowMs)),
  )
  log.warn({ deliveries: expired.length }, 'Deliveries of a lost worker were freed.')
  if (suspected.length > 0)
    log.error({ deliveryIds: suspected }, 'Three workers died with these deliveries: they are put off for an hour.')
}

async function holdStrays({ database }: PulseContext): Promise<void> {
  await holdStrayDeliveries(database)
}

async function resumeStrays({ database }: PulseContext, nowMs: number): Promise<void> {
  await resumeStrayDeliveries(database, toTimestamp(nowMs))
}

async function endStrays({ database }: PulseContext, nowMs: number): Promise<void> {
  await endStrayDeliveries(database, toTimestamp(nowMs))
}

async function callForDeliveries({ database, wake, callBack }: PulseContext, nowMs: number): Promise<void> {
  const due = await listDueEndpoints(database, toTimestamp(nowMs + pulseMs))
  wake(due.filter(({ dueAt }) => toMs(dueAt) <= nowMs))
  for (const endpoint of due) if (toMs(endpoint.dueAt) > nowMs) callBack(endpoint, endpoint.dueAt)
}

/** A refund waits at most one pulse until its provider is asked, and what the provider tells until it is applied. */
async function callForPayments({ database }: PulseContext, nowMs: number): Promise<void> {
  const now = toTimestamp(nowMs)
  const [withCallbacks, withRefunds] = await Promise.all([
    listMerchantsWithCallbacks(database, now),
    listMerchantsWithRefundsDue(database, now),
  ])
  await addMerchantJobs(database, 'apply_callbacks', withCallbacks)
  await addMerchantJobs(database, 'pay_refunds', withRefunds)
}

/** What carriers told is called for when it comes; the pulse finds what was lost, and what was put off. */
async function callForCarriers({ database }: PulseContext, nowMs: number): Promise<void> {
  const withCallbacks = await listMerchantsWithCarrierCallbacks(database, toTimestamp(nowMs))
  await addMerchantJobs(database, 'apply_carrier_callbacks', withCallbacks)
}

/** What waits of a replay is topped up with each pulse. */
async function callForReplays({ database }: PulseContext): Promise<void> {
  await addMerchantJobs(database, 'replay_webhooks', await listMerchantsReplaying(database))
}

/** A job asks the carriers: a pulse must not wait for them. */
async function callForShipments({ database }: PulseContext, nowMs: number): Promise<void> {
  if (await isAnyShipmentDue(database, toTimestamp(nowMs))) await addJob(database, 'look_at_shipments')
}

/** Every job's next run is in the queue before its time comes. */
async function schedule({ database }: PulseContext, nowMs: number): Promise<void> {
  await addScheduledJobs(database, nextRuns(nowMs))
}

/** The companies of test mode tell what their riders did meanwhile. */
async function tickSimulator({ simulator }: PulseContext): Promise<void> {
  await simulator?.tick()
}

/** Beats now and from then on. A beat that fails is logged; the next one does its work. */
export function startPulse(context: PulseContext): { stop(): Promise<void> } {
  let beating = Promise.resolve()
  let isBeating = false
  const once = () => {
    // A database so slow that beats would pile up is not helped by more of them.
    if (isBeating) return
    isBeating = true
    beating = beat(context)
      .catch((error) => context.log.error({ err: error }, 'The pulse failed.'))
      .finally(() => {
        isBeating = false
      })
  }
  once()
  const timer = setInterval(once, pulseMs)
  return {
    stop: () => {
      clearInterval(timer)
      return beating
    },
  }
}
