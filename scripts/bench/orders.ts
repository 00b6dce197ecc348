import { createHash } from 'node:crypto'
import pg from 'pg'

/**
 * Inserts paid orders of several merchants, distributed over half a year. Connects as the owner of the tables, who may
 * vacuum them.
 */
export async function makeOrders(
  ownerConnectionString: string,
  merchants: readonly string[],
  orders: number,
): Promise<void> {
  const client = new pg.Client({ connectionString: ownerConnectionString })
  await client.connect()
  try {
    // The triggers would update the counter of a merchant once for each order, which takes quadratic time in one transaction.
    await client.query('alter table orders disable trigger paid_orders_have_receipts')
    await client.query(ordersText, [merchants, orders])
    await client.query(receiptsText, [merchants])
    await client.query('alter table orders enable trigger paid_orders_have_receipts')
    await client.query('vacuum analyze orders')
    await client.query('vacuum analyze refunds')
    await client.query('checkpoint').catch(() => undefined)
  } finally {
    await client.end()
  }
}

export async function listOrderIds(connectionString: string, merchantId: string): Promise<readonly string[]> {
  const client = new pg.Client({ connectionString })
  await client.connect()
  const { rows } = await client.query<{ id: string }>('select id from orders where merchant_id = $1', [merchantId])
  await client.end()
  return rows.map(({ id }) => id)
}

/**
 * Returns a function that returns the ids of the merchant's orders in turn, so that concurrent refunds belong to
 * different orders.
 */
export async function walkOrders(connectionString: string, merchantId: string): Promise<() => string> {
  const ids = await listOrderIds(connectionString, merchantId)
  let next = 0
  return () => ids[next++ % ids.length] ?? ''
}

/** Returns the id of the nth order that `makeOrders` inserts, counted from 1. */
export function orderIdOf(number: number): string {
  const digest = createHash('md5').update(String(number)).digest('hex')
  return `ord_01${number.toString(16).padStart(10, '0')}${digest.slice(0, 14)}`
}

/**
 * Generates ids that sort by time and have a hexadecimal random part. Such ids are valid, because the id alphabet
 * contains all hexadecimal digits.
 */
const ordersText = `
  insert into orders (
    merchant_id, id, number, status, customer_name, customer_email, payment_method, subtotal_kobo, total_kobo,
    tax_inclusive, tax_rate_bps, paid_kobo, item_quantity, source, confirmed_at, paid_at, created_at, updated_at
  )
  select
    ($1::text[])[1 + i % cardinality($1::text[])],
    'ord_01' || lpad(to_hex(i), 10, '0') || substr(md5(i::text), 1, 14),
    'ORD-' || upper(lpad(to_hex(i), 8, '0')),
    'processing',
    'Customer ' || i % 9973,
    'customer' || i % 9973 || '@example.com',
    'bank_transfer',
    1000000 + i % 4000000,
    1000000 + i % 4000000,
    true,
    0,
    1000000 + i % 4000000,
    1,
    'api',
    moment,
    moment,
    moment,
    moment
  from generate_series(1, $2::integer) i,
    lateral (select timestamptz '2026-05-01' + i * interval '15.5 seconds' / greatest(1, $2::integer / 1000000)) as at (moment)`

const receiptsText = `
  with issued as (
    insert into receipts (merchant_id, number, order_id, issued_at)
    select merchant_id, row_number() over (partition by merchant_id order by paid_at, id), id, paid_at
    from orders
    where merchant_id = any($1::text[])
    returning merchant_id, number
  )
  insert into receipt_counters (merchant_id, last_number)
  select merchant_id, max(number) from issued group by merchant_id`
