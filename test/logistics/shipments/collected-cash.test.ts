import { beforeAll, describe, expect, test } from 'vitest'
import { nairaText } from '../../../src/base/naira.ts'
import { toKobo } from '../../../src/commerce/money.ts'
import { closeShipment } from '../../../src/logistics/cancellation/close-shipment.ts'
import { listNotifications } from '../../../src/store/webhooks/notifications.ts'
import { type ReplyBody, useApi } from '../../support/api.ts'
import { auditRows, contentsOf, eventsOf, select } from '../../support/database-contents.ts'
import { readShipment, type ShipmentOptions } from '../../support/logistics/shipment.ts'
import { openTrackedShipment } from '../../support/logistics/tracking-updates.ts'
import { openShop, operator, placeOrder, type Shop } from '../../support/shop.ts'

/** The cash that a carrier reports with the delivery of a shipment becomes one payment of its order. */

const started = useApi()

let shop: Shop
beforeAll(async () => {
  shop = await openShop(started().context)
})

const send = (method: 'GET' | 'POST', path: string, body?: object) =>
  started().send(method, `/api/v1${path}`, { token: shop.token, ...(body === undefined ? {} : { body }) })

/** Opens a shipment whose rider must collect the price of an unpaid order. */
async function openCash(options: ShipmentOptions & { readonly isPaid?: boolean } = {}) {
  const { isPaid = false, ...more } = options
  const order = await placeOrder(started(), shop, { isPaid })
  const codAmountKobo = toKobo(order.totalKobo)
  const tracked = await openTrackedShipment(started(), shop, { orderId: order.id, codAmountKobo, ...more })
  return {
    ...{ ...tracked, order, codAmountKobo },
    payments: async (): Promise<ReplyBody[]> =>
      (await send('GET', `/payments?orderId=${order.id}`)).body.data.filter(
        ({ reference }: ReplyBody) => reference === tracked.key.id,
      ),
    orderNow: async () => (await send('GET', `/orders/${order.id}`)).body,
    problems: async () =>
      (await listNotifications(started().database, { merchantId: shop.merchantId, limit: 100 }))
        .filter(({ data }) => Reflect.get(Object(data), 'orderId') === order.id)
        .map(({ kind }) => kind),
    collected: async () => (await readShipment(started(), tracked.key)).shipment.codCollectedKobo,
  }
}

const carrierSums = async () =>
  (
    await select(started(), 'select carrier, collected_kobo::int from carrier_cash where merchant_id = $1', [
      shop.merchantId,
    ])
  ).map(({ carrier, collected_kobo: kobo }) => [carrier, kobo])

