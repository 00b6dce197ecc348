import { describe, expect, test } from 'vitest'
import type { ReplyBody } from '../../support/api.ts'
import {
  expectActionable,
  openLive,
  resetBreakers,
  shipmentIdOf,
  useLiveApi,
} from '../../support/logistics/live-run.ts'

/** When one sub-carrier of a broker fails, the broker's other sub-carriers stay available. */

const started = useLiveApi()

const attemptsOf = ({ attempts }: ReplyBody) =>
  attempts.map(({ carrier, service, state, outcome }: ReplyBody) => [carrier, service, state, outcome.code])

/** Dispatch options with which the service tries the offers in the order of the fake server's list. */
const cheapest = { strategy: 'cheapest', maxPriceKobo: 10_000_000 }
const courierDown = {
  isAccepted: false,
  answer: [503, { status: 'failed', message: 'Kwik is not available' }],
} as const
const wrong = { isAccepted: false, answer: [422, { status: 'failed', message: 'Kwik takes no such box' }] } as const

describe('a broker’s sub-carriers', () => {
  test.each([
    ['does not respond', courierDown, ['unavailable', 'sub_carrier_unavailable']],
    ['rejects the request as invalid', wrong, ['invalid', 'invalid']],
  ])('a broker’s next sub-carrier is called when a sub-carrier %s', async (_when, fault, [state, code]) => {
    const run = await openLive(started(), 'shipbubble')
    run.benches.shipbubble.fail('create', fault)
    const { status, body } = await run.dispatch({ failover: cheapest })
    expect([status, body.carrier.code, body.service]).toEqual([201, 'shipbubble', 'GIGL'])
    expect(attemptsOf(body)).toEqual([
      ['shipbubble', 'KWIK', state, code],
      ['shipbubble', 'GIGL', 'accepted', 'accepted'],
    ])
    expect(run.benches.shipbubble.server.orders).toMatchObject([{ courierId: 'gigl' }])
  })

  test('the dispatch of a quote also calls a broker’s next sub-carrier when the first sub-carrier is unavailable', async () => {
    const run = await openLive(started(), 'shipbubble')
    const { body: quote } = await run.quote()
    run.benches.shipbubble.fail('create', courierDown)
    const { body } = await run.dispatch({ quoteId: quote.id, parcels: undefined, failover: cheapest })
    expect([body.status, body.service]).toEqual(['awaiting_courier', 'GIGL'])
  })

  test('no other sub-carrier of a broker is called after a rejection that concerns the broker’s account', async () => {
    const run = await openLive(started(), 'shipbubble')
    Object.assign(run.benches.shipbubble.server.day, { isWalletEmpty: true })
    const { body } = await run.read(shipmentIdOf(await run.dispatch({ failover: cheapest })))
    expect(attemptsOf(body)).toEqual([['shipbubble', 'KWIK', 'refused', 'wallet_insufficient']])
  })

  test('no other sub-carrier of a broker is called while the outcome of a request to the broker is unknown', async () => {
    const run = await openLive(started(), 'shipbubble')
    const lost = { isAccepted: false, answer: 'breaks_off' } as const
    run.benches.shipbubble.fail('create', lost)
    const { body } = await run.dispatch({ failover: cheapest })
    await run.pass(300, 10)
    const late = (await run.read(body.id)).body
    expect(attemptsOf(late)).toEqual([['shipbubble', 'KWIK', 'not_found_at_carrier', 'order_not_found']])
    expect(late.status).toBe('failed')
  })

  test('when a sub-carrier cancels its order, the service requests rates again and calls the next sub-carrier', async () => {
    const run = await openLive(started(), 'shipbubble')
    const { server } = run.benches.shipbubble
    const { body } = await run.dispatch({ failover: cheapest })
    const asked = server.asked('rates')
    Object.assign(server.orders[0] ?? {}, { status: 'cancelled' })
    await run.pass(60, 10)
    const moved = await expectActionable(run, body.id)
    expect(attemptsOf(moved)).toEqual([
      ['shipbubble', 'KWIK', 'cancelled', 'carrier_cancelled'],
      ['shipbubble', 'GIGL', 'accepted', 'accepted'],
    ])
    expect(server.asked('rates')).toBe(asked + 1)
  })

  test('an unavailable sub-carrier does not open the broker’s circuit breaker', async () => {
    const run = await openLive(started(), 'shipbubble')
    resetBreakers()
    for (let count = 0; count < 10; count++) {
      run.benches.shipbubble.fail('create', courierDown, courierDown)
      await run.dispatch({ failover: cheapest })
    }
    const { status, body } = await run.dispatch({ failover: cheapest })
    expect([status, body.service]).toEqual([201, 'KWIK'])
  })
})

describe('a shipment’s only carrier, after it cancelled its order', () => {
  test('if the only available carrier of a shipment cancels the carrier order, the carrier gets a second dispatch request', async () => {
    const run = await openLive(started(), 'chowdeck')
    const { server } = run.benches.chowdeck
    const { body } = await run.dispatch()
    Object.assign(server.deliveries[0] ?? {}, { status: 'cancelled' })
    await run.pass(60, 10)
    const again = (await run.read(body.id)).body
    expect(attemptsOf(again).map(([, , ...end]: string[]) => end)).toEqual([
      ['cancelled', 'carrier_cancelled'],
      ['accepted', 'accepted'],
    ])
    expect(server.deliveries).toHaveLength(2)
  })
})
