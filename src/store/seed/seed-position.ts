import { sql } from 'kysely'
import type { MerchantId } from '../../../registry/values/vocabulary.ts'
import type { ReadDb } from '../core/database.ts'
import { build, reading } from '../core/statement.ts'

/**
 * Finds the last reference of a seeded demo order. The bounds let PostgreSQL find the reference at the end of an index
 * range. The pattern excludes other references that sort between the bounds in the locale of the database.
 */
const lastReference = reading<{ merchantId: MerchantId; first: string; last: string }>()('last_seeded_order', (p) =>
  build
    .selectFrom('orders')
    .where('merchantId', '=', p.merchantId)
    .where('externalReference', '>=', p.first)
    .where('externalReference', '<=', p.last)
    .where('externalReference', '~', sql.lit('^demo-[0-9]{10}$'))
    .select('externalReference as reference')
    .orderBy('externalReference', 'desc')
    .limit(1),
)

/** Returns the last reference of the seeded orders. All references have the same length, so they sort by number. */
export async function findLastReference(
  db: ReadDb,
  merchantId: MerchantId,
  bounds: { first: string; last: string },
): Promise<string | undefined> {
  const [row] = await db.read(lastReference, { merchantId, ...bounds })
  return row?.reference ?? undefined
}
