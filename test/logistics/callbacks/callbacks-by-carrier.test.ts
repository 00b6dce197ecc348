import { describe, expect, test } from 'vitest'
import type { ConnectableCarrier } from '../../../registry/values/carriers.ts'
import type { RawCallback } from '../../../src/partners/carriers/carrier.ts'
import { orderAt } from '../../support/commerce/order-transitions.ts'
import { select } from '../../support/database-contents.ts'
import {
  expectActionable,
  type LiveBenches,
  type LiveRun,
  openLive,
  useLiveApi,
} from '../../support/logistics/live-run.ts'

/**
 * Tests the callbacks of each real carrier, up to the delivery. Each callback has the carrier's signature, and is sent
 * to the URL of the carrier account.
 */

const started = useLiveApi()

/** For each carrier, a function that sends a callback with a carrier status of the latest order. */
const callbackOf: {
  readonly [Code in ConnectableCarrier]: (bench: LiveBenches[Code], carrierStatus: string) => RawCallback
} = {
  chowdeck: ({ server }, carrierStatus) => {
    const [delivery] = server.deliveries
    return server.callback(carrierStatus, { id: delivery?.id, reference: delivery?.reference })
  },
  fez: ({ server }, carrierStatus) =>
    server.signedCallback(carrierStatus, `since ${encodeURIComponent(carrierStatus.toWellFormed())}`),
  shipbubble: ({ server }, carrierStatus) =>
    server.callback('shipment.status.changed', { order_id: server.orders[0]?.orderId, status: carrierStatus }),
}

/** The raw statuses of each carrier, from the assignment of a rider to the delivery. */
const ways = {
  chowdeck: ['ORDER_ASSIGNED', 'ORDER_PICKED_UP', 'ORDER_ARRIVED_AT_CUSTOMER_LOCATION', 'ORDER_COMPLETE'],
  fez: ['Assigned To A Rider', 'Picked-Up', 'Enroute To Last Mile Hub', 'Delivered'],
  shipbubble: ['confirmed', 'picked_up', 'in_transit', 'completed'],
} as const

async function open<Code extends ConnectableCarrier>(code: Code) {
  const run: LiveRun<Code> = await openLive(started(), code)
  const order = await orderAt(started(), run.shop, 'processing')
  const failover = { strategy: 'preferred', carriers: [code] }
  const { status, body } = await run.dispatch({ orderId: order.id, failover })
  expect(status, JSON.stringify(body)).toBe(201)
  return {
    run,
    id: String(body.id),
    raw: (carrierStatus: string) => callbackOf[code](run.benches[code], carrierStatus),
    sendStatus: (carrierStatus: string) => run.sendCallback(code, callbackOf[code](run.benches[code], carrierStatus)),
    statuses: async () => [(await expectActionable(run, body.id)).status, (await order.read()).status],
    kept: async () =>
      (await select(started(), 'select id from carrier_callbacks where merchant_id = $1', [run.shop.merchantId]))
        .length,
  }
}

const codes = ['chowdeck', 'fez', 'shipbubble'] as const

describe.each(codes)('callbacks of %s', (code) => {
  test('the shipment and its order become delivered when the signed carrier callbacks arrive in order', async () => {
    const { sendStatus, statuses } = await open(code)
    const [first, fetched, moving, done] = ways[code]
    expect((await sendStatus(first)).status).toBe(200)
    expect((await statuses())[1]).toBe('processing')
    await sendStatus(fetched)
    expect(await statuses()).toEqual(['picked_up', 'shipped'])
    await sendStatus(moving)
    await sendStatus(done)
    expect(await statuses()).toEqual(['delivered', 'delivered'])
  })

  test('the shipment also becomes delivered when the signed carrier callbacks arrive out of order and repeatedly', async () => {
    const { sendStatus, statuses, kept } = await open(code)
    const [first, fetched, moving, done] = ways[code]
    for (const carrierStatus of [
      fetched,
      first,
      done,
      moving,
      done,
      fetched,
      ...Array.from({ length: 20 }, () => done),
    ]) {
      expect((await sendStatus(carrierStatus)).status).toBe(200)
    }
    expect(await statuses()).toEqual(['delivered', 'delivered'])
    expect(await kept()).toBe(4)
  })

  test.for([
    ['NUL', '\0'],
    ['half of an emoji', '\ud83d'],
  ] as const)('a carrier callback whose status contains %s, which cannot be stored, is accepted, and the next callback is applied', async ([
    ,
    character,
  ]) => {
    const { sendStatus, statuses, kept } = await open(code)
    expect((await sendStatus(`On the way ${character}`)).status).toBe(200)
    expect((await sendStatus(ways[code][1])).status).toBe(200)
    expect([await statuses(), await kept()]).toEqual([['picked_up', 'shipped'], 2])
  })

  test('a carrier callback with a wrong signature is rejected, and nothing is stored', async () => {
    const { run, raw, statuses, kept } = await open(code)
    const { body, headers } = raw(ways[code][3])
    const forged = Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name, name.includes('signature') ? 'ab'.repeat(32) : value]),
    )
    expect((await run.sendCallback(code, { body, headers: forged })).status).toBe(401)
    expect([await statuses(), await kept()]).toEqual([['awaiting_courier', 'processing'], 0])
  })

  test('an unsigned carrier callback changes no shipment status', async () => {
    const { run, id, raw, statuses } = await open(code)
    const { body } = raw(ways[code][3])
    // According to Fez's documentation, Fez does not sign callbacks. A callback therefore only triggers a poll.
    expect((await run.sendCallback(code, { body, headers: {} })).status).toBe(code === 'fez' ? 200 : 401)
    expect(await statuses()).toEqual(['awaiting_courier', 'processing'])
    run.benches[code].pickUp()
    await run.sendCallback(code, { body: Buffer.from(` ${Buffer.from(body).toString()}`), headers: {} })
    await run.pass(5, 5)
    const heard = (await run.read(id)).body.status
    expect(heard).toBe(code === 'fez' ? 'picked_up' : 'awaiting_courier')
  })
})

test('a Chowdeck callback without a configured secret triggers a poll of Chowdeck', async () => {
  const { run, sendStatus, statuses } = await open('chowdeck')
  await run.connect('chowdeck', { apiKey: run.benches.chowdeck.server.apiKey })
  run.benches.chowdeck.pickUp()
  expect((await sendStatus('ORDER_COMPLETE')).status).toBe(200)
  expect(await statuses()).toEqual(['awaiting_courier', 'processing'])
  await run.pass(5, 5)
  expect(await statuses()).toEqual(['picked_up', 'shipped'])
})

test('a Shipbubble callback signed with SHA-256 is accepted like a callback signed with SHA-512', async () => {
  const { run, statuses } = await open('shipbubble')
  const { server } = run.benches.shipbubble
  const data = { order_id: server.orders[0]?.orderId, status: 'picked_up' }
  const callback = server.callback('shipment.status.changed', data, 'sha256')
  expect((await run.sendCallback('shipbubble', callback)).status).toBe(200)
  expect(await statuses()).toEqual(['picked_up', 'shipped'])
})

test('the callback URL of a disconnected carrier account returns 404', async () => {
  const { run, raw } = await open('chowdeck')
  await run.disconnect('chowdeck')
  expect((await run.sendCallback('chowdeck', raw('ORDER_PICKED_UP'))).status).toBe(401)
})
