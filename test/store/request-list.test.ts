import pg from 'pg'
import { beforeAll, describe, expect, test } from 'vitest'
import type { MerchantId } from '../../registry/values/vocabulary.ts'
import { indexesOf, planOf, scannedTables } from '../../scripts/bench/plan.ts'
import { createMerchant } from '../../src/access/create-merchant.ts'
import { systemClock, toMs, toTimestamp } from '../../src/base/clock.ts'
import { lowestIdAt, newId } from '../../src/base/ids.ts'
import { rotatePartitions } from '../../src/store/partitions/partitions.ts'
import { countRequestsByDay } from '../../src/store/requests/request-counts.ts'
import {
  findRequest,
  listNewRequests,
  listRequests,
  type RequestFilter,
  type RequestPage,
  readLogPoint,
  requestBody,
  requestQuery,
} from '../../src/store/requests/request-list.ts'
import { insertRequests } from '../../src/store/requests/request-log.ts'
import { asOwner, useDatabase } from '../support/database.ts'
import { operator } from '../support/shop.ts'

const opened = useDatabase()

async function newMerchant(): Promise<MerchantId> {
  const { database } = opened()
  return (await createMerchant({ database, clock: systemClock, nudge: () => undefined }, operator, 'Adire Lagos')).id
}

interface Given {
  readonly at?: string
  readonly operation?: string
  readonly status?: number
  readonly tokenId?: string
}

const noon = '2026-11-20T12:00:00.000Z'

function requestOf(
  merchantId: MerchantId,
  { at = noon, operation = 'listOrders', status = 200, tokenId = 'tok_1' }: Given,
) {
  const errorCode = status >= 400 ? 'order_not_found' : null
  const id = newId('req', Date.parse(at))
  return {
    merchantId,
    id,
    operation,
    status,
    errorCode,
    durationMs: 3,
    tokenId,
    sourceIp: '203.0.113.7',
    problems: null,
  }
}

async function add(merchantId: MerchantId, given: Given): Promise<string> {
  const request = requestOf(merchantId, given)
  await insertRequests(opened().database, [request])
  return request.id
}

async function idsOf(filter: RequestFilter, limit = 100): Promise<string[]> {
  return (await listRequests(opened().database, filter, { limit })).rows.map(({ id }) => id)
}

describe('the request list of a merchant with three requests', () => {
  let merchantId: MerchantId
  let ok: string
  let missing: string
  let failed: string
  beforeAll(async () => {
    merchantId = await newMerchant()
    ok = await add(merchantId, { at: '2026-11-20T10:00:00.000Z' })
    missing = await add(merchantId, { at: '2026-11-20T11:00:00.000Z', operation: 'getOrder', status: 404 })
    failed = await add(merchantId, { at: '2026-11-21T10:00:00.000Z', status: 503, tokenId: 'tok_2' })
  })

  test('the request list returns the logged API requests of a merchant newest first, in pages', async () => {
    const { database } = opened()
    expect(await idsOf({ merchantId })).toEqual([failed, missing, ok])
    const first = await listRequests(database, { merchantId }, { limit: 2 })
    expect(first.continueBeforeId).toBe(missing)
    const second = await listRequests(database, { merchantId }, { limit: 2, beforeId: first.continueBeforeId })
    expect(second).toEqual({ rows: [expect.objectContaining({ id: ok })], continueBeforeId: null })
  })

  test('the request list filters by each field, and by all fields together', async () => {
    expect(await idsOf({ merchantId, id: missing })).toEqual([missing])
    expect(await idsOf({ merchantId, id: missing.slice(0, -1) })).toEqual([])
    expect(await idsOf({ merchantId, operation: 'getOrder' })).toEqual([missing])
    expect(await idsOf({ merchantId, status: 503 })).toEqual([failed])
    expect(await idsOf({ merchantId, status: 200 })).toEqual([ok])
    expect(await idsOf({ merchantId, status: '2xx' })).toEqual([ok])
    expect(await idsOf({ merchantId, status: '4xx' })).toEqual([missing])
    expect(await idsOf({ merchantId, status: '5xx' })).toEqual([failed])
    expect(await idsOf({ merchantId, tokenId: 'tok_2' })).toEqual([failed])
    const since = toTimestamp(Date.parse('2026-11-20T11:00:00.000Z'))
    expect(await idsOf({ merchantId, since })).toEqual([failed, missing])
    expect(await idsOf({ merchantId, until: since })).toEqual([ok])
    expect(
      await idsOf({ merchantId, id: missing, since, status: 404, operation: 'getOrder', tokenId: 'tok_1' }),
    ).toEqual([missing])
    expect(await idsOf({ merchantId, id: missing, status: '5xx' })).toEqual([])
  })

  test('the request list finds a request by its id, but does not find a request of another merchant', async () => {
    const { database } = opened()
    expect(await findRequest(database, { merchantId, id: missing })).toMatchObject({ id: missing, status: 404 })
    expect(await findRequest(database, { merchantId: await newMerchant(), id: missing })).toBeUndefined()
    expect(await findRequest(database, { merchantId, id: `'; drop table request_log` })).toBeUndefined()
  })

  test('the request list counts requests by day in Lagos time, and includes days without requests', async () => {
    await add(merchantId, { at: '2026-11-20T23:30:00.000Z' })
    const now = toTimestamp(Date.parse('2026-11-21T12:00:00.000Z'))
    const days = await countRequestsByDay(opened().database, { merchantId, now })
    expect(days).toHaveLength(7)
    expect(days.slice(-3)).toEqual([
      { day: '2026-11-19', requests: 0, clientErrors: 0, serverErrors: 0 },
      { day: '2026-11-20', requests: 2, clientErrors: 1, serverErrors: 0 },
      { day: '2026-11-21', requests: 2, clientErrors: 0, serverErrors: 1 },
    ])
  })
})

