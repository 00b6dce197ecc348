import { EndpointId, MerchantId } from '../../registry/vocabulary.ts'
import { toTimestamp } from '../clock.ts'
import { expireOrders } from '../commerce/expire-orders.ts'
import { deleteExpiredKeys } from '../store/expired-keys.ts'
import { addDeliveryJobs, type JobName } from '../store/jobs.ts'
import type { Context } from '../store/mutation.ts'
import { type DeliverContext, deliverDue } from '../webhooks/deliver.ts'
import { openLanes } from './lanes.ts'

/** A payload comes back from the database as unknown, and may be of another version of this service. */
export type Tasks = { readonly [Name in JobName]: (payload: unknown) => Promise<void> }

/** What the tasks take: deliveries are sent out, and orders are changed like by anybody else. */
export interface TaskContext extends DeliverContext, Context {}

export function createTasks(context: TaskContext): Tasks {
  const { database, clock, log } = context
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
    purge_idempotency_keys: async () => {
      await deleteExpiredKeys(database, toTimestamp(clock.nowMs()))
    },
    expire_orders: async () => {
      const cancelled = await expireOrders(context)
      if (cancelled > 0) log.info({ orders: cancelled }, 'Orders nobody paid in time were cancelled.')
    },
  }
}
