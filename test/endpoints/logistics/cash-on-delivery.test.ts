import { beforeAll, describe, expect, test } from 'vitest'
import { pickupInputExample } from '../../../registry/logistics/quote-example.ts'
import {
  type CashOutcome,
  cashOutcomes,
  cashPhonePrefix,
  deliveryPhonePrefix,
} from '../../../registry/service/test-phones.ts'
import { randomCode } from '../../../src/base/ids.ts'
import { nairaText } from '../../../src/base/naira.ts'
import { answers } from '../../support/answers.ts'
import { type ReplyBody, useApi } from '../../support/api.ts'
import { select } from '../../support/database-contents.ts'
import {
  attemptsOf,
  cancelShipment,
  getShipment,
  inOrder,
  openTestShop,
  orderTo,
  parcelTo,
  pass,
  plainPhone,
  post,
} from '../../support/logistics/parcel-run.ts'
import { orderBody, type Shop, stockVariant } from '../../support/shop.ts'

const started = useApi({ sendsCallbacks: true })

let shop: Shop
beforeAll(async () => {
  shop = await openTestShop(started())
})

const quote = (more: object, phone = plainPhone) => {
  const { reference: _, ...parcel } = parcelTo(phone) as { reference: string }
  return post(started(), shop, 'quote', { ...parcel, ...more })
}
const dispatch = (more: object) => post(started(), shop, 'dispatch', { reference: randomCode(12), ...more })

/** Creates an unpaid order of units at ₦10,000 each that is payable on delivery. */
async function openOrder(quantity = 1, phone = plainPhone) {
  const shippingAddress = { recipientName: 'Bisi Ade', phone, line1: '12 Admiralty Way', city: 'Lekki', state: 'Lagos' }
  const { variantId } = await stockVariant(started(), shop.merchantId, { priceKobo: 1_000_000 })
  const more = { items: [{ variantId, quantity }], paymentMethod: 'pay_on_delivery', shippingAddress }
  const created = await started().send('POST', '/api/v1/orders', {
    token: shop.token,
    body: orderBody(variantId, more),
  })
  expect(created.status, created.text).toBe(201)
  const { id, totalKobo, items } = created.body
  const read = async () => (await started().send('GET', `/api/v1/orders/${id}`, { token: shop.token })).body
  return { id, itemId: items[0].id, totalKobo, read }
}

const toSwift = { pickup: pickupInputExample, ...inOrder(['simulator-swift']) }

const paymentsOf = async (orderId: string): Promise<ReplyBody[]> =>
  (await started().send('GET', `/api/v1/payments?orderId=${orderId}`, { token: shop.token })).body.data

describe('offers with cash on delivery', () => {
  const reasons = ({ carriers }: ReplyBody) =>
    Object.fromEntries(carriers.map(({ carrier, status, message }: ReplyBody) => [carrier, [status, message]]))

  test('createQuote leaves out the offers of carriers that collect no cash, and states the reason', async () => {
    const { status, body } = await quote({ codAmountKobo: 1_000_000 })
    expect(status).toBe(200)
    expect(body.codAmountKobo).toBe(1_000_000)
    expect(reasons(body)).toMatchObject({
      'simulator-swift': ['ok', null],
      'simulator-steady': ['ok', null],
      'simulator-saver': ['unsupported', 'Cash on delivery is not available.'],
    })
    for (const { carrier, capabilities } of body.offers) {
      expect([carrier, capabilities]).toEqual([
        expect.stringMatching(/swift|steady/),
        expect.arrayContaining(['cash_on_delivery']),
      ])
    }
  })

  test('createQuote leaves out the offers of a carrier whose cash limit is lower than the requested cash on delivery', async () => {
    const { body } = await quote({ codAmountKobo: 20_000_001 })
    expect(reasons(body)).toMatchObject({
      'simulator-swift': ['unsupported', 'The cash of ₦200,000.01 exceeds the limit of ₦200,000.00.'],
      'simulator-steady': ['ok', null],
    })
  })

  test('createQuote without cash on delivery returns offers of every carrier, and null as the cash amount', async () => {
    const { body } = await quote({})
    expect(body.codAmountKobo).toBeNull()
    expect(new Set(body.offers.map(({ carrier }: ReplyBody) => carrier)).size).toBe(3)
  })

  test('createQuote rejects a cash on delivery amount of 0', async () => {
    expect(await quote({ codAmountKobo: 0 })).toMatchObject({
      status: 400,
      body: { error: { code: 'validation_failed' } },
    })
  })
})

