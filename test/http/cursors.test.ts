import { beforeAll, describe, expect, test } from 'vitest'
import type { ErrorCode } from '../../registry/errors/index.ts'
import { type Reply, type TestApi, useApi } from '../support/api.ts'
import { select } from '../support/database-contents.ts'
import { mintToken, openShop, placeOrder, type Shop } from '../support/shop.ts'

const started = useApi()
const path = '/api/v1/orders'
const dayMs = 24 * 3_600_000

let shop: Shop
beforeAll(async () => {
  shop = await openShop(started().context)
  await insertOrders(started(), shop, { from: 1, count: 60 })
})

/**
 * Inserts numbered orders that were created in the same millisecond. Orders with odd numbers are pending, those with
 * even numbers are processing.
 */
async function insertOrders(api: TestApi, of: Shop, orders: { from: number; count: number }): Promise<void> {
  await select(
    api,
    `insert into orders (
       merchant_id, id, number, status, customer_name, customer_email, payment_method, subtotal_kobo, total_kobo,
       tax_inclusive, tax_rate_bps, item_quantity, created_at, updated_at
     )
     select
       $1, 'ord_0' || lpad(n::text, 25, '0'), 'ORD-' || lpad(n::text, 8, '0'),
       case n % 2 when 1 then 'pending' else 'processing' end, 'Adaeze', 'adaeze@example.com', 'cash', n, n,
       true, 0, 1, $4::timestamptz, $4::timestamptz
     from generate_series($2::int, $2::int + $3::int - 1) as n`,
    [of.merchantId, orders.from, orders.count, new Date(api.clock.nowMs()).toISOString()],
  )
}

function get(query: string, token = shop.token): Promise<Reply> {
  return started().send('GET', `${path}?${query}`, { token })
}

async function firstCursor(query = 'limit=10'): Promise<string> {
  const { body } = await get(query)
  expect(body.pagination.hasMore).toBe(true)
  return body.pagination.cursor
}

function refused(reply: Reply, code: ErrorCode): void {
  expect({ status: reply.status, code: reply.body.error?.code }, reply.text).toEqual({ status: 400, code })
}

const totals = (reply: Reply): number[] => reply.body.data.map((order: { totalKobo: number }) => order.totalKobo)

describe('a cursor', () => {
  test('a cursor continues after the last record of its page', async () => {
    const first = await get('limit=10')
    const second = await get(`limit=10&cursor=${first.body.pagination.cursor}`)
    expect([totals(first)[0], totals(first).at(-1)]).toEqual([60, 51])
    expect([totals(second)[0], totals(second).at(-1)]).toEqual([50, 41])
  })

  test('a list returns the same page when a cursor is reused', async () => {
    const cursor = await firstCursor()
    expect(totals(await get(`limit=10&cursor=${cursor}`))).toEqual(totals(await get(`limit=10&cursor=${cursor}`)))
  })

  test('a request with a cursor may use another page size', async () => {
    const reply = await get(`limit=1&cursor=${await firstCursor()}`)
    expect(totals(reply)).toEqual([50])
    expect(reply.body.pagination.limit).toBe(1)
  })

  test('a request with a cursor and without a limit uses the default page size, not that of the first page', async () => {
    expect((await get(`cursor=${await firstCursor()}`)).body.pagination.limit).toBe(25)
  })

  test('a request with only a cursor and a limit returns records that match the filters of the first page', async () => {
    const cursor = await firstCursor('limit=10&status=pending')
    expect(totals(await get(`limit=3&cursor=${cursor}`))).toEqual([39, 37, 35])
  })

  test('a cursor may be sent together with the same filters with which it was created', async () => {
    const cursor = await firstCursor('limit=10&status=pending&q=adaeze')
    expect(totals(await get(`limit=3&q=adaeze&status=pending&cursor=${cursor}`))).toEqual([39, 37, 35])
  })

  test('a cursor is short enough for a URL and needs no escaping', async () => {
    const cursor = await firstCursor('limit=1&q=adaeze&status=pending,processing&customerEmail=adaeze@example.com')
    expect(cursor.length).toBeLessThan(1024)
    expect(cursor).toMatch(/^[\w-]+$/)
  })

  test('a status filter that repeats one value hundreds of times returns 400 validation_failed, so that cursors stay short', async () => {
    const reply = await get(`limit=10&status=${'pending,'.repeat(500)}pending`)
    refused(reply, 'validation_failed')
    expect(reply.body.error.errors).toMatchObject([{ path: 'query.status', code: 'too_long' }])
  })

  test('a cursor continues after the position of the last record of its page even if that record was deleted', async () => {
    const api = started()
    const other = await openShop(api.context)
    await insertOrders(api, other, { from: 1, count: 3 })
    const first = await get('limit=1', other.token)
    await select(api, 'delete from orders where merchant_id = $1 and total_kobo = 3', [other.merchantId])
    expect(totals(await get(`cursor=${first.body.pagination.cursor}`, other.token))).toEqual([2, 1])
  })
})

