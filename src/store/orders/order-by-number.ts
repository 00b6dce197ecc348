import type { MerchantId, OrderId } from '../../../registry/values/vocabulary.ts'
import type { ReadDb } from '../core/database.ts'
import { build, reading } from '../core/statement.ts'

export const orderByNumber = reading<{ merchantId: MerchantId; number: string }>()('find_order_by_number', (p) =>
  build.selectFrom('orders').where('merchantId', '=', p.merchantId).where('number', '=', p.number).select('id'),
)

/** Undefined if no order of the merchant has this number. */
export async function findOrderId(db: ReadDb, merchantId: MerchantId, number: string): Promise<OrderId | undefined> {
  const [row] = await db.read(orderByNumber, { merchantId, number })
  return row?.id
}
