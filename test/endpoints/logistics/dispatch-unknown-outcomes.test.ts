import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openBreakers } from '../../../src/logistics/carriers/breakers.ts'
import { type ReplyBody, useApi } from '../../support/api.ts'
import {
  attemptsOf,
  inOrder,
  openTestShop,
  parcelTo,
  pass,
  post,
  readValidShipment,
  ridersOf,
} from '../../support/logistics/parcel-run.ts'
import type { Shop } from '../../support/shop.ts'

/**
 * Dispatch attempts with an unknown outcome: the next step depends on whether the carrier offers an order lookup. The
 * number in a test title is the digit of the phone number that makes the simulated carrier behave in this way.
 */

const started = useApi()

let shop: Shop
beforeAll(async () => {
  shop = await openTestShop(started())
})

// Each test has new circuit breakers. Otherwise, the failures of earlier tests would open the circuit breaker of a
// carrier.
beforeEach(() => {
  Object.assign(started().logistics, { breakers: openBreakers() })
})

const swiftFirst = ['simulator-swift', 'simulator-steady', 'simulator-saver'] as const
const steadyFirst = ['simulator-steady', 'simulator-swift', 'simulator-saver'] as const
const saverFirst = ['simulator-saver', 'simulator-swift', 'simulator-steady'] as const

/**
 * Dispatches a parcel. The given digit of the phone number selects a fault of the first attempt, and later attempts
 * succeed.
 */
async function dispatch(digit: number, more: object): Promise<ReplyBody> {
  const { status, body } = await post(started(), shop, 'dispatch', parcelTo(`+2348035550${digit}00`, more))
  expect([201, 202], JSON.stringify(body)).toContain(status)
  expect(status === 202).toBe(body.status === 'dispatching')
  return body
}

async function later(seconds: number, id: string): Promise<ReplyBody> {
  await pass(started(), seconds)
  return readValidShipment(started(), shop, id)
}

const exceptionsOf = ({ exceptions }: ReplyBody) => exceptions.map(({ code }: ReplyBody) => code)

describe('a carrier that creates an order only once per reference', () => {
  test.for<[number, string]>([
    [2, 'does not answer in time'],
    [4, 'answers with 500'],
    [5, 'answers with half a body'],
  ])('test phone digit %i: if a carrier with idempotent order creation %2$s, it gets the same request again at once and creates only one order', async ([
    digit,
  ]) => {
    const shipment = await dispatch(digit, inOrder(swiftFirst))
    expect(shipment).toMatchObject({ status: 'awaiting_courier', carrier: { code: 'simulator-swift' } })
    expect(attemptsOf(shipment)).toEqual([['swift', 'accepted', 'accepted']])
    expect(await ridersOf(started(), shipment.id)).toEqual(['swift'])
  })

  test('test phone digit 3: if a carrier did not receive the request, the service finds no order at that carrier and calls the next carrier', async () => {
    const { id, status } = await dispatch(3, inOrder(swiftFirst))
    expect(status).toBe('dispatching')
    const found = await later(60, id)
    expect(attemptsOf(found)).toEqual([
      ['swift', 'not_found_at_carrier', 'order_not_found'],
      ['steady', 'accepted', 'accepted'],
    ])
    expect(await ridersOf(started(), id)).toEqual(['steady'])
  })
})

describe('a carrier whose order list shows new orders late', () => {
  test.for<[number, string]>([
    [2, 'timeout'],
    [4, 'server_error'],
    [5, 'bad_response'],
  ])('test phone digit %i: when a carrier lists new orders late, the service searches the carrier’s list until the order appears', async ([
    digit,
    code,
  ]) => {
    const { id, ...asked } = await dispatch(digit, inOrder(steadyFirst))
    expect(attemptsOf(asked)).toEqual([['steady', 'unknown', code]])
    const found = await later(60, id)
    expect(attemptsOf(found)).toEqual([['steady', 'accepted', 'accepted']])
    expect(found).toMatchObject({ status: 'awaiting_courier', carrier: { code: 'simulator-steady' } })
    expect(found.carrierReference).not.toBeNull()
    // The estimated pickup time is that of the carrier's offer, although the service found the carrier's order only
    // later.
    expect(found.pickupEta).toEqual(found.plan[0].pickupEta)
    expect(await ridersOf(started(), id)).toEqual(['steady'])
  })

  test('for test phone digit 3, the service searches the carrier’s list for a minute before it concludes that the carrier has no order', async () => {
    const { id } = await dispatch(3, inOrder(steadyFirst))
    expect(attemptsOf(await later(55, id))).toEqual([['steady', 'unknown', 'timeout']])
    const found = await later(30, id)
    expect(attemptsOf(found)).toEqual([
      ['steady', 'not_found_at_carrier', 'order_not_found'],
      ['swift', 'accepted', 'accepted'],
    ])
    expect(found.attempts[0].outcome.message).toMatch(/^\d+ lookups at the carrier within [6-9]\d s found no order\.$/)
    expect(await ridersOf(started(), id)).toEqual(['swift'])
  })
})

describe('a carrier without a lookup', () => {
  test.for([
    2, 3, 4, 5,
  ])('test phone digit %i: if the carrier offers no order lookup, the shipment waits without failover and then gets the exception outcome_unknown', async (digit) => {
    const { id } = await dispatch(digit, inOrder(saverFirst))
    const waiting = await later(14 * 60, id)
    expect({ status: waiting.status, exceptions: exceptionsOf(waiting) }).toEqual({
      status: 'dispatching',
      exceptions: [],
    })
    const parked = await later(20 * 60, id)
    expect({ status: parked.status, exceptions: exceptionsOf(parked) }).toEqual({
      status: 'dispatching',
      exceptions: ['outcome_unknown'],
    })
    expect(parked.attempts).toMatchObject([{ carrier: 'simulator-saver', state: 'unknown' }])
    expect(await ridersOf(started(), id)).toEqual(digit === 3 ? [] : ['saver'])
  })

  test('test phone digit 2: with proceed_guarded, the service calls the next carrier after 15 minutes and raises possible_duplicate', async () => {
    const { id } = await dispatch(2, inOrder(saverFirst, { onUnknown: 'proceed_guarded' }))
    expect(attemptsOf(await later(14 * 60, id))).toEqual([['saver', 'unknown', 'timeout']])
    const found = await later(2 * 60, id)
    expect(attemptsOf(found)).toEqual([
      ['saver', 'abandoned', 'timeout'],
      ['swift', 'accepted', 'accepted'],
    ])
    expect(exceptionsOf(found)).toEqual(['possible_duplicate'])
  })
})
