import { sql } from 'kysely'
import type { MerchantId } from '../../../registry/values/vocabulary.ts'
import { checking } from '../core/calls.ts'
import type { ReadDb } from '../core/database.ts'
import { reading } from '../core/statement.ts'

/** The payments that were reported to their merchant because they match no order. */

interface References {
  readonly merchantId: MerchantId
  /** The payment provider's references of the payments. */
  readonly references: readonly string[]
}

const reported = reading<References>()(
  'list_reported_payment_references',
  (p) => sql<{ reference: string }>`
    select distinct data ->> 'reference' as reference
    from notifications
    where merchant_id = ${p.merchantId}
      and kind = 'payment.not_recorded'
      and data ->> 'reference' = any(${p.references}::text[])`,
)

/** Returns those of the references whose payment was reported as unmatched, even if that problem was resolved. */
export async function listReportedReferences(db: ReadDb, of: References): Promise<ReadonlySet<string>> {
  const rows = await db.read(reported, of)
  return new Set(rows.map(({ reference }) => reference))
}

interface ReportedPayment {
  readonly merchantId: MerchantId
  /** JSON text of the fields that distinguish the payment from others, such as its reference. */
  readonly identity: string
}

/** Whether a payment was reported as unmatched, even if that problem was resolved. */
export const isPaymentReported = checking<ReportedPayment>()(
  'find_reported_payment',
  (p) => sql<{ id: string }>`
    select id
    from notifications
    where merchant_id = ${p.merchantId} and kind = 'payment.not_recorded' and data @> ${p.identity}::jsonb
    limit 1`,
)
