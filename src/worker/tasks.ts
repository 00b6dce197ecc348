import { EndpointId, MerchantId } from '../../registry/vocabulary.ts'
import { toTimestamp } from '../clock.ts'
import { expireOrders } from '../commerce/expire-orders.ts'
import { applyCallbacks } from '../payments/apply-callbacks.ts'
import { emptySettledCallbacks } from '../payments/empty-callbacks.ts'
import { type PayContext, payRefunds } from '../payments/pay-refunds.ts'
import { deleteExpiredKeys } from '../store/expired-keys.ts'
import { addDeliveryJobs, type JobName } from '../store/jobs.ts'
import { deleteExpiredSecrets } from '../store/signing-secrets.ts'
import { type DeliverContext, deliverDue } from '../webhooks/deliver.ts'
import { openLanes } from './lanes.ts'
import { openSlots } from './slots.ts'

/** Of the jobs that run at once: a provider that hangs must not hold up the webhooks. */
const paymentSlots = 4

/** A payload comes back from the database as unknown, and may be of another version of this service. */
export type Tasks = { readonly [Name in JobName]: (payload: unknown) => Promise<void> }

/** What the tasks take: deliveries are sent out, orders are changed like by anybody else, providers are asked. */
export interface TaskContext extends DeliverContext, PayContext {}

export function createTasks(context: TaskContext): Tasks {
  const { database, clock, log } = context
  const pay = openSlots(paymentSlots)
  const drain = openLanes(async (endpoint) => {
    const { nextDueAt } = await deliverDue(context, endpoint)
    if (nextDueAt !== undefined) await addDeliveryJobs(database, [{ ...endpoint, runAt: nextDueAt }])
  })
  return {
    deliver_webhooks: (payload) =>
      drain({
        merchantId: MerchantId.parse(Reflect.get(Object(payload), 'merchantId')),
        endpointId: EndpointId.parse(Reflect.get(Object(payload), 'endpointId')),
      }),
    pay_refunds: (payload) => pay(() => payRefunds(context, merchantOf(payload))),
    apply_callbacks: async (payload) => {
      await applyCallbacks(context, merchantOf(payload))
    },
    purge_idempotency_keys: async () => {
      await deleteExpiredKeys(database, toTimestamp(clock.nowMs()))
    },
    delete_expired_secrets: async () => {
      await deleteExpiredSecrets(database, toTimestamp(clock.nowMs()))
    },
    empty_callbacks: async () => {
      await emptySettledCallbacks(context)
    },
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
