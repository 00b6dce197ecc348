import { importHours, requestLogDays } from '../../registry/values/limits.ts'
import { EndpointId, MerchantId } from '../../registry/values/vocabulary.ts'
import { reportHeads } from '../audit/report-heads.ts'
import { sealAudit } from '../audit/seal-audit.ts'
import { type MeasuredClock, toTimestamp } from '../base/clock.ts'
import { redactProcessed } from '../callbacks/redact-processed.ts'
import { runImport } from '../commerce/imports/run-import.ts'
import { expireOrders } from '../commerce/orders/expire-orders.ts'
import { summariseSales } from '../commerce/reports/summarise-sales.ts'
import { applyCarrierCallbacks } from '../logistics/callbacks/apply-callbacks.ts'
import { updateEstimates } from '../logistics/estimates/update-estimates.ts'
import { checkDueShipments } from '../logistics/jobs/check-shipments.ts'
import { followReturns } from '../logistics/jobs/follow-returns.ts'
import { redactOldQuotes } from '../logistics/quotes/redact-quotes.ts'
import { rollUpCarriers } from '../logistics/quotes/roll-up-carriers.ts'
import { deleteOldSurge, publishSurge } from '../logistics/surge/publish-surge.ts'
import { surgeRules } from '../logistics/surge/surge-rules.ts'
import { deletePositions } from '../logistics/tracking/delete-positions.ts'
import { type MailContext, sendMails } from '../notifications/send-mails.ts'
import { applyCallbacks } from '../payments/apply-callbacks.ts'
import { payRefunds } from '../payments/pay-refunds.ts'
import { reconcileAll } from '../payments/reconcile-payments.ts'
import { deleteExpiredSignIns } from '../store/access/expired-sign-ins.ts'
import { deleteEndedRateLimitProcesses, deleteIdleRateLimits } from '../store/access/rate-charges.ts'
import { carrierCallbacks, providerCallbacks } from '../store/callbacks/inboxes.ts'
import { expiredKeyDeletion } from '../store/core/expired-keys.ts'
import type { JobName } from '../store/core/jobs.ts'
import { createPartitions, rotatePartitions } from '../store/partitions/partitions.ts'
import { oldImportDeletion } from '../store/products/product-imports.ts'
import { requestCountDeletion } from '../store/requests/request-log.ts'
import { expireHeld, warnOfExpiry } from '../store/webhooks/held-expiry.ts'
import { expiredSecretDeletion } from '../store/webhooks/signing-secrets.ts'
import { replayWebhooks } from '../webhooks/replay-webhooks.ts'
import { type AdvanceContext, openTestClocks } from './advance-test-clock.ts'
import { openMerchantRuns } from './merchant-runs.ts'
import { reportPartitions } from './report-partitions.ts'
import { openSlots } from './slots.ts'
import { sweepDeliveries } from './sweeper.ts'

/**
 * Maximum number of concurrent payment jobs. It is lower than the maximum of all concurrent jobs, because a provider
 * that hangs must not block the webhooks.
 */
const paymentSlots = 4

const dayMs = 24 * 60 * 60 * 1000

/**
 * Maximum number of concurrent jobs that check shipments. All of these jobs claim from the same due shipments, so
 * further jobs would find no shipment to check.
 */
const checkSlots = 2

/**
 * Maximum number of concurrent jobs that send e-mails. All e-mails of a process share its connections to the SMTP
 * server, and a slow server must not block other jobs.
 */
const mailSlots = 1

/** Maximum number of concurrent imports. An import has its file in memory and may take minutes. */
const importSlots = 2

const hourMs = 60 * 60 * 1000

/**
 * The task of each job. A payload has the type `unknown`, because another version of this service may have added the
 * job.
 */
export type Tasks = { readonly [Name in JobName]: (payload: unknown) => Promise<void> }

/** Dependencies of the tasks that the job queue runs. */
export interface TaskContext extends AdvanceContext, Partial<Pick<MailContext, 'mailer' | 'publicUrl'>> {
  readonly clock: MeasuredClock
}