describe('400 invalid_cursor', () => {
  const forged = (content: object) =>
    Buffer.from(`\u0001${JSON.stringify(content)}${'s'.repeat(16)}`).toString('base64url')

  test.for<[string, () => string]>([
    ['a short text', () => 'abc'],
    ['a dot', () => '.'],
    ['an id', () => 'ord_01jd3f8q6hf5n8v1zr4c7e2m9k'],
    ['a number', () => '10'],
    ['text that is not base64', () => '%21%21%21'],
    ['NUL bytes', () => Buffer.alloc(64).toString('base64url')],
    ['sixteen bytes', () => Buffer.alloc(16, 1).toString('base64url')],
    ['seventeen bytes', () => Buffer.alloc(17, 1).toString('base64url')],
    [
      'content with a forged signature',
      () => forged({ l: 'listOrders', m: shop.merchantId, k: ['', ''], q: {}, t: 0 }),
    ],
    ['a truncated forgery', () => forged({}).slice(0, 20)],
    ['4,096 characters', () => 'A'.repeat(4096)],
  ])('a list returns 400 invalid_cursor for %s', async ([, cursor]) => {
    refused(await get(`cursor=${cursor()}`), 'invalid_cursor')
  })

  test('a cursor with a flipped bit at any position returns 400 invalid_cursor', async () => {
    const bytes = Buffer.from(await firstCursor(), 'base64url')
    const flipped = Array.from({ length: bytes.length }, (_, index) => {
      const copy = Buffer.from(bytes)
      copy[index] = (copy[index] ?? 0) ^ (1 << (index % 8))
      return copy.toString('base64url')
    })
    for (const reply of await inBatches(flipped, (cursor) => get(`cursor=${cursor}`))) refused(reply, 'invalid_cursor')
  })

  test('a truncated or extended cursor returns 400 invalid_cursor', async () => {
    const cursor = await firstCursor()
    const cut = Array.from({ length: cursor.length - 1 }, (_, index) => cursor.slice(0, index + 1))
    for (const reply of await inBatches(cut, (text) => get(`cursor=${text}`))) refused(reply, 'invalid_cursor')
    for (const more of ['A', 'AA', 'AAAA', '=', '%20', '%00']) {
      const reply = await get(`cursor=${cursor}${more}`)
      expect(reply.status, more).toBe(400)
    }
  })

  test('a cursor with another base64 encoding of the same bytes returns 400 invalid_cursor', async () => {
    const cursor = await firstCursor()
    const spare = { A: 'B', Q: 'R', g: 'h', w: 'x' }[cursor.at(-1) ?? '']
    if (spare !== undefined) refused(await get(`cursor=${cursor.slice(0, -1)}${spare}`), 'invalid_cursor')
    refused(await get(`cursor=${cursor}%3D`), 'invalid_cursor')
  })

  test('a cursor of another merchant returns 400 invalid_cursor', async () => {
    const other = await openShop(started().context)
    refused(await get(`cursor=${await firstCursor()}`, other.token), 'invalid_cursor')
  })

  test('a live-mode cursor in test mode returns 400 invalid_cursor', async () => {
    const testToken = await mintToken(started().context, { merchantId: shop.testMerchantId, mode: 'test' }, {})
    refused(await get(`cursor=${await firstCursor()}`, testToken.token), 'invalid_cursor')
  })

  test('a cursor of another list returns 400 invalid_cursor', async () => {
    const cursor = await firstCursor()
    refused(await started().send('GET', `/api/v1/refunds?cursor=${cursor}`, { token: shop.token }), 'invalid_cursor')
  })

  test('an empty cursor or a cursor above 4,096 characters returns 400 validation_failed', async () => {
    refused(await get('cursor='), 'validation_failed')
    refused(await get(`cursor=${'A'.repeat(4097)}`), 'validation_failed')
  })
})

