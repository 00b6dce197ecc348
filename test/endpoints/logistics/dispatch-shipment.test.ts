import { beforeAll, describe, expect, test } from 'vitest'
import { useApi } from '../../support/api.ts'
import { getShipment, openTestShop, parcelTo, pass, plainPhone, post } from '../../support/parcel-run.ts'
import type { Shop } from '../../support/shop.ts'

const started = useApi()

let shop: Shop
beforeAll(async () => {
  shop = await openTestShop(started())
})

const dispatch = (body: object) => post(started(), shop, 'dispatch', body)
const attemptsOf = (body: { attempts: readonly { carrier: string; state: string; outcome: { code: string } }[] }) =>
  body.attempts.map(({ state, outcome }) => [state, outcome?.code])

/** Whatever the others cost: the cheapest of the three is much cheaper. */
const failover = {
  strategy: 'preferred',
  carriers: ['simulator-steady', 'simulator-swift', 'simulator-saver'],
  maxPriceKobo: 10_000_000,
}

describe('a dispatch', () => {
  test('without a quote asks for offers and is taken by the best of them', async () => {
    const { status, body, headers } = await dispatch(parcelTo(plainPhone))
    expect(status, JSON.stringify(body)).toBe(201)
    expect(body).toMatchObject({ status: 'awaiting_courier', mode: 'test', version: 3 })
    expect(attemptsOf(body)).toEqual([['accepted', 'accepted']])
    expect(headers.get('location')).toBe(`/api/v1/logistics/shipments/${body.id}`)
    expect((await getShipment(started(), shop, body.id)).body).toEqual(body)
  })

  test('asks the next carrier when the first refuses', async () => {
    const { status, body } = await dispatch(parcelTo('+2348035550100', { failover }))
    expect(status, JSON.stringify(body)).toBe(201)
    expect(attemptsOf(body)).toEqual([
      ['refused', 'couriers_busy'],
      ['accepted', 'accepted'],
    ])
  })

  test('finds and adopts the order of a carrier that took it and did not say so', async () => {
    const { status, body } = await dispatch(parcelTo('+2348035550120', { failover }))
    expect(status, JSON.stringify(body)).toBe(201)
    expect(attemptsOf(body)).toEqual([
      ['refused', 'couriers_busy'],
      ['accepted', 'accepted'],
    ])
  })

  test('that nobody takes is 503, and kept with every asking', async () => {
    const request = parcelTo('+2348035550111', { failover })
    const { status, body, headers } = await dispatch(request)
    expect({ status, code: body.error?.code }).toEqual({ status: 503, code: 'no_carrier_available' })
    expect(headers.get('retry-after')).toBe('120')
    const { details } = body.error
    const kept = await getShipment(started(), shop, details.shipmentId)
    expect(kept.body).toMatchObject({ status: 'failed', statusReason: { code: 'no_carrier_available' } })
    expect(kept.body.attempts.length).toBe(details.attempts.length)
    const again = await dispatch(request)
    expect({ status: again.status, id: again.body.id }).toEqual({ status: 200, id: details.shipmentId })
  })

  test('sent again is the same shipment; another request under its reference is a conflict', async () => {
    const request = parcelTo(plainPhone)
    const first = await dispatch(request)
    const again = await dispatch(request)
    expect({ status: again.status, id: again.body.id }).toEqual({ status: 200, id: first.body.id })
    const other = await dispatch({ ...request, metadata: { more: 'yes' } })
    expect({ status: other.status, code: other.body.error.code }).toEqual({ status: 409, code: 'reference_conflict' })
    expect(other.body.error.details).toEqual({ shipmentId: first.body.id })
  })
})

describe('a shipment', () => {
  test('goes to its end, and tells of each step', async () => {
    const { body } = await dispatch(parcelTo(plainPhone))
    await pass(started(), 1800, 30)
    const { body: end } = await getShipment(started(), shop, body.id)
    expect(end.status, JSON.stringify(end.timeline)).toBe('delivered')
  })
})