export function createTasks(context: TaskContext): Tasks {
  const { database, clock, log } = context
  const pay = openSlots(paymentSlots)
  const check = openSlots(checkSlots)
  const mail = openSlots(mailSlots)
  const importOne = openSlots(importSlots)
  const advanceClock = openTestClocks(context)
  // A job sends requests to the payment provider for any number of callbacks. A slow provider of one merchant therefore
  // occupies only one slot of each worker process.
  const applyOneByOne = openMerchantRuns((merchantId) => applyCallbacks(context, merchantId))
  /**
   * Returns the current database time, by which old rows are deleted. Undefined while the process's own clock differs
   * too much from it.
   */
  const timeToDeleteBy = async () => {
    const { nowMs, skewMs, isWithinLimit } = await clock.measure()
    if (isWithinLimit) return nowMs
    log.error({ skewMs }, 'Nothing is deleted while the clock of this process differs from the clock of the database.')
    return undefined
  }
  const purge = async (run: (due: TaskContext) => Promise<unknown>) => {
    const nowMs = await timeToDeleteBy()
    if (nowMs !== undefined) await run({ ...context, clock: { ...clock, nowMs: () => nowMs } })
  }
  return {
    // The delivery job only wakes the pump, the loop that reads the due rows and sends the deliveries. A receiver that
    // hangs therefore does not block jobs.
    deliver_webhooks: async (payload) =>
      context.wake([
        {
          merchantId: MerchantId.parse(Reflect.get(Object(payload), 'merchantId')),
          endpointId: EndpointId.parse(Reflect.get(Object(payload), 'endpointId')),
        },
      ]),
    sweep_deliveries: async () => {
      await sweepDeliveries(context)
    },
    rotate_partitions: async () => {
      const nowMs = await timeToDeleteBy()
      if (nowMs !== undefined) await expireHeld(database, nowMs)
      const rotated =
        nowMs === undefined
          ? createPartitions(database.sessionPool, clock.nowMs())
          : rotatePartitions(database.sessionPool, nowMs)
      const partitions = await rotated
      const endpoints = await warnOfExpiry(database, clock.nowMs())
      if (endpoints > 0) log.info({ endpoints }, 'Deliveries of disabled webhook endpoints will expire soon.')
      reportPartitions(log, partitions)
    },
    pay_refunds: (payload) => pay(() => payRefunds(context, merchantOf(payload))),
    apply_callbacks: (payload) => applyOneByOne(merchantOf(payload)),
    apply_carrier_callbacks: async (payload) => {
      await applyCarrierCallbacks(context, merchantOf(payload))
    },
    replay_webhooks: async (payload) => {
      const queued = await replayWebhooks(context, merchantOf(payload))
      if (queued > 0) log.info({ deliveries: queued }, 'Deliveries of bulk replays were queued.')
    },
    import_products: (payload) => importOne(() => runImport(context, merchantOf(payload))),
    delete_old_imports: () =>
      purge((due) => {
        const before = toTimestamp(due.clock.nowMs() - importHours * hourMs)
        return oldImportDeletion.run(database, { before })
      }),
    purge_idempotency_keys: () =>
      purge((due) => expiredKeyDeletion.run(database, { now: toTimestamp(due.clock.nowMs()) })),
    delete_expired_secrets: () =>
      purge(async (due) => {
        const now = toTimestamp(due.clock.nowMs())
        await expiredSecretDeletion.run(database, { now })
        await deleteExpiredSignIns(database, now)
        await deleteIdleRateLimits(database)
        await deleteEndedRateLimitProcesses(database)
      }),
    delete_request_counts: () =>
      purge((due) => {
        const before = toTimestamp(due.clock.nowMs() - requestLogDays * dayMs)
        return requestCountDeletion.run(database, { before })
      }),
    roll_up_carriers: () => rollUpCarriers(context),
    update_estimates: async () => {
      const shipments = await updateEstimates(context)
      if (shipments > 0) log.info({ shipments }, 'The delivery estimates were updated.')
    },
    reconcile_payments: async () => {
      await reconcileAll(context)
    },
    redact_callbacks: () => purge((due) => redactProcessed(due, providerCallbacks)),
    redact_carrier_callbacks: () => purge((due) => redactProcessed(due, carrierCallbacks)),
    purge_positions: () => purge(deletePositions),
    redact_quotes: () => purge(redactOldQuotes),
    check_shipments: () =>
      check(async () => {
        if (context.logistics !== undefined) await checkDueShipments(context.logistics, context.stopping)
      }),
    follow_returns: async () => {
      const returns = await followReturns(context)
      if (returns > 0)
        log.info(
          { returns },
          'Returns were updated, because a process of an earlier release had ended their shipments without updating the returns.',
        )
    },
    publish_surge: async () => {
      const tick = await publishSurge(context, surgeRules)
      if (tick.is === 'computed' && tick.published > 0) log.debug({ ...tick }, 'Surge was published.')
    },
    seal_audit: async () => {
      const { vault, stopping } = context
      const onUnverified = (chain: string) =>
        log.error(
          { chain },
          'The last head of the audit log’s hash chain cannot be verified. Run commerce audit verify.',
        )
      await sealAudit({ database, signer: vault.signer, stopping, onUnverified })
    },
    summarise_sales: () => summariseSales({ database, stopping: context.stopping }),
    report_audit_heads: async () => {
      // Without e-mail, the heads of the audit log's hash chains would only be stored in the database. They would prove
      // nothing there, because anyone who can change the audit log could change them too.
      if (context.mailer !== undefined) await reportHeads({ ...context, signer: context.vault.signer })
    },
    send_mails: () =>
      mail(async () => {
        const { mailer, publicUrl, stopping } = context
        const mails = await sendMails({ database, clock, log, mailer, publicUrl, stopping })
        if (mails > 0) log.info({ mails }, 'Notifications were sent by e-mail.')
      }),
    advance_test_clock: (payload) => advanceClock(merchantOf(payload)),
    delete_old_surge: () => purge(deleteOldSurge),
    expire_orders: async () => {
      const { cancelled, failures } = await expireOrders(context)
      for (const { orderId, error } of failures)
        log.error({ err: error, orderId }, 'An unpaid order could not be cancelled.')
      if (cancelled > 0) log.info({ orders: cancelled }, 'Unpaid orders were cancelled after their expiry.')
    },
  }
}

function merchantOf(payload: unknown): MerchantId {
  return MerchantId.parse(Reflect.get(Object(payload), 'merchantId'))
}
