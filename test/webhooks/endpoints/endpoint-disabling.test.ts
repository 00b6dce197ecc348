import { expect, test } from 'vitest'
import { disableWebhookEndpoint } from '../../../src/access/disable-webhook-endpoint.ts'
import { enableWebhookEndpoint } from '../../../src/access/enable-webhook-endpoint.ts'
import { sweepDeliveries } from '../../../src/worker/sweeper.ts'
import { useDatabase } from '../../support/database.ts'
import { openReceiver, status } from '../receiver.ts'
import { only, openShop, operator } from '../shop.ts'

const opened = useDatabase()
const minute = 60_000

/**
 * Opens a webhook endpoint that six failures have just disabled. It has eight queued deliveries, two of which were
 * never attempted.
 */
async function disabledEndpoint() {
  const shop = await openShop(opened().database)
  const receiver = await openReceiver(status(500))
  const endpoint = await shop.addEndpoint(receiver.url)
  for (let count = 0; count < 8; count++) await shop.emit()
  await shop.deliver(endpoint)
  return { shop, receiver, endpoint }
}

test('six failures in a row disable a webhook endpoint, suspend its queued deliveries, and notify the merchant once', async () => {
  const { shop, receiver, endpoint } = await disabledEndpoint()
  expect(receiver.received).toHaveLength(6)
  expect(await shop.endpoint(endpoint)).toMatchObject({
    status: 'disabled',
    disabledReason: 'consecutive_failures',
    disabledAt: shop.now(),
    consecutiveFailures: 6,
    held: 8,
  })
  const deliveries = await shop.deliveries()
  expect(deliveries.map((delivery) => delivery.status)).toEqual(Array(8).fill('held'))
  // The two notifications have the same time, so the test distinguishes them by their kind.
  const notifications = await shop.notifications()
  const [disabling, warning, ...others] = notifications.toSorted((one, other) => (one.kind < other.kind ? -1 : 1))
  expect(disabling).toMatchObject({
    kind: 'webhook_endpoint.disabled',
    endpointId: endpoint.endpointId,
    data: { reason: 'consecutive_failures', consecutiveFailures: 6 },
  })
  expect(warning).toMatchObject({ kind: 'webhook_endpoint.failing', data: { consecutiveFailures: 3 } })
  expect(others).toEqual([])
  expect(only(await shop.audits('webhook_endpoint.disable'))).toMatchObject({
    actorType: 'system',
    actorLabel: 'worker',
    resourceId: endpoint.endpointId,
    sourceIp: null,
  })
})

test('when the sixth attempt to deliver one event fails, the endpoint is disabled, and the retry after 24 h waits until the endpoint is enabled', async () => {
  const shop = await openShop(opened().database)
  const receiver = await openReceiver(status(500))
  const endpoint = await shop.addEndpoint(receiver.url)
  await shop.emit()
  for (const minutes of [0, 1, 5, 30, 2 * 60, 12 * 60]) {
    shop.clock.advance(minutes * minute)
    await shop.deliver(endpoint)
  }
  expect(only(await shop.deliveries())).toMatchObject({ status: 'held', attemptCount: 6 })
  shop.clock.advance(minute)
  await enableWebhookEndpoint(shop.context, operator, shop.tenant, endpoint.endpointId)
  expect(only(await shop.deliveries())).toMatchObject({
    status: 'failed',
    nextAttemptAt: new Date(shop.clock.nowMs() - minute + 24 * 60 * minute).toISOString(),
  })
})

test('a successful delivery resets the failure count of a webhook endpoint', async () => {
  const shop = await openShop(opened().database)
  const receiver = await openReceiver(status(500))
  const endpoint = await shop.addEndpoint(receiver.url)
  for (let count = 0; count < 5; count++) {
    await shop.emit()
    await shop.deliver(endpoint)
  }
  expect(await shop.endpoint(endpoint)).toMatchObject({ consecutiveFailures: 5 })
  receiver.answer = status(200)
  await shop.emit()
  await shop.deliver(endpoint)
  expect(await shop.endpoint(endpoint)).toMatchObject({ status: 'enabled', consecutiveFailures: 0 })
})

