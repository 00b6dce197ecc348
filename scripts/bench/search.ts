import pg from 'pg'
import { createMerchant } from '../../src/access/create-merchant.ts'
import { systemClock } from '../../src/base/clock.ts'
import { systemActor } from '../../src/store/core/audit.ts'
import { openDatabase } from '../../src/store/core/database.ts'
import { customerQuery } from '../../src/store/customers/customer-list.ts'
import { orderQuery } from '../../src/store/orders/order-list.ts'
import { productQuery } from '../../src/store/products/product-list.ts'
import type { DatabaseRoles } from '../../src/store/server/service-role.ts'
import { buffersOf, type Query } from './plan.ts'

/**
 * Number of orders, of customers and of products of the merchant. The benchmark searches them for several spellings of
 * a name and of a phone number. All spellings must find the same records, and every search must use the search index of
 * its table.
 */
const recordsOfMerchant = 1_000_000

/** One record in 20,000 has the searched name. In a million records, more records match than fit on a page. */
const nameEvery = 20_000

const spellings = ['ọláyínká', 'ỌLÁYÍNKÁ', 'olayinka', 'ọláyínká'.normalize('NFD')]
const phones = ['08000004200', '+234 800 000 4200', '2348000004200', '0800-000-4200']
const page = { limit: 26, after: undefined }

export async function benchSearch(roles: DatabaseRoles, rows = recordsOfMerchant): Promise<void> {
  const database = openDatabase({ connectionString: roles.connectionString })
  const client = new pg.Client({ connectionString: roles.ownerConnectionString })
  await client.connect()
  try {
    const context = { database, clock: systemClock, nudge: () => undefined }
    const { id } = await createMerchant(context, systemActor('bench'), 'Adire Lagos')
    const started = performance.now()
    await client.query('set maintenance_work_mem = "512MB"')
    for (const text of [customersText, ordersText, productsText]) await client.query(text, [id, rows, nameEvery])
    await client.query('vacuum analyze customers, orders, products')
    console.log(`Inserted ${rows} records of each kind in ${Math.round((performance.now() - started) / 1000)} s`)
    await search(client, { list: 'GET /orders', index: 'orders_by_search_key', texts: spellings }, (q) =>
      orderQuery(id, { q }, page),
    )
    await search(client, { list: 'GET /customers', index: 'customers_by_search_key', texts: spellings }, (q) =>
      customerQuery(id, { q }, page),
    )
    await search(client, { list: 'GET /products', index: 'products_by_search_key', texts: spellings }, (q) =>
      productQuery(id, { q }, page),
    )
    await search(client, { list: 'GET /orders', index: 'orders_by_search_key', texts: phones }, (q) =>
      orderQuery(id, { q }, page),
    )
    await search(client, { list: 'GET /customers', index: 'customers_by_search_key', texts: phones }, (q) =>
      customerQuery(id, { q }, page),
    )
  } finally {
    await client.end()
    await database.close()
  }
}

interface Search {
  readonly list: string
  readonly index: string
  readonly texts: readonly string[]
}

async function search<Args>(
  client: pg.Client,
  { list, index, texts }: Search,
  queryOf: (q: string) => Query<Args>,
): Promise<void> {
  const results = new Set<string>()
  for (const text of texts) {
    const query = queryOf(text)
    const { rows } = await client.query(query.statement.text, query.statement.bind(query.args))
    const { ms, indexes } = await buffersOf(client, query)
    results.add(JSON.stringify(rows))
    const verdict = rows.length > 0 && results.size === 1 && indexes.includes(index) ? '' : '  WRONG'
    if (verdict !== '') process.exitCode = 1
    console.log(
      `${`${list}, ${text}`.padEnd(40)} ${ms.toFixed(1).padStart(7)} ms  ${rows.length} records  ${indexes.join(', ')}${verdict}`,
    )
  }
}

/**
 * Generates ids whose random part is hexadecimal. Such ids are valid, because the id alphabet contains all hexadecimal
 * digits.
 */
const idOf = (prefix: string) => `'${prefix}_01' || lpad(to_hex(i), 10, '0') || substr(md5('${prefix}' || i), 1, 14)`

/** Half of the searched names are stored with composed Unicode letters, and half with decomposed letters. */
const wanted = `
  case when i % ($3::integer * 2) = 0 then normalize('Ọláyínká Ṣadé', nfd)
    when i % $3::integer = 0 then 'Ọláyínká Ṣadé' else 'Adaeze ' || substr(md5('n' || i), 1, 8) end`
const phone = `'+23480' || lpad(i::text, 8, '0')`
const moment = `timestamptz '2026-05-01' + i * interval '1 minute'`

const customersText = `
  insert into customers (merchant_id, id, name, email, phone, created_at, updated_at)
  select $1::text, ${idOf('cus')}, ${wanted}, 'customer' || i || '@example.com', ${phone}, ${moment}, now()
  from generate_series(1, $2::integer) i`

const ordersText = `
  insert into orders (
    merchant_id, id, number, status, customer_name, customer_email, customer_phone, payment_method, subtotal_kobo, total_kobo,
    tax_inclusive, tax_rate_bps, paid_kobo, refunded_kobo, item_quantity, fulfilled_quantity, source, created_at, updated_at
  )
  select $1::text, ${idOf('ord')}, 'ORD-' || upper(lpad(to_hex(i), 8, '0')), 'processing', ${wanted},
    'customer' || i || '@example.com', ${phone}, 'bank_transfer', 1000000, 1000000, true, 0, 1000000, 0, 1, 0, 'api', ${moment}, now()
  from generate_series(1, $2::integer) i`

const productsText = `
  insert into products (merchant_id, id, title, slug, status, published_at, created_at, updated_at)
  select $1::text, ${idOf('prd')}, ${wanted}, 'product-' || i, 'active', now(), ${moment}, now()
  from generate_series(1, $2::integer) i`
