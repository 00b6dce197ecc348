import { beforeAll, describe, expect, test } from 'vitest'
import { type ShipmentStatus, shipmentStatuses } from '../../../registry/logistics/shipment-states.ts'
import { toTimestamp } from '../../../src/base/clock.ts'
import { silentLog } from '../../../src/base/log.ts'
import { openLogistics } from '../../../src/logistics/carriers/context.ts'
import { pollShipment } from '../../../src/logistics/tracking/poll-shipment.ts'
import { pollAfterSeconds } from '../../../src/logistics/tracking/position-policy.ts'
import { useApi, vault } from '../../support/api.ts'
import { contentsOf, select } from '../../support/database-contents.ts'
import { carriersOf, testCarrier, tracking } from '../../support/logistics/carrier.ts'
import { readShipment, type ShipmentOptions, storeShipment, testModeOf } from '../../support/logistics/shipment.ts'
import { openShop, type Shop } from '../../support/shop.ts'

const started = useApi()

let shop: Shop
beforeAll(async () => {
  shop = testModeOf(await openShop(started().context))
})

async function open(options: ShipmentOptions = {}) {
  const api = started()
  const carrier = testCarrier('simulator-swift')
  const context = openLogistics({ ...api.context, log: silentLog, vault, carriers: carriersOf(carrier) })
  const key = await storeShipment(api, shop, options)
  const inSeconds = (seconds: number) => toTimestamp(api.clock.nowMs() + seconds * 1000)
  return { api, carrier, key, inSeconds, poll: (tenant = shop.tenant) => pollShipment(context, tenant, key) }
}

describe('a poll of a carrier', () => {
  test('a poll requests the status from the carrier that has the shipment, and applies the response with “system” as the audited actor', async () => {
    const { api, carrier, key, inSeconds, poll } = await open()
    const { attempts } = await readShipment(api, key)
    carrier.answer = { is: 'ok', value: tracking({ status: 'courier_assigned' }) }
    expect(await poll()).toMatchObject({ is: 'updated', outcome: { is: 'moved' }, nextCheckAt: inSeconds(20) })
    expect(carrier.asked).toEqual([attempts[0]?.carrierReference])
    const { events } = await readShipment(api, key)
    expect(events).toMatchObject([{ source: 'poll', status: 'courier_assigned' }])
    const audited = await select(
      api,
      "select actor_type, source_ip from audit_log where action = 'shipment.update' and resource_id = $1",
      [key.id],
    )
    expect(audited).toEqual([{ actor_type: 'system', source_ip: null }])
    const before = await contentsOf(api)
    expect(await poll()).toMatchObject({ is: 'updated', outcome: { is: 'unchanged' }, nextCheckAt: inSeconds(20) })
    expect(await contentsOf(api)).toEqual(before)
  })

  test('after a poll, a delivered shipment is not polled again, and a shipment that the carrier cancelled is due for its next check at once', async () => {
    const { carrier, inSeconds, poll } = await open()
    carrier.answer = { is: 'ok', value: tracking({ status: 'cancelled' }) }
    expect(await poll()).toMatchObject({
      is: 'updated',
      outcome: { is: 'carrier_cancelled' },
      nextCheckAt: inSeconds(0),
    })
    const other = await open({ status: 'in_transit' })
    other.carrier.answer = { is: 'ok', value: tracking({ status: 'delivered' }) }
    expect(await other.poll()).toMatchObject({ is: 'updated', nextCheckAt: null })
    expect(await other.poll()).toEqual({ is: 'not_pollable', nextCheckAt: null })
  })

  test.for([
    [{ is: 'unavailable', message: 'Down.', retryAfterSeconds: undefined }, 'no_response', 'unavailable'],
    [{ is: 'unknown', cause: 'timeout', message: 'Late.' }, 'no_response', 'unknown'],
    [{ is: 'refused', code: 'refused', message: 'No.' }, 'no_response', 'refused'],
  ] as const)('a poll with the outcome %o changes nothing and is retried', async ([answer, is, reason]) => {
    const { api, carrier, inSeconds, poll } = await open()
    carrier.answer = answer
    const before = await contentsOf(api)
    expect(await poll()).toEqual({ is, reason, nextCheckAt: inSeconds(60) })
    expect(await contentsOf(api)).toEqual(before)
  })

  test('a poll returns order_missing when the carrier does not have the shipment’s order', async () => {
    const { carrier, inSeconds, poll } = await open()
    carrier.answer = { is: 'refused', code: 'not_found', message: 'No such order.' }
    expect(await poll()).toEqual({ is: 'order_missing', attemptNumber: 1, nextCheckAt: inSeconds(60) })
  })

  test('repeated polls with an outcome that needs the merchant’s action raise the exception for that outcome only once', async () => {
    const { api, carrier, key, poll } = await open()
    carrier.answer = { is: 'refused', code: 'account_blocked', message: 'Blocked.' }
    await poll()
    await poll()
    carrier.answer = { is: 'refused', code: 'not_found', message: 'No such order.' }
    // The service polls the carrier again, because the carrier may list the order with a delay.
    await poll()
    const codes = async () => (await readShipment(api, key)).shipment.exceptions.map(({ code }) => code)
    expect(await codes()).toEqual(['carrier_account_blocked'])
    api.clock.advance(5 * 60_000)
    await poll()
    await poll()
    expect(await codes()).toEqual(['carrier_account_blocked', 'order_missing'])
  })

  test('a poll is skipped while the carrier’s circuit breaker is open', async () => {
    const { carrier, poll } = await open()
    for (let call = 0; call < 30; call++) await poll()
    expect(await poll()).toMatchObject({ is: 'no_response', reason: 'circuit_open' })
    expect(carrier.asked.length).toBeLessThan(20)
  })

  test('a poll is skipped when the shipment has no carrier order or its carrier is not connected', async () => {
    const { poll } = await open({ status: 'dispatching', attempts: [{ state: 'unknown' }] })
    expect(await poll()).toEqual({ is: 'not_pollable', nextCheckAt: null })
    const other = await open({ attempts: [{ carrier: 'simulator-saver' }] })
    expect(await other.poll()).toMatchObject({ is: 'no_response', reason: 'carrier_not_connected' })
  })
})

test('pollAfterSeconds returns the poll interval for each shipment status and service level', () => {
  const seconds = (level: 'on_demand' | 'next_day') =>
    Object.groupBy(shipmentStatuses, (status: ShipmentStatus) => String(pollAfterSeconds(status, level)))
  expect(seconds('on_demand')).toEqual({
    '0': ['delivered', 'returned', 'cancelled', 'failed', 'lost'],
    '10': ['dispatching', 'at_pickup', 'at_dropoff', 'cancelling'],
    '20': ['courier_assigned', 'picked_up', 'in_transit'],
    '60': ['scheduled', 'awaiting_courier', 'delivery_failed', 'returning'],
  })
  expect(Object.keys(seconds('next_day'))).toEqual(['0', '10', '120'])
})
