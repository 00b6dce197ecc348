import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { MerchantId, Timestamp } from '../../registry/values/vocabulary.ts'
import { createMerchant } from '../../src/access/create-merchant.ts'
import { systemClock, toTimestamp } from '../../src/base/clock.ts'
import { inTurn, openClaims } from '../../src/store/core/claims.ts'
import { reading, writing } from '../../src/store/core/statement.ts'
import { useDatabase } from '../support/database.ts'
import { operator } from '../support/shop.ts'

/** Due rows of several merchants are found together, and claimed for one merchant at a time. */

const opened = useDatabase()

interface CountKey {
  readonly merchantId: MerchantId
  readonly hour: Timestamp
}

const find = reading<{ now: Timestamp }>()('find_due_counts', (p) =>
  inTurn<CountKey>(
    ['hour'],
    sql`select merchant_id, hour, hour as due_at from request_counts where requests = 1 and hour <= ${p.now}::timestamptz`,
  ),
)

const claim = writing<{ merchantId: MerchantId; hours: readonly Timestamp[] }>()(
  'claim_due_counts',
  (p) => sql<CountKey>`
    with due as (
      select hour
      from request_counts
      where merchant_id = ${p.merchantId} and hour = any(${p.hours}::timestamptz[]) and requests = 1
      for update skip locked
    )
    update request_counts
    set requests = 2
    where merchant_id = ${p.merchantId} and hour in (select hour from due)
    returning merchant_id, hour`,
)

const openCountClaims = () =>
  openClaims<CountKey, CountKey>({
    find: (now) => opened().database.read(find, { now }),
    claim: ({ merchantId, keys }) => opened().database.run(claim, { merchantId, hours: keys.map(({ hour }) => hour) }),
  })

const now = toTimestamp(Date.parse('2026-03-01T00:00:00Z'))

let merchants: MerchantId[]
let client: pg.Client
beforeAll(async () => {
  const { database, connectionString } = opened()
  const context = { database, clock: systemClock, nudge: () => undefined }
  merchants = []
  for (const name of ['Busy', 'Quiet']) merchants.push((await createMerchant(context, operator, name)).id)
  client = new pg.Client({ connectionString })
  await client.connect()
})
afterAll(() => client.end())

/** Stores 300 due rows of the busy merchant, and one row of the quiet merchant, which is due after the others. */
beforeEach(async () => {
  await client.query('delete from request_counts')
  await client.query(
    `insert into request_counts (merchant_id, hour, status_class, requests)
    select $1, timestamptz '2026-02-01T00:00:00Z' + number * interval '1 hour', 2, 1 from generate_series(1, 300) as number
    union all
    select $2, '2026-02-28T00:00:00Z', 2, 1`,
    merchants,
  )
})

test('a claim of two rows takes one row of each of two merchants, even if one of them has many due rows', async () => {
  const claimed = await openCountClaims()({ now, limit: 2 })
  expect(claimed.map(({ merchantId }) => merchantId).toSorted()).toEqual(merchants.toSorted())
})

test('several concurrent workers claim each row once, a few rows at a time', async () => {
  const workers = Array.from({ length: 4 }, openCountClaims)
  const claimed = await Promise.all(
    workers.map(async (claimDue) => {
      const all: CountKey[] = []
      for (;;) {
        const some = await claimDue({ now, limit: 7 })
        expect(some.length).toBeLessThanOrEqual(7)
        if (some.length === 0) return all
        all.push(...some)
      }
    }),
  )
  const keys = claimed.flat().map(({ merchantId, hour }) => `${merchantId} ${hour}`)
  expect(keys).toHaveLength(301)
  expect(new Set(keys).size).toBe(301)
})

test('a claim skips a row that another transaction has locked, and takes the row once the lock is released', async () => {
  const claimDue = openCountClaims()
  await client.query('begin')
  try {
    await client.query('select from request_counts where merchant_id = $1 for update', merchants.slice(0, 1))
    expect(await claimDue({ now, limit: 500 })).toMatchObject([{ merchantId: merchants[1] }])
    expect(await claimDue({ now, limit: 500 })).toEqual([])
  } finally {
    await client.query('rollback')
  }
  expect(await claimDue({ now, limit: 150 })).toHaveLength(150)
  expect(await claimDue({ now, limit: 150 })).toHaveLength(150)
})

test('a worker does not claim rows that it found earlier and that another worker has claimed since', async () => {
  const [first, second] = [openCountClaims(), openCountClaims()]
  expect(await first({ now, limit: 1 })).toHaveLength(1)
  while ((await second({ now, limit: 100 })).length > 0);
  expect(await first({ now, limit: 500 })).toEqual([])
})
