import { sql } from 'kysely'
import type { Kobo, MerchantId, PaymentId, RefundId, Timestamp } from '../../../registry/values/vocabulary.ts'
import type { ReadDb } from '../core/database.ts'
import { build, reading } from '../core/statement.ts'
import { unrefundedOfPayment } from '../orders/payments.ts'

/** What the books hold of a payment provider's money, to be compared with what the provider reports. */

export interface StoredPayment {
  readonly id: PaymentId
  readonly reference: string
  readonly amountKobo: Kobo
  /** What went back of it by the books: refunds that count, and lost disputes. */
  readonly returnedKobo: Kobo
  readonly paidAt: Timestamp
}

interface PaymentsWanted {
  readonly merchantId: MerchantId
  readonly since: Timestamp
  readonly until: Timestamp
  readonly references: readonly string[]
}

const payments = reading<PaymentsWanted>()('list_paystack_payments', (p) =>
  build
    .selectFrom('payments')
    .where('merchant_id', '=', p.merchantId)
    .where('provider', '=', 'paystack')
    .where(
      sql<boolean>`(reference = any(${p.references}::text[])
        or created_at >= ${p.since}::timestamptz and created_at < ${p.until}::timestamptz)`,
    )
    .select(['id', 'reference', 'amount_kobo as amountKobo', 'paid_at as paidAt'])
    .select(sql<Kobo>`amount_kobo - ${unrefundedOfPayment} + dispute_lost_kobo`.as('returnedKobo')),
)

/** Those with one of these references, and those recorded within the time. */
export function listPaystackPayments(db: ReadDb, wanted: PaymentsWanted): Promise<readonly StoredPayment[]> {
  return db.read(payments, wanted)
}

export interface StoredRefund {
  readonly id: RefundId
  readonly amountKobo: Kobo
}

const refunds = reading<{ merchantId: MerchantId; ids: readonly string[] }>()('list_paystack_refunds', (p) =>
  build
    .selectFrom('refunds')
    .where('merchant_id', '=', p.merchantId)
    .where(sql<boolean>`id = any(${p.ids}::text[])`)
    .select(['id', 'amount_kobo as amountKobo']),
)

export function listPaystackRefunds(
  db: ReadDb,
  wanted: { merchantId: MerchantId; ids: readonly RefundId[] },
): Promise<readonly StoredRefund[]> {
  return db.read(refunds, wanted)
}
