import { expect, test } from 'vitest'
import { pickupInputExample } from '../../registry/logistics/quote-example.ts'
import { randomCode } from '../../src/base/ids.ts'
import { type ReplyBody, type TestApi, useApi } from '../support/api.ts'
import { ledgerOf } from '../support/commerce/order-transitions.ts'
import { auditRows } from '../support/database-contents.ts'
import { openTestShop, pass, plainPhone } from '../support/logistics/parcel-run.ts'
import { expectReports } from '../support/reports/exported-sales.ts'

/**
 * One working day of a shop through the API. After each step, the stock, the money, the events, the audit log, the
 * exports and the sales report must agree with each other, and with what the step is documented to do.
 */

const started = useApi({ sendsCallbacks: true })

/** On-hand quantity of each variant at the beginning of the day. */
const openingUnits = 10

const shippingKobo = 150_000

/** Simulated time within which a simulated carrier delivers. */
const deliverySeconds = 7200

const prices = { medium: 1_000_000, large: 1_300_000, scarf: 250_000, cap: 100_000 } as const

type Sku = keyof typeof prices
type Stock = Readonly<Record<Sku, readonly [onHand: number, reserved: number]>>

/** The effects of a step: changed stock, emitted events and audited actions. */
interface Change {
  readonly stock?: Partial<Stock>
  /** The kinds of the emitted events, in alphabetical order. */
  readonly events: readonly string[]
  /** The audited actions, in alphabetical order. */
  readonly actions: readonly string[]
}

async function openDay(api: TestApi) {
  const shop = await openTestShop(api)
  const send = async (method: string, path: string, body?: object): Promise<ReplyBody> => {
    const sent = body === undefined ? {} : { body }
    const reply = await api.send(method, `/api/v1${path}`, { token: shop.token, ...sent })
    expect(reply.status, reply.text).toBeLessThan(300)
    return reply.body
  }
  const get = (path: string) => send('GET', path)
  const post = (path: string, body: object) => send('POST', path, body)
  const variant = (sku: Sku, more: object = {}) => ({
    ...{ sku, priceKobo: prices[sku], inventory: { onHand: openingUnits } },
    ...more,
  })
  const sizes = ['M', 'L'] as const
  const dress = await post('/products', {
    title: 'Ankara maxi dress',
    status: 'active',
    options: [{ name: 'size', values: sizes }],
    variants: [variant('medium', { optionValues: { size: 'M' } }), variant('large', { optionValues: { size: 'L' } })],
  })
  const scarf = await post('/products', { title: 'Aso oke scarf', status: 'active', variants: [variant('scarf')] })
  const cap = await post('/products', { title: 'Embroidered cap', status: 'active', variants: [variant('cap')] })
  const variants: ReplyBody[] = [dress, scarf, cap].flatMap((product) => product.variants)
  const idOf = (sku: Sku): string => variants.find((each) => each.sku === sku).id
  return { api, shop, get, post, patch: (path: string, body: object) => send('PATCH', path, body), idOf }
}

type Day = Awaited<ReturnType<typeof openDay>>

/** Expects that the exports contain what the API returns, and returns the exported records. */
async function readExports({ get, api }: Day) {
  // Exports contain only records from before their request.
  api.clock.advance(1)
  const exported = async (resource: string): Promise<ReplyBody[]> => (await get(`/exports/${resource}`)).data
  const byId = (records: readonly ReplyBody[]) => new Map(records.map((record) => [record.id, record]))
  const each = (path: string, records: readonly ReplyBody[]) =>
    Promise.all(records.map(({ id }) => get(`${path}/${id}`)))
  const orders = await exported('orders')
  const payments = await exported('payments')
  const refunds = await exported('refunds')
  const shipments = await exported('shipments')
  const products = await exported('products')
  expect(byId(orders)).toEqual(byId(await each('/orders', orders)))
  expect(byId(products)).toEqual(byId(await each('/products', products)))
  expect(byId(payments)).toEqual(byId((await get('/payments')).data))
  expect(byId(refunds)).toEqual(byId((await get('/refunds')).data))
  expect(byId(shipments)).toEqual(byId((await get('/logistics/shipments')).data))
  return { orders, payments, refunds, products }
}

const sumOf = (records: readonly ReplyBody[]) => records.reduce((sum, { amountKobo }) => sum + amountKobo, 0)

