import { sql } from 'kysely'
import type { MerchantId } from '../../../registry/values/vocabulary.ts'
import type { ReadDb } from '../core/database.ts'
import { build, reading } from '../core/statement.ts'

interface Named {
  readonly merchantId: MerchantId
  readonly ids: readonly string[]
}

const products = reading<Named>()('find_product_ids', (p) =>
  build
    .selectFrom('products')
    .where('merchantId', '=', p.merchantId)
    .where(sql<boolean>`id = any(${p.ids}::text[])`)
    .select(sql<string>`id`.as('id')),
)

const variants = reading<Named>()('find_variant_ids', (p) =>
  build
    .selectFrom('product_variants')
    .where('merchantId', '=', p.merchantId)
    .where(sql<boolean>`id = any(${p.ids}::text[])`)
    .select(sql<string>`id`.as('id')),
)

const customers = reading<Named>()('find_customer_ids', (p) =>
  build
    .selectFrom('customers')
    .where('merchantId', '=', p.merchantId)
    .where(sql<boolean>`id = any(${p.ids}::text[])`)
    .where('deletedAt', 'is', null)
    .select(sql<string>`id`.as('id')),
)

const statements = { products, variants, customers }

export async function findUnknownIds(
  db: ReadDb,
  merchantId: MerchantId,
  kind: keyof typeof statements,
  ids: readonly string[],
): Promise<string[]> {
  if (ids.length === 0) return []
  const rows = await db.read(statements[kind], { merchantId, ids })
  const known = new Set(rows.map(({ id }) => id))
  return ids.filter((id) => !known.has(id))
}
