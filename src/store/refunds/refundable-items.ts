import { sql } from 'kysely'
import type { ItemUnits } from '../../../registry/orders/order-states.ts'
import { returnsUnderWay } from '../../../registry/returns/return-states.ts'
import type { Kobo, MerchantId, OrderId, OrderItemId, VariantId } from '../../../registry/values/vocabulary.ts'
import type { ReadDb } from '../core/database.ts'
import { build, reading } from '../core/statement.ts'

/** The items of an order, with the units and the money that refunds can still return. */
export interface OrderItemMoney extends ItemUnits {
  readonly id: OrderItemId
  readonly variantId: VariantId | null
  /**
   * Number of units of the order item that were restocked or written off: the units in refunds with a restock, plus the
   * received units of returns that are also in refunds for these returns. Failed and cancelled refunds are excluded.
   */
  readonly restockedQuantity: number
  /**
   * Number of units of an order item in returns under way. These units are restocked or written off when the return is
   * received.
   */
  readonly underReturnQuantity: number
  readonly totalKobo: Kobo
}

const items = reading<{ merchantId: MerchantId; orderId: OrderId }>()('list_order_items_for_refund', (p) =>
  build
    .selectFrom('order_items')
    .where('merchantId', '=', p.merchantId)
    .where('orderId', '=', p.orderId)
    .select([
      'id',
      'variantId',
      'quantity',
      'fulfilledQuantity',
      'returnedQuantity',
      'lostQuantity',
      'cancelledQuantity',
      'refundedQuantity',
      'totalKobo',
      sql<number>`(
        select coalesce(sum(item.quantity), 0)
        from refund_items item
        join refunds refund on refund.merchant_id = item.merchant_id and refund.id = item.refund_id
        where refund.merchant_id = ${p.merchantId}
          and refund.order_id = order_items.order_id
          and refund.status not in ('failed', 'cancelled')
          and item.item_id = order_items.id
          and item.restock
      ) + (
        select coalesce(sum(least(returned.restocked_quantity + returned.written_off_quantity, (
          select coalesce(sum(item.quantity), 0)
          from refunds refund
          join refund_items item on item.merchant_id = refund.merchant_id and item.refund_id = refund.id
          where refund.merchant_id = ${p.merchantId}
            and refund.return_id = returned.return_id
            and refund.status not in ('failed', 'cancelled')
            and item.item_id = returned.item_id
        ))), 0)
        from returns
        join return_items returned on returned.merchant_id = returns.merchant_id and returned.return_id = returns.id
        where returns.merchant_id = ${p.merchantId}
          and returns.order_id = order_items.order_id
          and returned.item_id = order_items.id
      )`.as('restockedQuantity'),
      sql<number>`(
        select coalesce(sum(item.quantity), 0)
        from return_items item
        join returns on returns.merchant_id = item.merchant_id and returns.id = item.return_id
        where returns.merchant_id = ${p.merchantId}
          and returns.order_id = order_items.order_id
          and returns.status in (${sql.join(returnsUnderWay.map((status) => sql.lit(status)))})
          and item.item_id = order_items.id
      )`.as('underReturnQuantity'),
    ]),
)

/** Requires the order's lock, which also protects the items. */
export function listRefundableItems(
  db: ReadDb,
  merchantId: MerchantId,
  orderId: OrderId,
): Promise<readonly OrderItemMoney[]> {
  return db.read(items, { merchantId, orderId })
}
