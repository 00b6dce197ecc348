import { sql } from 'kysely'
import type { MerchantId, OrderId } from '../../../registry/values/vocabulary.ts'
import { finding, writingAll } from '../core/calls.ts'
import type { WriteTrx } from '../core/database.ts'
import { build } from '../core/statement.ts'

const issue = writingAll<{ merchantId: MerchantId; orderId: OrderId }>()(
  'issue_receipt',
  (p) => sql<{ receiptNumber: number | null }>`select issue_receipt(${p.merchantId}, ${p.orderId}) as receipt_number`,
)

/**
 * Issues the receipt of an order at once. Without this call, the database issues the receipt at the commit of the
 * transaction in which the order becomes paid. Returns the number of the receipt, or null if the order is not paid.
 * Locks the counter of the merchant. This must be the last lock of the transaction.
 */
export async function issueReceipt(
  trx: WriteTrx,
  order: { readonly merchantId: MerchantId; readonly orderId: OrderId },
): Promise<number | null> {
  const [issued] = await issue(trx, order)
  return issued?.receiptNumber ?? null
}

/** The number is null until the receipt is issued. */
export const findReceiptNumber = finding<{ merchantId: MerchantId; orderId: OrderId }>()('find_receipt_number', (p) =>
  build
    .selectFrom('orders')
    .leftJoin('receipts', (join) =>
      join.onRef('receipts.merchantId', '=', 'orders.merchantId').onRef('receipts.orderId', '=', 'orders.id'),
    )
    .where('orders.merchantId', '=', p.merchantId)
    .where('orders.id', '=', p.orderId)
    .select('receipts.number as receiptNumber'),
)
