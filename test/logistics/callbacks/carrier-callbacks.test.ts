import { describe, expect, test } from 'vitest'
import { toTimestamp } from '../../../src/base/clock.ts'
import { newMerchantId } from '../../../src/base/records.ts'
import { redactProcessed } from '../../../src/callbacks/redact-processed.ts'
import { carrierCallbacks, listFailedCallbacks } from '../../../src/store/callbacks/inboxes.ts'
import { writeAttempt } from '../../../src/store/logistics/shipments/shipments.ts'
import { type TestApi, useApi } from '../../support/api.ts'
import { asOperator } from '../../support/commerce/open-order.ts'
import { auditRows, contentsOf, eventsOf, select } from '../../support/database-contents.ts'
import { bodyOf, openCallbacks, sendCallback } from '../../support/logistics/callbacks.ts'
import { carriersOf, testCarrier } from '../../support/logistics/carrier.ts'
import { readShipment, type ShipmentOptions, storeShipment } from '../../support/logistics/shipment.ts'
import type { Shop } from '../../support/shop.ts'

const started = useApi({ carriers: carriersOf(testCarrier('simulator-swift'), testCarrier('simulator-steady')) })

const open = (options: ShipmentOptions = {}) => openCallbacks(started(), options)

describe('the signature of a carrier callback', () => {
  test('a carrier callback with a valid signature is accepted, and its body is stored unchanged', async () => {
    const { api, reference, send, rows, shop } = await open()
    const reply = await send([{ status: 'picked_up', reference }])
    expect({ status: reply.status, body: reply.body }).toEqual({ status: 200, body: { received: true } })
    const kept = await rows()
    expect(kept).toMatchObject([{ outcome: null, isTrusted: true }])
    expect(kept[0].body.toString()).toBe(bodyOf([{ status: 'picked_up', reference }]))
    const jobs = await select(api, 'select key from graphile_worker.jobs where key = $1', [
      `apply_carrier_callbacks:${shop.merchantId}`,
    ])
    expect(jobs).toHaveLength(1)
  })

  test('carrier callbacks with an invalid signature, for an unknown carrier or for another merchant get the same error, and nothing is stored', async () => {
    const { api, shop, reference, send } = await open()
    const events = [{ status: 'picked_up', reference }] as const
    const before = await contentsOf(api)
    const replies = [
      await send(events, { headers: {} }),
      await send(events, { headers: { 'x-test-signature': 'wrong' } }),
      await send(events, { carrier: 'chowdeck' }),
      await send(events, { carrier: 'unknown' }),
      await send(events, { carrier: 'constructor' }),
      await send(events, { merchantId: newMerchantId(0) }),
      await send(events, { merchantId: 'mer_x' }),
      // The simulated carriers send no callbacks about shipments of live merchants.
      await send(events, { merchantId: await liveOf(api, shop) }),
    ]
    for (const reply of replies) {
      expect({ status: reply.status, code: reply.body.error.code }).toEqual({ status: 401, code: 'invalid_signature' })
      expect(reply.text.replace(/req_\w+/, '')).toBe(replies[0]?.text.replace(/req_\w+/, ''))
    }
    expect(await contentsOf(api)).toEqual(before)
  })

  test('a carrier callback returns 413 body_too_large for a body of more than 256 KiB', async () => {
    const { api, shop } = await open()
    const reply = await sendCallback(api, Buffer.alloc(256 * 1024 + 1), { merchantId: shop.merchantId })
    expect({ status: reply.status, code: reply.body.error.code }).toEqual({ status: 413, code: 'body_too_large' })
  })
})

async function liveOf(api: TestApi, twin: Shop): Promise<string> {
  const [row] = await select(api, 'select live_merchant_id as id from merchants where id = $1', [twin.merchantId])
  return row.id
}

