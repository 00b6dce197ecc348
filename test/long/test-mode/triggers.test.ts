import { expect, test } from 'vitest'
import type { ExceptionState } from '../../../registry/service/exception-state.ts'
import { exceptionStates } from '../../../registry/service/exceptions.ts'
import { scenarios, type TriggerName, triggerNames } from '../../../registry/service/triggers/scenarios.ts'
import { answers } from '../../support/answers.ts'
import { useApi } from '../../support/api.ts'
import { select } from '../../support/database-contents.ts'
import { openTestShop } from '../../support/logistics/parcel-run.ts'
import { useSimulatedCarriers } from '../../support/logistics/simulated-carriers.ts'
import { everyScope, mintToken, openShop } from '../../support/shop.ts'
import { advance, startClockWorker } from '../../support/test-clock.ts'
import { openWorld } from './world.ts'

/**
 * Tests that each trigger of the guide causes its events and its exceptional state. A real receiver verifies the
 * events.
 */

const started = useApi({ sendsCallbacks: true })

const simulate = useSimulatedCarriers(started)

const path = '/api/v1/test/triggers'

/**
 * Maximum wait in seconds for which the worker processes every step of a trigger at its time. For a longer wait, the
 * test advances the clock once by the whole wait.
 */
const followedSeconds = 3600

test.for(triggerNames)('the trigger %s causes all of its documented events and its documented state', async (name) => {
  const api = started()
  const { shop, pass, receive, notifications } = await openWorld(api)
  const ran = await api.send('POST', path, { token: shop.token, body: { name } })
  expect(ran.status, ran.text).toBe(200)
  const { waitSeconds, records } = ran.body
  if (waitSeconds > followedSeconds) api.clock.advance(waitSeconds * 1000)
  await pass(waitSeconds > followedSeconds ? 0 : waitSeconds)
  const received = await receive()
  const kinds = new Set(received.map(({ event }) => event))
  expect(scenarios[name].events.filter((event) => !kinds.has(event))).toEqual([])
  for (const { type, id } of records) {
    const read = readPaths[type]
    if (read === undefined) continue
    expect((await api.send('GET', `/api/v1${read}/${id}`, { token: shop.token })).status, `${type} ${id}`).toBe(200)
  }
  const state = stateOf(name)
  if (state === undefined) return expect([...kinds]).toContain(name)
  const { notification, code, event } = state
  const notified = (await notifications()).filter(({ kind }) => kind === notification)
  expect(notified.filter(({ data }) => code === undefined || Reflect.get(Object(data), 'code') === code)).not.toEqual(
    [],
  )
  if (event === null) return
  expect(received.filter((each) => each.event === event && (code === undefined || each.code === code))).not.toEqual([])
})

/** The API path for each type of record that a trigger creates. A type without a path of its own is left out. */
const readPaths: Readonly<Record<string, string>> = {
  customer: '/customers',
  order: '/orders',
  payment: '/payments',
  product: '/products',
  refund: '/refunds',
  return: '/returns',
  shipment: '/logistics/shipments',
}

const states: Readonly<Partial<Record<TriggerName, ExceptionState>>> = exceptionStates

function stateOf(name: TriggerName): ExceptionState | undefined {
  return states[name]
}

test('a trigger with a token of live mode is rejected and creates nothing', async () => {
  const api = started()
  const { token } = await openShop(api.context)
  answers('runTrigger', 'test_mode_required', await api.send('POST', path, { token, body: { name: 'refund.failed' } }))
  expect((await api.send('GET', '/api/v1/products', { token })).body.data).toEqual([])
})

test('a trigger whose requests need a scope that the token lacks creates nothing', async () => {
  const api = started()
  const shop = await openTestShop(api)
  const scopes = everyScope.filter((scope) => scope !== 'refunds:write')
  const { token } = await mintToken(api.context, shop.tenant, { scopes })
  const { body } = await api.send('POST', path, { token, body: { name: 'refund.failed' } })
  expect(body.error).toMatchObject({ code: 'insufficient_scope', details: { requiredScope: 'refunds:write' } })
  expect((await api.send('GET', '/api/v1/products', { token })).body.data).toEqual([])
})

test('a dry run of a trigger returns its events and creates nothing', async () => {
  const api = started()
  const { token } = await openTestShop(api)
  const headers = { 'Service-Dry-Run': 'true' }
  const { status, body } = await api.send('POST', path, { token, headers, body: { name: 'refund.failed' } })
  expect({ status, ...body }).toMatchObject({ status: 200, records: [], events: scenarios['refund.failed'].events })
  expect((await api.send('GET', '/api/v1/products', { token })).body.data).toEqual([])
})

test('if the service rejects a request of a trigger, the trigger ends with the error of that request, and the records of its earlier requests remain', async () => {
  const api = started()
  const { token } = await openTestShop(api)
  simulate('simulator-swift', () => ({
    create: async () => ({ is: 'refused', code: 'couriers_busy', message: 'All riders are busy.' }),
  }))
  const reply = await api.send('POST', path, { token, body: { name: 'lost_parcel' } })
  answers('runTrigger', 'trigger_failed', reply)
  expect(reply.body.error.details).toEqual({ operation: 'dispatchShipment', code: 'no_carrier_available' })
  expect((await api.send('GET', '/api/v1/orders', { token })).body.data).toHaveLength(1)
})

test('a trigger that takes a day has its effects after the test clock has advanced by the waitSeconds of its response', async () => {
  const api = started()
  await startClockWorker(api)
  const { shop, notifications } = await openWorld(api)
  const { body } = await api.send('POST', path, { token: shop.token, body: { name: 'part_payment' } })
  expect(body.waitSeconds).toBe(24 * 3600)
  await advance(api, shop, body.waitSeconds)
  expect((await notifications()).map(({ kind }) => kind)).toContain('order.partly_paid')
})

test('a trigger that creates a paid order succeeds even if the merchant adds VAT to the prices', async () => {
  const api = started()
  const { token, merchantId } = await openTestShop(api)
  await select(
    api,
    'update merchants set tax_registered = true, tax_inclusive = false, tax_rate_bps = 750 where id = $1',
    [merchantId],
  )
  const ran = await api.send('POST', path, { token, body: { name: 'cancelled_order_parcel' } })
  expect(ran.status, ran.text).toBe(200)
})
