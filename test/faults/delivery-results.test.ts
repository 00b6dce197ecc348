import { expect, onTestFinished, test } from 'vitest'
import { claimDeliveries } from '../../src/store/webhooks/delivery-claims.ts'
import type { EndpointKey } from '../../src/store/webhooks/endpoints.ts'
import { attemptDelivery } from '../../src/webhooks/attempt.ts'
import { openRecorder } from '../../src/webhooks/recorder.ts'
import { sweep } from '../../src/worker/sweeper.ts'
import { asOwner, useDatabase } from '../support/database.ts'
import { untilWaiting, whileLocked } from '../support/database-locks.ts'
import { openReceiver } from '../webhooks/receiver.ts'
import { deliver, only, openShop } from '../webhooks/shop.ts'

const opened = useDatabase()
const day = 24 * 60 * 60_000

/** Makes the database reject the given number of writes to the history of one delivery. */
async function refuseAttempts(deliveryId: string, code: string, times: number, message = 'refused'): Promise<void> {
  const name = `refusal_${deliveryId}`
  await asOwner(
    opened(),
    `create sequence ${name};
    grant usage on sequence ${name} to public;
    create function ${name}() returns trigger language plpgsql as $$
    begin
      if new.delivery_id = '${deliveryId}' and nextval('${name}') <= ${times} then
        raise exception '${message}' using errcode = '${code}';
      end if;
      return new;
    end $$;
    create trigger ${name} before insert on webhook_attempts for each row execute function ${name}();`,
  )
}

/**
 * Starts a webhook receiver that responds to all requests at the same time, so that the worker writes the results of
 * all these deliveries together.
 */
async function openGatheringReceiver(count: number) {
  const waiting: (() => void)[] = []
  return openReceiver((_, response) => {
    waiting.push(() => response.end())
    if (waiting.length === count) for (const answer of waiting.splice(0)) answer()
  })
}

const statuses = async (shop: Awaited<ReturnType<typeof openShop>>) =>
  (await shop.deliveries())
    .map(({ status, nextAttemptAt }) => `${status}${nextAttemptAt === null ? '' : ', due'}`)
    .sort()

test('a webhook delivery result that cannot be written to the database does not affect the other results of its batch', async () => {
  const shop = await openShop(opened().database)
  const endpoint = await shop.addEndpoint((await openGatheringReceiver(4)).url)
  for (let count = 0; count < 4; count++) await shop.emit()
  const [refused] = await shop.deliveries()
  await refuseAttempts(refused?.id ?? '', '23514', 10)
  await shop.deliver(endpoint)
  expect(await statuses(shop)).toEqual(['pending', 'succeeded', 'succeeded', 'succeeded'])
})

test('on a distributed database, a delivery result that violates a constraint of its node does not affect the other results of its batch', async () => {
  const { database } = opened()
  onTestFinished(() => database.reachability.set({ reachable: [], unreachable: [], nodes: [] }))
  database.reachability.set({ reachable: [], unreachable: [], nodes: [] })
  const shop = await openShop(database)
  const endpoint = await shop.addEndpoint((await openGatheringReceiver(4)).url)
  for (let count = 0; count < 4; count++) await shop.emit()
  const [refused] = await shop.deliveries()
  const violation =
    'new row for relation "webhook_attempts_103614" violates check constraint "attempt_outcome_is_known"'
  await refuseAttempts(refused?.id ?? '', 'XX000', 10, violation)
  await shop.deliver(endpoint)
  expect(await statuses(shop)).toEqual(['pending', 'succeeded', 'succeeded', 'succeeded'])
})

test.each([
  ['a lock timeout', '55P03'],
  ['a cancelled statement', '57014'],
])('a webhook delivery result is written to the database after %s, without another delivery attempt', async (_, code) => {
  const shop = await openShop(opened().database)
  const receiver = await openReceiver()
  const endpoint = await shop.addEndpoint(receiver.url)
  await shop.emit()
  await refuseAttempts(only(await shop.deliveries()).id, code, 1)
  await shop.deliver(endpoint)
  expect(await statuses(shop)).toEqual(['succeeded'])
  expect(receiver.received).toHaveLength(1)
})

async function claimAndDie(shop: Awaited<ReturnType<typeof openShop>>, { merchantId, endpointId }: EndpointKey) {
  const caps = { room: 9, merchantCap: 9, endpointCap: 9 }
  await claimDeliveries(opened().database, {
    lanes: [{ merchantId, endpointId }],
    workerId: 'wrk_killed',
    now: shop.now(),
    ...caps,
  })
}

test('the periodic sweep releases a dead worker’s leases of webhook deliveries even when no process ran for a month', async () => {
  const shop = await openShop(opened().database)
  const endpoint = await shop.addEndpoint((await openReceiver()).url)
  await shop.emit()
  await claimAndDie(shop, endpoint)
  shop.clock.advance(30 * day)
  await sweep(shop.sweepContext)
  expect(await shop.deliver(endpoint)).toMatchObject({ attempts: 1 })
})

