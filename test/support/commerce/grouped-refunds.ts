import { hash, randomUUID } from 'node:crypto'
import { beforeEach } from 'vitest'
import type { Refund } from '../../../registry/refunds/refund.ts'
import { type MerchantId, OrderId } from '../../../registry/values/vocabulary.ts'
import { listOrderIds, makeOrders } from '../../../scripts/bench/orders.ts'
import { createMerchant } from '../../../src/access/create-merchant.ts'
import { systemClock } from '../../../src/base/clock.ts'
import { toKobo } from '../../../src/commerce/money.ts'
import { createRefund, newRefundEvents } from '../../../src/commerce/refunds/create-refund.ts'
import { systemActor } from '../../../src/store/core/audit.ts'
import { type Context, mutate, type Work } from '../../../src/store/core/mutation.ts'
import { openTransactionGroups } from '../../../src/store/core/transaction-groups.ts'
import { useDatabase } from '../database.ts'
import { operator } from '../shop.ts'

/** Creates concurrent refunds, which share transactions, for a merchant with eight paid orders. */

export interface WantedRefund {
  readonly orderId: OrderId
  readonly amountKobo?: number
  /** Idempotency key with which the refund is requested. Null sends none. */
  readonly key?: string | null
  readonly after?: (work: Work<'order.refunded'>) => unknown
}

interface GroupedRefunds {
  readonly opened: ReturnType<typeof useDatabase>
  /** The service's context in the current test. A test may replace it. */
  context: Context
  merchantId: MerchantId
  orderIds: readonly OrderId[]
  refund(wanted: WantedRefund): Promise<Refund>
  /**
   * Creates refunds concurrently. Returns the refunded order or the error message of each, in the order of the
   * requests.
   */
  outcomesOf(wanted: readonly WantedRefund[]): Promise<string[]>
  /** Returns the number of refunds in each transaction, the largest number first. */
  transactionSizes(): Promise<number[]>
  refundedKobo(): Promise<Record<string, number>>
  countOf(table: 'refunds' | 'webhook_events' | 'idempotency_keys'): Promise<number>
}

/** The route for which the idempotency keys of refunds are stored. */
export const refundRoute = 'POST /refunds'

/** Creates, for each test of a file, a merchant whose refunds share transactions. */
export function useGroupedRefunds(): GroupedRefunds {
  const opened = useDatabase()
  const select = async (text: string) => (await opened().database.pool.query(text, [shop.merchantId])).rows
  const refund = ({ orderId, amountKobo = 100, key = randomUUID(), after }: WantedRefund): Promise<Refund> => {
    const scope = { merchantId: shop.merchantId, route: refundRoute, key: key ?? '' }
    const fingerprint = hash('sha256', orderId, 'buffer')
    const request = { scope, fingerprint, requestId: `req_${key}`, callerId: 'tok_test' }
    const responseOf = (made: Refund) => ({ status: 201, body: JSON.stringify(made), location: null })
    return mutate(
      shop.context,
      {
        tenant: { merchantId: shop.merchantId, mode: 'live' },
        actor: systemActor('test'),
        action: 'refund.create',
        resourceType: 'refund',
        resourceId: ({ id }: Refund) => id,
        emits: newRefundEvents,
        sharesTransactionFor: orderId,
        keyed: key === null ? undefined : { request, responseOf },
      },
      async (work) => {
        const outcome = await createRefund(work, { orderId, amountKobo: toKobo(amountKobo), reason: 'damaged' })
        if (outcome.is !== 'refunded') throw new Error(outcome.is)
        await after?.(work)
        return outcome.refund
      },
    )
  }
  const shop: GroupedRefunds = {
    opened,
    // The members of this object are set again before each test.
    ...({} as Pick<GroupedRefunds, 'context' | 'merchantId' | 'orderIds'>),
    refund,
    outcomesOf: async (wanted) => {
      const settled = await Promise.allSettled(wanted.map(refund))
      return settled.map((outcome) => (outcome.status === 'fulfilled' ? outcome.value.orderId : outcome.reason.message))
    },
    transactionSizes: async () => {
      const rows = await select(
        `select count(*)::integer as size from audit_log
         where merchant_id = $1 and action = 'refund.create' group by transaction_id order by 1 desc`,
      )
      return rows.map(({ size }) => size)
    },
    refundedKobo: async () => {
      const rows = await select(
        'select id, refunded_kobo::text as refunded from orders where merchant_id = $1 and refunded_kobo > 0',
      )
      return Object.fromEntries(rows.map(({ id, refunded }) => [id, Number(refunded)]))
    },
    countOf: async (table) =>
      (await select(`select count(*)::integer as count from ${table} where merchant_id = $1`))[0].count,
  }
  beforeEach(async () => {
    const { database, ownerConnectionString, connectionString } = opened()
    shop.context = { database, clock: systemClock, nudge: () => undefined, groups: openTransactionGroups(database) }
    shop.merchantId = (await createMerchant(shop.context, operator, 'Adire Lagos')).id
    await makeOrders(ownerConnectionString, [shop.merchantId], 8)
    shop.orderIds = (await listOrderIds(connectionString, shop.merchantId)).map((id) => OrderId.parse(id))
  })
  return shop
}
