import { expect, test } from 'vitest'
import { newId } from '../../src/base/ids.ts'
import { splitDefault } from '../../src/store/partitions/default-partition.ts'
import { numberAt, partitioned, stagingNameOf } from '../../src/store/partitions/partition-periods.ts'
import { openStates, usePartitions } from '../support/partitions.ts'

/** Tests the steps that copy the rows of a table's default partition to the partition of their month. */

const { opened, addDelivery, partitionOf } = usePartitions()

test('rows can be inserted and updated while their default partition is copied, and the copy contains the last version of each row', async () => {
  const { pool } = opened().database
  const changed = await addDelivery('2048-05-10T00:00:00.000Z', openStates.held)
  const added: string[] = []
  const client = await pool.connect()
  let steps = 0
  try {
    const deliveries = partitioned.filter(({ table }) => table === 'webhook_deliveries')
    for (const each of deliveries) {
      await splitDefault(client, each, {
        oldestRetained: numberAt('month', Date.parse('2048-05-10T00:00:00.000Z')),
        inTransaction: async (run) => {
          await client.query('begin')
          const result = await run()
          steps += 1
          // The second step has created the monthly partition, and the third step has copied all rows to it. The last
          // step waits for no other transaction.
          if (steps <= 3) {
            await pool.query('update webhook_deliveries set lost_count = $2 where id = $1', [changed, steps])
            added.push(await addDelivery('2048-05-11T00:00:00.000Z', openStates.held))
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

test('the rows of a default partition of 4 MiB are copied in several transactions instead of a single one', async () => {
  const { pool } = opened().database
  const month = numberAt('month', Date.parse('2049-05-10T00:00:00.000Z'))
  const delivery = newId('dlv', Date.parse('2049-05-10T00:00:00.000Z'))
  const rowCount = 2_500
  // The text in each row is so short that PostgreSQL stores it in the table itself, and five rows fill a block.
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
