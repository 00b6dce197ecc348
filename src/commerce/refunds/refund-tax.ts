import type { Kobo } from '../../../registry/values/vocabulary.ts'
import type { Work } from '../../store/core/mutation.ts'
import type { LockedOrder } from '../../store/orders/order-writes.ts'
import { sumRefundsWithoutItems } from '../../store/refunds/refunds.ts'
import { toKobo } from '../money.ts'
import { isPaidInExcess, refundTaxKobo, returnedExcessKobo } from './refund-rules.ts'

interface NewRefund {
  readonly amountKobo: Kobo
  readonly hasItems: boolean
}

/**
 * Returns the VAT included in a new refund of an order. The earlier refunds are read only if the order was paid in
 * excess, because only then a part of them includes no VAT. The order must then be locked.
 */
export async function taxOfRefund(
  { trx, merchantId }: Pick<Work, 'trx' | 'merchantId'>,
  order: LockedOrder,
  { amountKobo, hasItems }: NewRefund,
): Promise<Kobo> {
  if (!isPaidInExcess(order)) return refundTaxKobo(order, amountKobo)
  const earlierKobo = await sumRefundsWithoutItems(trx, merchantId, order.id)
  const withoutItemsKobo = toKobo(earlierKobo + (hasItems ? 0 : amountKobo))
  return refundTaxKobo(order, amountKobo, returnedExcessKobo(order, withoutItemsKobo))
}
