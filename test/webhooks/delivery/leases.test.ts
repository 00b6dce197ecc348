import { describe, expect, test } from 'vitest'
import type { DeliveryId } from '../../../registry/values/vocabulary.ts'
import { deleteWebhookEndpoint } from '../../../src/access/delete-webhook-endpoint.ts'
import { disableWebhookEndpoint } from '../../../src/access/disable-webhook-endpoint.ts'
import { toTimestamp } from '../../../src/base/clock.ts'
import { readBacklog } from '../../../src/store/metrics/backlog.ts'
import { claimDeliveries } from '../../../src/store/webhooks/delivery-claims.ts'
import { findDelivery } from '../../../src/store/webhooks/delivery-record.ts'
import { listDueEndpoints } from '../../../src/store/webhooks/delivery-sweeps.ts'
import type { EndpointKey } from '../../../src/store/webhooks/endpoints.ts'
import { listExpiredLeases } from '../../../src/store/webhooks/leases.ts'
import { abandonedLease } from '../../../src/webhooks/abandoned-lease.ts'
import { attemptDelivery } from '../../../src/webhooks/attempt.ts'
import { type Result, recordResults } from '../../../src/webhooks/record-results.ts'
import { sweep, sweepDeliveries } from '../../../src/worker/sweeper.ts'
import { useDatabase } from '../../support/database.ts'
import { openReceiver, status } from '../receiver.ts'
import { findNextDue, only, openShop, operator } from '../shop.ts'

const opened = useDatabase()

type Shop = Awaited<ReturnType<typeof openShop>>

const caps = { room: 9, merchantCap: 9, endpointCap: 4 }

/** Opens a shop whose webhook endpoint has the given number of due deliveries. */
async function openQueue(count: number, answer?: Parameters<typeof openReceiver>[0]) {
  const shop = await openShop(opened().database)
  const receiver = await openReceiver(answer)
  const endpoint = await shop.addEndpoint(receiver.url)
  for (let number = 0; number < count; number++) await shop.emit()
  return { shop, receiver, endpoint }
}

async function claim(shop: Shop, { merchantId, endpointId }: EndpointKey, more: Partial<typeof caps> = {}) {
  const { database, workerId } = shop.pumpContext
  const lanes = [{ merchantId, endpointId }]
  const claimed = await claimDeliveries(database, { lanes, workerId, now: shop.now(), ...caps, ...more })
  return only(claimed.lanes).deliveries
}

async function leases({ merchantId }: Shop) {
  const { rows } = await opened().database.pool.query(
    'select id, worker_id, delivery_ids from webhook_leases where merchant_id = $1',
    [merchantId],
  )
  return rows
}

const recorded = { lost: [], disabled: [], suspected: [] }

test('a worker’s claim of webhook deliveries has one lease for all of them, and does not change the rows of the deliveries', async () => {
  const { shop, endpoint } = await openQueue(3)
  const before = await rowsOf(shop)
  const claimed = await claim(shop, endpoint)
  expect(claimed.map(({ leaseNumber }) => leaseNumber)).toEqual([1, 1, 1])
  const ids = claimed.map(({ id }) => id)
  const [leaseId] = new Set(claimed.map((delivery) => delivery.leaseId))
  expect(await leases(shop)).toEqual([{ id: leaseId, worker_id: shop.pumpContext.workerId, delivery_ids: ids }])
  expect(await rowsOf(shop)).toEqual(before)
})

test('a webhook delivery that is being sent has no nextAttemptAt', async () => {
  const { shop, endpoint } = await openQueue(1)
  const [listed] = await shop.deliveries()
  expect(listed).toMatchObject({ status: 'pending', nextAttemptAt: shop.now() })
  const { id } = only(await claim(shop, endpoint))
  expect(only(await shop.deliveries())).toMatchObject({ status: 'pending', nextAttemptAt: null })
  expect(await findDelivery(opened().database, { ...shop, id })).toMatchObject({ isLeased: true, nextAttemptAt: null })
})