/** Returns a function that compares the records of the shop with each other and with the expected changes of a step. */
function comparing(day: Day) {
  const { api, shop, get } = day
  const stock: Record<string, Stock[Sku]> = Object.fromEntries(
    Object.keys(prices).map((sku) => [sku, [openingUnits, 0]]),
  )
  const today = new Date(api.clock.nowMs() + 3_600_000).toISOString().slice(0, 10)
  let seenEvents = 0
  let seenActions = 0
  return async (change: Change): Promise<void> => {
    Object.assign(stock, change.stock)
    const { orders, payments, refunds, products } = await readExports(day)
    const variants: ReplyBody[] = products.flatMap((product) => product.variants)
    const counted = variants.map(({ sku, inventory: { onHand, reserved } }) => [sku, [onHand, reserved]])
    expect(Object.fromEntries(counted)).toEqual(stock)
    for (const { id, inventory } of variants) {
      const ledger = await ledgerOf(api, id)
      expect(ledger).toMatchObject({ onHand: inventory.onHand, reserved: inventory.reserved })
    }
    for (const order of orders) {
      const ofOrder = ({ orderId }: ReplyBody) => orderId === order.id
      expect([order.paidKobo, order.refundedKobo], order.number).toEqual([
        sumOf(payments.filter(ofOrder)),
        sumOf(refunds.filter(ofOrder)),
      ])
    }
    await expectReports(api, shop, [today, today])
    const { data: events } = await get('/events?limit=100')
    const emitted: ReplyBody[] = events.slice(0, events.length - seenEvents)
    seenEvents = events.length
    // The comparison itself exports records, so the audit rows of exports are left out.
    const audited = (await auditRows(api, shop.merchantId)).filter(({ action }) => action !== 'export.create')
    const actions = audited.map(({ action }) => action)
    expect(emitted.map(({ event }) => event).toSorted()).toEqual(change.events)
    expect(actions.slice(seenActions).toSorted()).toEqual(change.actions)
    seenActions = actions.length
  }
}

const shipmentMoves = Array.from({ length: 5 }, () => 'shipment.status_changed')

/** Creates the order of the test: a dress, a scarf and two caps. The dress and the scarf are paid in advance. */
async function openOrder(day: Day) {
  const { get, post, patch, idOf } = day
  const expectChange = comparing(day)
  await expectChange({ events: [], actions: ['product.create', 'product.create', 'product.create'] })
  const line = (sku: Sku, quantity = 1) => ({ variantId: idOf(sku), quantity })
  const address = {
    recipientName: 'Bisi Ade',
    phone: plainPhone,
    line1: '12 Admiralty Way',
    city: 'Lekki',
    state: 'Lagos',
  }
  const body = {
    customer: { name: 'Adaeze Okafor', email: 'adaeze.okafor@example.com', phone: plainPhone },
    ...{ shippingAddress: address, paymentMethod: 'pay_on_delivery', source: 'whatsapp' },
  }
  const order = await post('/orders', { ...body, shippingKobo, items: [line('medium'), line('scarf'), line('cap')] })
  await expectChange({
    stock: { medium: [10, 1], scarf: [10, 1], cap: [10, 1] },
    events: ['order.created'],
    actions: ['order.create'],
  })
  const { id, items } = await patch(`/orders/${order.id}`, { items: [line('medium'), line('scarf'), line('cap', 2)] })
  await expectChange({ stock: { cap: [10, 2] }, events: ['order.edited'], actions: ['order.update'] })
  const prepaidKobo = prices.medium + prices.scarf
  await post(`/orders/${id}/payments`, { amountKobo: prepaidKobo, method: 'bank_transfer', reference: randomCode(12) })
  await expectChange({ events: ['payment.recorded'], actions: ['payment.record'] })
  const itemOf = (sku: Sku): string => items.find(({ variantId }: ReplyBody) => variantId === idOf(sku)).id
  return {
    ...{ day, id, itemOf, expectChange, read: () => get(`/orders/${id}`) },
    replace: (returnId: string) => post('/orders', { ...body, items: [line('large')], exchangeOfReturnId: returnId }),
    dispatch: (orderId: string, quantities: Readonly<Record<string, number>>, more: object = {}) =>
      post('/logistics/dispatch', {
        ...{ orderId, pickup: pickupInputExample, reference: randomCode(12) },
        items: Object.entries(quantities).map(([itemId, quantity]) => ({ itemId, quantity })),
        failover: { strategy: 'preferred', carriers: ['simulator-swift'] },
        ...more,
      }),
    approvedReturn: async (sku: Sku): Promise<string> => {
      const items = [{ itemId: itemOf(sku), quantity: 1 }]
      const { id: returnId } = await post(`/orders/${id}/returns`, { items, reason: 'wrong_size' })
      await post(`/returns/${returnId}/transition`, { to: 'approved' })
      return returnId
    },
    receive: (returnId: string, sku: Sku, units: object) =>
      post(`/returns/${returnId}/receive`, { items: [{ itemId: itemOf(sku), ...units }] }),
  }
}