describe('the cash of a quote', () => {
  test('a dispatch of a quote has the quote’s cash on delivery, and is rejected if the dispatch request names another amount', async () => {
    const { body } = await quote({ codAmountKobo: 1_000_000 })
    const other = await dispatch({ quoteId: body.id, codAmountKobo: 1_000_001 })
    answers('dispatchShipment', 'quote_mismatch', other)
    expect(other.body.error.details).toEqual({ field: 'codAmountKobo' })
    const sent = await dispatch({ quoteId: body.id })
    expect(sent).toMatchObject({
      status: 201,
      body: { codAmountKobo: 1_000_000, codCollectedKobo: null, codCollectedAt: null },
    })
  })

  test('a dispatch with cash on delivery rejects a quote that was made without cash on delivery', async () => {
    const { body } = await quote({})
    const other = await dispatch({ quoteId: body.id, codAmountKobo: 1_000_000 })
    expect(other).toMatchObject({
      status: 409,
      body: { error: { code: 'quote_mismatch', details: { field: 'codAmountKobo' } } },
    })
  })

  test('the new quote that replaces an expired quote has the same amount of cash on delivery', async () => {
    const { body } = await quote({ codAmountKobo: 1_000_000 })
    started().clock.advance(24 * 3_600_000)
    const expired = await dispatch({ quoteId: body.id })
    expect(expired.body.error.code).toBe('quote_expired')
    const { quoteId } = expired.body.error.details
    expect(await dispatch({ quoteId })).toMatchObject({ status: 201, body: { codAmountKobo: 1_000_000 } })
  })
})

test('failover of a shipment with cash on delivery requests only carriers that collect cash', async () => {
  const carriers = ['simulator-swift', 'simulator-saver', 'simulator-steady'] as const
  const more = { codAmountKobo: 1_000_000, ...inOrder(carriers) }
  const { body } = await post(started(), shop, 'dispatch', parcelTo('+2348035550110', more))
  const { shipmentId } = body.error.details
  expect(attemptsOf((await getShipment(started(), shop, shipmentId)).body)).toEqual([
    ['swift', 'refused', 'couriers_busy'],
    ['steady', 'refused', 'couriers_busy'],
  ])
})

test('a scheduled shipment with cash on delivery requests offers only from carriers that collect cash', async () => {
  const scheduleAt = new Date(started().clock.nowMs() + 3_600_000).toISOString()
  const more = { codAmountKobo: 1_000_000, scheduleAt, ...inOrder(['simulator-saver', 'simulator-swift']) }
  const { body } = await post(started(), shop, 'dispatch', parcelTo(plainPhone, more))
  expect(body).toMatchObject({ status: 'scheduled', codAmountKobo: 1_000_000 })
  started().clock.advance(3_600_000)
  await pass(started(), 20)
  const sent = (await getShipment(started(), shop, body.id)).body
  expect(sent.plan.map(({ carrier }: ReplyBody) => carrier)).toEqual(['simulator-swift'])
})