describe('the request list of a merchant with 30,000 requests in several partitions', () => {
  let merchantId: MerchantId
  const lastMs = Date.parse('2027-03-07T23:00:00.000Z')
  beforeAll(async () => {
    merchantId = await newMerchant()
    await rotatePartitions(opened().database.pool, Date.parse('2027-03-05T00:00:00.000Z'))
    // Every 5,000th logged request failed. The request with the number 1,500, in the second oldest thousand, differs
    // from all others in its operation and its token.
    await opened().database.pool.query(
      `insert into request_log (
         merchant_id, id, occurred_at, operation, status, duration_ms, token_id, source_ip, recorded_xid
       )
       select $1, $2 || to_char(number, 'FM00000000'), $3, case number when 1500 then 'createRefund' else 'listOrders' end,
         case number % 5000 when 0 then 500 else 200 end, 1, case number when 1500 then 'tok_2' else 'tok_1' end, '::1',
         pg_current_xact_id()
       from generate_series(1, 15000) as number`,
      [merchantId, lowestIdAt('req', lastMs - 2 * 86_400_000).slice(0, 22), noon],
    )
    await opened().database.pool.query(
      `insert into request_log (
         merchant_id, id, occurred_at, operation, status, duration_ms, token_id, source_ip, recorded_xid
       )
       select $1, $2 || to_char(number, 'FM00000000'), $3, 'listOrders', case number % 5000 when 0 then 500 else 200 end, 1,
         'tok_1', '::1', pg_current_xact_id()
       from generate_series(1, 15000) as number`,
      [merchantId, lowestIdAt('req', lastMs).slice(0, 22), noon],
    )
    await asOwner(opened(), 'analyze request_log')
  })

  test('a search for rare requests scans at most 10,000 rows per page, so that some pages of the request list are empty', async () => {
    const pages: RequestPage[] = []
    let beforeId: string | null | undefined
    do {
      const page = await listRequests(
        opened().database,
        { merchantId, operation: 'createRefund' },
        { limit: 50, beforeId },
      )
      pages.push(page)
      beforeId = page.continueBeforeId
    } while (beforeId !== null)
    expect(pages.map(({ rows }) => rows.length)).toEqual([0, 0, 1, 0])
  })

  test('the request list returns all failed requests on one page', async () => {
    const page = await listRequests(opened().database, { merchantId, status: '5xx' }, { limit: 50 })
    expect(page.rows).toHaveLength(6)
    expect(page.continueBeforeId).toBeNull()
  })

  test.for<[string, Omit<RequestFilter, 'merchantId'>, string]>([
    ['no filter', {}, 'staging_pkey'],
    ['id', { id: lowestIdAt('req', lastMs) }, 'staging_pkey'],
    ['operation', { operation: 'createRefund' }, 'staging_pkey'],
    ['2xx', { status: '2xx' }, 'staging_pkey'],
    ['5xx', { status: '5xx' }, 'staging_merchant_id_id_idx'],
    ['exact error', { status: 404 }, 'staging_merchant_id_id_idx'],
    ['token', { tokenId: 'tok_2' }, 'staging_pkey'],
    ['time', { since: toTimestamp(lastMs), until: toTimestamp(lastMs + 1) }, 'staging_pkey'],
  ])('the query of the request list uses an index (filter: %s)', async ([, filter, index]) => {
    const client = new pg.Client({ connectionString: opened().connectionString })
    await client.connect()
    try {
      for (const beforeId of [null, lowestIdAt('req', lastMs + 1)]) {
        const plan = await planOf(client, requestQuery({ merchantId, ...filter }, { limit: 50, beforeId }))
        expect(scannedTables(plan)).toEqual([])
        expect(new Set(indexesOf(plan).map((name) => name?.replace(/^request_log_\d+_/, '')))).toEqual(new Set([index]))
      }
    } finally {
      await client.end()
    }
  })

  test('the query for the body of a request reads one partition of the request log by its primary key', async () => {
    const client = new pg.Client({ connectionString: opened().connectionString })
    await client.connect()
    try {
      const plan = await planOf(client, { statement: requestBody, args: { merchantId, id: lowestIdAt('req', lastMs) } })
      expect(scannedTables(plan)).toEqual([])
      expect(indexesOf(plan)).toEqual([expect.stringMatching(/^request_log_\d+_staging_pkey$/)])
    } finally {
      await client.end()
    }
  })
})