describe('the delivery of a shipment with cash on delivery', () => {
  test('one transaction stores the delivery, its payment, the carrier’s collected sum, the audit row and the events', async () => {
    const api = started()
    shop = await openShop(api.context)
    const { update, key, order, codAmountKobo, payments, orderNow } = await openCash()
    await update('picked_up', 1)
    await update('delivered', 5, { cashKobo: codAmountKobo })
    const [payment] = await payments()
    expect(payment).toMatchObject({
      ...{ amountKobo: codAmountKobo, method: 'pay_on_delivery', provider: 'manual', reference: key.id },
      paidAt: (await readShipment(api, key)).shipment.deliveredAt,
    })
    expect(await orderNow()).toMatchObject({ status: 'delivered', paymentStatus: 'paid', balanceKobo: 0 })
    expect(await carrierSums()).toEqual([['simulator-swift', codAmountKobo]])
    const audited = await auditRows(api, shop.merchantId)
    expect(audited).toContainEqual(
      expect.objectContaining({
        action: 'shipment.update',
        resource_id: key.id,
        changes: expect.objectContaining({ codCollectedKobo: [null, codAmountKobo], paidKobo: [0, codAmountKobo] }),
      }),
    )
    expect(await eventsOf(api, shop.merchantId, 'payment.recorded')).toMatchObject([
      { data: { payment: { orderId: order.id, reference: key.id }, excessKobo: 0 } },
    ])
    const rows = await select(
      api,
      `select count(distinct xid) as transactions from (
         select xmin::text as xid from payments where order_id = $1
         union all select xmin::text from shipments where id = $2
         union all select xmin::text from carrier_cash where merchant_id = $3
       ) written`,
      [order.id, key.id, shop.merchantId],
    )
    expect(rows).toEqual([{ transactions: 1 }])
  })

  test('repeated reports of the delivery, with the same or another amount, record the cash once', async () => {
    const { update, codAmountKobo, payments, collected } = await openCash()
    await update('delivered', 5, { cashKobo: codAmountKobo })
    await update('delivered', 5, { cashKobo: codAmountKobo })
    await update('delivered', 9, { cashKobo: toKobo(codAmountKobo - 1), carrierStatus: 'DELIVERED AGAIN' })
    expect(await payments()).toHaveLength(1)
    expect(await collected()).toBe(codAmountKobo)
  })

  test('if the report of a delivery contains no cash amount, the full cash on delivery is recorded as collected', async () => {
    const { update, codAmountKobo, payments } = await openCash()
    await update('delivered', 5)
    expect(await payments()).toMatchObject([{ amountKobo: codAmountKobo }])
  })

  test('tracking updates that arrive out of order after the delivery do not change the recorded cash', async () => {
    const { update, codAmountKobo, payments, read } = await openCash()
    await update('delivered', 30, { cashKobo: codAmountKobo })
    await update('at_dropoff', 20)
    await update('returned', 40)
    expect((await read()).shipment.status).toBe('delivered')
    expect(await payments()).toHaveLength(1)
  })

  test.for([
    'returned',
    'lost',
  ] as const)('no cash is recorded for a parcel that is %s, and its order stays unpaid', async (end) => {
    const { update, payments, collected, orderNow } = await openCash()
    await update('picked_up', 1)
    await update(end, 5)
    expect([await payments(), await collected()]).toEqual([[], null])
    expect(await orderNow()).toMatchObject({ paymentStatus: 'unpaid', paidKobo: 0 })
  })

  test('a delivery that is reported after the parcel’s return records a cash payment only if the report contains an amount', async () => {
    const silent = await openCash()
    await silent.update('picked_up', 1)
    await silent.update('returned', 5)
    await silent.update('delivered', 4)
    expect([await silent.payments(), await silent.collected()]).toEqual([[], null])
    const reporting = await openCash()
    await reporting.update('picked_up', 1)
    await reporting.update('returned', 5)
    await reporting.update('delivered', 4, { cashKobo: reporting.codAmountKobo })
    expect(await reporting.payments()).toHaveLength(1)
  })

  test('a shipment without an order stores the collected cash, but records no payment', async () => {
    const { update, read, key } = await openTrackedShipment(started(), shop, { codAmountKobo: toKobo(500) })
    await update('delivered', 5, { cashKobo: toKobo(500) })
    expect((await read()).shipment).toMatchObject({ codCollectedKobo: 500 })
    expect(await select(started(), 'select id from payments where reference = $1', [key.id])).toEqual([])
  })

  test('a cash amount that a carrier reports for a shipment without cash on delivery is ignored', async () => {
    const { update, read } = await openTrackedShipment(started(), shop, {})
    await update('delivered', 5, { cashKobo: toKobo(500) })
    expect((await read()).shipment).toMatchObject({ codCollectedKobo: null, codCollectedAt: null })
  })

  test('when an operator closes a cash-on-delivery shipment as delivered, its cash is recorded as a payment', async () => {
    const { key, codAmountKobo, payments } = await openCash({ status: 'at_dropoff' })
    const closing = { id: key.id, to: 'delivered', reason: 'The customer has the parcel.' } as const
    await closeShipment(started().context, operator, shop.tenant, closing)
    expect(await payments()).toMatchObject([{ amountKobo: codAmountKobo }])
  })

  test('if a member has recorded a payment whose reference is the shipment’s id, the delivery records no second payment', async () => {
    const { key, order, codAmountKobo, update, payments } = await openCash()
    const body = { amountKobo: codAmountKobo, method: 'cash', reference: key.id }
    expect((await send('POST', `/orders/${order.id}/payments`, body)).status).toBe(201)
    await update('delivered', 5, { cashKobo: codAmountKobo })
    expect(await payments()).toMatchObject([{ method: 'cash' }])
  })
})

