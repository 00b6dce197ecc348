import { expect, test } from 'vitest'
import { createMerchant } from '../../src/access/create-merchant.ts'
import { systemClock } from '../../src/clock.ts'
import { newId } from '../../src/ids.ts'
import { migrate } from '../../src/store/migrate.ts'
import { turnPartitions } from '../../src/store/partitions.ts'
import { useDatabase } from '../support/database.ts'
import { operator } from '../support/shop.ts'

const opened = useDatabase()

const at = (text: string) => Date.parse(text)
const tables = ['webhook_attempts', 'webhook_deliveries', 'webhook_events']

function turn(text: string) {
  return turnPartitions(opened().database.pool, at(text))
}

async function merchantId(): Promise<string> {
  const { database } = opened()
  return (await createMerchant({ database, clock: systemClock, nudge: () => undefined }, operator, 'Adire Lagos')).id
}

async function addEvent(merchant: string, text: string): Promise<string> {
  const id = newId('evt', at(text))
  await opened().database.pool.query(
    `insert into webhook_events (merchant_id, id, kind, resource_id, body, created_at)
     values ($1, $2, 'order.created', 'ord_1', '{}', $3)`,
    [merchant, id, text],
  )
  return id
}

async function addAttempt(text: string): Promise<string> {
  const delivery = newId('dlv', at(text))
  await opened().database.pool.query(
    `insert into webhook_attempts (
       merchant_id, delivery_id, number, started_at, finished_at, outcome, http_status, response_body, duration_ms, url,
       endpoint_epoch
     )
     values ('mer_1', $1, 1, now(), now(), 'failed', 500, 'sorry', 1, 'https://example.com/', 1)`,
    [delivery],
  )
  return delivery
}

async function partitionOf(table: string, column: string, id: string): Promise<string> {
  const { rows } = await opened().database.pool.query(
    `select tableoid::regclass::text as name from ${table} where ${column} = $1`,
    [id],
  )
  return rows[0].name
}

test('the month and the next are made for each table, once', async () => {
  const { made, failures } = await turn('2031-03-31T23:59:59.999Z')
  expect(made).toEqual(tables.flatMap((table) => [`${table}_203103`, `${table}_203104`]))
  expect(failures).toEqual([])
  expect(await turn('2031-03-31T23:59:59.999Z')).toEqual({ made: [], dropped: [], failures: [] })
})

test('a row lies in the month its id was made in, to the millisecond', async () => {
  await turn('2032-05-15T00:00:00.000Z')
  const merchant = await merchantId()
  const last = await addEvent(merchant, '2032-05-31T23:59:59.999Z')
  const first = await addEvent(merchant, '2032-06-01T00:00:00.000Z')
  const beyond = await addEvent(merchant, '2032-07-01T00:00:00.000Z')
  expect(await partitionOf('webhook_events', 'id', last)).toBe('webhook_events_203205')
  expect(await partitionOf('webhook_events', 'id', first)).toBe('webhook_events_203206')
  expect(await partitionOf('webhook_events', 'id', beyond)).toBe('webhook_events_default')
})

test('a month is kept whole until its last day is 35 days old', async () => {
  await turn('2033-01-10T00:00:00.000Z')
  const merchant = await merchantId()
  const id = await addEvent(merchant, '2033-01-31T12:00:00.000Z')
  await turn('2033-03-07T23:59:59.999Z')
  expect(await partitionOf('webhook_events', 'id', id)).toBe('webhook_events_203301')
  const { dropped } = await turn('2033-03-08T00:00:00.000Z')
  expect(dropped).toEqual(expect.arrayContaining(tables.map((table) => `${table}_203301`)))
  const { rows } = await opened().database.pool.query('select from webhook_events where id = $1', [id])
  expect(rows).toEqual([])
})

test('several processes may turn at once', async () => {
  const all = await Promise.all([1, 2, 3].map(() => turn('2034-05-01T00:00:00.000Z')))
  expect(all.flatMap(({ made }) => made).toSorted()).toEqual(
    tables.flatMap((table) => [`${table}_203405`, `${table}_203406`]),
  )
  expect(all.flatMap(({ failures }) => failures)).toEqual([])
})

test('rows that came before their month lie in it once it is made', async () => {
  const merchant = await merchantId()
  const early = await addEvent(merchant, '2035-08-15T00:00:00.000Z')
  const far = await addEvent(merchant, '2035-11-02T00:00:00.000Z')
  const { made, failures } = await turn('2035-08-20T00:00:00.000Z')
  expect(failures).toEqual([])
  expect(made).toEqual(expect.arrayContaining(['08', '09', '11'].map((month) => `webhook_events_2035${month}`)))
  expect(await partitionOf('webhook_events', 'id', early)).toBe('webhook_events_203508')
  expect(await partitionOf('webhook_events', 'id', far)).toBe('webhook_events_203511')
  // The default partition is back for the next ones.
  const beyond = await addEvent(merchant, '2035-10-02T00:00:00.000Z')
  expect(await partitionOf('webhook_events', 'id', beyond)).toBe('webhook_events_default')
  expect((await turn('2035-08-20T00:00:00.000Z')).made).toEqual(['webhook_events_203510'])
})