describe('a carrier callback', () => {
  test('a carrier callback changes the status of the shipment, and the audit log records the source of the change', async () => {
    const { api, shop, carrierReference, send, apply, read, rows } = await open()
    const reply = await send([{ status: 'picked_up', carrierReference }])
    expect(await apply()).toBe(1)
    expect((await read()).status).toBe('picked_up')
    expect(await rows()).toMatchObject([{ outcome: 'applied', reason: null, next: null }])
    expect(await auditRows(api, shop.merchantId)).toMatchObject([
      {
        action: 'shipment.update',
        actor_type: 'provider',
        source_ip: '127.0.0.1',
        request_id: reply.headers.get('request-id'),
      },
    ])
  })

  test('a carrier callback that is repeated a thousand times is stored and applied once', async () => {
    const { api, shop, reference, send, apply, rows } = await open()
    const once = () => send([{ status: 'picked_up', reference }])
    for (let batch = 0; batch < 20; batch++) {
      const replies = await Promise.all(Array.from({ length: 25 }, once))
      expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 200))
    }
    await apply()
    for (let batch = 0; batch < 20; batch++) await Promise.all(Array.from({ length: 25 }, once))
    expect(await apply()).toBe(0)
    expect(await rows()).toHaveLength(1)
    expect(await eventsOf(api, shop.merchantId, 'shipment.status_changed')).toHaveLength(1)
    expect(await auditRows(api, shop.merchantId)).toHaveLength(1)
  })

  test('a carrier callback with the deduplication key of a stored callback is a duplicate, even if its body differs', async () => {
    const { reference, send, rows } = await open()
    await send([{ status: 'picked_up', reference, dedupeKey: 'update 1' }])
    await send([{ status: 'picked_up', reference, dedupeKey: 'update 1', at: toTimestamp(0) }])
    expect(await rows()).toHaveLength(1)
  })

  test('a carrier callback with tracking updates out of order sets the status of the latest update', async () => {
    const { api, reference, send, apply, read, rows } = await open()
    const startMs = api.clock.nowMs() - 60 * 60_000
    const at = (minutes: number) => toTimestamp(startMs + minutes * 60_000)
    await send([{ status: 'delivered', reference, at: at(9) }])
    api.clock.advance(1)
    await send([{ status: 'courier_assigned', reference, at: at(1) }])
    await send([{ status: 'picked_up', reference, at: at(4) }])
    expect(await apply()).toBe(3)
    expect(await read()).toMatchObject({ status: 'delivered', deliveredAt: at(9) })
    const outcomes = (await rows()).map(({ outcome, reason }) => [outcome, reason])
    expect(outcomes.toSorted()).toEqual([
      ['applied', null],
      ['ignored', 'late'],
      ['ignored', 'late'],
    ])
  })

  test('the service applies several tracking updates in one carrier callback in order', async () => {
    const { reference, send, apply, read, rows } = await open()
    await send([
      { status: 'courier_assigned', reference },
      { status: 'picked_up', reference },
      { status: 'picked_up', reference, dedupeKey: 'again' },
    ])
    await apply()
    expect(await read()).toMatchObject({ status: 'picked_up', eventCount: 2 })
    expect(await rows()).toMatchObject([{ outcome: 'applied' }])
  })

  test('a carrier callback without a tracking update is stored and ignored', async () => {
    const { send, apply, rows } = await open()
    await send([])
    await apply()
    expect(await rows()).toMatchObject([{ outcome: 'ignored', reason: 'unchanged' }])
  })

  test('a carrier callback with the current status of the shipment is ignored', async () => {
    const { reference, send, apply, rows } = await open()
    await send([{ status: 'picked_up', reference, dedupeKey: 'one' }])
    await send([{ status: 'picked_up', reference, dedupeKey: 'two' }])
    await apply()
    expect((await rows()).map(({ outcome, reason }) => [outcome, reason]).toSorted()).toEqual([
      ['applied', null],
      ['ignored', 'unchanged'],
    ])
  })

  test('a callback of another carrier or for another merchant is not applied to the shipment', async () => {
    const { api, reference, send, read, apply } = await open()
    const other = await open()
    const before = await read()
    await other.send([{ status: 'picked_up', reference }])
    await send([{ status: 'picked_up', reference }], { carrier: 'simulator-steady' })
    await other.apply()
    await apply()
    expect(await read()).toEqual(before)
    expect(await other.rows()).toMatchObject([{ outcome: null, reason: 'shipment_unknown' }])
    expect(await auditRows(api, other.shop.merchantId)).toEqual([])
  })
})

