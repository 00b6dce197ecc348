import { expect, test } from 'vitest'
import type { MerchantId } from '../../registry/values/vocabulary.ts'
import { createMerchant } from '../../src/access/create-merchant.ts'
import { systemClock, toTimestamp } from '../../src/base/clock.ts'
import { newId } from '../../src/base/ids.ts'
import { numberAt, numberOfPartition } from '../../src/store/partitions/partition-periods.ts'
import { rotatePartitions } from '../../src/store/partitions/partitions.ts'
import { insertRequests, requestCountDeletion } from '../../src/store/requests/request-log.ts'
import { useDatabase } from '../support/database.ts'
import { operator } from '../support/shop.ts'

const opened = useDatabase()

const at = (text: string) => Date.parse(text)

function rotate(text: string) {
  return rotatePartitions(opened().database.pool, at(text))
}

async function newMerchant(): Promise<MerchantId> {
  const { database } = opened()
  return (await createMerchant({ database, clock: systemClock, nudge: () => undefined }, operator, 'Adire Lagos')).id
}

async function addRequest(merchantId: MerchantId, text: string): Promise<string> {
  const id = newId('req', at(text))
  const result = { status: 200, errorCode: null, durationMs: 3, problems: null }
  const source = { tokenId: newId('tok', at(text)), sourceIp: '203.0.113.7' }
  await insertRequests(opened().database, [{ merchantId, id, operation: 'listOrders', ...result, ...source }])
  return id
}

async function partitionOf(id: string): Promise<string | undefined> {
  const text = 'select tableoid::regclass::text as name from request_log where id = $1'
  return (await opened().database.pool.query<{ name: string }>(text, [id])).rows[0]?.name
}

test('the partition rotation creates the request log partitions of today and the next three days, each only once', async () => {
  const { created, failures } = await rotate('2031-02-26T23:59:59.999Z')
  expect(created.filter((name) => name.startsWith('request_log'))).toEqual(
    ['0226', '0227', '0228', '0301'].map((day) => `request_log_2031${day}`),
  )
  expect(failures).toEqual([])
  expect((await rotate('2031-02-26T23:59:59.999Z')).created).toEqual([])
})

test('the time in the id of a logged request determines, exact to the millisecond, the daily partition of the request', async () => {
  await rotate('2032-05-15T00:00:00.000Z')
  const merchant = await newMerchant()
  const last = await addRequest(merchant, '2032-05-15T23:59:59.999Z')
  const first = await addRequest(merchant, '2032-05-16T00:00:00.000Z')
  const beyond = await addRequest(merchant, '2032-05-19T00:00:00.000Z')
  expect(await partitionOf(last)).toBe('request_log_20320515')
  expect(await partitionOf(first)).toBe('request_log_20320516')
  expect(await partitionOf(beyond)).toBe('request_log_default')
})

test('a day’s partition of the request log is retained until 7 days after the end of that day', async () => {
  await rotate('2033-01-10T12:00:00.000Z')
  const merchant = await newMerchant()
  const id = await addRequest(merchant, '2033-01-10T00:00:00.000Z')
  expect((await rotate('2033-01-17T23:59:59.999Z')).dropped).not.toContain('request_log_20330110')
  expect(await partitionOf(id)).toBe('request_log_20330110')
  expect((await rotate('2033-01-18T00:00:00.000Z')).dropped).toContain('request_log_20330110')
  expect(await partitionOf(id)).toBeUndefined()
})

test('logged requests in the default partition are later moved to a daily partition, and dropped at the same age as other requests', async () => {
  const merchant = await newMerchant()
  const old = await addRequest(merchant, '2034-08-10T23:59:59.999Z')
  const retained = await addRequest(merchant, '2034-08-11T00:00:00.000Z')
  const { created, dropped, failures } = await rotate('2034-08-18T10:00:00.000Z')
  expect(failures).toEqual([])
  expect(created).toContain('request_log_20340811')
  expect(dropped).toContain('request_log_20340810')
  expect(await partitionOf(old)).toBeUndefined()
  expect(await partitionOf(retained)).toBe('request_log_20340811')
})

test('a request log partition of a day after the year 9999 has a name that can be parsed', () => {
  const table = { table: 'request_log', unit: 'day' } as const
  const day = numberAt('day', at('+010500-01-10T00:00:00.000Z'))
  expect(numberOfPartition(table, 'request_log_105000110')).toBe(day)
  expect(numberOfPartition(table, 'request_log_default')).toBeUndefined()
  expect(numberOfPartition(table, 'request_log_202611')).toBeUndefined()
})

test('the service’s database role can drop only partitions of rotated tables with the expected names', async () => {
  const { pool } = opened().database
  for (const [parent, partition] of [
    ['request_log', 'request_log_default'],
    ['request_log', 'orders'],
    ['orders', 'orders_20310226'],
  ]) {
    await expect(pool.query('select drop_partition($1, $2)', [parent, partition])).rejects.toThrow('is not a partition')
  }
})

test('the hourly request counts that are older than a given time are deleted', async () => {
  const merchant = await newMerchant()
  await addRequest(merchant, '2020-08-10T23:59:59.999Z')
  await addRequest(merchant, '2020-08-11T00:00:00.000Z')
  const before = toTimestamp(at('2020-08-11T00:00:00.000Z'))
  expect(await requestCountDeletion.run(opened().database, { before })).toBe(1)
  const text = 'select hour, requests from request_counts where merchant_id = $1'
  const { rows } = await opened().database.pool.query(text, [merchant])
  expect(rows).toEqual([{ hour: '2020-08-11T00:00:00.000Z', requests: 1 }])
})
