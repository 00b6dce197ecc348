import pg from 'pg'

/**
 * Inserts tens of thousands of rows for tests of query plans. Half of them belong to the first merchant, and values are
 * distributed as unevenly as in production. Connects as the owner of the tables, because only the owner may disable a
 * trigger.
 */
export async function crowd(
  ownerConnectionString: string,
  merchants: readonly string[],
  rows: { readonly orders: number; readonly products: number },
): Promise<void> {
  const client = new pg.Client({ connectionString: ownerConnectionString })
  await client.connect()
  try {
    await client.query(customersText, [merchants])
    await client.query(ordersText, [merchants, rows.orders])
    await client.query(eventsText, [merchants])
    await client.query(productsText, [merchants, rows.products])
    // The trigger of product_variants would be slow for a statement that inserts all variants. It is disabled, and
    // skusText updates the products instead.
    await client.query('alter table product_variants disable trigger user')
    await client.query(variantsText, [merchants])
    await client.query('alter table product_variants enable trigger user')
    await client.query(skusText, [merchants])
    await client.query(inventoryText, [merchants])
    await client.query('vacuum analyze customers, orders, webhook_events, products, product_variants, inventory')
  } finally {
    await client.end()
  }
}

/** Generates ids with a hexadecimal random part. The id alphabet contains all hexadecimal digits. */
const idOf = (prefix: string, number: string) =>
  `'${prefix}_01' || lpad(to_hex(${number}), 10, '0') || substr(md5('${prefix}' || ${number}), 1, 14)`

const placeOf = '(case when i % 2 = 0 then 1 else 1 + i % cardinality($1::text[]) end)'
const merchantOf = `($1::text[])[${placeOf}]`

const firstNames = `(array['Adaeze', 'Ngozi', 'Bola', 'Tunde', 'Chinedu', 'Ifeoma', 'Musa', 'Amina', 'Emeka', 'Yetunde'])`
const lastNames = `(array['Okafor', 'Adeyemi', 'Bello', 'Eze', 'Balogun', 'Okonkwo', 'Ibrahim', 'Nwosu', 'Ojo', 'Lawal'])`

const customersPerMerchant = 100

const customersText = `
  insert into customers (merchant_id, id, name, email, created_at, updated_at)
  select ($1::text[])[merchant], ${idOf('cus', `merchant * 1000 + i`)}, 'Customer ' || i, 'customer' || i || '@example.com', now(), now()
  from generate_series(1, cardinality($1::text[])) merchant, generate_series(0, ${customersPerMerchant - 1}) i`

const ordersText = `
  insert into orders (
    merchant_id, id, number, status, customer_id, customer_name, customer_email, customer_phone, payment_method,
    subtotal_kobo, total_kobo, tax_inclusive, tax_rate_bps, paid_kobo, refunded_kobo, item_quantity, fulfilled_quantity,
    external_reference, source, cancel_reason, cancelled_at, created_at, updated_at
  )
  select
    ${merchantOf},
    ${idOf('ord', 'i')},
    'ORD-' || upper(lpad(to_hex(i), 8, '0')),
    status,
    case when i % 3 = 0 then ${idOf('cus', `(${placeOf} * 1000 + i % ${customersPerMerchant})`)} end,
    ${firstNames}[1 + i % 10] || ' ' || ${lastNames}[1 + i / 10 % 10] || ' ' || substr(md5('n' || i), 1, 4),
    lower(${firstNames}[1 + i % 10]) || i % 99991 || '@example.com',
    case when i % 4 > 0 then '+23480' || lpad((i::bigint * 7919 % 100000000)::text, 8, '0') end,
    'bank_transfer',
    1000000,
    1000000,
    true,
    0,
    case when i % 20 > 0 then 1000000 else 0 end,
    case when i % 1000 = 1 then 1000000 else 0 end,
    1,
    case when status in ('shipped', 'delivered') then 1 else 0 end,
    case when i % 3 = 0 then 'shop-' || i end,
    'api',
    case when status = 'cancelled' then 'customer' end,
    case when status = 'cancelled' then moment end,
    moment,
    moment
  from generate_series(1, $2::integer) i,
    lateral (
      select
        timestamptz '2026-05-01' + i * interval '180 days' / $2::integer,
        case when i % 100 = 0 then 'cancelled' when i % 10 < 7 then 'delivered' when i % 10 < 9 then 'shipped' else 'processing' end
    ) as made (moment, status)`

/** Inserts one event for each order. The measured filters include a rare event type, and a type that no event has. */
const eventsText = `
  insert into webhook_events (merchant_id, id, kind, resource_id, body, created_at)
  select
    merchant_id, 'evt' || substr(id, 4),
    case when hashtext(id) % 1000 = 0 then 'inventory.low_stock' when hashtext(id) % 2 = 0 then 'order.status_changed' else 'order.created' end,
    id, repeat(md5(id), 60), created_at
  from orders
  where merchant_id = any($1::text[])`

const productsText = `
  insert into products (
    merchant_id, id, title, slug, status, category, brand, tags, published_at, archived_at, created_at, updated_at
  )
  select
    ${merchantOf},
    ${idOf('prd', 'i')},
    (array['Ankara', 'Adire', 'Aso oke', 'Lace', 'Linen'])[1 + i % 5] || ' '
      || (array['dress', 'kaftan', 'shirt', 'skirt', 'jacket', 'gele'])[1 + i / 5 % 6] || ' ' || substr(md5('t' || i), 1, 5),
    'product-' || i,
    status,
    (array['Dresses', 'Kaftans', 'Shirts', 'Skirts', 'Jackets'])[1 + i % 5] || case when i % 100 = 0 then ' ' || i % 1000 else '' end,
    case when i % 4 = 0 then 'Brand ' || i % 500 end,
    array['tag' || i % 1000, case when i % 2 = 0 then 'women' else 'men' end],
    moment,
    case when status = 'archived' then moment end,
    moment,
    moment
  from generate_series(1, $2::integer) i,
    lateral (
      select
        timestamptz '2026-05-01' + i * interval '180 days' / $2::integer,
        case when i % 10 < 3 then 'archived' when i % 100 = 99 then 'draft' else 'active' end
    ) as made (moment, status)`

const variantsText = `
  insert into product_variants (
    merchant_id, id, product_id, sku, title, price_kobo, position, archived_at, created_at, updated_at
  )
  select
    merchant_id, 'var' || substr(id, 4), id, 'SKU-' || upper(substr(id, 7, 10)) || '-' || upper(substr(md5(id), 1, 4)), '',
    500000 + ('x' || substr(md5(id), 1, 6))::bit(24)::integer % 4000000, 0, archived_at, created_at, updated_at
  from products
  where merchant_id = any($1::text[])`

const skusText = `
  update products
  set skus = sku
  from product_variants variant
  where variant.merchant_id = products.merchant_id and variant.product_id = products.id
    and products.merchant_id = any($1::text[])`

const inventoryText = `
  insert into inventory (merchant_id, variant_id, on_hand, is_low, updated_at)
  select merchant_id, id, least(place, 20), place < 3, updated_at
  from product_variants, lateral (select ('x' || substr(md5(id), 7, 4))::bit(16)::integer % 300) as stock (place)
  where merchant_id = any($1::text[])`