test('a webhook delivery lease that cannot be released affects neither the other leases nor the rest of the periodic sweep', async () => {
  const shop = await openShop(opened().database)
  const endpoint = await shop.addEndpoint((await openReceiver()).url)
  const other = await shop.addEndpoint((await openReceiver()).url)
  for (let count = 0; count < 2; count++) await shop.emit()
  await claimAndDie(shop, endpoint)
  await claimAndDie(shop, other)
  const [leased] = (await shop.deliveries()).filter(({ endpointId }) => endpointId === endpoint.endpointId)
  await refuseAttempts(leased?.id ?? '', '23514', 10)
  shop.clock.advance(31_000)
  expect(await sweep(shop.sweepContext)).toBe(true)
  expect(await shop.deliver(endpoint)).toMatchObject({ attempts: 1 })
  expect(await shop.deliver(other)).toMatchObject({ attempts: 2 })
})

test('a worker that was suspended after claiming webhook deliveries leaves the deliveries to the worker that has since claimed them', async () => {
  const shop = await openShop(opened().database)
  const receiver = await openReceiver()
  const endpoint = await shop.addEndpoint(receiver.url)
  await shop.emit()
  const suspend = async () => {
    shop.clock.advance(31_000)
    await sweep(shop.sweepContext)
    await deliver({ ...shop.pumpContext, workerId: 'wrk_other' }, endpoint)
  }
  let suspensions = 1
  const reach = async (point: string) => {
    if (point === 'claim_committed' && suspensions-- > 0) await suspend()
  }
  await deliver({ ...shop.pumpContext, reach }, endpoint)
  expect(receiver.received).toHaveLength(1)
  expect(await statuses(shop)).toEqual(['succeeded'])
})

test('a webhook delivery during which three workers in a row died is postponed; other deliveries to its endpoint continue', async () => {
  const shop = await openShop(opened().database)
  const endpoint = await shop.addEndpoint((await openReceiver()).url)
  await shop.emit()
  for (let death = 1; death <= 3; death++) {
    expect(await statuses(shop)).toEqual(['pending, due'])
    await claimAndDie(shop, endpoint)
    shop.clock.advance(31_000)
    await sweep(shop.sweepContext)
  }
  await shop.emit()
  expect(await shop.deliver(endpoint)).toMatchObject({ attempts: 1 })
  expect(await statuses(shop)).toEqual(['pending, due', 'succeeded'])
  shop.clock.advance(60 * 60_000)
  expect(await shop.deliver(endpoint)).toMatchObject({ attempts: 1 })
  expect(await statuses(shop)).toEqual(['succeeded', 'succeeded'])
  expect(await shop.endpoint(endpoint)).toMatchObject({ status: 'enabled', consecutiveFailures: 0 })
})

test('a worker’s claim on webhook deliveries is released at once when the database did not confirm the commit of the claim', async () => {
  const shop = await openShop(opened().database)
  const receiver = await openReceiver()
  const endpoint = await shop.addEndpoint(receiver.url)
  for (let count = 0; count < 6; count++) await shop.emit()
  let breaks = 1
  const reach = async (point: string) => {
    if (point === 'claim_committed' && breaks-- > 0) throw new Error('The connection broke in a commit.')
  }
  await deliver({ ...shop.pumpContext, reach }, endpoint)
  expect(await statuses(shop)).toEqual(Array(6).fill('succeeded'))
  expect(receiver.received).toHaveLength(6)
  const numbers = await Promise.all((await shop.deliveries()).map(async ({ id }) => (await shop.attempts(id)).length))
  expect(numbers.sort()).toEqual([1, 1, 2, 2, 2, 2])
})

test('on a distributed database, a webhook delivery result that waits for one node does not delay the results of another node', async () => {
  const { database } = opened()
  const claimOne = async (name: string) => {
    const shop = await openShop(database)
    const { merchantId, endpointId } = await shop.addEndpoint((await openReceiver()).url)
    await shop.emit()
    const lanes = [{ merchantId, endpointId }]
    const request = { lanes, workerId: 'wrk_one', now: shop.now(), room: 9, merchantCap: 9, endpointCap: 9 }
    const claimed = await claimDeliveries(database, request)
    const delivery = only(claimed.lanes.flatMap(({ deliveries }) => deliveries))
    return { shop, name, merchants: [merchantId], result: await attemptDelivery(shop.pumpContext, delivery) }
  }
  const nodes = [await claimOne('one'), await claimOne('other')] as const
  onTestFinished(() => database.reachability.set({ reachable: [], unreachable: [], nodes: [] }))
  database.reachability.set({ reachable: [], unreachable: [], nodes })
  const [slow, other] = nodes
  const recorder = openRecorder(slow.shop.pumpContext)
  const lock = { text: 'select from webhook_leases where merchant_id = $1 for update', values: slow.merchants }
  const recording = await whileLocked(opened(), lock, async () => {
    const waiting = recorder.record(slow.result)
    await untilWaiting(opened(), 1)
    await recorder.record(other.result)
    expect(await statuses(other.shop)).toEqual(['succeeded'])
    return { waiting }
  })
  await recording.waiting
  expect(await statuses(slow.shop)).toEqual(['succeeded'])
})
