import { beforeAll, expect, test } from 'vitest'
import { parcelInputExample } from '../../../registry/logistics/parcel.ts'
import { dropoffInputExample, pickupInputExample } from '../../../registry/logistics/quote-example.ts'
import { events } from '../../../registry/webhooks/webhooks.ts'
import { trustSecret } from '../../../scripts/faults/outside-verifiers.ts'
import { createWebhookEndpoint } from '../../../src/access/create-webhook-endpoint.ts'
import { newId, randomCode } from '../../../src/base/ids.ts'
import { silentLog } from '../../../src/base/log.ts'
import { openSafeFetch } from '../../../src/outbound/safe-fetch.ts'
import { openSecretCache } from '../../../src/webhooks/open-secrets.ts'
import { standardRules } from '../../../src/webhooks/pace.ts'
import { type ReplyBody, useApi, vault } from '../../support/api.ts'
import { select } from '../../support/database-contents.ts'
import {
  attemptsOf,
  cancelShipment,
  getShipment,
  inOrder,
  openTestShop,
  ordersOf,
  parcelTo,
  pass,
  plainPhone,
  post,
} from '../../support/logistics/parcel-run.ts'
import { operator, type Shop } from '../../support/shop.ts'
import { openReceiver } from '../../webhooks/receiver.ts'
import { deliver, policy } from '../../webhooks/shop.ts'

const started = useApi()

let shop: Shop
beforeAll(async () => {
  shop = await openTestShop(started())
})

/**
 * Starts a webhook receiver that is subscribed to shipment.status_changed. `eventsOf` sends the due deliveries and
 * returns the events of a shipment.
 */
async function listen() {
  const api = started()
  const receiver = await openReceiver()
  const context = { ...api.context, policy, vault }
  const subscription = { url: receiver.url, kinds: ['shipment.status_changed'] as const }
  const outcome = await createWebhookEndpoint(context, operator, shop.tenant, subscription)
  if (outcome.is !== 'created') throw new Error(`The endpoint was rejected: ${outcome.is}.`)
  trustSecret(receiver.url, outcome.secret)
  const outbound = openSafeFetch(policy)
  const eventsOf = async (id: string): Promise<ReplyBody[]> => {
    const { database, clock } = api
    const rules = { ...standardRules, pacesMs: [] }
    const pump = { database, clock, log: silentLog, rules, fetch: outbound.fetch, openSecrets: openSecretCache(vault) }
    const workerId = newId('wrk', clock.nowMs())
    await deliver({ ...pump, workerId }, { merchantId: shop.merchantId, endpointId: outcome.id })
    return receiver.received
      .map(({ rawBody }): ReplyBody => JSON.parse(rawBody))
      .filter(({ data }) => data.shipmentId === id)
      .sort((a, b) => a.data.version - b.data.version)
  }
  return { eventsOf, close: () => outbound.close() }
}

test('each status change of a shipment is delivered once as a signed event with the old and the new status', async () => {
  const api = started()
  const { eventsOf, close } = await listen()
  const { body } = await post(api, shop, 'dispatch', parcelTo(plainPhone, inOrder(['simulator-swift'])))
  await pass(api, 300, 5)
  const all = await eventsOf(body.id)
  await close()
  // The service may miss a carrier status between two polls, so the number of status events varies.
  expect(all.length).toBeGreaterThanOrEqual(5)
  expect([all[0]?.data.from, all.at(-1)?.data.to]).toEqual(['dispatching', 'delivered'])
  all.slice(1).forEach(({ data }, index) => {
    expect(data.from).toBe(all[index].data.to)
  })
  expect(new Set(all.map(({ id }) => id)).size).toBe(all.length)
  for (const envelope of all) {
    expect(envelope).toMatchObject({ event: 'shipment.status_changed', mode: 'test' })
    expect(events['shipment.status_changed'].data.parse(envelope.data)).toEqual(envelope.data)
    expect(envelope.data).toMatchObject({ reference: body.reference, carrier: { code: 'simulator-swift' } })
  }
})

