import { sql } from 'kysely'
import { type OldestOrders, selectOldestOrders } from './oldest-orders.ts'

/**
 * Selects the oldest unpaid orders, which expire first: orders that wait for their payment, and are not paid on delivery.
 */
export function selectUnpaidOrders(selected: OldestOrders) {
  const isUnpaid = sql`orders.payment_method <> 'pay_on_delivery' and orders.paid_kobo < orders.total_kobo`
  return selectOldestOrders(selected, ['pending', 'on_hold'], isUnpaid)
}