test('a second claim of deliveries takes the other due deliveries of the endpoint, within the endpoint’s concurrency limit', async () => {
  const { shop, endpoint } = await openQueue(6)
  const first = await claim(shop, endpoint, { endpointCap: 3 })
  const second = await claim(shop, endpoint)
  const third = await claim(shop, endpoint)
  expect([first.length, second.length, third.length]).toEqual([3, 1, 0])
  expect(new Set([...first, ...second].map(({ id }) => id)).size).toBe(4)
  expect(await leases(shop)).toHaveLength(2)
})

test('webhook deliveries whose lease has expired are not claimed before the next sweep, but no longer count towards the endpoint’s concurrency limit', async () => {
  const { shop, endpoint } = await openQueue(6)
  const first = await claim(shop, endpoint)
  expect(first).toHaveLength(4)
  shop.clock.advance(30_001)
  const second = await claim(shop, endpoint)
  expect(second).toHaveLength(2)
  expect(new Set([...first, ...second].map(({ id }) => id)).size).toBe(6)
})

test('recording the result of a webhook delivery removes the delivery from its lease, and recording the last result deletes the lease', async () => {
  const { shop, receiver, endpoint } = await openQueue(3)
  const claimed = await claim(shop, endpoint)
  const results = await Promise.all(claimed.map((delivery) => attemptDelivery(shop.pumpContext, delivery)))
  expect(receiver.received).toHaveLength(3)
  for (const [index, result] of results.entries()) {
    expect(await recordResults(shop.pumpContext, [result])).toEqual(recorded)
    const left = claimed.slice(index + 1).map(({ id }) => id)
    expect((await leases(shop)).map((lease) => lease.delivery_ids)).toEqual(left.length === 0 ? [] : [left])
  }
  expect(await shop.deliveries()).toMatchObject(results.map(() => ({ status: 'succeeded', attemptCount: 1 })))
})

test('a failed webhook delivery is removed from its lease, and its retry becomes due with the next attempt number', async () => {
  const { shop, endpoint } = await openQueue(1, status(500))
  const first = only(await claim(shop, endpoint))
  const result = await attemptDelivery(shop.pumpContext, first)
  expect(await recordResults(shop.pumpContext, [result])).toEqual(recorded)
  expect(await leases(shop)).toEqual([])
  const { status: state, nextAttemptAt } = only(await shop.deliveries())
  expect({ state, isDue: nextAttemptAt !== null }).toEqual({ state: 'failed', isDue: true })
  shop.clock.advance(60_000)
  expect(only(await claim(shop, endpoint)).leaseNumber).toBe(2)
})

test.each([
  ['a success', undefined],
  ['a failure', status(500)],
])('if the result of a webhook delivery (%s) is recorded several times at once, only one attempt is stored', async (_, answer) => {
  const { shop, endpoint } = await openQueue(1, answer)
  const delivery = only(await claim(shop, endpoint))
  const result = await attemptDelivery(shop.pumpContext, delivery)
  const outcomes = await Promise.all([1, 2, 3].map(() => recordResults(shop.pumpContext, [result])))
  expect(outcomes.flatMap(({ lost }) => lost)).toEqual([delivery.id, delivery.id])
  expect(only(await shop.deliveries()).attemptCount).toBe(1)
  expect(await shop.attempts(delivery.id)).toHaveLength(1)
})

