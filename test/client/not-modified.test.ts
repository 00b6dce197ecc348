import { beforeAll, describe, expect, expectTypeOf, test } from 'vitest'
import type { components } from '../../generated/api.d.ts'
import { type Commerce, createCommerce } from '../../src/client/commerce.ts'
import { unwrap } from '../../src/client/unwrap.ts'
import { useApi } from '../support/api.ts'
import { carriersOf, testCarrier } from '../support/logistics/carrier.ts'
import { storeShipment } from '../support/logistics/shipment.ts'
import { applyUpdate } from '../support/logistics/tracking-updates.ts'
import { openShop, type Shop } from '../support/shop.ts'

/** For a 304 response to `If-None-Match`, the client returns a result that has neither data nor an error. */

const started = useApi({ carriers: carriersOf(testCarrier('simulator-swift')) })
type Tracking = components['schemas']['Tracking']

let shop: Shop
let commerce: Commerce
beforeAll(async () => {
  shop = await openShop(started().context)
  commerce = createCommerce({ baseUrl: `${started().url}/api/v1`, token: shop.token })
})

const track = (id: string, etag: string) => {
  return commerce.GET('/logistics/shipments/{id}/track', {
    params: { path: { id }, header: { 'If-None-Match': etag } },
  })
}

async function open() {
  const key = await storeShipment(started(), shop)
  const path = { id: key.id }
  const first = await commerce.GET('/logistics/shipments/{id}/track', { params: { path } })
  expectTypeOf(unwrap(first)).toEqualTypeOf<Tracking>()
  return { key, etag: first.response.headers.get('ETag') ?? '', tracking: unwrap(first) }
}

describe('tracking a shipment', () => {
  test('the client’s call that tracks a shipment returns neither data nor an error for a 304 response', async () => {
    const { key, etag } = await open()
    const { data, error, response } = await track(key.id, etag)
    expectTypeOf(data).toEqualTypeOf<Tracking | undefined>()
    expect([response.status, data, error]).toEqual([304, undefined, undefined])
    expect(response.headers.get('ETag')).toBe(etag)
  })

  test('the client’s answered() returns undefined for a 304 response, and otherwise the record', async () => {
    const { key, etag, tracking } = await open()
    expect(unwrap(await track(key.id, etag))).toBe(undefined)
    await applyUpdate(started(), shop, key, { status: 'courier_assigned' })
    const later = unwrap(await track(key.id, etag))
    expectTypeOf(later).toEqualTypeOf<Tracking | undefined>()
    expect(later?.version).toBeGreaterThan(tracking.version)
  })

  test('a client call with If-None-Match in a plain headers object returns undefined for a 304 response', async () => {
    const { key, etag } = await open()
    const asked = await commerce.GET('/logistics/shipments/{id}', {
      params: { path: { id: key.id } },
      headers: { 'If-None-Match': (await shipmentTag(key.id)) ?? etag },
    })
    expectTypeOf(asked.data).toEqualTypeOf<components['schemas']['Shipment'] | undefined>()
    expect(unwrap(asked)).toBe(undefined)
  })
})

test('the client returns data or an error for an operation that cannot return 304, even if the caller sends If-None-Match', async () => {
  const { data, error } = await commerce.GET('/products', { headers: { 'If-None-Match': '"v1"' } })
  if (error !== undefined) throw new Error(error.error.code)
  expectTypeOf(data.data).toEqualTypeOf<components['schemas']['Product'][]>()
  expect(data.data).toEqual([])
})

async function shipmentTag(id: string) {
  const { response } = await commerce.GET('/logistics/shipments/{id}', { params: { path: { id } } })
  return response.headers.get('ETag')
}
