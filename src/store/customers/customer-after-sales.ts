import { sql } from 'kysely'
import type { RefundStatus } from '../../../registry/refunds/refund-states.ts'
import type { ReturnStatus } from '../../../registry/returns/return-states.ts'
import type { CustomerId, Kobo, MerchantId, OrderId, Timestamp } from '../../../registry/values/vocabulary.ts'
import type { ReadDb } from '../core/database.ts'
import { reading } from '../core/statement.ts'

/** A refund or a return that belongs to one of a customer's orders. A return has no amount of its own. */
export type AfterSale = {
  readonly id: string
  readonly orderId: OrderId
  readonly orderNumber: string
  readonly createdAt: Timestamp
} & (
  | { readonly kind: 'refund'; readonly status: RefundStatus; readonly amountKobo: Kobo }
  | { readonly kind: 'return'; readonly status: ReturnStatus; readonly amountKobo: null }
)

interface Wanted {
  readonly merchantId: MerchantId
  readonly customerId: CustomerId
  readonly ordersMax: number
  readonly limit: number
}

/** Maximum number of newest orders whose refunds and returns are read, so that the page of a customer stays fast. */
const ordersMax = 500

/** Maximum total number of refunds and returns that the page of a customer shows. */
export const afterSalesMax = 10

export const customerAfterSales = reading<Wanted>()(
  'list_customer_after_sales',
  (p) => sql<AfterSale>`
    with newest as (
      select id, number
      from orders
      where merchant_id = ${p.merchantId} and customer_id = ${p.customerId}
      order by created_at desc, id desc
      limit ${p.ordersMax}
    )
    select * from (
      select 'refund' as kind, r.id, r.order_id, newest.number as order_number, r.status, r.amount_kobo, r.created_at
      from newest
      join refunds r on r.merchant_id = ${p.merchantId} and r.order_id = newest.id
      union all
      select 'return' as kind, r.id, r.order_id, newest.number as order_number, r.status, null as amount_kobo, r.created_at
      from newest
      join returns r on r.merchant_id = ${p.merchantId} and r.order_id = newest.id
    ) as found
    order by created_at desc, id desc
    limit ${p.limit}`,
)

export function listCustomerAfterSales(
  db: ReadDb,
  merchantId: MerchantId,
  customerId: CustomerId,
): Promise<readonly AfterSale[]> {
  return db.read(customerAfterSales, { merchantId, customerId, ordersMax, limit: afterSalesMax })
}