test.for([
  'of one server',
  'that is distributed',
] as const)('on a database %s, a lost lease of one merchant does not affect the results of other merchants in the same batch', async (kind) => {
  const { database } = opened()
  if (kind === 'that is distributed') database.reachability.set({ reachable: [], unreachable: [] })
  const queues = [await openQueue(1), await openQueue(1), await openQueue(1, status(500))]
  const results: Result[] = []
  for (const { shop, endpoint } of queues)
    results.push(await attemptDelivery(shop.pumpContext, only(await claim(shop, endpoint))))
  const [ofLost, ofSucceeded, ofFailed] = queues.map(({ shop }) => shop)
  await database.pool.query('delete from webhook_leases where merchant_id = $1', [ofLost?.merchantId])
  const { lost } = await recordResults(only(queues.slice(1, 2)).shop.pumpContext, results)
  expect(lost).toEqual([results[0]?.attempt.deliveryId])
  expect(await ofLost?.deliveries()).toMatchObject([{ status: 'pending', attemptCount: 0 }])
  expect(await ofSucceeded?.deliveries()).toMatchObject([{ status: 'succeeded', attemptCount: 1 }])
  expect(await ofFailed?.deliveries()).toMatchObject([{ status: 'failed', attemptCount: 1 }])
  for (const { shop } of queues) expect(await leases(shop)).toEqual([])
})

test.for([
  { answer: 200, final: 'succeeded' },
  { answer: 500, final: 'held' },
])('if an endpoint is disabled while its delivery is being claimed, the delivery is still sent, and then has the status $final', async ({
  answer,
  final,
}) => {
  const { shop, endpoint } = await openQueue(1, status(answer))
  const { database, workerId } = shop.pumpContext
  const request = { lanes: [endpoint], workerId, now: shop.now(), ...caps }
  const { lanes } = await claimDeliveries(database, request, async () => {
    await disableWebhookEndpoint(shop.context, operator, shop.tenant, endpoint.endpointId)
  })
  const result = await attemptDelivery(shop.pumpContext, only(only(lanes).deliveries))
  expect(await recordResults(shop.pumpContext, [result])).toEqual(recorded)
  expect(await shop.deliveries()).toMatchObject([{ status: final }])
  expect(await leases(shop)).toEqual([])
})

test('if the result of a webhook delivery arrives while a sweep ends its expired lease, only one of the two outcomes is recorded', async () => {
  const { shop, endpoint } = await openQueue(1)
  const delivery = only(await claim(shop, endpoint))
  const result = await attemptDelivery(shop.pumpContext, delivery)
  shop.clock.advance(30_001)
  const [lease] = (await listExpiredLeases(opened().database, shop.now())).filter(
    ({ deliveryId }) => deliveryId === delivery.id,
  )
  if (lease === undefined) throw new Error('The lease has not expired.')
  const results = [result, abandonedLease(lease, 'worker_lost', shop.clock.nowMs())]
  const outcomes = await Promise.all(results.map((each) => recordResults(shop.pumpContext, [each])))
  expect(outcomes.flatMap(({ lost }) => lost)).toEqual([delivery.id])
  expect(await shop.attempts(delivery.id)).toHaveLength(1)
  expect(await leases(shop)).toEqual([])
})

/**
 * Changes a webhook delivery that is already claimed, like a transaction that read the delivery before the claim was
 * committed.
 */
async function changeRow({ merchantId }: Shop, id: DeliveryId, assignments: string): Promise<void> {
  await opened().database.pool.query(
    `update webhook_deliveries set ${assignments} where merchant_id = $1 and id = $2`,
    [merchantId, id],
  )
}

const held = `status = 'held', next_attempt_at = null`
const skipped = `status = 'skipped', next_attempt_at = null, completed_at = now()`
const succeeded = `status = 'succeeded', next_attempt_at = null, completed_at = now()`

