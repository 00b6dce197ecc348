import { describe, expect, test } from 'vitest'
import { createWebhookEndpoint } from '../../../src/access/create-webhook-endpoint.ts'
import { deleteWebhookEndpoint } from '../../../src/access/delete-webhook-endpoint.ts'
import { disableWebhookEndpoint } from '../../../src/access/disable-webhook-endpoint.ts'
import { enableWebhookEndpoint } from '../../../src/access/enable-webhook-endpoint.ts'
import { replayDelivery } from '../../../src/access/replay-delivery.ts'
import { sendTestEvent } from '../../../src/access/send-test-event.ts'
import { type EndpointChange, updateWebhookEndpoint } from '../../../src/access/update-webhook-endpoint.ts'
import { VaultError, vaultOf } from '../../../src/base/vault.ts'
import { claimDeliveries } from '../../../src/store/webhooks/delivery-claims.ts'
import type { EndpointKey } from '../../../src/store/webhooks/endpoints.ts'
import { sweep, sweepDeliveries } from '../../../src/worker/sweeper.ts'
import { useDatabase } from '../../support/database.ts'
import { openReceiver, status } from '../receiver.ts'
import { only, openShop, operator } from '../shop.ts'

const opened = useDatabase()

type Shop = Awaited<ReturnType<typeof openShop>>

function update(shop: Shop, { endpointId }: EndpointKey, change: Omit<EndpointChange, 'endpointId'>) {
  return updateWebhookEndpoint(shop.context, operator, shop.tenant, { endpointId, ...change })
}

function remove(shop: Shop, { endpointId }: EndpointKey) {
  return deleteWebhookEndpoint(shop.context, operator, shop.tenant, endpointId)
}

async function rowOf({ endpointId }: EndpointKey) {
  const { rows } = await opened().database.pool.query('select * from webhook_endpoints where id = $1', [endpointId])
  return rows[0]
}

async function countOf(table: 'webhook_secrets' | 'webhook_subscriptions', { endpointId }: EndpointKey) {
  const { pool } = opened().database
  return (await pool.query(`select 1 from ${table} where endpoint_id = $1`, [endpointId])).rows.length
}