describe('requests that are stored out of order', () => {
  test('a poll of the request list returns each new request once, even if it has an old id or was stored by a long transaction', async () => {
    const { database, connectionString } = opened()
    const merchantId = await newMerchant()
    const nowMs = toMs((await database.pool.query('select clock_timestamp() as now')).rows[0].now)
    const at = (offsetMs: number) => toTimestamp(nowMs + offsetMs)
    const slow = new pg.Client({ connectionString })
    await slow.connect()
    try {
      const before = await add(merchantId, { at: at(-5_000) })
      await slow.query('begin')
      await slow.query(
        `insert into request_log (
           merchant_id, id, occurred_at, operation, status, duration_ms, token_id, source_ip, recorded_xid
         )
         values ($1, $2, $3, 'getOrder', 200, 25000, 'tok_1', '::1', pg_current_xact_id())`,
        [merchantId, newId('req', nowMs - 30_000), at(-30_000)],
      )
      const points = [await readLogPoint(database)]
      const young = await add(merchantId, { at: at(0) })
      points.push(await readLogPoint(database))
      await slow.query('commit')
      const old = await add(merchantId, { at: at(-20_000) })
      points.push(await readLogPoint(database), await readLogPoint(database))
      const seen: string[][] = []
      for (const [index, until] of points.slice(1).entries()) {
        const after = points[index] ?? until
        seen.push((await listNewRequests(database, { merchantId }, { after, until, limit: 10 })).map(({ id }) => id))
      }
      expect(seen).toEqual([[young], [expect.any(String), old], []])
      expect(seen.flat()).not.toContain(before)
    } finally {
      await slow.end()
    }
  })

  test('the pages of one poll of the request list return each request once, even while new requests are stored', async () => {
    const { database } = opened()
    const merchantId = await newMerchant()
    const nowMs = toMs((await database.pool.query('select clock_timestamp() as now')).rows[0].now)
    const after = await readLogPoint(database)
    const batch = Array.from({ length: 5 }, (_, index) => requestOf(merchantId, { at: toTimestamp(nowMs - index) }))
    await insertRequests(database, batch)
    const until = await readLogPoint(database)
    const ids: string[] = []
    for (let afterId: string | undefined; ; afterId = ids.at(-1)) {
      const page = await listNewRequests(database, { merchantId }, { after, until, afterId, limit: 2 })
      ids.push(...page.map(({ id }) => id))
      await add(merchantId, { at: toTimestamp(nowMs + 1) })
      if (page.length < 2) break
    }
    expect(ids).toEqual(batch.map(({ id }) => id).toSorted())
    const later = await listNewRequests(
      database,
      { merchantId },
      { after: until, until: await readLogPoint(database), limit: 10 },
    )
    expect(later).toHaveLength(3)
  })
})