test.each([
  ['held', held, 'succeeded', undefined, { status: 'succeeded', attemptCount: 1 }],
  ['held', held, 'failed', status(500), { status: 'failed', attemptCount: 1 }],
  ['skipped', skipped, 'succeeded', undefined, { status: 'succeeded', attemptCount: 1 }],
  ['completed by a replay', succeeded, 'succeeded', undefined, { status: 'succeeded', attemptCount: 1 }],
  ['completed by a replay', succeeded, 'failed', status(500), { status: 'succeeded', attemptCount: 1 }],
] as const)('if a webhook delivery becomes %s (%s) while it is being sent, its attempt is stored with the outcome %s', async (_, change, outcome, answer, expected) => {
  const { shop, endpoint } = await openQueue(1, answer)
  const delivery = only(await claim(shop, endpoint))
  await changeRow(shop, delivery.id, change)
  const result = await attemptDelivery(shop.pumpContext, delivery)
  expect(await recordResults(shop.pumpContext, [result])).toEqual(recorded)
  expect(only(await shop.deliveries())).toMatchObject(expected)
  expect(await shop.attempts(delivery.id)).toMatchObject([{ number: 1, outcome }])
  expect(await leases(shop)).toEqual([])
})

test.each([
  ['held', held, { status: 'pending', attemptCount: 0 }, [{ number: 1, outcome: 'aborted' }]],
  ['skipped', skipped, { status: 'skipped', attemptCount: 0, nextAttemptAt: null }, []],
  ['completed by a replay', succeeded, { status: 'succeeded', attemptCount: 0, nextAttemptAt: null }, []],
  [
    'rescheduled',
    `next_attempt_at = '2099-01-01'`,
    { status: 'pending', nextAttemptAt: '2099-01-01T00:00:00.000Z' },
    [],
  ],
] as const)('if a webhook delivery becomes %s while it is being sent and its worker dies, the next sweep does not undo that change', async (_, change, expected, attempts) => {
  const { shop, endpoint } = await openQueue(1)
  const delivery = only(await claim(shop, endpoint))
  await changeRow(shop, delivery.id, change)
  shop.clock.advance(30_001)
  await sweep(shop.sweepContext)
  expect(only(await shop.deliveries())).toMatchObject(expected)
  expect(await shop.attempts(delivery.id)).toMatchObject(attempts)
  expect(await leases(shop)).toEqual([])
})

test('if a batch has the results of two leases of one webhook delivery, only the result of the current lease is recorded', async () => {
  const { shop, endpoint } = await openQueue(1)
  const first = await attemptDelivery(shop.pumpContext, only(await claim(shop, endpoint)))
  shop.clock.advance(30_001)
  await sweep(shop.sweepContext)
  const second = await attemptDelivery(shop.pumpContext, only(await claim(shop, endpoint)))
  const { id } = only(await shop.deliveries())
  expect(await recordResults(shop.pumpContext, [first, second])).toEqual({ ...recorded, lost: [id] })
  expect(only(await shop.deliveries())).toMatchObject({ status: 'succeeded', attemptCount: 1 })
  expect((await shop.attempts(id)).map(({ number, outcome }) => [number, outcome])).toEqual([
    [1, 'aborted'],
    [2, 'succeeded'],
  ])
})

/**
 * Leases a webhook delivery until the given time, as an earlier release without the table webhook_leases does. Returns
 * whether the delivery was leased.
 */
async function leaseInRow({ merchantId }: Shop, id: DeliveryId, until: string): Promise<boolean> {
  const { rowCount } = await opened().database.pool.query(
    `update webhook_deliveries
     set
       next_attempt_at = null, lease_until = $3, leased_by = 'wrk_earlier',
       lease_number = lease_number + 1
     where merchant_id = $1 and id = $2 and next_attempt_at is not null`,
    [merchantId, id, until],
  )
  return rowCount === 1
}

test('a worker that runs an earlier release does not lease a webhook delivery that is being sent', async () => {
  const { shop, endpoint } = await openQueue(2)
  const [sent] = await claim(shop, endpoint, { room: 1 })
  const other = (await shop.deliveries()).find(({ id }) => id !== sent?.id)
  if (sent === undefined || other === undefined) throw new Error('One of two deliveries is claimed.')
  expect(await leaseInRow(shop, sent.id, shop.now())).toBe(false)
  expect(await leaseInRow(shop, other.id, shop.now())).toBe(true)
  expect(await claim(shop, endpoint)).toEqual([])
})

