import { expect, test } from 'vitest'
import type { TestCarrierCode } from '../../../registry/service/test-carriers.ts'
import { dispatchPhonePrefix } from '../../../registry/service/test-phones.ts'
import { type Breakers, openBreakers } from '../../../src/logistics/carriers/breakers.ts'
import { breakMs } from '../../../src/logistics/carriers/circuit-breaker.ts'
import type { Carrier, CarrierCode, Outcome } from '../../../src/partners/carriers/carrier.ts'
import { type TestApi, useApi } from '../../support/api.ts'
import { attemptsOf, inOrder, openTestShop, parcelTo, plainPhone, post } from '../../support/logistics/parcel-run.ts'

/** Tests how circuit breakers react to outages of carriers, with the test clock, within one process. */

const started = useApi()

const silent: Outcome<never> = { is: 'unavailable', message: 'Not reached.', retryAfterSeconds: undefined }

/** The number of failures that opens a circuit breaker. */
const opening = 8

async function openCircuit({ carriers }: TestApi['logistics'], breakers: Breakers): Promise<void> {
  const swift = carriers.get('simulator-swift') ?? expect.fail('The simulated carrier is missing.')
  const call = { operation: 'create', timeoutMs: 1_000 } as const
  for (let count = 0; count < opening; count++) {
    await breakers.run({ carrier: swift, account: { credentials: {} } }, call, async () => silent)
  }
}

test('after outages of two carriers, both carriers receive requests again once the open time of their circuit breakers has passed', async () => {
  const api = started()
  const { logistics, clock } = api
  const shop = await openTestShop(api)
  const down = new Set<CarrierCode>()
  const failing = (carrier: Carrier): Carrier => ({
    ...carrier,
    create: async (account, request, signal) =>
      down.has(carrier.code) ? silent : carrier.create(account, request, signal),
  })
  const carriers = new Map([...logistics.carriers].map(([code, carrier]) => [code, failing(carrier)]))
  Object.assign(logistics, { carriers, breakers: openBreakers(clock) })
  const dispatch = async (first: TestCarrierCode) => {
    const order = [first, 'simulator-saver'] as const
    const { body } = await post(api, shop, 'dispatch', parcelTo(plainPhone, inOrder(order)))
    return attemptsOf(body)
  }
  for (const [code, name] of [
    ['simulator-swift', 'swift'],
    ['simulator-steady', 'steady'],
  ] as const) {
    down.add(code)
    for (let count = 0; count < opening; count++) {
      expect((await dispatch(code))[0]).toEqual([name, 'unavailable', expect.any(String)])
    }
    expect((await dispatch(code))[0]).toEqual([name, 'skipped', 'circuit_open'])
    down.delete(code)
    clock.advance(breakMs - 1)
    expect((await dispatch(code))[0]).toEqual([name, 'skipped', 'circuit_open'])
    clock.advance(1)
    expect(await dispatch(code)).toEqual([[name, 'accepted', 'accepted']])
    expect(await dispatch(code)).toEqual([[name, 'accepted', 'accepted']])
  }
})

test('each digit of a test phone number sets the result of one request to a carrier, and no digit is used for a skipped carrier', async () => {
  const api = started()
  const { logistics, clock } = api
  const shop = await openTestShop(api)
  const breakers = openBreakers(clock)
  Object.assign(logistics, { breakers })
  await openCircuit(logistics, breakers)
  const order = inOrder(['simulator-swift', 'simulator-steady', 'simulator-saver'])
  const dispatch = async (digits: string) => {
    const { body } = await post(api, shop, 'dispatch', parcelTo(`${dispatchPhonePrefix}${digits}`, order))
    return attemptsOf(body)
  }
  expect(await dispatch('100')).toEqual([
    ['swift', 'skipped', 'circuit_open'],
    ['steady', 'refused', 'couriers_busy'],
    ['saver', 'accepted', 'accepted'],
  ])
  expect(await dispatch('010')).toEqual([
    ['swift', 'skipped', 'circuit_open'],
    ['steady', 'accepted', 'accepted'],
  ])
})

test('if a carrier’s circuit breaker opens after the dispatch has checked it, the next carrier gets the unused digit of the test phone number', async () => {
  const api = started()
  const { logistics, clock } = api
  const shop = await openTestShop(api)
  const breakers = openBreakers(clock)
  await openCircuit(logistics, breakers)
  // The circuit of the carrier Swift opens after the dispatch has checked it and before the request is sent.
  Object.assign(logistics, { breakers: { ...breakers, openFor: () => undefined } })
  const order = inOrder(['simulator-swift', 'simulator-steady', 'simulator-saver'])
  const { body } = await post(api, shop, 'dispatch', parcelTo(`${dispatchPhonePrefix}100`, order))
  expect(attemptsOf(body)).toEqual([
    ['swift', 'unavailable', 'circuit_open'],
    ['steady', 'refused', 'couriers_busy'],
    ['saver', 'accepted', 'accepted'],
  ])
})
