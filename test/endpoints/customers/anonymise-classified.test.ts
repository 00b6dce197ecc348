import { expect, test } from 'vitest'
import type { z } from 'zod'
import { endpoints, events } from '../../../registry/index.ts'
import { redactIn } from '../../../src/commerce/customers/redact-person.ts'
import { type ReplyBody, type TestApi, useApi } from '../../support/api.ts'
import { moveOrderTo } from '../../support/commerce/order-transitions.ts'
import { filledWith, hasPersonalText, personalTextsOf } from '../../support/contract/text-fields.ts'
import { dumpOf } from '../../support/database-dump.ts'
import { openTestShop, pass } from '../../support/logistics/parcel-run.ts'
import { type Shop, stockVariant } from '../../support/shop.ts'

/**
 * Compares anonymising with the contract’s data classification: every personal text field of every request that writes
 * a customer’s records is filled in, and none of the texts may remain in the database. A new personal field is filled
 * in automatically.
 */

const started = useApi()

/** All orders are of one person, so that every body holds the same address. */
const email = 'zqperson@zqperson.example.com'

/** Returns searchable texts, each naming one field, in the forms that the schemas accept. */
function markers() {
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
 * The write operations whose bodies hold personal text on a customer’s records. The metadata of products and discounts
 * belongs to the merchant.
 */
const writes = Object.values(endpoints).filter(
  (endpoint) =>
    endpoint.kind === 'write' &&
    ['Customers', 'Orders', 'Refunds', 'Logistics'].includes(endpoint.tag) &&
    'body' in endpoint &&
    hasPersonalText(endpoint.body.schema),
)

/** Sends each of those requests with every personal field filled in, and returns the ids of the records. */
async function sendEveryWrite(api: TestApi, shop: Shop) {
  const { fieldOf, mark } = markers()
  const sent = new Set<string>()
  const send = async (id: string, path: string, more: object, expected = 200): Promise<ReplyBody> => {
    const endpoint = writes.find((each) => each.id === id)
    if (endpoint === undefined || !('body' in endpoint)) throw new Error(`${id} has no personal text.`)
    sent.add(id)
    const filled = filledWith(mark(id), endpoint.body.schema, endpoint.body.example)
    const body = { ...Object(filled), ...more }
    // Only createRefund stores a reply for its Idempotency-Key; the other operations ignore the header.
    const headers = { 'Idempotency-Key': `zq-${id}` }
    const reply = await api.send(endpoint.method, `/api/v1${path}`, { token: shop.token, body, headers })
    expect(reply.status, `${id} ${reply.text}`).toBe(expected)
    return reply.body
  }
  const { variantId } = await stockVariant(api, shop.merchantId, { priceKobo: 1_000_000 })
  const items = [{ variantId, quantity: 1 }]
  const location = { lat: 6.4474, lng: 3.4723 }
  // The place fields must resolve to a zone, or the dispatch is rejected.
  const place = (body: object, name: string) => ({ ...Object(Reflect.get(body, name)), state: 'Lagos', location })
  const parcel = (id: string) => {
    const endpoint = writes.find((each) => each.id === id)
    if (endpoint === undefined || !('body' in endpoint)) throw new Error(`${id} is not such a write operation.`)
    const body = Object(filledWith(mark(id), endpoint.body.schema, endpoint.body.example))
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
  await pass(api, 60, 30)
  await send('cancelOrder', `/orders/${cancelled.id}/cancel`, {})

  const delivered = await order('delivered')
  const paid = { amountKobo: delivered.totalKobo, method: 'bank_transfer', reference: `zq-${delivered.id}` }
  const payment = await api.send('POST', `/api/v1/orders/${delivered.id}/payments`, { token: shop.token, body: paid })
  expect(payment.status, payment.text).toBe(201)
  const refund = await send('createRefund', '/refunds', { orderId: delivered.id, amountKobo: 1000 }, 201)
  await moveOrderTo(api, shop, delivered.id, 'delivered')
  return { customer, fieldOf, sent, orders: [cancelled, delivered], shipment, schedule, refund }
}

/** Operations that store the same fields as another operation. */
const sameAs: Readonly<Record<string, string>> = { setRefundBankDetails: 'createRefund' }

async function anonymise(api: TestApi, shop: Shop, id: string): Promise<void> {
  const reply = await api.send('POST', `/api/v1/customers/${id}/anonymise`, { token: shop.token })
  expect(reply.status, reply.text).toBe(200)
}

/** Returns all rows except those of the simulated carriers, which keep their own records as real carriers do. */
async function ownRows(api: TestApi): Promise<string[]> {
  return (await dumpOf(api)).split('\n').filter((row) => !row.startsWith('public.simulated_orders '))
}

test('leaves no personal text of any write operation in the database', async () => {
  const api = started()
  const shop = await openTestShop(api)
  const { customer, fieldOf, sent } = await sendEveryWrite(api, shop)
  const expected = writes.map(({ id }) => sameAs[id] ?? id)
  expect([...sent].sort()).toEqual([...new Set(expected)].sort())
  const before = (await ownRows(api)).join('\n')
  const stored = [...fieldOf].filter(([marker]) => before.includes(marker))
  expect(stored.length).toBeGreaterThan(80)
  await anonymise(api, shop, customer.id)
  const after = await ownRows(api)
  const left = [...fieldOf].flatMap(([marker, field]) => {
    const row = after.find((each) => each.includes(marker))
    return row === undefined ? [] : [`${field} is left in ${row.split(' ')[0]}`]
  })
  expect(left).toEqual([])
})

/** The values that replace a personal text that must not be null. An error message is replaced with its code. */
const replacements = [
  /^Removed$/,
  /^Deleted customer$/,
  /^anon-[0-9a-z]{20}@anonymised\.invalid$/,
  /^\*{6}0000$/,
  /^[a-z_]+$/,
]

/** A description written by the service, from which only the carrier’s text is removed. */
const serviceText = /timeline\[\]\.description$/

test('leaves no personal text in the records that the API returns', async () => {
  const api = started()
  const shop = await openTestShop(api)
  const { customer, orders, shipment, schedule, refund } = await sendEveryWrite(api, shop)
  await anonymise(api, shop, customer.id)
  const shipmentIds = [shipment.id, schedule.shipmentId ?? schedule.id]
  const records = [
    [endpoints.getCustomer, `/customers/${customer.id}`],
    ...orders.map(({ id }) => [endpoints.getOrder, `/orders/${id}`] as const),
    [endpoints.getRefund, `/refunds/${refund.id}`],
    ...shipmentIds.map((id) => [endpoints.getShipment, `/logistics/shipments/${id}`] as const),
    [endpoints.trackShipment, `/logistics/shipments/${shipment.id}/track`],
  ] as const
  const left = []
  for (const [endpoint, path] of records) {
    const { body, status } = await api.send('GET', `/api/v1${path}`, { token: shop.token })
    expect(status).toBe(200)
    const texts = personalTextsOf(endpoint.reply.body, body, endpoint.id)
    left.push(
      ...texts.filter(([field, text]) => !serviceText.test(field) && !replacements.some((one) => one.test(text))),
    )
  }
  expect(left).toEqual([])
})

test.each(
  Object.values(events).filter(({ data }) => hasPersonalText(data)),
)('leaves no personal text in a stored $kind', ({ data, example }) => {
  const { fieldOf, mark } = markers()
  const body = JSON.stringify(filledWith(mark('event'), data, example))
  const after = redactIn(body, 'anon-0@anonymised.invalid')
  expect([...fieldOf].filter(([marker]) => after.includes(marker))).toEqual([])
})
