import { sql } from 'kysely'
import type { DiscountId, MerchantId } from '../../../registry/values/vocabulary.ts'
import type { ReadDb } from '../core/database.ts'
import { reading } from '../core/statement.ts'

/**
 * Totals of the newest orders that used one particular discount. Orders that were cancelled before their payment are
 * excluded.
 */
export interface RedemptionTotals {
  readonly orderCount: number
  /** Total amount, in kobo, by which the discount has reduced the prices of the counted orders. */
  readonly reducedKobo: number
  /** Sum of the order totals, in kobo. */
  readonly soldKobo: number
}

/** Maximum number of redemptions that are added up, so that a page about a popular discount stays fast. */
const summedRedemptionsMax = 5000

export const redemptionTotals = reading<{ merchantId: MerchantId; discountId: DiscountId; max: number }>()(
  'sum_redemptions',
  (p) => sql<RedemptionTotals>`
    select
      count(*)::integer as order_count,
      coalesce(sum(newest.amount_kobo), 0)::bigint as reduced_kobo,
      coalesce(sum(o.total_kobo), 0)::bigint as sold_kobo
    from (
      select order_id, amount_kobo, released_at
      from discount_redemptions
      where merchant_id = ${p.merchantId} and discount_id = ${p.discountId}
      order by created_at desc, id desc
      limit ${p.max}
    ) newest
    join orders o on o.merchant_id = ${p.merchantId} and o.id = newest.order_id
    where newest.released_at is null`,
)

/** Older redemptions beyond `summedRedemptionsMax` are not included. */
export async function sumRedemptions(
  db: ReadDb,
  merchantId: MerchantId,
  discountId: DiscountId,
): Promise<RedemptionTotals> {
  const [row] = await db.read(redemptionTotals, { merchantId, discountId, max: summedRedemptionsMax })
  if (row === undefined) throw new Error('sum_redemptions returned no row.')
  return row
}
