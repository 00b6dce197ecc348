import { expect, test } from 'vitest'
import { createMerchant } from '../../src/access/create-merchant.ts'
import { systemClock } from '../../src/base/clock.ts'
import { newId } from '../../src/base/ids.ts'
import { splitDefault } from '../../src/store/partitions/default-partition.ts'
import { numberAt, numberOfPartition, partitioned } from '../../src/store/partitions/partition-periods.ts'
import { rotatePartitions } from '../../src/store/partitions/partitions.ts'
import { useDatabase } from '../support/database.ts'
import { operator } from '../support/shop.ts'

/**
 * Tests rows that are inserted into a default partition while it is split, and rows dated far in the past or future.
 */

const opened = useDatabase()

const at = (text: string) => Date.parse(text)

async function merchantId(): Promise<string> {
  const { database } = opened()
  return (await createMerchant({ database, clock: systemClock, nudge: () => undefined }, operator, 'Adire Lagos')).id
}

async function addEvent(merchant: string, text: string): Promise<string> {
  const id = newId('evt', at(text))
  await opened().database.pool.query(
    `insert into webhook_events (merchant_id, id, kind, resource_id, body, created_at)
     values ($1, $2, 'order.created', 'ord_1', '{}', now())`,
    [merchant, id],
  )
  return id
}

async function addReplay(merchant: string, text: string, event: string): Promise<void> {
  await opened().database.pool.query(
    `insert into webhook_deliveries (merchant_id, id, event_id, endpoint_id, created_at, status, next_attempt_at)
     values ($1, $2, $3, $4, now(), 'pending', now())`,
    [merchant, newId('dlv', at(text)), event, newId('whe', at(text))],
  )
}

async function partitionOf(id: string): Promise<string | undefined> {
  const text = 'select tableoid::regclass::text as name from webhook_events where id = $1'
  return (await opened().database.pool.query<{ name: string }>(text, [id])).rows[0]?.name
}

/**
 * Moves rows from the default partition of events to monthly partitions. Runs the given function between two steps of
 * this work, after the partitions of the retained months were created.
 */
async function sortBeside(oldestRetained: number, work: () => Promise<unknown>) {
  const each = partitioned.find((known) => known.table === 'webhook_events') ?? expect.fail('No such table.')
  const client = await opened().database.pool.connect()
  let steps = 0
  try {
    return await splitDefault(client, each, {
      oldestRetained,
      inTransaction: async (run) => {
        await client.query('begin')
        try {
          const result = await run()
          steps += 1
          await client.query('commit')
          if (steps === 2) await work()
          return result
        } catch (error) {
          await client.query('rollback')
          throw error
        }
      },
    })
  } finally {
    client.release()
  }
}

test('a row that is inserted while the default partition is split into monthly partitions is also moved to the partition of its month', async () => {
  const merchant = await merchantId()
  const known = await addEvent(merchant, '2050-05-10T00:00:00.000Z')
  let late = ''
  const { created } = await sortBeside(numberAt('month', at('2050-05-10T00:00:00.000Z')), async () => {
    late = await addEvent(merchant, '2051-11-10T00:00:00.000Z')
  })
  expect(created).toEqual(expect.arrayContaining(['webhook_events_205005', 'webhook_events_205111']))
  expect(await partitionOf(known)).toBe('webhook_events_205005')
  expect(await partitionOf(late)).toBe('webhook_events_205111')
})

test('splitting the default partition into monthly partitions retains an old event whose replay is queued at the same time', async () => {
  const merchant = await merchantId()
  const event = await addEvent(merchant, '2019-12-10T00:00:00.000Z')
  const oldestRetained = numberAt('month', at('2052-01-10T00:00:00.000Z'))
  const { created, dropped } = await sortBeside(oldestRetained, () =>
    addReplay(merchant, '2052-01-10T00:00:00.000Z', event),
  )
  expect(created).toContain('webhook_events_201912')
  expect(dropped).not.toContain('webhook_events_201912')
  expect(await partitionOf(event)).toBe('webhook_events_201912')
})

test('rows dated in 1970 or after the year 9999 are moved to monthly partitions, and those of 1970 are dropped with their partition', async () => {
  const merchant = await merchantId()
  const far = await addEvent(merchant, '+010500-01-10T00:00:00.000Z')
  const early = await addEvent(merchant, '1970-01-01T00:00:00.000Z')
  const { created, dropped, failures } = await rotatePartitions(opened().database.pool, at('2053-01-10T00:00:00.000Z'))
  expect(failures).toEqual([])
  expect(created).toContain('webhook_events_1050001')
  expect(dropped).toContain('webhook_events_197001')
  expect(await partitionOf(far)).toBe('webhook_events_1050001')
  expect(numberOfPartition({ table: 'webhook_events', unit: 'month' }, 'webhook_events_1050001')).toBe(
    numberAt('month', at('+010500-01-10T00:00:00.000Z')),
  )
  expect(await partitionOf(early)).toBeUndefined()
})