describe('changing a webhook endpoint', () => {
  test('changing a webhook endpoint sends queued deliveries to the new URL, and records the URL without its query in the audit log', async () => {
    const shop = await openShop(opened().database)
    const [old, young] = [await openReceiver(), await openReceiver()]
    const endpoint = await shop.addEndpoint(`${old.url}?key=old`)
    await shop.emit()
    const url = `${young.url}?key=young`
    const outcome = await update(shop, endpoint, { url })
    expect(outcome).toMatchObject({ is: 'updated', url, kinds: ['inventory.low_stock'], description: '' })
    await shop.deliver(endpoint)
    expect([old.received.length, young.received.length]).toEqual([0, 1])
    expect(only(await shop.audits('webhook_endpoint.update'))).toMatchObject({
      resourceId: endpoint.endpointId,
      changes: { url: [`${old.url}?…`, `${young.url}?…`] },
    })
  })

  test.for([
    'http://10.0.0.1/',
    'https://169.254.169.254/latest',
    'ftp://example.com/',
    'https://user:pass@example.com/',
    'nonsense',
    `https://example.com/${'a'.repeat(2001)}`,
  ])('changing a webhook endpoint rejects the URL %s, as creating an endpoint does', async (url) => {
    const shop = await openShop(opened().database)
    const endpoint = await shop.addEndpoint('http://127.0.0.1:1/')
    expect(await update(shop, endpoint, { url })).toMatchObject({ is: 'url_refused' })
    expect(await shop.endpoint(endpoint)).toMatchObject({ url: 'http://127.0.0.1:1/' })
    expect(await shop.audits('webhook_endpoint.update')).toEqual([])
  })

  test('changing a webhook endpoint’s URL resets the failure count, and a failed attempt at the old URL that ends later is not counted', async () => {
    const shop = await openShop(opened().database)
    const receiver = await openReceiver(status(500))
    const endpoint = await shop.addEndpoint(receiver.url)
    for (let count = 0; count < 4; count++) {
      await shop.emit()
      await shop.deliver(endpoint)
    }
    const answers: (() => void)[] = []
    receiver.answer = (_, response) => answers.push(() => response.writeHead(500).end())
    await shop.emit()
    const delivering = shop.deliver(endpoint)
    await expect.poll(() => answers.length).toBe(1)
    expect(await rowOf(endpoint)).toMatchObject({ consecutive_failures: 4, epoch: 1 })
    await update(shop, endpoint, { url: `${receiver.url}/moved` })
    expect(await rowOf(endpoint)).toMatchObject({ consecutive_failures: 0, epoch: 2, paced_until: null })
    for (const answer of answers) answer()
    await delivering
    expect(await rowOf(endpoint)).toMatchObject({ consecutive_failures: 0 })
  })

  test('changing a disabled webhook endpoint keeps it disabled, with its failure count', async () => {
    const shop = await openShop(opened().database)
    const receiver = await openReceiver(status(500))
    const endpoint = await shop.addEndpoint(receiver.url)
    for (let count = 0; count < 6; count++) {
      await shop.emit()
      await shop.deliver(endpoint)
    }
    await update(shop, endpoint, { url: `${receiver.url}/moved` })
    expect(await shop.endpoint(endpoint)).toMatchObject({ status: 'disabled', consecutiveFailures: 6, held: 6 })
  })

  test('a change of a webhook endpoint’s event kinds applies to later events, and queued deliveries of other kinds are still sent', async () => {
    const shop = await openShop(opened().database)
    const receiver = await openReceiver()
    const endpoint = await shop.addEndpoint(receiver.url)
    await shop.emit()
    const kinds = ['order.refunded', 'order.created', 'order.created'] as const
    expect(await update(shop, endpoint, { kinds })).toMatchObject({ is: 'updated' })
    expect(await shop.endpoint(endpoint)).toMatchObject({ kinds: ['order.created', 'order.refunded'] })
    await shop.emit()
    await shop.deliver(endpoint)
    expect(receiver.received).toHaveLength(1)
    expect(await shop.deliveries()).toHaveLength(1)
    expect(only(await shop.audits('webhook_endpoint.update'))).toMatchObject({
      changes: { kinds: [['inventory.low_stock'], ['order.created', 'order.refunded']] },
    })
    expect(await update(shop, endpoint, { kinds: [] })).toEqual({ is: 'no_kinds' })
  })

  test('changing a webhook endpoint sets its description, and rejects a description that is too long', async () => {
    const shop = await openShop(opened().database)
    const endpoint = await shop.addEndpoint('http://127.0.0.1:1/')
    expect(await update(shop, endpoint, { description: 'Back office' })).toMatchObject({ is: 'updated' })
    expect(await shop.endpoint(endpoint)).toMatchObject({ description: 'Back office' })
    expect(await rowOf(endpoint)).toMatchObject({ epoch: 1 })
    expect(await update(shop, endpoint, { description: 'a'.repeat(121) })).toEqual({ is: 'description_too_long' })
    expect(await update(shop, endpoint, { description: '' })).toMatchObject({ is: 'updated', description: '' })
  })

  test('changing a webhook endpoint to its current values writes nothing, not even an audit row', async () => {
    const shop = await openShop(opened().database)
    const endpoint = await shop.addEndpoint('http://127.0.0.1:1/')
    const same = { url: 'http://127.0.0.1:1', kinds: ['inventory.low_stock'], description: '' } as const
    expect(await update(shop, endpoint, same)).toMatchObject({ is: 'unchanged', url: 'http://127.0.0.1:1/' })
    expect(await rowOf(endpoint)).toMatchObject({ epoch: 1 })
    expect(await shop.audits('webhook_endpoint.update')).toEqual([])
  })

  test('changing another merchant’s webhook endpoint returns the outcome `endpoint_unknown`', async () => {
    const [shop, other] = [await openShop(opened().database), await openShop(opened().database)]
    const endpoint = await shop.addEndpoint('http://127.0.0.1:1/')
    expect(await update(other, endpoint, { description: 'mine' })).toEqual({ is: 'endpoint_unknown' })
    expect(await remove(other, endpoint)).toEqual({ is: 'endpoint_unknown' })
  })
})

