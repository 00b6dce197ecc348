import { parcelExample } from '../../registry/parcel.ts'
import { dropoffInputExample, pickupInputExample } from '../../registry/quotes.ts'
import { randomCode } from '../../src/ids.ts'
import { lookAtShipments } from '../../src/logistics/look-at-shipment.ts'
import type { Tenant } from '../../src/store/mutation.ts'
import type { Reply, TestApi } from './api.ts'
import { mintToken, openShop, type Shop } from './shop.ts'

/** The test side of a shop, which speaks to the companies of test mode. */
export async function openTestShop(api: TestApi): Promise<Shop> {
  const shop = await openShop(api.context)
  const tenant: Tenant = { merchantId: shop.testMerchantId, mode: 'test' }
  const { id: tokenId, token } = await mintToken(api.context, tenant, {})
  return { ...shop, tenant, merchantId: shop.testMerchantId, token, tokenId }
}

/** A recipient whose number makes the first, second and third asking go as the digits say (registry/test-phones.ts). */
export function parcelTo(phone: string, more: object = {}): object {
  return {
    reference: randomCode(12),
    pickup: pickupInputExample,
    dropoff: { ...dropoffInputExample, phone },
    parcels: [parcelExample],
    ...more,
  }
}

/** A number with no fault behind it. */
export const plainPhone = '+2348029876543'

export function post(api: TestApi, shop: Shop, path: string, body: object): Promise<Reply> {
  return api.send('POST', `/api/v1/logistics/${path}`, { token: shop.token, body })
}

export function getShipment(api: TestApi, shop: Shop, id: string): Promise<Reply> {
  return api.send('GET', `/api/v1/logistics/shipments/${id}`, { token: shop.token })
}

/** Lets time pass, and the worker do what is due meanwhile. */
export async function pass(api: TestApi, seconds: number, stepSeconds = 5): Promise<void> {
  for (let passed = 0; passed < seconds; passed += stepSeconds) {
    api.clock.advance(stepSeconds * 1000)
    await lookAtShipments(api.logistics)
  }
}
