import { EndpointId, MerchantId } from '../../registry/values/vocabulary.ts'
import { reportHeads } from '../audit/report-heads.ts'
import { sealAudit } from '../audit/seal-audit.ts'
import type { MeasuredClock } from '../base/clock.ts'
import { runImport } from '../commerce/imports/run-import.ts'
import { expireOrders } from '../commerce/orders/expire-orders.ts'
import { summariseSales } from '../commerce/reports/summarise-sales.ts'
import { applyCarrierCallbacks } from '../logistics/callbacks/apply-callbacks.ts'
import { updateEstimates } from '../logistics/estimates/update-estimates.ts'
import { checkDueShipments } from '../logistics/jobs/check-shipments.ts'
import { followReturns } from '../logistics/jobs/follow-returns.ts'
import { rollUpCarriers } from '../logistics/quotes/roll-up-carriers.ts'
import { publishSurge } from '../logistics/surge/publish-surge.ts'
import { surgeRules } from '../logistics/surge/surge-rules.ts'
import { type MailContext, sendMails } from '../notifications/send-mails.ts'
import { applyCallbacks } from '../payments/apply-callbacks.ts'
import { payRefunds } from '../payments/pay-refunds.ts'
import { reconcileAll } from '../payments/reconcile-payments.ts'
import type { JobName } from '../store/core/jobs.ts'
import { replayWebhooks } from '../webhooks/replay-webhooks.ts'
import { type AdvanceContext, openTestClocks } from './advance-test-clock.ts'
import { deletionTasks } from './deletion-tasks.ts'
import { openMerchantRuns } from './merchant-runs.ts'
import { openSlots } from './slots.ts'
import { sweepDeliveries } from './sweeper.ts'

/**
 * Maximum number of concurrent payment jobs. It is lower than the maximum of all concurrent jobs, because a provider
 * that hangs must not block the webhooks.
 */
const paymentSlots = 4

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

/**
 * The task of each job. A payload has the type `unknown`, because another version of this service may have added the
 * job.
 */
export type Tasks = { readonly [Name in JobName]: (payload: unknown) => Promise<void> }

export interface TaskContext extends AdvanceContext, Partial<Pick<MailContext, 'mailer' | 'publicUrl'>> {
  readonly clock: MeasuredClock
}

export function createTasks(context: TaskContext): Tasks {
  return {
    ...merchantTasks(context),
    ...shippingTasks(context),
    ...recurringTasks(context),
    ...deletionTasks(context),
  }
}

/** Returns the tasks of the jobs that each run for one merchant. */
function merchantTasks(context: TaskContext) {
  const { log } = context
  const pay = openSlots(paymentSlots)
  const importOne = openSlots(importSlots)
  const advanceClock = openTestClocks(context)
  // A job sends requests to the payment provider for any number of callbacks. A slow provider of one merchant therefore
  // occupies only one slot of each worker process.
  const applyOneByOne = openMerchantRuns((merchantId) => applyCallbacks(context, merchantId))
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
    advance_test_clock: (payload) => advanceClock(merchantOf(payload)),
  } satisfies Partial<Tasks>
}

/** Returns the tasks of the recurring jobs of logistics. */
function shippingTasks(context: TaskContext) {
  const { log } = context
  const check = openSlots(checkSlots)
  return {
    roll_up_carriers: () => rollUpCarriers(context),
    update_estimates: async () => {
      const shipments = await updateEstimates(context)
      if (shipments > 0) log.info({ shipments }, 'The delivery estimates were updated.')
    },
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
  } satisfies Partial<Tasks>
}

/** Returns the tasks of the other recurring jobs, except those that delete or redact data. */
function recurringTasks(context: TaskContext) {
  const { database, clock, log } = context
  const mail = openSlots(mailSlots)
  return {
    sweep_deliveries: async () => {
      await sweepDeliveries(context)
    },
    reconcile_payments: async () => {
      await reconcileAll(context)
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
    expire_orders: async () => {
      const { cancelled, failures } = await expireOrders(context)
      for (const { orderId, error } of failures)
        log.error({ err: error, orderId }, 'An unpaid order could not be cancelled.')
      if (cancelled > 0) log.info({ orders: cancelled }, 'Unpaid orders were cancelled after their expiry.')
    },
  } satisfies Partial<Tasks>
}

function merchantOf(payload: unknown): MerchantId {
  return MerchantId.parse(Reflect.get(Object(payload), 'merchantId'))
}