describe('cash that differs from the amount', () => {
  test.for([
    ['less', -100, 'Collect the rest from Simulator Swift or from the customer.'],
    ['more', 100, 'Refund the difference to the customer.'],
  ] as const)('if a rider collects %s than the amount due, the exception cod_amount_mismatch is raised with both amounts', async ([
    ,
    differenceKobo,
    next,
  ]) => {
    const { key, update, codAmountKobo, payments } = await openCash()
    const cashKobo = toKobo(codAmountKobo + differenceKobo)
    await update('delivered', 5, { cashKobo })
    expect(await payments()).toMatchObject([{ amountKobo: cashKobo }])
    const { body } = await send('GET', `/logistics/shipments/${key.id}`)
    const message = `Simulator Swift collected ${nairaText(cashKobo)} instead of ${nairaText(codAmountKobo)} in cash. ${next}`
    const raised = { code: 'cod_amount_mismatch', carrier: 'simulator-swift', message, resolvedAt: null }
    expect(body.exceptions).toContainEqual(expect.objectContaining(raised))
    const events = await eventsOf(started(), shop.merchantId, 'shipment.exception_raised')
    const codes = events.flatMap(({ data }) => (data.shipmentId === key.id ? [data.code] : []))
    expect(codes).toContain('cod_amount_mismatch')
  })

  test('cash that a carrier collected for an order that was already paid is recorded and reported as an overpayment', async () => {
    const { update, codAmountKobo, payments, problems } = await openCash({ isPaid: true })
    await update('delivered', 5, { cashKobo: codAmountKobo })
    expect(await payments()).toHaveLength(1)
    expect(await problems()).toContain('payment.overpaid')
  })
})

describe('cash on delivery after a cancellation', () => {
  test('if a parcel is delivered after the cancellation of its order, the collected cash is recorded and reported as a payment of a cancelled order', async () => {
    const { update, order, codAmountKobo, payments, problems } = await openCash({ status: 'awaiting_courier' })
    await update('courier_assigned', 1)
    expect((await send('POST', `/orders/${order.id}/cancel`, { reason: 'customer' })).status).toBe(200)
    await update('delivered', 5, { cashKobo: codAmountKobo })
    expect(await payments()).toHaveLength(1)
    expect(await problems()).toContain('payment.of_cancelled_order')
  })

  test('if a carrier delivers a cancelled shipment nevertheless, the collected cash is recorded once', async () => {
    const at = { status: 'cancelled', attempts: [{ state: 'cancelled' }] } as const
    const { update, read, codAmountKobo, payments, orderNow } = await openCash(at)
    await update('delivered', 5, { cashKobo: codAmountKobo })
    await update('delivered', 6, { cashKobo: codAmountKobo, carrierStatus: 'DELIVERED AGAIN' })
    expect((await read()).shipment).toMatchObject({ status: 'cancelled', codCollectedKobo: codAmountKobo })
    expect(await payments()).toHaveLength(1)
    expect(await orderNow()).toMatchObject({ paymentStatus: 'paid' })
  })

  test('if a parcel is delivered after it was reported as lost, the collected cash is recorded', async () => {
    const { update, codAmountKobo, payments, read } = await openCash()
    await update('lost', 5)
    await update('delivered', 9, { cashKobo: codAmountKobo })
    expect((await read()).shipment.status).toBe('lost')
    expect(await payments()).toHaveLength(1)
  })
})

describe('the payment of collected cash', () => {
  test('collected cash can be refunded like any other manual payment', async () => {
    const { update, order, codAmountKobo } = await openCash()
    await update('delivered', 5, { cashKobo: codAmountKobo })
    const body = { orderId: order.id, amountKobo: codAmountKobo, reason: 'damaged' }
    const { body: refund } = await send('POST', '/refunds', body)
    expect(refund).toMatchObject({ amountKobo: codAmountKobo, provider: 'manual' })
  })

  test('after the payment of collected cash is voided, a repeated report of the delivery does not record the payment again', async () => {
    const { update, payments, codAmountKobo, orderNow } = await openCash()
    await update('delivered', 5, { cashKobo: codAmountKobo })
    const [payment] = await payments()
    expect((await send('POST', `/payments/${payment?.id}/void`, { reason: 'not_received' })).status).toBe(200)
    await update('delivered', 6, { cashKobo: codAmountKobo, carrierStatus: 'DELIVERED AGAIN' })
    expect(await orderNow()).toMatchObject({ paidKobo: 0 })
    expect(await payments()).toHaveLength(1)
  })
})

test('if the delivery of a cash-on-delivery shipment is reported a second time, nothing is written to the database', async () => {
  const { update, codAmountKobo } = await openCash()
  await update('delivered', 5, { cashKobo: codAmountKobo })
  const before = await contentsOf(started())
  await update('delivered', 5, { cashKobo: codAmountKobo })
  expect(await contentsOf(started())).toEqual(before)
})
