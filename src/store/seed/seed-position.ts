import { sql } from 'kysely'
import type { MerchantId } from '../../../registry/values/vocabulary.ts'
import type { ReadDb } from '../core/database.ts'
import { build, reading } from '../core/statement.ts'

/** The bounds make it one step in the index; the pattern keeps out what a locale sorts between them. */
const lastReference = reading<{ merchantId: MerchantId; first: string; last: string }>()('last_seeded_order', (p) =>
  build
    .selectFrom('orders')
    .where('merchant_id', '=', p.merchantId)
    .where('external_reference', '>=', p.first)
    .where('external_reference', '<=', p.last)
    .where('external_reference', '~', sql.lit('^demo-[0-9]{10}$'))
    .select('external_reference as reference')
    .orderBy('external_reference', 'desc')
    .limit(1),
)

/** The last of the seeded orders' references, which are of one length and so sort by number. */
export async function findLastReference(
  db: ReadDb,
  merchantId: MerchantId,
  bounds: { first: string; last: string },
): Promise<string | undefined> {
  const [row] = await db.read(lastReference, { merchantId, ...bounds })
  return row?.reference ?? undefined
}
