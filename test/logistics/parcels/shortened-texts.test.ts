import { expect, test } from 'vitest'
import { CarriedParcel, parcelExample } from '../../../registry/logistics/parcel.ts'
import { pickupInputExample } from '../../../registry/logistics/quote-example.ts'
import { randomCode } from '../../../src/base/ids.ts'
import { contentsOf } from '../../../src/partners/carriers/address-text.ts'
import { useApi } from '../../support/api.ts'
import { openTestShop, plainPhone, post } from '../../support/logistics/parcel-run.ts'
import { placeOrder } from '../../support/shop.ts'

/** Texts of orders that are longer than a shipment or a carrier allows, with an emoji at the limit. */

const started = useApi()

const address = { recipientName: 'Bisi Ade', phone: plainPhone, line1: '12 Admiralty Way', city: 'Lekki' }

test.for([
  ['landmark', 140],
  ['instructions', 280],
] as const)('an order whose %s has an emoji across the character %i is quoted and dispatched, and the half of the emoji is replaced', async ([
  field,
  limit,
]) => {
  const api = started()
  const shop = await openTestShop(api)
  const start = 'a'.repeat(limit - 1)
  const shippingAddress = { ...address, [field]: `${start}🙂 and more` }
  const { id: orderId } = await placeOrder(api, shop, { body: { shippingAddress } })
  const quote = await post(api, shop, 'quote', { orderId, pickup: pickupInputExample })
  expect(quote.status, quote.text).toBe(200)
  expect(quote.body.dropoff[field]).toBe(`${start}\uFFFD`)
  const dispatched = await post(api, shop, 'dispatch', { reference: randomCode(12), quoteId: quote.body.id })
  expect(dispatched.status, dispatched.text).toBe(201)
})

test('the description of the contents for a carrier has no half of an emoji', () => {
  const parcel = CarriedParcel.parse(parcelExample)
  const start = { ...parcel, description: 'a'.repeat(123) }
  expect(contentsOf([start, { ...parcel, description: `${'a'.repeat(124)}🙂` }]).isWellFormed()).toBe(true)
})
