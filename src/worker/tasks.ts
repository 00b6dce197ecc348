import { EndpointId, MerchantId } from '../../registry/values/vocabulary.ts'
import { type MeasuredClock, toTimestamp } from '../base/clock.ts'
import type { Log } from '../base/log.ts'
import { expireOrders } from '../commerce/orders/expire-orders.ts'
import { applyCarrierCallbacks } from '../logistics/callbacks/apply-callbacks.ts'
import type { LogisticsContext } from '../logistics/carriers/context.ts'
import { updateEstimates } from '../logistics/estimates/update-estimates.ts'
import { checkDueShipments } from '../logistics/jobs/check-shipments.ts'
import { redactOldQuotes } from '../logistics/quotes/redact-quotes.ts'
import { rollUpCarriers } from '../logistics/quotes/roll-up-carriers.ts'
import { deleteOldSurge, publishSurge } from '../logistics/surge/publish-surge.ts'
import { surgeRules } from '../logistics/surge/surge-rules.ts'
import { deletePositions, redactProcessedCarrierCallbacks } from '../logistics/tracking/delete-positions.ts'
import { applyCallbacks } from '../payments/apply-callbacks.ts'
import { payRefunds } from '../payments/pay-refunds.ts'
import type { PayContext } from '../payments/payer.ts'
import { reconcileAll } from '../payments/reconcile-payments.ts'
import { redactProcessedCallbacks } from '../payments/redact-callbacks.ts'
import type { Database } from '../store/core/database.ts'
import { deleteExpiredKeys } from '../store/core/expired-keys.ts'
import type { JobName } from '../store/core/jobs.ts'
import { makePartitions, rotatePartitions } from '../store/partitions/partitions.ts'
import { expireHeld, warnOfExpiry } from '../store/webhooks/held-expiry.ts'
import { deleteExpiredSecrets } from '../store/webhooks/signing-secrets.ts'
import type { Pump } from '../webhooks/pump.ts'
import { replayWebhooks } from '../webhooks/replay-webhooks.ts'
import { reportPartitions } from './report-partitions.ts'
import { openSlots } from './slots.ts'

/** Of the jobs that run at once: a provider that hangs must not hold up the webhooks. */
const paymentSlots = 4

/** Of those again: looks claim what is due between them, so more would only find less. */
const checkSlots = 2

/** A payload comes back from the database as unknown, and may be of another version of this service. */
export type Tasks = { readonly [Name in JobName]: (payload: unknown) => Promise<void> }

/** What the tasks take: deliveries are woken for, orders are changed like by anybody else, providers are asked. */
export interface TaskContext extends PayContext {
  readonly database: Database
  readonly clock: MeasuredClock
  readonly log: Log
  readonly wake: Pump['wake']
  /** Undefined where no carrier is spoken to. */
  readonly logistics?: LogisticsContext | undefined
}

export function createTasks(context: TaskContext): Tasks {
  const { database, clock, log } = context
  const pay = openSlots(paymentSlots)
  const check = openSlots(checkSlots)
  /** Read from the database at that moment. Undefined while the process's own clock is wrong, which an operator must mend. */
  const timeToDeleteBy = async () => {
    const { nowMs, skewMs, isWithinLimit } = await clock.measure()
    if (isWithinLimit) return nowMs
    log.error({ skewMs }, 'Nothing is deleted while the clock of this process differs from the database’s.')
    return undefined
  }
  const purge = async (run: (due: TaskContext) => Promise<unknown>) => {
    const nowMs = await timeToDeleteBy()
    if (nowMs !== undefined) await run({ ...context, clock: { ...clock, nowMs: () => nowMs } })
  }
  return {
    // The rows are the truth and the pump does the work, so a receiver that hangs holds up no job.
    deliver_webhooks: async (payload) =>
      context.wake([
        {
          merchantId: MerchantId.parse(Reflect.get(Object(payload), 'merchantId')),
          endpointId: EndpointId.parse(Reflect.get(Object(payload), 'endpointId')),
        },
      ]),
    rotate_partitions: async () => {
      const nowMs = await timeToDeleteBy()
      if (nowMs !== undefined) await expireHeld(database, nowMs)
      const rotated =
        nowMs === undefined ? makePartitions(database.pool, clock.nowMs()) : rotatePartitions(database.pool, nowMs)
      reportPartitions(log, await rotated)
      const endpoints = await warnOfExpiry(database, clock.nowMs())
      if (endpoints > 0) log.info({ endpoints }, 'Held deliveries will soon be kept no longer.')
    },
    pay_refunds: (payload) => pay(() => payRefunds(context, merchantOf(payload))),
    apply_callbacks: async (payload) => {
      await applyCallbacks(context, merchantOf(payload))
    },
    apply_carrier_callbacks: async (payload) => {
      await applyCarrierCallbacks(context, merchantOf(payload))
    },
    replay_webhooks: async (payload) => {
      const queued = await replayWebhooks(context, merchantOf(payload))
      if (queued > 0) log.info({ deliveries: queued }, 'Replays were queued.')
    },
    purge_idempotency_keys: () => purge((due) => deleteExpiredKeys(database, toTimestamp(due.clock.nowMs()))),
    delete_expired_secrets: () => purge((due) => deleteExpiredSecrets(database, toTimestamp(due.clock.nowMs()))),
    roll_up_carriers: () => rollUpCarriers(context),
    update_estimates: async () => {
      const shipments = await updateEstimates(context)
      if (shipments > 0) log.info({ shipments }, 'Was learnt from how long shipments took.')
    },
    reconcile_payments: async () => {
      await reconcileAll(context)
    },
    redact_callbacks: () => purge(redactProcessedCallbacks),
    redact_carrier_callbacks: () => purge(redactProcessedCarrierCallbacks),
    purge_positions: () => purge(deletePositions),
    redact_quotes: () => purge(redactOldQuotes),
    check_shipments: () =>
      check(async () => {
        if (context.logistics !== undefined) await checkDueShipments(context.logistics, context.stopping)
      }),
    publish_surge: async () => {
      const tick = await publishSurge(context, surgeRules)
      if (tick.is === 'computed' && tick.published > 0) log.debug({ ...tick }, 'Surge was published.')
    },
    delete_old_surge: () => purge(deleteOldSurge),
    expire_orders: async () => {
      const { cancelled, failures } = await expireOrders(context)
      for (const { orderId, error } of failures)
        log.error({ err: error, orderId }, 'An unpaid order could not be cancelled.')
      if (cancelled > 0) log.info({ orders: cancelled }, 'Orders nobody paid in time were cancelled.')
    },
  }
}

function merchantOf(payload: unknown): MerchantId {
  return MerchantId.parse(Reflect.get(Object(payload), 'merchantId'))
}
