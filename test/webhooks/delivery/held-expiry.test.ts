import { expect, test } from 'vitest'
import { deleteWebhookEndpoint } from '../../../src/access/delete-webhook-endpoint.ts'
import { disableWebhookEndpoint } from '../../../src/access/disable-webhook-endpoint.ts'
import { enableWebhookEndpoint } from '../../../src/access/enable-webhook-endpoint.ts'
import { toMs, toTimestamp } from '../../../src/base/clock.ts'
import { openProviders } from '../../../src/partners/payments/providers.ts'
import { rotatePartitions } from '../../../src/store/partitions/partitions.ts'
import { expireHeld, warnOfExpiry } from '../../../src/store/webhooks/held-expiry.ts'
import { createTasks } from '../../../src/worker/tasks.ts'
import { useDatabase } from '../../support/database.ts'
import { openShop, operator } from '../shop.ts'

const opened = useDatabase()

const msPerDay = 24 * 60 * 60 * 1000

/**
 * Opens a disabled webhook endpoint with two held deliveries. Returns the time at which the service deletes them: 35
 * days after the end of their month.
 */
async function owed() {
  const shop = await openShop(opened().database)
  const endpoint = await shop.addEndpoint('http://127.0.0.1:9/')
  const since = shop.now()
  await shop.emit()
  shop.clock.advance(1)
  await shop.emit()
  await disableWebhookEndpoint(shop.context, operator, shop.tenant, endpoint.endpointId)
  const made = new Date(since)
  const goneMs = Date.UTC(made.getUTCFullYear(), made.getUTCMonth() + 1) + 35 * msPerDay
  const warnings = async () =>
    (await shop.notifications()).filter(({ kind }) => kind === 'webhook_endpoint.held_expiring')
  return { shop, endpoint, since, goneMs, warnings }
}

test('if webhook deliveries wait for a disabled endpoint, the merchant is notified once, a week before they are deleted', async () => {
  const { endpoint, since, goneMs, warnings } = await owed()
  const { database } = opened()
  await warnOfExpiry(database, goneMs - 7 * msPerDay - 1)
  expect(await warnings()).toEqual([])
  for (const laterMs of [0, 1, msPerDay, 7 * msPerDay - 1])
    await warnOfExpiry(database, goneMs - 7 * msPerDay + laterMs)
  expect(await warnings()).toMatchObject([
    {
      endpointId: endpoint.endpointId,
      createdAt: toTimestamp(goneMs - 7 * msPerDay),
      data: { held: 2, since, expiresAt: toTimestamp(goneMs) },
    },
  ])
})

test('the merchant gets no expiry warning for waiting webhook deliveries if their endpoint was enabled again or deleted', async () => {
  const resumed = await owed()
  await enableWebhookEndpoint(resumed.shop.context, operator, resumed.shop.tenant, resumed.endpoint.endpointId)
  const deleted = await owed()
  await deleteWebhookEndpoint(deleted.shop.context, operator, deleted.shop.tenant, deleted.endpoint.endpointId)
  await warnOfExpiry(opened().database, resumed.goneMs - 1)
  expect(await resumed.warnings()).toEqual([])
  expect(await deleted.warnings()).toEqual([])
})

test('when webhook deliveries that wait for a disabled endpoint are deleted with their partition, the merchant is notified of their number', async () => {
  const { shop, endpoint, since, goneMs } = await owed()
  const { database } = opened()
  await expireHeld(database, goneMs - 1)
  expect(await shop.endpoint(endpoint)).toMatchObject({ held: 2 })
  await expireHeld(database, goneMs)
  expect(await shop.endpoint(endpoint)).toMatchObject({ held: 0 })
  const gone = { kind: 'webhook_endpoint.held_expired', endpointId: endpoint.endpointId }
  expect(await shop.notifications()).toMatchObject([
    { ...gone, createdAt: toTimestamp(goneMs), data: { held: 2, since } },
  ])
  const settle = `
    update webhook_deliveries set status = 'skipped', next_attempt_at = null, completed_at = now()
    where completed_at is null`
  await database.pool.query(settle)
  const { dropped } = await rotatePartitions(database.pool, goneMs)
  expect(dropped).toContain(`webhook_deliveries_${since.slice(0, 7).replace('-', '')}`)

  const stray = await owed()
  const { rows } = await database.pool.query('select distinct tableoid::regclass::text as name from webhook_deliveries')
  expect(rows).toContainEqual({ name: 'webhook_deliveries_default' })
  await expireHeld(database, stray.goneMs + msPerDay)
  expect(await stray.shop.notifications()).toMatchObject([{ ...gone, endpointId: stray.endpoint.endpointId }])
  expect(await stray.shop.endpoint(stray.endpoint)).toMatchObject({ held: 0 })
  // The merchant does not get a second notification about the same deleted deliveries.
  expect(await shop.notifications()).toHaveLength(1)
})

test('the hourly job that rotates partitions also notifies merchants of waiting webhook deliveries that will soon be deleted', async () => {
  const { shop, goneMs, warnings } = await owed()
  shop.clock.advance(goneMs - msPerDay - toMs(shop.now()))
  const providers = openProviders(shop.pumpContext.fetch, { urls: { paystack: 'http://127.0.0.1:9/' } })
  await createTasks({ ...shop.sweepContext, ...shop.context, providers }).rotate_partitions({})
  expect(await warnings()).toHaveLength(1)
})