test('a disabled webhook endpoint gets no deliveries, and its deliveries of new events are marked as skipped', async () => {
  const { shop, receiver, endpoint } = await disabledEndpoint()
  shop.clock.advance(60 * minute)
  await shop.emit()
  expect(await shop.deliver(endpoint)).toEqual({ attempts: 0, nextDueAt: undefined })
  expect(receiver.received).toHaveLength(6)
  expect((await shop.deliveries())[0]).toMatchObject({ status: 'skipped' })
})

test('enabling a webhook endpoint resumes its suspended deliveries with the same event ids, and resets its failure count to zero', async () => {
  const { shop, receiver, endpoint } = await disabledEndpoint()
  const failedIds = receiver.received.map(({ headers }) => headers['webhook-id'])
  receiver.received.length = 0
  receiver.answer = status(200)
  expect(await enableWebhookEndpoint(shop.context, operator, shop.tenant, endpoint.endpointId)).toEqual({
    is: 'enabled',
    resumed: 8,
    skipped: 0,
    replay: { is: 'not_requested' },
  })
  expect(shop.nudged.at(-1)).toBe(endpoint.endpointId)
  expect(await shop.endpoint(endpoint)).toMatchObject({ status: 'enabled', consecutiveFailures: 0, held: 0 })
  // The two deliveries that were never attempted are due now. The other six deliveries are retried at their earlier
  // scheduled times.
  expect(await shop.deliver(endpoint)).toMatchObject({ attempts: 2 })
  shop.clock.advance(minute)
  expect(await shop.deliver(endpoint)).toMatchObject({ attempts: 6 })
  const resumedIds = receiver.received.map(({ headers }) => headers['webhook-id'])
  expect(resumedIds.slice(2).sort()).toEqual([...failedIds].sort())
  expect((await shop.deliveries()).every((delivery) => delivery.status === 'succeeded')).toBe(true)
  expect(await shop.audits('webhook_endpoint.enable')).toHaveLength(1)
})

test('after a webhook endpoint is enabled, retries whose scheduled time passed while the endpoint was disabled are due at once', async () => {
  const { shop, endpoint } = await disabledEndpoint()
  shop.clock.advance(24 * 60 * minute)
  await enableWebhookEndpoint(shop.context, operator, shop.tenant, endpoint.endpointId)
  const due = (await shop.deliveries()).map(({ nextAttemptAt }) => nextAttemptAt)
  expect(new Set(due)).toEqual(new Set([shop.now()]))
})

test('after a webhook endpoint is enabled again, six more failures disable it and notify the merchant again', async () => {
  const { shop, endpoint } = await disabledEndpoint()
  await enableWebhookEndpoint(shop.context, operator, shop.tenant, endpoint.endpointId)
  shop.clock.advance(minute)
  await shop.deliver(endpoint)
  expect(await shop.endpoint(endpoint)).toMatchObject({ status: 'disabled', consecutiveFailures: 6 })
  const kinds = (await shop.notifications()).map(({ kind }) => kind)
  expect(kinds.filter((kind) => kind === 'webhook_endpoint.disabled')).toHaveLength(2)
})

test('disabling a webhook endpoint manually suspends its deliveries, and a repeated request to disable or enable it changes nothing', async () => {
  const shop = await openShop(opened().database)
  const receiver = await openReceiver()
  const endpoint = await shop.addEndpoint(receiver.url)
  await shop.emit()
  const disable = () => disableWebhookEndpoint(shop.context, operator, shop.tenant, endpoint.endpointId)
  const enable = () => enableWebhookEndpoint(shop.context, operator, shop.tenant, endpoint.endpointId)
  expect(await disable()).toEqual({ is: 'disabled', held: 1 })
  expect(await disable()).toEqual({ is: 'unchanged' })
  expect(await shop.deliver(endpoint)).toMatchObject({ attempts: 0 })
  expect(await enable()).toMatchObject({ is: 'enabled', resumed: 1 })
  expect(await enable()).toEqual({ is: 'unchanged' })
  expect(await shop.deliver(endpoint)).toMatchObject({ attempts: 1 })
  expect(await shop.audits('webhook_endpoint.disable')).toHaveLength(1)
  expect(await shop.notifications()).toEqual([])
})

