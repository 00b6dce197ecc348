import { sql } from 'kysely'
import type { CustomerId, MerchantId } from '../../../registry/values/vocabulary.ts'
import type { ReadDb } from '../core/database.ts'
import { build, reading } from '../core/statement.ts'

/** The e-mail addresses are joined as rows rather than compared as a list, so that each is looked up in the index. */
const customerIds = reading<{ merchantId: MerchantId; emails: readonly string[] }>()('seeded_customer_ids', (p) =>
  build
    .selectFrom(sql<{ email: string }>`unnest(${p.emails}::text[])`.as<'wanted'>(sql`wanted (email)`))
    .innerJoin('customers', (join) => join.on(sql`lower(customers.email)`, '=', sql.ref('wanted.email')))
    .where('customers.merchantId', '=', p.merchantId)
    .where('customers.deletedAt', 'is', null)
    .select(['customers.id', 'wanted.email']),
)

/** Returns the ids of customers by e-mail address in lower case. */
export async function findCustomerIds(
  db: ReadDb,
  merchantId: MerchantId,
  emails: readonly string[],
): Promise<ReadonlyMap<string, CustomerId>> {
  const rows = await db.read(customerIds, { merchantId, emails })
  return new Map(rows.map((row) => [row.email, row.id]))
}