test('a shipment is delivered despite one carrier’s rejection and another’s lost response, and each new status emits an event', async () => {
  const api = started()
  const { eventsOf, close } = await listen()
  const track = (id: string) => api.send('GET', `/api/v1/logistics/shipments/${id}/track`, { token: shop.token })
  const carriers = ['simulator-steady', 'simulator-swift', 'simulator-saver'] as const
  // The first carrier rejects the dispatch attempt, and the response to the second attempt is lost.
  const dropoff = { ...dropoffInputExample, phone: '+2348035550120' }
  const quoted = await post(api, shop, 'quote', { pickup: pickupInputExample, dropoff, parcels: [parcelInputExample] })
  const offered = quoted.body.offers.map(({ carrier }: ReplyBody) => carrier)
  expect(new Set(offered)).toEqual(new Set(carriers))
  const { status, body } = await post(api, shop, 'dispatch', {
    reference: randomCode(12),
    quoteId: quoted.body.id,
    ...inOrder(carriers),
  })
  expect(status, JSON.stringify(body)).toBe(201)
  expect(attemptsOf(body)).toEqual([
    ['steady', 'refused', 'couriers_busy'],
    ['swift', 'accepted', 'accepted'],
  ])
  expect(await ordersOf(api, body.id)).toEqual([{ company: 'swift', isCancelled: false }])
  const seen = [(await track(body.id)).body]
  while (seen.at(-1).pollAfterSeconds > 0 && seen.length < 100) {
    await pass(api, 5)
    seen.push((await track(body.id)).body)
  }
  expect(seen.at(-1).status).toBe('delivered')
  expect(seen.some(({ position }) => position !== null)).toBe(true)
  const all = await eventsOf(body.id)
  await close()
  // Every status that a response to GET /track contained must also be in an event, in the same order.
  const reported = all.map(({ data }) => data.to)
  expect([all[0]?.data.from, reported[0], reported.at(-1)]).toEqual(['dispatching', 'awaiting_courier', 'delivered'])
  const distinct = seen.map((each) => each.status).filter((each, index, list) => each !== list[index - 1])
  expect(reported.filter((each) => distinct.includes(each))).toEqual(distinct)
  expect((await getShipment(api, shop, body.id)).body).toMatchObject({ exceptions: [], carrier: { code: carriers[1] } })
})

test('a cancellation of a shipment emits two events, however often it is requested', async () => {
  const api = started()
  const { eventsOf, close } = await listen()
  const { body } = await post(api, shop, 'dispatch', parcelTo(plainPhone, inOrder(['simulator-swift'])))
  for (let time = 0; time < 3; time++) await cancelShipment(api, shop, body.id)
  const all = await eventsOf(body.id)
  await close()
  expect(all.map(({ data }) => [data.from, data.to])).toEqual([
    ['dispatching', 'awaiting_courier'],
    ['awaiting_courier', 'cancelling'],
    ['cancelling', 'cancelled'],
  ])
  expect(all.at(-1)?.data.statusReason).toMatchObject({ code: 'cancelled_by_merchant' })
})

test('every status change of a shipment has an audit row with the old and the new status', async () => {
  const api = started()
  const { body } = await post(api, shop, 'dispatch', parcelTo(plainPhone, inOrder(['simulator-swift'])))
  await cancelShipment(api, shop, body.id)
  const rows = await select(
    api,
    `select action, changes -> 'status' as moved from audit_log
     where resource_id = $1 and changes ? 'status' order by action`,
    [body.id],
  )
  expect(rows).toEqual([
    { action: 'shipment.cancel', moved: ['awaiting_courier', 'cancelling'] },
    { action: 'shipment.confirm_cancellation', moved: ['cancelling', 'cancelled'] },
    { action: 'shipment.record_outcome', moved: ['dispatching', 'awaiting_courier'] },
  ])
})
