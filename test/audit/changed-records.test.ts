import { expect, test } from 'vitest'
import { openFullShop } from '../dashboard/full-shop.ts'
import { useApi } from '../support/api.ts'
import { paid } from '../support/commerce/refund.ts'
import { select } from '../support/database-contents.ts'
import { openShop } from '../support/shop.ts'

const api = useApi()

const tables = [
  ...[
    'orders',
    'payments',
    'refunds',
    'shipments',
    'products',
    'product_variants',
    'inventory',
    'customers',
    'discounts',
  ],
  ...['webhook_endpoints', 'api_tokens', 'members'],
]

// Rows that demo data and the preparation of tests insert directly are ignored, because they are no changes by a
// merchant.
test('each audit row names all records that its transaction changed', async () => {
  const { shop, liveId } = await openFullShop(api())
  const live = await openShop(api().context)
  const { refund } = await paid(api(), live, [[10_000, 2]])
  expect((await refund(4_000)).status).toBe(201)
  const { order } = await paid(api(), live, [
    [10_000, 1],
    [20_000, 1],
  ])
  const cancelled = { token: live.token, body: { reason: 'customer' } }
  expect((await api().send('POST', `/api/v1/orders/${order.id}/cancel`, cancelled)).status).toBe(200)
  // PostgreSQL stores in each row the transaction that wrote it last. xmin contains the lower 32 bits of its id.
  const changes = tables.map(
    (table) => `
      select '${table}' as "table", changed.${table === 'inventory' ? 'variant_id' : 'id'} as id, log.resources
      from ${table} as changed
      join lateral (
        select array_agg(named) as resources
        from audit_log, unnest(audit_log.resources) as named
        where audit_log.merchant_id = changed.merchant_id and action !~ '^(seed|test)\\.'
          and audit_log.recorded_xid % 4294967296 = changed.xmin::text::bigint
      ) as log on log.resources is not null
      where changed.merchant_id = any($1)`,
  )
  const changed = await select(api(), changes.join(' union all '), [[shop.merchantId, liveId, live.merchantId]])
  const found = new Set(changed.map(({ table }) => table))
  for (const table of ['orders', 'payments', 'refunds', 'shipments', 'inventory', 'customers'])
    expect([...found]).toContain(table)
  expect(changed.filter(({ id, resources }) => !resources.includes(id))).toEqual([])
})

test('an audit row lists no events, deliveries, requests or merchants among the other records that its transaction changed', async () => {
  const { shop } = await openFullShop(api())
  const rows = await select(
    api(),
    `select action, named from audit_log, unnest(resources) as named
     where merchant_id = $1 and named <> resource_id and named ~ '^(evt|dlv|req|mer|aud|ses)_'`,
    [shop.merchantId],
  )
  expect(rows).toEqual([])
})