test('rows no month was made for are dropped when they are as old as a month that is', async () => {
  const merchant = await merchantId()
  const attempt = await addAttempt('2037-01-31T23:59:59.999Z')
  const old = await addEvent(merchant, '2037-01-31T23:59:59.999Z')
  const kept = await addEvent(merchant, '2037-02-01T00:00:00.000Z')
  const { made, dropped, failures } = await turn('2037-03-08T00:00:00.000Z')
  expect(failures).toEqual([])
  expect(made).toContain('webhook_events_203702')
  expect(dropped).toEqual(expect.arrayContaining(['webhook_attempts_203701', 'webhook_events_203701']))
  const { pool } = opened().database
  expect((await pool.query('select from webhook_attempts where delivery_id = $1', [attempt])).rowCount).toBe(0)
  expect((await pool.query('select from webhook_events where id = $1', [old])).rowCount).toBe(0)
  expect(await partitionOf('webhook_events', 'id', kept)).toBe('webhook_events_203702')
})

test('several processes may sort one default partition at once', async () => {
  const merchant = await merchantId()
  const id = await addEvent(merchant, '2038-05-15T00:00:00.000Z')
  const all = await Promise.all([1, 2, 3].map(() => turn('2038-05-20T00:00:00.000Z')))
  expect(all.flatMap(({ failures }) => failures)).toEqual([])
  expect(all.flatMap(({ made }) => made).toSorted()).toEqual(
    tables.flatMap((table) => [`${table}_203805`, `${table}_203806`]),
  )
  expect(await partitionOf('webhook_events', 'id', id)).toBe('webhook_events_203805')
})

test('what is inserted while a default partition is sorted is neither lost nor refused', async () => {
  const merchant = await merchantId()
  const times = Array.from({ length: 40 }, (_, day) => `2039-05-15T00:00:${String(day).padStart(2, '0')}.000Z`)
  const first = await addEvent(merchant, '2039-05-15T00:00:59.000Z')
  const [{ failures }, ...added] = await Promise.all([
    turn('2039-05-20T00:00:00.000Z'),
    ...times.map((time) => addEvent(merchant, time)),
  ])
  expect(failures).toEqual([])
  await turn('2039-05-20T00:00:00.000Z')
  for (const id of [first, ...added]) {
    expect(await partitionOf('webhook_events', 'id', id)).toMatch(/^webhook_events_(203905|default)$/)
  }
})

test('a table that is in use is left as it is, which migrate() tells too', async () => {
  const { connectionString, database } = opened()
  const merchant = await merchantId()
  const id = await addEvent(merchant, '2040-08-15T00:00:00.000Z')
  const reader = await database.connect()
  try {
    await reader.query('begin; select from webhook_events limit 1')
    const { failures } = await migrate(connectionString)
    expect(failures.map(({ partition }) => partition)).toContain('webhook_events_default')
  } finally {
    await reader.query('rollback')
    reader.release()
  }
  expect(await partitionOf('webhook_events', 'id', id)).toBe('webhook_events_default')
  expect((await migrate(connectionString)).made).toContain('webhook_events_204008')
})

test('attempts of a new month never change either', async () => {
  await turn('2036-02-01T00:00:00.000Z')
  const { pool } = opened().database
  const delivery = await addAttempt('2036-02-02T00:00:00.000Z')
  expect(await partitionOf('webhook_attempts', 'delivery_id', delivery)).toBe('webhook_attempts_203602')
  const refused = /append-only/
  await expect(pool.query('update webhook_attempts set http_status = 200')).rejects.toThrow(refused)
  await expect(pool.query('update webhook_attempts_203602 set http_status = 200')).rejects.toThrow(refused)
  await expect(pool.query('delete from webhook_attempts_203602')).rejects.toThrow(refused)
  const { rows } = await pool.query(
    `select distinct tgenabled as enabled from pg_trigger where tgrelid = 'webhook_attempts_203602'::regclass`,
  )
  // Always, so that no session can switch them off for itself.
  expect(rows).toEqual([{ enabled: 'A' }])
})

test('attempts that no month was made for never change either, nor those that come after them', async () => {
  const early = await addAttempt('2041-02-02T00:00:00.000Z')
  await turn('2041-02-03T00:00:00.000Z')
  const late = await addAttempt('2041-09-02T00:00:00.000Z')
  expect(await partitionOf('webhook_attempts', 'delivery_id', early)).toBe('webhook_attempts_204102')
  expect(await partitionOf('webhook_attempts', 'delivery_id', late)).toBe('webhook_attempts_default')
  const { pool } = opened().database
  for (const partition of ['webhook_attempts_204102', 'webhook_attempts_default']) {
    await expect(pool.query(`update ${partition} set http_status = 200`)).rejects.toThrow(/append-only/)
    await expect(pool.query(`delete from ${partition}`)).rejects.toThrow(/append-only/)
    const { rows } = await pool.query(
      'select distinct tgenabled as enabled from pg_trigger where tgrelid = $1::regclass',
      [partition],
    )
    expect(rows).toEqual([{ enabled: 'A' }])
  }
})
