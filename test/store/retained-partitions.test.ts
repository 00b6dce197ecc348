import { expect, test } from 'vitest'
import { completedState, monthly, openStates, tables, usePartitions } from '../support/partitions.ts'

/**
 * Monthly partitions that are retained beyond their normal age, because they contain deliveries that are not completed.
 */

const { rotate, merchantId, addEvent, addDelivery, completeDelivery, partitionOf } = usePartitions()

test.for([
  'due',
  'leased',
  'held',
] as const)('no webhook partition of a month (deliveries, events, attempts) is dropped while the month has a delivery in the state %s', async (state) => {
  const year = { due: 2042, leased: 2043, held: 2044 }[state]
  await rotate(`${year}-01-10T00:00:00.000Z`)
  const id = await addDelivery(`${year}-01-10T00:00:00.000Z`, openStates[state])
  const months = tables.map((table) => `${table}_${year}01`)
  const late = `${year}-12-31T00:00:00.000Z`
  const first = await rotate(late)
  expect(first.retained).toEqual(expect.arrayContaining(months))
  expect(monthly(first.dropped)).not.toEqual(expect.arrayContaining([expect.stringContaining(`_${year}01`)]))
  await completeDelivery(id)
  const second = await rotate(late)
  expect(second.dropped).toEqual(expect.arrayContaining(months))
})

test('if the default partition contains an open webhook delivery, a partition is created for its month, however long ago the month was', async () => {
  const id = await addDelivery('2045-03-10T00:00:00.000Z', openStates.held)
  const { created, failures } = await rotate('2045-12-31T00:00:00.000Z')
  expect(failures).toEqual([])
  expect(created).toContain('webhook_deliveries_204503')
  expect(await partitionOf('webhook_deliveries', 'id', id)).toBe('webhook_deliveries_204503')
})

test('the partition of an old event is not dropped while a replay of the event is due', async () => {
  await rotate('2046-12-10T00:00:00.000Z')
  const event = await addEvent(await merchantId(), '2046-12-10T00:00:00.000Z')
  await addDelivery('2046-12-10T00:00:00.000Z', completedState, event)
  const later = '2047-06-10T00:00:00.000Z'
  const replay = await addDelivery(later, openStates.due, event)
  expect((await rotate(later)).retained).toContain('webhook_events_204612')
  await completeDelivery(replay)
  expect((await rotate(later)).dropped).toContain('webhook_events_204612')
})
