import { sql } from 'kysely'
import type { PaymentStatus } from '../../../registry/orders/order-states.ts'
import type { MerchantId, OrderId } from '../../../registry/values/vocabulary.ts'
import type { ReadDb } from '../core/database.ts'
import { build, reading } from '../core/statement.ts'

const list = reading<{ merchantId: MerchantId; ids: readonly OrderId[] }>()('list_payment_statuses', (p) =>
  build
    .selectFrom('orders')
    .where('merchant_id', '=', p.merchantId)
    .where(sql<boolean>`id = any(${p.ids}::text[])`)
    .select(['id', 'payment_status as paymentStatus']),
)

/** Returns the payment statuses of orders, for a list whose rows do not contain them. */
export async function listPaymentStatuses(
  db: ReadDb,
  merchantId: MerchantId,
  ids: readonly OrderId[],
): Promise<ReadonlyMap<OrderId, PaymentStatus>> {
  if (ids.length === 0) return new Map()
  const rows = await db.read(list, { merchantId, ids })
  return new Map(rows.map(({ id, paymentStatus }) => [id, paymentStatus]))
}
