import type { PaymentMethod } from '../../registry/order-states.ts'
import type { Kobo, MerchantId, OrderId, PaymentId, Timestamp } from '../../registry/vocabulary.ts'
import type { ReadDb, WriteTrx } from './database.ts'
import { build, reading, writing } from './statement.ts'

export interface NewPayment {
  readonly merchantId: MerchantId
  readonly id: PaymentId
  readonly orderId: OrderId
  readonly amountKobo: Kobo
  readonly method: PaymentMethod
  readonly reference: string
  readonly paidAt: Timestamp
  readonly now: Timestamp
}

const insert = writing<NewPayment>()('insert_payment', (p) =>
  build.insertInto('payments').values({
    merchant_id: p.merchantId,
    id: p.id,
    order_id: p.orderId,
    amount_kobo: p.amountKobo,
    method: p.method,
    reference: p.reference,
    paid_at: p.paidAt,
    created_at: p.now,
  }),
)

const findByReference = reading<{ merchantId: MerchantId; reference: string }>()('find_payment_by_reference', (p) =>
  build
    .selectFrom('payments')
    .where('merchant_id', '=', p.merchantId)
    .where('reference', '=', p.reference)
    .select('id'),
)

export function insertPayment(trx: WriteTrx, payment: NewPayment): void {
  trx.queue(insert, payment)
}

export async function findPaymentIdByReference(
  db: ReadDb,
  merchantId: MerchantId,
  reference: string,
): Promise<PaymentId | undefined> {
  return (await db.read(findByReference, { merchantId, reference }))[0]?.id
}