test('the next sweep makes a webhook delivery due again if its lease belongs to a stopped worker of an earlier release', async () => {
  const { shop, endpoint } = await openQueue(1)
  const { id } = only(await shop.deliveries())
  await leaseInRow(shop, id, shop.now())
  await sweep(shop.sweepContext)
  expect(await shop.deliver(endpoint)).toMatchObject({ attempts: 0 })
  shop.clock.advance(1)
  await sweep(shop.sweepContext)
  expect(await shop.deliver(endpoint)).toMatchObject({ attempts: 1 })
  expect(only(await shop.deliveries())).toMatchObject({ id, status: 'succeeded', attemptCount: 1 })
  expect(await shop.attempts(id)).toMatchObject([{ number: 1, outcome: 'succeeded' }])
})

test.each([
  ['its result', async (shop: Shop, result: Result) => recordResults(shop.pumpContext, [result])],
  ['a sweep', async (shop: Shop) => sweep(shop.sweepContext)],
] as const)('the expired lease of a webhook delivery ends with %s, and the valid lease of the same delivery by a worker of an earlier release continues', async (_, end) => {
  const { shop, endpoint } = await openQueue(1)
  const delivery = only(await claim(shop, endpoint))
  const result = await attemptDelivery(shop.pumpContext, delivery)
  // The lease is ended with the database's clock, because the trigger compares the end of a lease with this clock.
  await opened().database.pool.query(
    `update webhook_leases set expires_at = clock_timestamp() - interval '1 second' where merchant_id = $1`,
    [shop.merchantId],
  )
  const until = toTimestamp(shop.clock.nowMs() + 60_000)
  expect(await leaseInRow(shop, delivery.id, until)).toBe(true)
  await end(shop, result)
  const [row] = await rowsOf(shop)
  expect(row).toMatchObject({ status: 'pending', lease_until: until, lease_number: 1, next_attempt_at: null })
  expect(await shop.attempts(delivery.id)).toEqual([])
  expect(await leases(shop)).toEqual([])
})

async function rowsOf({ merchantId }: Shop) {
  const { rows } = await opened().database.pool.query(
    'select *, xmin from webhook_deliveries where merchant_id = $1 order by id',
    [merchantId],
  )
  return rows
}

describe('a webhook delivery that is being sent', () => {
  test('a webhook delivery that is being sent is not due in another claim, in the list of due endpoints or in the metrics', async () => {
    const { database } = opened()
    const { shop, endpoint } = await openQueue(1)
    const dueEndpoints = async () =>
      (await listDueEndpoints(database, shop.now())).filter(({ endpointId }) => endpointId === endpoint.endpointId)
    expect(await dueEndpoints()).toHaveLength(1)
    expect(await findNextDue(database, endpoint.endpointId)).toBeDefined()
    const { deliveriesDue } = await readBacklog(database)
    await claim(shop, endpoint)
    expect(await dueEndpoints()).toEqual([])
    expect(await findNextDue(database, endpoint.endpointId)).toBeUndefined()
    expect((await readBacklog(database)).deliveriesDue).toBe(deliveriesDue - 1)
  })

  test.each([
    ['disabling its endpoint', disableWebhookEndpoint, 'held'],
    ['deleting its endpoint', deleteWebhookEndpoint, 'skipped'],
  ] as const)('%s changes a waiting webhook delivery, but not a webhook delivery that is being sent', async (_, change, statusOfWaiting) => {
    const { shop, endpoint } = await openQueue(2)
    const { id } = only(await claim(shop, endpoint, { room: 1 }))
    await change(shop.context, operator, shop.tenant, endpoint.endpointId)
    await sweepDeliveries(shop.sweepContext)
    const statuses = new Map((await shop.deliveries()).map((delivery) => [delivery.id, delivery.status]))
    expect(statuses.get(id)).toBe('pending')
    statuses.delete(id)
    expect([...statuses.values()]).toEqual([statusOfWaiting])
  })
})