describe('deleting a webhook endpoint', () => {
  test('deleting a webhook endpoint deletes its secrets and subscriptions, ends queued deliveries, and keeps the history', async () => {
    const shop = await openShop(opened().database)
    const receiver = await openReceiver(status(500))
    const endpoint = await shop.addEndpoint(receiver.url)
    await shop.emit()
    await shop.deliver(endpoint)
    shop.clock.advance(1)
    await shop.emit()
    expect(await remove(shop, endpoint)).toEqual({ is: 'deleted', ended: 2 })
    expect(await rowOf(endpoint)).toMatchObject({ status: 'disabled', disabled_reason: 'deleted', epoch: 2 })
    expect(await countOf('webhook_secrets', endpoint)).toBe(0)
    expect(await countOf('webhook_subscriptions', endpoint)).toBe(0)
    // No attempt was made for the first delivery. One attempt was made for the second delivery, and it failed.
    expect(await shop.deliveries()).toMatchObject([
      { status: 'skipped', attemptCount: 0, nextAttemptAt: null, completedAt: shop.now() },
      { status: 'failed', attemptCount: 1, nextAttemptAt: null, completedAt: shop.now() },
    ])
    await shop.emit()
    expect(await shop.deliver(endpoint)).toEqual({ attempts: 0, nextDueAt: undefined })
    expect(await shop.deliveries()).toHaveLength(2)
    expect(only(await shop.audits('webhook_endpoint.delete'))).toMatchObject({
      resourceId: endpoint.endpointId,
      changes: { url: [receiver.url, null], endedDeliveries: [0, 2] },
    })
  })

  test('deleting a webhook endpoint ends its suspended deliveries', async () => {
    const shop = await openShop(opened().database)
    const endpoint = await shop.addEndpoint('http://127.0.0.1:1/')
    await shop.emit()
    await disableWebhookEndpoint(shop.context, operator, shop.tenant, endpoint.endpointId)
    expect(only(await shop.deliveries())).toMatchObject({ status: 'held' })
    expect(await remove(shop, endpoint)).toEqual({ is: 'deleted', ended: 1 })
    expect(only(await shop.deliveries())).toMatchObject({ status: 'skipped', completedAt: shop.now() })
  })

  test('after a webhook endpoint is deleted, a second deletion and all other operations on the endpoint return the outcome `unknown`', async () => {
    const shop = await openShop(opened().database)
    const endpoint = await shop.addEndpoint('http://127.0.0.1:1/')
    await shop.emit()
    const { id } = only(await shop.deliveries())
    await remove(shop, endpoint)
    const { endpointId } = endpoint
    const unknown = { is: 'endpoint_unknown' }
    expect(await remove(shop, endpoint)).toEqual(unknown)
    expect(await update(shop, endpoint, { description: 'back' })).toEqual(unknown)
    expect(await enableWebhookEndpoint(shop.context, operator, shop.tenant, endpointId)).toEqual(unknown)
    expect(await disableWebhookEndpoint(shop.context, operator, shop.tenant, endpointId)).toEqual(unknown)
    const sample = { endpointId, kind: 'order.created' } as const
    expect(await sendTestEvent(shop.context, operator, shop.tenant, sample)).toEqual(unknown)
    expect(await replayDelivery(shop.context, operator, shop.tenant, id)).toEqual({ is: 'endpoint_deleted' })
    await expect(shop.endpoint(endpoint)).rejects.toThrow('gone')
  })

  test('deleting a webhook endpoint lets delivery attempts in flight finish, and retries none of them', async () => {
    const shop = await openShop(opened().database)
    const answers: ((code: number) => void)[] = []
    const receiver = await openReceiver((_, response) => answers.push((code) => response.writeHead(code).end()))
    const endpoint = await shop.addEndpoint(receiver.url)
    for (let count = 0; count < 8; count++) await shop.emit()
    const delivering = shop.deliver(endpoint)
    await expect.poll(() => answers.length).toBe(4)
    expect(await remove(shop, endpoint)).toEqual({ is: 'deleted', ended: 4 })
    for (const [index, answer] of answers.entries()) answer(index % 2 === 0 ? 200 : 500)
    expect(await delivering).toEqual({ attempts: 4, nextDueAt: undefined })
    const deliveries = await shop.deliveries()
    expect(deliveries.map(({ status }) => status).sort()).toEqual([
      ...['failed', 'failed', 'skipped', 'skipped', 'skipped', 'skipped', 'succeeded', 'succeeded'],
    ])
    expect(deliveries.every(({ nextAttemptAt, completedAt }) => nextAttemptAt === null && completedAt !== null)).toBe(
      true,
    )
    await sweepDeliveries(shop.sweepContext)
    expect(await shop.deliver(endpoint)).toEqual({ attempts: 0, nextDueAt: undefined })
    expect(receiver.received).toHaveLength(4)
    expect(await rowOf(endpoint)).toMatchObject({ consecutive_failures: 0 })
  })

  test('sweeps skip the deliveries of a deleted webhook endpoint, including deliveries that a killed worker has leased and deliveries that were committed after the deletion', async () => {
    const { database } = opened()
    const shop = await openShop(database)
    // The test's events are emitted before the webhook endpoint exists, so they have no delivery yet.
    await shop.emit()
    await shop.emit()
    shop.clock.advance(1)
    const endpoint = await shop.addEndpoint('http://127.0.0.1:1/')
    await shop.emit()
    const { merchantId, endpointId } = endpoint
    const caps = { room: 1, merchantCap: 1, endpointCap: 1 }
    const lanes = [{ merchantId, endpointId }]
    const claimed = await claimDeliveries(database, { lanes, workerId: 'wrk_killed', now: shop.now(), ...caps })
    expect(claimed.lanes.flatMap(({ deliveries }) => deliveries)).toHaveLength(1)
    await remove(shop, endpoint)
    await database.pool.query(
      `insert into webhook_deliveries (
         merchant_id, id, event_id, endpoint_id, status, next_attempt_at, created_at
       )
       select
         merchant_id, 'dlv_late' || number, id, $1,
         case number when 1 then 'pending' else 'held' end,
         case number when 1 then created_at end,
         created_at
       from (
         select *, row_number() over (order by id) as number
         from webhook_events
         where merchant_id = $2
         order by id
         limit 2
       ) early`,
      [endpointId, merchantId],
    )
    shop.clock.advance(30_001)
    await sweep(shop.sweepContext)
    await sweepDeliveries(shop.sweepContext)
    const ended = { status: 'skipped', nextAttemptAt: null, completedAt: shop.now() }
    expect(await shop.deliveries()).toMatchObject([ended, ended, ended])
  })
})