describe('400 cursor_expired', () => {
  test('a list returns 400 cursor_expired for a cursor that is at least 24 hours old, exact to the millisecond', async () => {
    const cursor = await firstCursor()
    started().clock.advance(dayMs - 1)
    expect((await get(`cursor=${cursor}`)).status).toBe(200)
    started().clock.advance(1)
    refused(await get(`cursor=${cursor}`), 'cursor_expired')
  })

  test('each page returns a new cursor, whose age is measured from that page', async () => {
    const first = await firstCursor()
    started().clock.advance(dayMs - 1)
    const second = (await get(`limit=10&cursor=${first}`)).body.pagination.cursor
    started().clock.advance(dayMs - 1)
    expect((await get(`cursor=${second}`)).status).toBe(200)
  })
})

describe('400 cursor_filter_mismatch', () => {
  test.for([
    ['limit=10', 'status=pending'],
    ['limit=10&status=pending', 'status=processing'],
    ['limit=10&status=pending', 'status=pending&q=adaeze'],
    ['limit=10&status=pending&q=adaeze', 'status=pending'],
    ['limit=10&q=adaeze', 'q=ada'],
  ])('a list returns 400 cursor_filter_mismatch when the first page has the query ?%s and the next page the query ?%s', async ([
    first,
    then,
  ]) => {
    refused(await get(`${then}&cursor=${await firstCursor(first)}`), 'cursor_filter_mismatch')
  })
})

describe('the query parameter limit', () => {
  test.for([
    ['', 25],
    ['limit=1', 1],
    ['limit=100', 100],
  ] as const)('a list with ?%s returns a page of at most %i records', async ([query, limit]) => {
    const { body } = await get(query)
    expect(body.pagination).toMatchObject({ limit })
    expect(body.data).toHaveLength(Math.min(limit, 60))
  })

  test.for([
    '0',
    '101',
    '-1',
    '1.5',
    '1e1',
    '0x10',
    '%2025',
    '25%20',
    '+5',
    '%2B5',
    '025',
    'ten',
    '',
    'Infinity',
    'NaN',
    '99999999999999999999',
    '%D9%A5',
    '5&limit=5',
  ])('a list with limit=%s returns 400 validation_failed instead of using another limit', async (value) => {
    refused(await get(`limit=${value}`), 'validation_failed')
  })
})

test('paging through 1,000 orders created in the same millisecond skips and repeats no order while orders are created', async () => {
  const api = started()
  const busy = await openShop(api.context)
  await insertOrders(api, busy, { from: 1, count: 1000 })
  const seen: number[] = []
  let query = 'limit=100'
  for (let page = 0; ; page++) {
    const reply = await get(query, busy.token)
    seen.push(...totals(reply))
    if (!reply.body.pagination.hasMore) break
    // Half of the new orders are newer than all earlier orders, and the other half are as old as the newest earlier
    // order. In the list, all of them come before the pages that are still to be read.
    if (page % 2 === 0) api.clock.advance(1)
    await insertOrders(api, busy, { from: 2000 + page * 50, count: 50 })
    query = `limit=${[7, 100, 33][page % 3]}&cursor=${reply.body.pagination.cursor}`
  }
  expect(seen).toEqual(Array.from({ length: 1000 }, (_, index) => 1000 - index))
})

test('orders created through the API during paging do not shift the pages', async () => {
  const api = started()
  const busy = await openShop(api.context)
  const placed: string[] = []
  for (let index = 0; index < 6; index++) placed.push((await placeOrder(api, busy, { isPaid: false })).id)
  const first = await get('limit=3', busy.token)
  api.clock.advance(1)
  await placeOrder(api, busy, { isPaid: false })
  const second = await get(`limit=3&cursor=${first.body.pagination.cursor}`, busy.token)
  const seen = [...first.body.data, ...second.body.data].map(({ id }: { id: string }) => id)
  expect(seen.sort()).toEqual(placed.sort())
  expect(second.body.pagination.hasMore).toBe(false)
})

async function inBatches<Item, Result>(
  items: readonly Item[],
  run: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = []
  for (let start = 0; start < items.length; start += 20) {
    results.push(...(await Promise.all(items.slice(start, start + 20).map(run))))
  }
  return results
}
