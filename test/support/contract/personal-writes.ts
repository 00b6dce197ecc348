import { expect } from 'vitest'
import type { z } from 'zod'
import { endpoints } from '../../../registry/index.ts'
import type { ReplyBody, TestApi } from '../api.ts'
import { moveOrderTo } from '../commerce/order-transitions.ts'
import { type Shop, type Stocking, stockVariant } from '../shop.ts'
import { filledWith, hasPersonalText } from './text-fields.ts'

/** Sends every request that writes records of a customer, with every personal text field filled in. */

/** All orders belong to one person, so that every request body has the same e-mail address. */
const email = 'zqperson@zqperson.example.com'

/** Returns texts that the schemas accept and for which a test can search. Each text identifies one field. */
export function markers() {
  const fieldOf = new Map<string, string>()
  const mark = (operation: string) => (schema: z.core.$ZodType, path: string) => {
    const number = String(fieldOf.size + 100)
    const forms = [`Zq${number}x`, email, `+2348039876${number}`, `2093847${number}`, `739${number}`]
    const form = forms.find((each) => (schema as z.ZodType).safeParse(each).success)
    if (form === undefined) throw new Error(`No marker fits ${operation} ${path}.`)
    fieldOf.set(form, `${operation} body${path}`)
    return form
  }
  return { fieldOf, mark }
}

/**
 * The write operations whose bodies may contain personal text for a customer's records. Products and discounts are left
 * out, because their metadata belongs to the merchant.
 */
export const personalWrites = Object.values(endpoints).filter(
  (endpoint) =>
    endpoint.kind === 'write' &&
    ['Customers', 'Orders', 'Refunds', 'Logistics'].includes(endpoint.tag) &&
    'body' in endpoint &&
    hasPersonalText(endpoint.body.schema),
)

/** The API to which the requests are sent, in this process or in another process. */
export interface Writing extends Stocking, Pick<TestApi, 'send'> {
  /** Lets time pass in a test that controls the clock, so that the shipments progress. */
  readonly pass?: () => Promise<void>
}

/**
 * Sends every request that writes a customer's records, with every personal field filled in. Returns the ids of the
 * records.
 */
export async function sendEveryWrite(api: Writing, shop: Shop) {
  const { fieldOf, mark } = markers()
  const sent = new Set<string>()
  const send = async (id: string, path: string, more: object, expected = 200): Promise<ReplyBody> => {
    const endpoint = personalWrites.find((each) => each.id === id)
    if (endpoint === undefined || !('body' in endpoint)) throw new Error(`${id} has no personal text.`)
    sent.add(id)
    const filled = filledWith({ marker: mark(id) }, endpoint.body.schema, endpoint.body.example)
    const body = { ...Object(filled), ...more }
    // Only createRefund stores a response for its Idempotency-Key. All other operations ignore the header.
    const headers = { 'Idempotency-Key': `zq-${id}` }
    const reply = await api.send(endpoint.method, `/api/v1${path}`, { token: shop.token, body, headers })
    expect(reply.status, `${id} ${reply.text}`).toBe(expected)
    return reply.body
  }
  const { variantId } = await stockVariant(api, shop.merchantId, { priceKobo: 1_000_000 })
  const items = [{ variantId, quantity: 1 }]
  const location = { lat: 6.4474, lng: 3.4723 }
  // The address fields must resolve to a delivery zone, because otherwise the service rejects the dispatch.
  const place = (body: object, name: string) => ({ ...Object(Reflect.get(body, name)), state: 'Lagos', location })
  const parcel = (id: string) => {
    const endpoint = personalWrites.find((each) => each.id === id)
    if (endpoint === undefined || !('body' in endpoint)) throw new Error(`${id} is not such a write operation.`)
    const body = Object(filledWith({ marker: mark(id) }, endpoint.body.schema, endpoint.body.example))
    return { pickup: place(body, 'pickup'), dropoff: place(body, 'dropoff') }
  }

  const customer = await send('createCustomer', '/customers', {}, 201)
  const address = await send('createAddress', `/customers/${customer.id}/addresses`, {}, 201)
  await send('updateAddress', `/customers/${customer.id}/addresses/${address.id}`, {})
  await send('updateCustomer', `/customers/${customer.id}`, {})

  const order = (externalReference: string): Promise<ReplyBody> =>
    send('createOrder', '/orders', { items, customerId: undefined, externalReference }, 201)
  const cancelled = await order('cancelled')
  await send('updateOrder', `/orders/${cancelled.id}`, {})
  await send('createOrderComment', `/orders/${cancelled.id}/comments`, {}, 201)
  const ways = { orderId: cancelled.id, ...parcel('createQuote') }
  await send('createQuote', '/logistics/quote', ways)
  const carriers = ['simulator-swift']
  const chosen = { carriers, quoteId: undefined, offerId: undefined, confirmOrder: true }
  const dispatch = { ...ways, ...parcel('dispatchShipment'), ...chosen }
  const shipment = await send('dispatchShipment', '/logistics/dispatch', { ...dispatch, reference: 'zq-one' }, 201)
  const cancelling = { maxFeeKobo: 10_000_000 }
  await send('cancelShipment', `/logistics/shipments/${shipment.id}/cancel`, cancelling)
  const planned = { ...dispatch, ...parcel('createPredictiveSchedule'), reference: 'zq-two', allowAdditional: true }
  const schedule = await send('createPredictiveSchedule', '/logistics/predictive-schedule', planned, 201)
  await send('cancelShipment', `/logistics/shipments/${schedule.shipmentId ?? schedule.id}/cancel`, cancelling)
  await api.pass?.()
  await send('cancelOrder', `/orders/${cancelled.id}/cancel`, {})

  const delivered = await order('delivered')
  const paid = { amountKobo: delivered.totalKobo, method: 'bank_transfer', reference: `zq-${delivered.id}` }
  const payment = await api.send('POST', `/api/v1/orders/${delivered.id}/payments`, { token: shop.token, body: paid })
  expect(payment.status, payment.text).toBe(201)
  const refund = await send('createRefund', '/refunds', { orderId: delivered.id, amountKobo: 1000 }, 201)
  await moveOrderTo(api, shop, delivered.id, 'delivered')
  return { customer, fieldOf, sent, orders: [cancelled, delivered], shipment, schedule, refund }
}