type DayOrder = Awaited<ReturnType<typeof openOrder>>

async function exchangeDress({ day, expectChange, approvedReturn, replace, receive }: DayOrder): Promise<ReplyBody> {
  const { get, post } = day
  const returnId = await approvedReturn('medium')
  await expectChange({ events: ['return.status_changed'], actions: ['return.create', 'return.transition'] })
  const replacement = await replace(returnId)
  const differenceKobo = prices.large - prices.medium
  expect(replacement).toMatchObject({ paidKobo: prices.medium, balanceKobo: differenceKobo, status: 'pending' })
  await expectChange({
    stock: { large: [10, 1] },
    events: ['order.created', 'order.refunded', 'payment.recorded'],
    actions: ['order.create'],
  })
  const linkPath = `/orders/${replacement.id}/payment-link`
  const { provider, reference, amountKobo, status } = await post(linkPath, {})
  expect([amountKobo, status]).toEqual([differenceKobo, 'open'])
  await post(`/orders/${replacement.id}/payments`, { provider, reference, amountKobo, method: 'card' })
  expect((await get(linkPath)).status).toBe('paid')
  await expectChange({
    events: ['order.status_changed', 'payment.recorded'],
    actions: ['payment.record', 'payment_link.create', 'payment_link.open'],
  })
  await receive(returnId, 'medium', { restockQuantity: 1 })
  await expectChange({ stock: { medium: [10, 0] }, events: ['return.status_changed'], actions: ['return.receive'] })
  return replacement
}

async function refundScarf({ day, id, itemOf, expectChange, approvedReturn, receive }: DayOrder): Promise<void> {
  const returnId = await approvedReturn('scarf')
  await receive(returnId, 'scarf', { writeOffQuantity: 1 })
  const items = [{ itemId: itemOf('scarf'), quantity: 1 }]
  const refund = await day.post('/refunds', { orderId: id, returnId, reason: 'damaged', items })
  expect(refund).toMatchObject({ amountKobo: prices.scarf, status: 'succeeded' })
  await expectChange({
    events: ['order.refunded', 'return.status_changed', 'return.status_changed'],
    actions: ['refund.create', 'return.create', 'return.receive', 'return.transition'],
  })
}

test('the stock, money, events, audit log, exports and sales report of a shop agree after each step of a day', async () => {
  const api = started()
  const order = await openOrder(await openDay(api))
  const { id, itemOf, read, dispatch, expectChange } = order
  const dispatched = ['shipment.dispatch', 'shipment.record_outcome', 'shipment.request_carrier']

  await dispatch(id, { [itemOf('medium')]: 1, [itemOf('scarf')]: 1 })
  await pass(api, deliverySeconds, 60)
  await expectChange({
    stock: { medium: [9, 0], scarf: [9, 0] },
    events: ['order.status_changed', ...shipmentMoves],
    actions: dispatched,
  })
  const replacement = await exchangeDress(order)
  await refundScarf(order)

  const { balanceKobo: codAmountKobo } = await read()
  expect(codAmountKobo).toBe(2 * prices.cap + shippingKobo)
  await dispatch(id, { [itemOf('cap')]: 2 }, { codAmountKobo })
  await dispatch(replacement.id, { [replacement.items[0].id]: 1 })
  await pass(api, deliverySeconds, 60)
  await expectChange({
    stock: { large: [9, 0], cap: [8, 0] },
    events: [
      ...Array.from({ length: 4 }, () => 'order.status_changed'),
      'payment.recorded',
      ...shipmentMoves,
      ...shipmentMoves,
    ],
    actions: dispatched.flatMap((action) => [action, action]),
  })
  const delivered = { status: 'delivered', paymentStatus: 'partially_refunded', balanceKobo: 0 }
  expect(await read()).toMatchObject({ ...delivered, refundedKobo: prices.medium + prices.scarf })
  const { carriers } = await order.day.get('/logistics/remittances')
  expect(carriers).toMatchObject([{ carrier: 'simulator-swift', outstandingKobo: codAmountKobo }])
})
