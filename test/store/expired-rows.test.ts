import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Timestamp } from '../../registry/values/vocabulary.ts'
import { indexesOf, planOf, scannedTables } from '../../scripts/bench/plan.ts'
import { createMerchant } from '../../src/access/create-merchant.ts'
import { systemClock, toTimestamp } from '../../src/base/clock.ts'
import { expiredKeyDeletion } from '../../src/store/core/expired-keys.ts'
import { deletingExpired } from '../../src/store/core/expired-rows.ts'
import { observationDeletion } from '../../src/store/logistics/schedule/observations.ts'
import { requestCountDeletion } from '../../src/store/requests/request-log.ts'
import { expiredSecretDeletion } from '../../src/store/webhooks/signing-secrets.ts'
import { asOwner, useDatabase } from '../support/database.ts'
import { operator } from '../support/shop.ts'

/**
 * One search finds the rows whose retention has ended, for all merchants together. These rows are then changed for one
 * merchant at a time.
 */

const opened = useDatabase()

const deletion = deletingExpired<{ before: Timestamp }>()({
  label: 'delete_three_counts',
  table: 'request_counts',
  key: ['hour', 'statusClass'],
  age: 'hour',
  hasEnded: (p) => sql`hour < ${p.before}::timestamptz`,
  size: 3,
})

const before = toTimestamp(Date.parse('2026-03-01T00:00:00Z'))

let merchants: string[]
let client: pg.Client
beforeAll(async () => {
  const { database, connectionString } = opened()
  const context = { database, clock: systemClock, nudge: () => undefined }
  merchants = []
  for (const name of ['First', 'Second', 'Third']) merchants.push((await createMerchant(context, operator, name)).id)
  client = new pg.Client({ connectionString })
  await client.connect()
})
afterAll(() => client.end())

/** Stores counts of the last four hours of February and of the first hour of March for each merchant. */
beforeEach(async () => {
  await client.query('delete from request_counts')
  await client.query(
    `insert into request_counts (merchant_id, hour, status_class, requests)
    select merchant_id, timestamptz '2026-02-28T20:00:00Z' + number * interval '1 hour', 2, 7
    from unnest($1::text[]) as merchant (merchant_id)
    cross join generate_series(0, 4) as number`,
    [merchants],
  )
})

async function left(): Promise<readonly number[]> {
  const text = 'select count(*)::integer as left from request_counts group by merchant_id order by 1'
  return (await client.query<{ left: number }>(text)).rows.map((row) => row.left)
}

test('rows past their retention are deleted in batches, for all merchants, and newer rows stay', async () => {
  expect(await deletion.run(opened().database, { before })).toBe(12)
  expect(await left()).toEqual([1, 1, 1])
  expect(await deletion.run(opened().database, { before })).toBe(0)
})

test('the deletion of expired rows skips a row that another transaction has locked, and the next run deletes that row', async () => {
  await client.query('begin')
  try {
    await client.query(`select from request_counts where hour = '2026-02-28T23:00:00Z' for update`)
    expect(await deletion.run(opened().database, { before })).toBe(9)
  } finally {
    await client.query('rollback')
  }
  expect(await deletion.run(opened().database, { before })).toBe(3)
})

test('a row in the list of rows to delete is deleted only if its retention has ended', async () => {
  const [merchantId = ''] = merchants
  const keys = JSON.stringify([
    { hour: '2026-02-28T22:00:00Z', status_class: 2 },
    { hour: before, status_class: 2 },
  ])
  expect(await opened().database.run(deletion.change, { merchantId, keys, before })).toHaveLength(1)
  expect(await left()).toEqual([4, 5, 5])
})

test('the search for expired idempotency keys and the deletion of one merchant’s expired keys use indexes', async () => {
  await client.query(
    `insert into idempotency_keys (merchant_id, route, key, fingerprint, token_id, request_id, created_at, expires_at)
    select 'mer_' || i % 100, 'POST /orders', 'key-' || i, sha256(i::text::bytea), 'tok', 'req', at, at + interval '24 hours'
    from generate_series(1, 20000) as i
    cross join lateral (select date_trunc('second', now()) - i * interval '10 seconds' as at) as created`,
  )
  await asOwner(opened(), 'vacuum analyze idempotency_keys')
  const now = toTimestamp(systemClock.nowMs())
  const merchantId = 'mer_3'
  const find = await planOf(client, { statement: expiredKeyDeletion.find, args: { now } })
  expect(indexesOf(find)).toEqual(['idempotency_keys_that_expire'])
  const keys = JSON.stringify([{ route: 'POST /orders', key: 'key-3' }])
  const change = await planOf(client, { statement: expiredKeyDeletion.change, args: { now, merchantId, keys } })
  expect(scannedTables(change)).toEqual([])
  expect(new Set(indexesOf(change))).toEqual(new Set(['idempotency_key_is_used_once']))
})

test('the searches for expired observations, webhook secrets and request counts use an index on their time', async () => {
  const now = toTimestamp(systemClock.nowMs())
  await client.query('begin')
  try {
    // The tables are nearly empty, so the planner would otherwise read them without an index.
    await client.query('set local enable_seqscan = off')
    const plans = [
      await planOf(client, { statement: observationDeletion.find, args: { now } }),
      await planOf(client, { statement: expiredSecretDeletion.find, args: { now } }),
      await planOf(client, { statement: requestCountDeletion.find, args: { before: now } }),
    ]
    expect(plans.map(indexesOf)).toEqual([
      ['observations_by_recording'],
      ['webhook_secrets_that_expire'],
      ['request_counts_by_hour'],
    ])
  } finally {
    await client.query('rollback')
  }
})
