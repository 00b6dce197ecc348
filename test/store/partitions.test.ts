import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { monthly, tables, usePartitions } from '../support/partitions.ts'

const { opened, rotate, merchantId, addEvent, addAttempt, partitionOf } = usePartitions()

/**
 * Opens a connection as a superuser. Privileges do not restrict a superuser, so only the triggers can reject its
 * statements.
 */
async function openSuperuser(): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: opened().superuserConnectionString })
  await client.connect()
  onTestFinished(() => client.end())
  return client
}

test('the partition rotation creates the partitions of the current and the next month for each table, once', async () => {
  const { created, failures } = await rotate('2031-03-31T23:59:59.999Z')
  expect(monthly(created)).toEqual(tables.flatMap((table) => [`${table}_203103`, `${table}_203104`]))
  expect(failures).toEqual([])
  expect(await rotate('2031-03-31T23:59:59.999Z')).toEqual({ created: [], dropped: [], retained: [], failures: [] })
})

test('a row is stored in the partition of the month in the row’s id, exact to the millisecond', async () => {
  await rotate('2032-05-15T00:00:00.000Z')
  const merchant = await merchantId()
  const last = await addEvent(merchant, '2032-05-31T23:59:59.999Z')
  const first = await addEvent(merchant, '2032-06-01T00:00:00.000Z')
  const beyond = await addEvent(merchant, '2032-07-01T00:00:00.000Z')
  expect(await partitionOf('webhook_events', 'id', last)).toBe('webhook_events_203205')
  expect(await partitionOf('webhook_events', 'id', first)).toBe('webhook_events_203206')
  expect(await partitionOf('webhook_events', 'id', beyond)).toBe('webhook_events_default')
})

test('a monthly partition is retained until 35 days after the end of its month', async () => {
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

test('several processes can rotate partitions concurrently', async () => {
  const all = await Promise.all([1, 2, 3].map(() => rotate('2034-05-01T00:00:00.000Z')))
  expect(monthly(all.flatMap(({ created }) => created)).toSorted()).toEqual(
    tables.flatMap((table) => [`${table}_203405`, `${table}_203406`]),
  )
  expect(all.flatMap(({ failures }) => failures)).toEqual([])
})

test('rows inserted before their month’s partition existed are moved into that partition', async () => {
  const merchant = await merchantId()
  const early = await addEvent(merchant, '2035-08-15T00:00:00.000Z')
  const far = await addEvent(merchant, '2035-11-02T00:00:00.000Z')
  const { created, failures } = await rotate('2035-08-20T00:00:00.000Z')
  expect(failures).toEqual([])
  expect(created).toEqual(expect.arrayContaining(['08', '09', '11'].map((month) => `webhook_events_2035${month}`)))
  expect(await partitionOf('webhook_events', 'id', early)).toBe('webhook_events_203508')
  expect(await partitionOf('webhook_events', 'id', far)).toBe('webhook_events_203511')
  // When all rows of the default partition have been moved to monthly partitions, the default partition accepts a new
  // row.
  const beyond = await addEvent(merchant, '2035-10-02T00:00:00.000Z')
  expect(await partitionOf('webhook_events', 'id', beyond)).toBe('webhook_events_default')
  expect((await rotate('2035-08-20T00:00:00.000Z')).created).toEqual(['webhook_events_203510'])
})

test('rows in a default partition are dropped at the same age as the rows of a monthly partition', async () => {
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

test('the partition rotation skips a locked table and reports the table', async () => {
  const { database } = opened()
  const merchant = await merchantId()
  const id = await addEvent(merchant, '2040-08-15T00:00:00.000Z')
  const reader = await database.pool.connect()
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

test('webhook delivery attempts in the partition of a new month are immutable', async () => {
  await rotate('2036-02-01T00:00:00.000Z')
  const { pool } = opened().database
  const superuser = await openSuperuser()
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
  // The trigger has the mode ALWAYS, so that no setting of a session can disable the trigger.
  expect(rows).toEqual([{ enabled: 'A' }])
})

test('webhook delivery attempts in the default partition are immutable, even those that are added later', async () => {
  const early = await addAttempt('2041-02-02T00:00:00.000Z')
  await rotate('2041-02-03T00:00:00.000Z')
  const late = await addAttempt('2041-09-02T00:00:00.000Z')
  expect(await partitionOf('webhook_attempts', 'delivery_id', early)).toBe('webhook_attempts_204102')
  expect(await partitionOf('webhook_attempts', 'delivery_id', late)).toBe('webhook_attempts_default')
  const { pool } = opened().database
  const superuser = await openSuperuser()
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
