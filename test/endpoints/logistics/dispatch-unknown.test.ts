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
  ridersOf,
  soundShipment,
} from '../../support/logistics/parcel-run.ts'
import type { Shop } from '../../support/shop.ts'

/** Carriers that do not say whether they took it: what each makes possible is found out, and nothing is assumed. */

const started = useApi()

let shop: Shop
beforeAll(async () => {
  shop = await openTestShop(started())
})

// So many bad answers in a minute of real time would close a carrier off for the tests behind them.
beforeEach(() => {
  Object.assign(started().logistics, { breakers: openBreakers() })
})

const swiftFirst = ['simulator-swift', 'simulator-steady', 'simulator-saver'] as const
const steadyFirst = ['simulator-steady', 'simulator-swift', 'simulator-saver'] as const
const saverFirst = ['simulator-saver', 'simulator-swift', 'simulator-steady'] as const

/** The first asking goes as the digit says, and all others well. */
async function dispatch(digit: number, more: object): Promise<ReplyBody> {
  const { status, body } = await post(started(), shop, 'dispatch', parcelTo(`+2348035550${digit}00`, more))
  expect([201, 202], JSON.stringify(body)).toContain(status)
  expect(status === 202).toBe(body.status === 'dispatching')
  return body
}

async function later(seconds: number, id: string): Promise<ReplyBody> {
  await pass(started(), seconds)
  return soundShipment(started(), shop, id)
}

const exceptionsOf = ({ exceptions }: ReplyBody) => exceptions.map(({ code }: ReplyBody) => code)

describe('a company that repeats its answer', () => {
  test.for<[number, string]>([
    [2, 'does not answer in time'],
    [4, 'answers with 500'],
    [5, 'answers with half a body'],
  ])('%i: that %2$s is asked again at once, and has one order', async ([digit]) => {
    const shipment = await dispatch(digit, inOrder(swiftFirst))
    expect(shipment).toMatchObject({ status: 'awaiting_courier', carrier: { code: 'simulator-swift' } })
    expect(attemptsOf(shipment)).toEqual([['swift', 'accepted', 'accepted']])
    expect(await ridersOf(started(), shipment.id)).toEqual(['swift'])
  })

  test('3: that never heard of it is proven not to have it, and the next is asked', async () => {
    const { id, status } = await dispatch(3, inOrder(swiftFirst))
    expect(status).toBe('dispatching')
    const found = await later(60, id)
    expect(attemptsOf(found)).toEqual([
      ['swift', 'resolved_absent', 'not_there'],
      ['steady', 'accepted', 'accepted'],
    ])
    expect(await ridersOf(started(), id)).toEqual(['steady'])
  })
})

describe('a company that only lists its orders, new ones late', () => {
  test.for<[number, string]>([
    [2, 'timeout'],
    [4, 'server_error'],
    [5, 'bad_response'],
  ])('%i: is searched until the order is there', async ([digit, code]) => {
    const { id, ...asked } = await dispatch(digit, inOrder(steadyFirst))
    expect(attemptsOf(asked)).toEqual([['steady', 'unknown', code]])
    const found = await later(60, id)
    expect(attemptsOf(found)).toEqual([['steady', 'accepted', 'accepted']])
    expect(found).toMatchObject({ status: 'awaiting_courier', carrier: { code: 'simulator-steady' } })
    expect(found.carrierReference).not.toBeNull()
    // It was asked when it made its offer, and found later.
    expect(found.pickupEta).toEqual(found.plan[0].pickupEta)
    expect(await ridersOf(started(), id)).toEqual(['steady'])
  })

  test('3: without the order for a minute it has none, and not a look sooner', async () => {
    const { id } = await dispatch(3, inOrder(steadyFirst))
    expect(attemptsOf(await later(55, id))).toEqual([['steady', 'unknown', 'timeout']])
    const found = await later(30, id)
    expect(attemptsOf(found)).toEqual([
      ['steady', 'resolved_absent', 'not_there'],
      ['swift', 'accepted', 'accepted'],
    ])
    expect(found.attempts[0].outcome.message).toMatch(/^\d+ looks over [6-9]\d s show no order\.$/)
    expect(await ridersOf(started(), id)).toEqual(['swift'])
  })
})

describe('a company that finds no order again', () => {
  test.for([2, 3, 4, 5])('%i: is waited for, nobody else is asked, and a person is told', async (digit) => {
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

  test('2: told to go on, the next is asked after a quarter of an hour, with a warning of the first', async () => {
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