test('disabling or enabling another merchant’s webhook endpoint returns the outcome `endpoint_unknown`', async () => {
  const shop = await openShop(opened().database)
  const other = await openShop(opened().database)
  const { endpointId } = await other.addEndpoint('http://127.0.0.1:1/')
  expect(await disableWebhookEndpoint(shop.context, operator, shop.tenant, endpointId)).toEqual({
    is: 'endpoint_unknown',
  })
  expect(await enableWebhookEndpoint(shop.context, operator, shop.tenant, endpointId)).toEqual({
    is: 'endpoint_unknown',
  })
  expect(await shop.audits('webhook_endpoint.disable')).toEqual([])
})

test('if a delivery attempt started before its endpoint was enabled again, the attempt leaves the failure count unchanged', async () => {
  const { shop, endpoint, receiver } = await disabledEndpoint()
  await enableWebhookEndpoint(shop.context, operator, shop.tenant, endpoint.endpointId)
  const held: (() => void)[] = []
  receiver.answer = (_, response) => held.push(() => response.writeHead(500).end())
  const delivering = shop.deliver(endpoint)
  await expect.poll(() => held.length).toBeGreaterThan(0)
  await disableWebhookEndpoint(shop.context, operator, shop.tenant, endpoint.endpointId)
  await enableWebhookEndpoint(shop.context, operator, shop.tenant, endpoint.endpointId)
  receiver.answer = status(200)
  for (const answer of held) answer()
  await delivering
  expect(await shop.endpoint(endpoint)).toMatchObject({ status: 'enabled', consecutiveFailures: 0 })
})

test('the merchant is notified at most once a day of a receiver that keeps failing and recovering', async () => {
  const shop = await openShop(opened().database)
  const receiver = await openReceiver()
  const endpoint = await shop.addEndpoint(receiver.url)
  const fail = async (times: number) => {
    receiver.answer = status(500)
    for (let count = 0; count < times; count++) {
      await shop.emit()
      await shop.deliver(endpoint)
    }
    receiver.answer = status(200)
    await shop.emit()
    shop.clock.advance(minute)
    await shop.deliver(endpoint)
  }
  for (let round = 0; round < 3; round++) await fail(3)
  expect(await shop.notifications()).toMatchObject([{ kind: 'webhook_endpoint.failing' }])
  shop.clock.advance(24 * 60 * minute)
  await fail(3)
  expect(await shop.notifications()).toHaveLength(2)
})

test('sweeps suspend and resume all deliveries of an endpoint, oldest first, even if they do not fit into one transaction', async () => {
  const { database } = opened()
  const shop = await openShop(database)
  const endpoint = await shop.addEndpoint('http://127.0.0.1:1/')
  const { merchantId, endpointId } = endpoint
  const counted = async (condition: string) => {
    const { rows } = await database.pool.query(
      `select count(*)::integer as count from webhook_deliveries where endpoint_id = $1 and ${condition}`,
      [endpointId],
    )
    return rows[0].count
  }
  await database.pool.query(
    `insert into webhook_deliveries (merchant_id, id, event_id, endpoint_id, status, next_attempt_at, created_at)
     select $1, 'dlv_' || lpad(number::text, 26, '0'), 'evt_1', $2, 'pending', $3, $3
     from generate_series(1, 5100) as number`,
    [merchantId, endpointId, shop.now()],
  )
  expect(await disableWebhookEndpoint(shop.context, operator, shop.tenant, endpointId)).toMatchObject({ held: 5000 })
  expect(await counted("status = 'pending'")).toBe(100)
  await sweepDeliveries(shop.sweepContext)
  expect(await counted("status = 'held'")).toBe(5100)
  const enabled = await enableWebhookEndpoint(shop.context, operator, shop.tenant, endpointId)
  expect(enabled).toMatchObject({ is: 'enabled', resumed: 5100 })
  expect(await counted("status = 'held' and id <= 'dlv_' || lpad('5000', 26, '0')")).toBe(0)
  expect(await counted("status = 'held'")).toBe(100)
  await sweepDeliveries(shop.sweepContext)
  expect(await counted("status = 'pending' and next_attempt_at is not null")).toBe(5100)
})