describe('a callback for an unknown order', () => {
  test('the processing of a carrier callback for an unknown order is retried for an hour at growing intervals', async () => {
    const { api, send, apply, rows } = await open()
    await send([{ status: 'picked_up', reference: 'unknown' }])
    const startMs = api.clock.nowMs()
    let tries = 0
    for (let second = 0; second <= 3600 + 1800; second += 5) {
      tries += await apply()
      api.clock.advance(5000)
    }
    expect(tries).toBeGreaterThan(8)
    expect(tries).toBeLessThan(15)
    expect(await rows()).toMatchObject([{ outcome: 'ignored', reason: 'shipment_unknown' }])
    const [{ settled }] = await select(
      api,
      "select processed_at as settled from carrier_callbacks where reason = 'shipment_unknown' and outcome = 'ignored' order by processed_at desc limit 1",
    )
    expect(Date.parse(settled) - startMs).toBeGreaterThanOrEqual(3_600_000)
  })

  test('a carrier callback for an order is applied after the transaction of the order’s dispatch has committed', async () => {
    const { api, shop, send, apply } = await open()
    await send([{ status: 'picked_up', reference: 'coming' }])
    await apply()
    const key = await storeShipment(api, shop, { attempts: [{ reference: 'coming' }] })
    expect(await apply()).toBe(0)
    api.clock.advance(5000)
    expect(await apply()).toBe(1)
    expect((await readShipment(api, key)).shipment.status).toBe('picked_up')
  })

  test('a carrier callback for an unknown order waits for the response of a dispatch attempt in flight', async () => {
    const options = { status: 'dispatching', attempts: [{ state: 'sending', carrierReference: null }] } as const
    const { api, shop, key, reference, send, apply, read, rows } = await open(options)
    await send([{ status: 'courier_assigned', reference, carrierReference: 'SW-1' }])
    await apply()
    expect(await rows()).toMatchObject([{ outcome: null, reason: 'not_accepted_yet' }])
    const [attempt] = (await readShipment(api, key)).attempts
    if (attempt === undefined) expect.fail('No attempt.')
    await asOperator(api, shop, ({ trx }) =>
      writeAttempt(trx, { ...attempt, state: 'accepted', carrierReference: 'SW-1' }),
    )
    api.clock.advance(5000)
    await apply()
    expect((await read()).status).toBe('courier_assigned')
  })
})

test('a signed tracking update of an abandoned dispatch attempt is applied regardless of the attempt’s age', async () => {
  const { api, key, reference, send, apply } = await open({
    status: 'failed',
    attempts: [{ state: 'abandoned', carrierReference: null, monitorUntil: null, nextCheckAt: null }],
  })
  api.clock.advance(48 * 3_600_000)
  await send([{ status: 'courier_assigned', reference, carrierReference: 'SW-LATE' }])
  expect(await apply()).toBe(1)
  const [attempt] = (await readShipment(api, key)).attempts
  expect(attempt).toMatchObject({ carrierReference: 'SW-LATE', nextCheckAt: toTimestamp(api.clock.nowMs()) })
})

test('a carrier callback whose processing fails is retried twelve times, stored with its error, and blocks no other callback', async () => {
  const { api, shop, reference, send, apply, read, rows } = await open()
  await send([{ status: 'at_pickup', reference }])
  await select(api, "update carrier_callbacks set parsed_body = parsed_body #- '{0,tracking}' where merchant_id = $1", [
    shop.merchantId,
  ])
  api.clock.advance(1)
  await send([{ status: 'courier_assigned', reference }])
  expect(await apply()).toBe(2)
  expect((await read()).status).toBe('courier_assigned')
  expect((await rows()).map(({ outcome }) => outcome)).toEqual([null, 'applied'])
  expect(await apply()).toBe(0)
  expect(await listFailedCallbacks(api.database, { merchantId: shop.merchantId, limit: 10 })).toMatchObject([
    { failures: 1, outcome: null, error: expect.stringMatching(/\S/) },
  ])
  let tries = 1
  while ((await rows())[0]?.next !== null && tries < 50) {
    api.clock.advance(4 * 3_600_000)
    tries += await apply()
  }
  expect(tries).toBe(12)
  expect(await listFailedCallbacks(api.database, { merchantId: shop.merchantId, limit: 10 })).toMatchObject([
    { failures: 12, outcome: 'failed', nextAttemptAt: null },
  ])
})

test('a processed carrier callback is redacted after 30 days, and a repetition of the callback is still detected as a duplicate', async () => {
  const { api, reference, send, apply, rows } = await open()
  const again = () => send([{ status: 'picked_up', reference }])
  await again()
  await apply()
  api.clock.advance(30 * 86_400_000)
  await redactProcessed(api.context, carrierCallbacks)
  expect((await rows())[0].body.length).toBeGreaterThan(0)
  api.clock.advance(1)
  await redactProcessed(api.context, carrierCallbacks)
  expect((await rows())[0].body.length).toBe(0)
  await again()
  expect(await apply()).toBe(0)
})

test('two concurrent workers apply each carrier callback once', async () => {
  const { api, shop, reference, send, apply, rows } = await open()
  for (const status of ['courier_assigned', 'at_pickup', 'picked_up'] as const) await send([{ status, reference }])
  await Promise.all([apply(), apply(), apply()])
  expect((await auditRows(api, shop.merchantId)).length).toBeLessThanOrEqual(3)
  const outcomes = await rows()
  expect(outcomes.map(({ next }) => next)).toEqual([null, null, null])
})