describe('the cash of an order', () => {
  test('createQuote rejects cash on delivery that exceeds the amount due minus the cash of the order’s other shipments', async () => {
    const { id: orderId, itemId, totalKobo } = await openOrder(2)
    const refused = await quote({ orderId, codAmountKobo: totalKobo + 1 })
    answers('createQuote', 'cod_exceeds_due', refused)
    expect(refused.body.error.details).toEqual({ dueKobo: totalKobo })
    const part = { orderId, items: [{ itemId, quantity: 1 }] }
    expect((await dispatch({ ...part, codAmountKobo: totalKobo - 100, ...toSwift })).status).toBe(201)
    expect((await quote({ ...part, codAmountKobo: 101 })).body.error.details).toEqual({ dueKobo: 100 })
    expect((await quote({ ...part, codAmountKobo: 100 })).body.codAmountKobo).toBe(100)
  })

  test('a dispatch is rejected if its cash on delivery exceeds the amount due of the order', async () => {
    const { id: orderId, totalKobo } = await openOrder()
    const refused = await dispatch({ orderId, codAmountKobo: totalKobo + 1, ...toSwift })
    answers('dispatchShipment', 'cod_exceeds_due', refused)
    expect(refused.body.error.details).toEqual({ dueKobo: totalKobo })
    expect((await dispatch({ orderId, codAmountKobo: totalKobo, ...toSwift })).status).toBe(201)
  })

  test.for([
    [400_000, 600_000],
    [1_000_000, null],
  ] as const)('after a payment of %i kobo, the carrier of a scheduled shipment is requested to collect %o kobo', async ([
    amountKobo,
    codAmountKobo,
  ]) => {
    const { id: orderId, totalKobo } = await openOrder()
    const scheduleAt = new Date(started().clock.nowMs() + 3_600_000).toISOString()
    const { body } = await dispatch({ orderId, codAmountKobo: totalKobo, scheduleAt, ...toSwift })
    expect(body).toMatchObject({ status: 'scheduled', codAmountKobo: totalKobo })
    const payment = { amountKobo, method: 'bank_transfer', reference: randomCode(12) }
    const path = `/api/v1/orders/${orderId}/payments`
    expect((await started().send('POST', path, { token: shop.token, body: payment })).status).toBe(201)
    started().clock.advance(3_600_000)
    await pass(started(), 20)
    const sent = (await getShipment(started(), shop, body.id)).body
    expect(sent).toMatchObject({ codAmountKobo, carrier: { code: 'simulator-swift' } })
  })

  test('cash that an earlier carrier collects is recorded, if this carrier accepted the shipment late and the order was paid in the meantime', async () => {
    const { id: orderId, totalKobo } = await openOrder(1, `${deliveryPhonePrefix}4`)
    const both = inOrder(['simulator-swift', 'simulator-steady'])
    const { status, body } = await dispatch({ orderId, codAmountKobo: totalKobo, pickup: pickupInputExample, ...both })
    expect(status, JSON.stringify(body)).toBe(202)
    const payment = { amountKobo: totalKobo, method: 'bank_transfer', reference: randomCode(12) }
    const path = `/api/v1/orders/${orderId}/payments`
    expect((await started().send('POST', path, { token: shop.token, body: payment })).status).toBe(201)
    await pass(started(), 60)
    const replaced = (await getShipment(started(), shop, body.id)).body
    expect(replaced).toMatchObject({ carrier: { code: 'simulator-steady' }, codAmountKobo: null })
    await pass(started(), 120)
    const late = (await getShipment(started(), shop, body.id)).body
    expect(late).toMatchObject({ carrier: { code: 'simulator-swift' }, codAmountKobo: totalKobo })
    await pass(started(), 600)
    const delivered = (await getShipment(started(), shop, body.id)).body
    expect(delivered).toMatchObject({ status: 'delivered', codCollectedKobo: totalKobo })
    expect(await paymentsOf(orderId)).toMatchObject([
      { method: 'pay_on_delivery', amountKobo: totalKobo, reference: body.id },
      { method: 'bank_transfer', amountKobo: totalKobo },
    ])
  })

  test('a dispatch with cash on delivery is rejected if its order is already paid', async () => {
    const orderId = await orderTo(started(), shop)
    const refused = await dispatch({ orderId, codAmountKobo: 1, ...toSwift })
    expect(refused).toMatchObject({
      status: 409,
      body: { error: { code: 'cod_exceeds_due', details: { dueKobo: 0 } } },
    })
  })

  test('the cash of an active shipment reduces the cash that a further shipment of the order may collect, until the active shipment is cancelled', async () => {
    const { id: orderId, itemId, totalKobo } = await openOrder(3)
    const part = (codAmountKobo: number) =>
      dispatch({ orderId, codAmountKobo, items: [{ itemId, quantity: 1 }], ...toSwift })
    const first = await part(totalKobo - 100)
    expect(first.status, first.text).toBe(201)
    expect((await part(101)).body.error).toMatchObject({ code: 'cod_exceeds_due', details: { dueKobo: 100 } })
    expect((await part(100)).status).toBe(201)
    expect((await part(1)).body.error.details).toEqual({ dueKobo: 0 })
    await cancelShipment(started(), shop, first.body.id)
    expect((await part(totalKobo - 100)).status).toBe(201)
  })

  test('one of two concurrent dispatches is rejected if they would together collect more than the order owes', async () => {
    const { id: orderId, itemId, totalKobo } = await openOrder(2)
    const part = () => dispatch({ orderId, codAmountKobo: totalKobo - 1, items: [{ itemId, quantity: 1 }], ...toSwift })
    const replies = await Promise.all([part(), part()])
    expect(replies.map(({ status }) => status).toSorted()).toEqual([201, 409])
    const stored = await select(started(), 'select cod_amount_kobo from shipments where order_id = $1', [orderId])
    expect(stored).toHaveLength(1)
  })
})