describe('the limit of sixteen webhook endpoints per merchant', () => {
  const create = (shop: Shop, description?: string) =>
    createWebhookEndpoint(shop.context, operator, shop.tenant, {
      url: 'http://127.0.0.1:1/',
      kinds: ['order.created'],
      description,
    })

  test('concurrent creations do not exceed sixteen webhook endpoints of a merchant, and a deletion permits another endpoint', async () => {
    const shop = await openShop(opened().database)
    const other = await openShop(opened().database)
    const outcomes = await Promise.all(Array.from({ length: 20 }, () => create(shop)))
    expect(outcomes.filter(({ is }) => is === 'created')).toHaveLength(16)
    expect(outcomes.filter(({ is }) => is === 'too_many_endpoints')).toHaveLength(4)
    expect(await shop.audits('webhook_endpoint.create')).toHaveLength(16)
    expect(await create(other)).toMatchObject({ is: 'created' })
    const [first] = outcomes
    if (first?.is !== 'created') throw new Error('The first of twenty is created.')
    await deleteWebhookEndpoint(shop.context, operator, shop.tenant, first.id)
    const [one, two] = await Promise.all([create(shop), create(shop)])
    expect([one.is, two.is].sort()).toEqual(['created', 'too_many_endpoints'])
  })

  test('creating webhook endpoints does not block the merchant’s orders', async () => {
    const shop = await openShop(opened().database)
    await Promise.all([create(shop), shop.emit(), create(shop), shop.emit()])
    expect(await shop.audits('inventory.adjust')).toHaveLength(2)
  })

  test('webhook endpoints have descriptions of at most 120 characters', async () => {
    const shop = await openShop(opened().database)
    expect(await create(shop, 'a'.repeat(121))).toEqual({ is: 'description_too_long' })
    expect(await create(shop, 'a'.repeat(120))).toMatchObject({ is: 'created' })
  })

  test('webhook endpoints cannot be created without an encryption key for their secrets', async () => {
    const shop = await openShop(opened().database)
    const keyless = { ...shop, context: { ...shop.context, vault: vaultOf([]) } }
    await expect(create(keyless)).rejects.toThrow(VaultError)
    expect(await shop.audits('webhook_endpoint.create')).toEqual([])
  })
})
