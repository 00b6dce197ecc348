import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { createMerchant } from '../../src/access/create-merchant.ts'
import { systemClock } from '../../src/base/clock.ts'
import { newId } from '../../src/base/ids.ts'
import { splitDefault } from '../../src/store/partitions/default-partition.ts'
import { numberAt, partitioned, stagingNameOf } from '../../src/store/partitions/partition-periods.ts'
import { rotatePartitions } from '../../src/store/partitions/partitions.ts'
import { useDatabase } from '../support/database.ts'
import { operator } from '../support/shop.ts'

const opened = useDatabase()

const at = (text: string) => Date.parse(text)
const tables = ['webhook_attempts', 'webhook_deliveries', 'webhook_events']

/** Opens a pool of a superuser, whom only the triggers stop. */
function openSuperuser(): pg.Pool {
  const pool = new pg.Pool({ connectionString: opened().superuserConnectionString })
  onTestFinished(() => pool.end())
  return pool
}

function rotate(text: string) {
  return rotatePartitions(opened().database.pool, at(text))
}

/** Returns the monthly partitions, which are all of webhooks. */
function monthly(names: readonly string[]): string[] {
  return names.filter((name) => name.startsWith('webhook_'))
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

test('creates the partitions of this and the next month for each table, once', async () => {
  const { created, failures } = await rotate('2031-03-31T23:59:59.999Z')
  expect(monthly(created)).toEqual(tables.flatMap((table) => [`${table}_203103`, `${table}_203104`]))
  expect(failures).toEqual([])
  expect(await rotate('2031-03-31T23:59:59.999Z')).toEqual({ created: [], dropped: [], retained: [], failures: [] })
})

test('a row is stored in the partition of its id’s month, to the millisecond', async () => {
  await rotate('2032-05-15T00:00:00.000Z')
  const merchant = await merchantId()
  const last = await addEvent(merchant, '2032-05-31T23:59:59.999Z')
  const first = await addEvent(merchant, '2032-06-01T00:00:00.000Z')
  const beyond = await addEvent(merchant, '2032-07-01T00:00:00.000Z')
  expect(await partitionOf('webhook_events', 'id', last)).toBe('webhook_events_203205')
  expect(await partitionOf('webhook_events', 'id', first)).toBe('webhook_events_203206')
  expect(await partitionOf('webhook_events', 'id', beyond)).toBe('webhook_events_default')
})

test('a month is retained until its last day is 35 days old', async () => {
  await rotate('2033-01-10T00:00:00.000Z')
  const merchant = await merchantId()
  const id = await addEvent(merchant, '2033-01-31T12:00:00.000Z')
  await rotate('2033-03-07T23:59:59.999Z')
  expect(await partitionOf('webhook_events', 'id', id)).toBe('webhook_events_203301')
  const { dropped } = await rotate('2033-03-08T00:00:00.000Z')
  expect(dropped).toEqual(expect.arrayContaining(tables.map((table) => `${table}_203301`)))
  const { rows } = await opened().database.pool.query('select from webhook_events where id = $1', [id])
  expect(rows).toEqual([])
})

test('several processes can rotate concurrently', async () => {
  const all = await Promise.all([1, 2, 3].map(() => rotate('2034-05-01T00:00:00.000Z')))
  expect(monthly(all.flatMap(({ created }) => created)).toSorted()).toEqual(
    tables.flatMap((table) => [`${table}_203405`, `${table}_203406`]),
  )
  expect(all.flatMap(({ failures }) => failures)).toEqual([])
})

test('rows inserted before their month’s partition existed are moved into it', async () => {
  const merchant = await merchantId()
  const early = await addEvent(merchant, '2035-08-15T00:00:00.000Z')
  const far = await addEvent(merchant, '2035-11-02T00:00:00.000Z')
  const { created, failures } = await rotate('2035-08-20T00:00:00.000Z')
  expect(failures).toEqual([])
  expect(created).toEqual(expect.arrayContaining(['08', '09', '11'].map((month) => `webhook_events_2035${month}`)))
  expect(await partitionOf('webhook_events', 'id', early)).toBe('webhook_events_203508')
  expect(await partitionOf('webhook_events', 'id', far)).toBe('webhook_events_203511')
  // The default partition is empty again.
  const beyond = await addEvent(merchant, '2035-10-02T00:00:00.000Z')
  expect(await partitionOf('webhook_events', 'id', beyond)).toBe('webhook_events_default')
  expect((await rotate('2035-08-20T00:00:00.000Z')).created).toEqual(['webhook_events_203510'])
})

test('rows without a monthly partition are dropped at the same age as a month', async () => {
  const merchant = await merchantId()
  const attempt = await addAttempt('2037-01-31T23:59:59.999Z')
  const old = await addEvent(merchant, '2037-01-31T23:59:59.999Z')
  const kept = await addEvent(merchant, '2037-02-01T00:00:00.000Z')
  const { created, dropped, failures } = await rotate('2037-03-08T00:00:00.000Z')
  expect(failures).toEqual([])
  expect(created).toContain('webhook_events_203702')
  expect(dropped).toEqual(expect.arrayContaining(['webhook_attempts_203701', 'webhook_events_203701']))
  const { pool } = opened().database
  expect((await pool.query('select from webhook_attempts where delivery_id = $1', [attempt])).rowCount).toBe(0)
  expect((await pool.query('select from webhook_events where id = $1', [old])).rowCount).toBe(0)
  expect(await partitionOf('webhook_events', 'id', kept)).toBe('webhook_events_203702')
})

test('several processes can split one default partition concurrently', async () => {
  const merchant = await merchantId()
  const id = await addEvent(merchant, '2038-05-15T00:00:00.000Z')
  const all = await Promise.all([1, 2, 3].map(() => rotate('2038-05-20T00:00:00.000Z')))
  expect(all.flatMap(({ failures }) => failures)).toEqual([])
  expect(monthly(all.flatMap(({ created }) => created)).toSorted()).toEqual(
    tables.flatMap((table) => [`${table}_203805`, `${table}_203806`]),
  )
  expect(await partitionOf('webhook_events', 'id', id)).toBe('webhook_events_203805')
})

test('rows inserted while a default partition is split are neither lost nor rejected', async () => {
  const merchant = await merchantId()
  const times = Array.from({ length: 40 }, (_, day) => `2039-05-15T00:00:${String(day).padStart(2, '0')}.000Z`)
  const first = await addEvent(merchant, '2039-05-15T00:00:59.000Z')
  const [{ failures }, ...added] = await Promise.all([
    rotate('2039-05-20T00:00:00.000Z'),
    ...times.map((time) => addEvent(merchant, time)),
  ])
  expect(failures).toEqual([])
  await rotate('2039-05-20T00:00:00.000Z')
  for (const id of [first, ...added]) {
    expect(await partitionOf('webhook_events', 'id', id)).toMatch(/^webhook_events_(203905|default)$/)
  }
})

test('a locked table is skipped, and the rotation reports it', async () => {
  const { database } = opened()
  const merchant = await merchantId()
  const id = await addEvent(merchant, '2040-08-15T00:00:00.000Z')
  const reader = await database.connect()
  try {
    await reader.query('begin; select from webhook_events limit 1')
    const { failures } = await rotate('2040-08-20T00:00:00.000Z')
    expect(failures.map(({ partition }) => partition)).toContain('webhook_events_default')
  } finally {
    await reader.query('rollback')
    reader.release()
  }
  expect(await partitionOf('webhook_events', 'id', id)).toBe('webhook_events_default')
  expect((await rotate('2040-08-20T00:00:00.000Z')).created).toContain('webhook_events_204008')
})

test('attempts in a new month’s partition are immutable too', async () => {
  await rotate('2036-02-01T00:00:00.000Z')
  const { pool } = opened().database
  const superuser = openSuperuser()
  const delivery = await addAttempt('2036-02-02T00:00:00.000Z')
  expect(await partitionOf('webhook_attempts', 'delivery_id', delivery)).toBe('webhook_attempts_203602')
  await expect(pool.query('update webhook_attempts set http_status = 200')).rejects.toThrow(/append-only/)
  for (const change of [
    'update webhook_attempts_203602 set http_status = 200',
    'delete from webhook_attempts_203602',
  ]) {
    await expect(pool.query(change)).rejects.toThrow(/permission denied/)
    await expect(superuser.query(change)).rejects.toThrow(/append-only/)
  }
  const { rows } = await pool.query(
    `select distinct tgenabled as enabled from pg_trigger where tgrelid = 'webhook_attempts_203602'::regclass`,
  )
  // An ALWAYS trigger, which a session cannot switch off for itself.
  expect(rows).toEqual([{ enabled: 'A' }])
})

test('attempts in the default partition are immutable, and so are later ones', async () => {
  const early = await addAttempt('2041-02-02T00:00:00.000Z')
  await rotate('2041-02-03T00:00:00.000Z')
  const late = await addAttempt('2041-09-02T00:00:00.000Z')
  expect(await partitionOf('webhook_attempts', 'delivery_id', early)).toBe('webhook_attempts_204102')
  expect(await partitionOf('webhook_attempts', 'delivery_id', late)).toBe('webhook_attempts_default')
  const { pool } = opened().database
  const superuser = openSuperuser()
  for (const partition of ['webhook_attempts_204102', 'webhook_attempts_default']) {
    for (const change of [`update ${partition} set http_status = 200`, `delete from ${partition}`]) {
      await expect(pool.query(change)).rejects.toThrow(
        partition.endsWith('default') ? /append-only/ : /permission denied/,
      )
      await expect(superuser.query(change)).rejects.toThrow(/append-only/)
    }
    const { rows } = await pool.query(
      'select distinct tgenabled as enabled from pg_trigger where tgrelid = $1::regclass',
      [partition],
    )
    expect(rows).toEqual([{ enabled: 'A' }])
  }
})

/** Inserts a delivery and its event with the given time and state. */
async function addDelivery(text: string, state: string, event?: string): Promise<string> {
  const id = newId('dlv', at(text))
  const merchant = await merchantId()
  await opened().database.pool.query(
    `insert into webhook_deliveries (
       merchant_id, id, event_id, endpoint_id, created_at, status, next_attempt_at, lease_until, leased_by, completed_at
     )
     values ($1, $2, $3, $4, $5, ${state})`,
    [merchant, id, event ?? (await addEvent(merchant, text)), newId('whe', at(text)), text],
  )
  return id
}

const open = {
  due: `'pending', now(), null, null, null`,
  leased: `'pending', null, now(), 'wrk_1', null`,
  held: `'held', null, null, null, null`,
}
const settled = `'skipped', null, null, null, now()`

async function settle(id: string): Promise<void> {
  await opened().database.pool.query(
    `update webhook_deliveries
     set status = 'skipped', next_attempt_at = null, lease_until = null, leased_by = null, completed_at = now()
     where id = $1`,
    [id],
  )
}

test.for([
  'due',
  'leased',
  'held',
] as const)('a month with a delivery that is %s is never dropped, nor its events and attempts', async (state) => {
  const year = { due: 2042, leased: 2043, held: 2044 }[state]
  await rotate(`${year}-01-10T00:00:00.000Z`)
  const id = await addDelivery(`${year}-01-10T00:00:00.000Z`, open[state])
  const months = tables.map((table) => `${table}_${year}01`)
  const late = `${year}-12-31T00:00:00.000Z`
  const first = await rotate(late)
  expect(first.retained).toEqual(expect.arrayContaining(months))
  expect(monthly(first.dropped)).not.toEqual(expect.arrayContaining([expect.stringContaining(`_${year}01`)]))
  await settle(id)
  const second = await rotate(late)
  expect(second.dropped).toEqual(expect.arrayContaining(months))
})

test('a month with such a delivery in the default partition gets its own partition at any age', async () => {
  const id = await addDelivery('2045-03-10T00:00:00.000Z', open.held)
  const { created, failures } = await rotate('2045-12-31T00:00:00.000Z')
  expect(failures).toEqual([])
  expect(created).toContain('webhook_deliveries_204503')
  expect(await partitionOf('webhook_deliveries', 'id', id)).toBe('webhook_deliveries_204503')
})

test('an old event is retained while its replay is due', async () => {
  await rotate('2046-12-10T00:00:00.000Z')
  const event = await addEvent(await merchantId(), '2046-12-10T00:00:00.000Z')
  await addDelivery('2046-12-10T00:00:00.000Z', settled, event)
  const later = '2047-06-10T00:00:00.000Z'
  const replay = await addDelivery(later, open.due, event)
  expect((await rotate(later)).retained).toContain('webhook_events_204612')
  await settle(replay)
  expect((await rotate(later)).dropped).toContain('webhook_events_204612')
})

test('rows can be inserted and updated while they are copied, and their last version is retained', async () => {
  const { pool } = opened().database
  const changed = await addDelivery('2048-05-10T00:00:00.000Z', open.held)
  const added: string[] = []
  const client = await pool.connect()
  let steps = 0
  try {
    const deliveries = partitioned.filter(({ table }) => table === 'webhook_deliveries')
    for (const each of deliveries) {
      await splitDefault(client, each, {
        oldestRetained: numberAt('month', at('2048-05-10T00:00:00.000Z')),
        inTransaction: async (run) => {
          await client.query('begin')
          const result = await run()
          steps += 1
          // The second step has created the new table, and the third has copied all rows; the last one waits for no
          // other transaction.
          if (steps <= 3) {
            await pool.query('update webhook_deliveries set lost_count = $2 where id = $1', [changed, steps])
            added.push(await addDelivery('2048-05-11T00:00:00.000Z', open.held))
          }
          await client.query('commit')
          return result
        },
      })
    }
  } finally {
    client.release()
  }
  expect(steps).toBe(4)
  const { rows } = await pool.query(
    'select tableoid::regclass::text as name, lost_count from webhook_deliveries where id = any($1) order by id',
    [[changed, ...added]],
  )
  expect(rows).toEqual([3, 0, 0, 0].map((count) => ({ name: 'webhook_deliveries_204805', lost_count: count })))
})

test('a default partition of 4 MiB is copied in several transactions, each of which leaves rows for the next', async () => {
  const { pool } = opened().database
  const month = numberAt('month', at('2049-05-10T00:00:00.000Z'))
  const delivery = newId('dlv', at('2049-05-10T00:00:00.000Z'))
  const rowCount = 2_500
  // Short enough to be stored in the table itself, so that five rows fill a block.
  await pool.query(
    `insert into webhook_attempts (
       merchant_id, delivery_id, number, started_at, finished_at, outcome, http_status, response_body, duration_ms, url,
       endpoint_epoch
     )
     select 'mer_1', $1, number, now(), now(), 'failed', 500, repeat('x', 1500), 1, 'https://example.com/', 1
     from generate_series(1, $2) as number`,
    [delivery, rowCount],
  )
  const attempts = partitioned.find(({ table }) => table === 'webhook_attempts') ?? expect.fail('No such table.')
  const client = await pool.connect()
  const copied: number[] = []
  try {
    await splitDefault(client, attempts, {
      oldestRetained: month,
      inTransaction: async (run) => {
        await client.query('begin')
        const result = await run()
        const staging = stagingNameOf({ ...attempts, number: month })
        const { rows } = await client.query('select to_regclass($1) is not null as "isMade"', [staging])
        if (rows[0].isMade) {
          const counted = await client.query(`select count(*)::int as count from ${staging}`)
          copied.push(counted.rows[0].count)
        }
        await client.query('commit')
        return result
      },
    })
  } finally {
    client.release()
  }
  const stages = copied.filter((count) => count > 0 && count < rowCount)
  expect(stages.length, String(copied)).toBeGreaterThan(0)
  expect(await partitionOf('webhook_attempts', 'delivery_id', delivery)).toBe('webhook_attempts_204905')
})