describe('cash on delivery in test mode', () => {
  const phoneOf = (outcome: CashOutcome) =>
    cashPhonePrefix + (cashOutcomes.find(({ name }) => name === outcome)?.digit ?? expect.fail(outcome))

  test('two shipments of an order together collect the whole price of the order in cash, and the order is then paid', async () => {
    const { id: orderId, itemId, totalKobo, read } = await openOrder(2)
    const part = async (codAmountKobo: number) =>
      (await dispatch({ orderId, codAmountKobo, items: [{ itemId, quantity: 1 }], ...toSwift })).body.id
    const first = await part(totalKobo - 400_000)
    expect(await read()).toMatchObject({ status: 'processing', paymentStatus: 'unpaid' })
    await pass(started(), 300)
    const rest = { paymentStatus: 'partially_paid', paidKobo: totalKobo - 400_000, balanceKobo: 400_000 }
    expect(await read()).toMatchObject(rest)
    const second = await part(400_000)
    await pass(started(), 300)
    expect(await read()).toMatchObject({
      status: 'delivered',
      paymentStatus: 'paid',
      paidKobo: totalKobo,
      balanceKobo: 0,
    })
    const { body } = await getShipment(started(), shop, second)
    expect(body).toMatchObject({
      status: 'delivered',
      codCollectedKobo: 400_000,
      codCollectedAt: body.deliveredAt,
      exceptions: [],
    })
    expect(await paymentsOf(orderId)).toMatchObject([
      {
        amountKobo: 400_000,
        method: 'pay_on_delivery',
        provider: 'manual',
        reference: second,
        paidAt: body.deliveredAt,
      },
      { amountKobo: totalKobo - 400_000, reference: first },
    ])
  })

  test.for<[CashOutcome, number, number]>([
    ['short', 500_000, 1],
    ['over', 1_050_000, 1],
    ['nothing', 0, 1],
    ['unreported', 1_000_000, 0],
  ])('with the simulated cash result “%s”, the rider collects %i of 1000000 kobo due, and the shipment has %i exceptions', async ([
    outcome,
    collectedKobo,
    count,
  ]) => {
    const { id: orderId, read } = await openOrder(1, phoneOf(outcome))
    const sent = await dispatch({ orderId, codAmountKobo: 1_000_000, ...toSwift })
    await pass(started(), 300)
    const { body } = await getShipment(started(), shop, sent.body.id)
    expect(body).toMatchObject({ status: 'delivered', codCollectedKobo: collectedKobo })
    const amounts = `Simulator Swift collected ${nairaText(collectedKobo)} instead of ₦10,000.00 in cash.`
    const exceptions = body.exceptions.map(({ code, message }: ReplyBody) => [code, message])
    expect(exceptions).toEqual(count === 0 ? [] : [['cod_amount_mismatch', expect.stringContaining(amounts)]])
    expect(await read()).toMatchObject({ paidKobo: collectedKobo })
    expect((await paymentsOf(orderId)).map(({ amountKobo }) => amountKobo)).toEqual(
      collectedKobo === 0 ? [] : [collectedKobo],
    )
  })

  test('collected cash that would raise the payments of its order above a billion naira is reported by an exception, and can be recorded after the wrong payment is voided', async () => {
    const { id: orderId, totalKobo, read } = await openOrder()
    const sent = await dispatch({ orderId, codAmountKobo: totalKobo, ...toSwift })
    const send = async (path: string, body: object) =>
      (await started().send('POST', `/api/v1/${path}`, { token: shop.token, body })).body
    const mistyped = { amountKobo: 100_000_000_000, method: 'other', reference: randomCode(12), allowOverpayment: true }
    const payment = await send(`orders/${orderId}/payments`, mistyped)
    await pass(started(), 300)
    const { body } = await getShipment(started(), shop, sent.body.id)
    expect(body).toMatchObject({ status: 'delivered', codCollectedKobo: totalKobo })
    const message = `Simulator Swift collected ${nairaText(totalKobo)} in cash, which is not recorded as a payment`
    expect(body.exceptions).toMatchObject([
      { code: 'cod_amount_mismatch', message: expect.stringContaining(message), resolvedAt: null },
    ])
    await send(`payments/${payment.id}/void`, { reason: 'wrong_amount' })
    const cash = { amountKobo: totalKobo, method: 'pay_on_delivery', reference: sent.body.id }
    await send(`orders/${orderId}/payments`, cash)
    expect(await read()).toMatchObject({ paymentStatus: 'paid', paidKobo: totalKobo })
  })

  test('for a carrier whose callbacks are unsigned, the service reads the collected cash by polling', async () => {
    const { id: orderId, totalKobo, read } = await openOrder()
    await dispatch({ orderId, codAmountKobo: totalKobo, pickup: pickupInputExample, ...inOrder(['simulator-steady']) })
    await pass(started(), 900, 15)
    expect(await read()).toMatchObject({ status: 'delivered', paymentStatus: 'paid' })
  })

  test('no cash is collected for a returned parcel, and its order stays unpaid', async () => {
    const { id: orderId, totalKobo, read } = await openOrder(1, '+2348035550888')
    const sent = await dispatch({ orderId, codAmountKobo: totalKobo, ...toSwift })
    await pass(started(), 600, 15)
    const { body } = await getShipment(started(), shop, sent.body.id)
    expect(body).toMatchObject({ status: 'returned', codCollectedKobo: null, codCollectedAt: null })
    expect(await read()).toMatchObject({ paymentStatus: 'unpaid', paidKobo: 0 })
  })
})
