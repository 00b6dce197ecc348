import type { Timestamp } from '../../registry/vocabulary.ts'
import { type Clock, toMs, toTimestamp } from '../clock.ts'
import type { Log } from '../log.ts'
import { listMerchantsWithCallbacks } from '../store/callbacks.ts'
import type { Database } from '../store/database.ts'
import { endStrayDeliveries } from '../store/delivery-endings.ts'
import { freeExpiredLeases, holdStrayDeliveries, listDueEndpoints } from '../store/delivery-sweeps.ts'
import { addDeliveryJobs, addMerchantJobs } from '../store/jobs.ts'
import { listMerchantsWithRefundsDue } from '../store/refund-claims.ts'

/** A killed worker's deliveries move on after their lease of 30 s and at most one pulse: within 40 s. */
const pulseMs = 5_000

interface PulseContext {
  readonly database: Database
  readonly clock: Clock
  readonly log: Log
}

/** One look at everything: frees what dead workers hold, and calls for each endpoint with something due before the next. */
export async function beat({ database, clock, log }: PulseContext): Promise<void> {
  const nowMs = clock.nowMs()
  const freed = await freeExpiredLeases(database, toTimestamp(nowMs))
  if (freed > 0) log.warn({ deliveries: freed }, 'Deliveries of a lost worker were freed.')
  await holdStrayDeliveries(database)
  await endStrayDeliveries(database, toTimestamp(nowMs))
  const endpoints = await listDueEndpoints(database, toTimestamp(nowMs + pulseMs))
  const jobs = endpoints.map(({ merchantId, endpointId, dueAt }) =>
    toMs(dueAt) <= nowMs ? { merchantId, endpointId } : { merchantId, endpointId, runAt: dueAt },
  )
  await addDeliveryJobs(database, jobs)
  await callForPayments(database, toTimestamp(nowMs))
}

/** A refund waits at most one pulse until its provider is asked, and what the provider tells until it is applied. */
async function callForPayments(database: Database, now: Timestamp): Promise<void> {
  const [withCallbacks, withRefunds] = await Promise.all([
    listMerchantsWithCallbacks(database, now),
    listMerchantsWithRefundsDue(database, now),
  ])
  await addMerchantJobs(database, 'apply_callbacks', withCallbacks)
  await addMerchantJobs(database, 'pay_refunds', withRefunds)
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
