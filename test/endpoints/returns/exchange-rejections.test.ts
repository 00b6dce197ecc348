import { describe, expect, test } from 'vitest'
import { OrderItemId } from '../../../registry/values/vocabulary.ts'
import { newReturnId } from '../../../src/base/records.ts'
import { answers } from '../../support/answers.ts'
import { useApi } from '../../support/api.ts'
import { exchangesAt } from '../../support/commerce/exchange.ts'
import { connectShop } from '../../support/commerce/paystack.ts'
import { type SoldOrder, soldOrder } from '../../support/commerce/sold-order.ts'
import { contentsOf, select } from '../../support/database-contents.ts'
import { storeShipment } from '../../support/logistics/shipment.ts'
import { everyScope, mintToken, orderBody, stockVariant } from '../../support/shop.ts'

/** A sold order has three units of one item for 1,000,000 kobo each. */

const started = useApi({ sendsCallbacks: true })
const { paid, post, exchange } = exchangesAt(started)

describe('an exchange that is rejected', () => {
  const rejected = async (sold: SoldOrder, returnId: string, reason: string, options = {}) => {
    const { variantId } = await stockVariant(started(), sold.shop.merchantId, { onHand: 5 })
    const before = await contentsOf(started())
    const reply = await post(sold, '/orders', orderBody(variantId, { exchangeOfReturnId: returnId, ...options }))
    answers('createOrder', 'return_not_exchangeable', reply)
    expect(reply.body.error.details).toMatchObject({ reason })
    expect(await contentsOf(started())).toEqual(before)
  }

  test.for([
    'requested',
    'rejected',
    'closed',
  ] as const)('createOrder rejects an exchange of a return that is %s, and changes nothing', async (status) => {
    const sold = await paid()
    const { id } = (await sold.request(1)).body
    if (status === 'closed') await sold.move(id, 'approved')
    if (status !== 'requested') await sold.move(id, status)
    await rejected(sold, id, 'status')
  })

  test('createOrder rejects a second exchange of a return with an error that names the order of the first exchange', async () => {
    const sold = await paid()
    const returnId = await sold.approved(1)
    const { body: order } = (await exchange(sold, returnId)).reply
    const { reply } = await exchange(sold, returnId)
    expect(reply.body.error.details).toEqual({ reason: 'exchanged', status: 'approved', existingId: order.id })
    await rejected(sold, returnId, 'exchanged')
  })

  test('createOrder rejects an exchange of a refunded return, of an unpaid order, or of an order with too small a refundable amount, and changes nothing', async () => {
    const sold = await paid()
    const refunded = await sold.approved(1)
    await post(sold, '/refunds', { orderId: sold.order.id, returnId: refunded, reason: 'wrong_size' })
    await rejected(sold, refunded, 'refunded')
    const next = await sold.approved(1)
    await post(sold, '/refunds', { orderId: sold.order.id, amountKobo: 1_999_999, reason: 'price_adjustment' })
    await rejected(sold, next, 'amount')
    const unpaid = await soldOrder(started())
    await rejected(unpaid, await unpaid.approved(1), 'order_not_paid')
  })

  test('createOrder rejects an exchange for a customer who is not the customer of the returned order, and changes nothing', async () => {
    const sold = await paid()
    const returnId = await sold.approved(1)
    const customer = { name: 'Ngozi Eze', email: 'ngozi.eze@example.com' }
    await rejected(sold, returnId, 'customer', { customer })
    const shippingAddress = { recipientName: customer.name, line1: '12 Admiralty Way', city: 'Lekki', state: 'Lagos' }
    expect((await exchange(sold, returnId, { more: { shippingAddress } })).reply.status).toBe(201)
  })

  test('createOrder rejects an exchange while the payment of the returned order is disputed, and changes nothing', async () => {
    const api = started()
    const sold = await soldOrder(api)
    const provider = await connectShop(api, sold.shop)
    const reference = await provider.charge(sold.order.id, 3_000_000)
    await provider.sendCallback(
      provider.server.callback('charge.dispute.create', { id: 358950, transaction: { reference } }),
    )
    await provider.apply()
    await rejected(sold, await sold.approved(1), 'payment_disputed')
  })

  test('createOrder rejects an exchange before the return is received if other units of the item are unsent', async () => {
    const api = started()
    const sold = await soldOrder(api, { status: 'processing' })
    await sold.pay()
    const sent = { items: [{ itemId: OrderItemId.parse(sold.itemId), quantity: 2 }], itemsBooked: 'sent' } as const
    await storeShipment(api, sold.shop, { orderId: sold.order.id, status: 'delivered', ...sent })
    await select(api, 'update order_items set fulfilled_quantity = 2 where id = $1', [sold.itemId])
    await select(api, 'update orders set fulfilled_quantity = 2 where id = $1', [sold.order.id])
    const returnId = await sold.approved(1)
    await rejected(sold, returnId, 'not_received')
    const refund = { orderId: sold.order.id, returnId, reason: 'wrong_size' }
    answers('createRefund', 'refund_quantity_exceeds', await post(sold, '/refunds', refund))
    await sold.receive(returnId, { restockQuantity: 1 })
    expect((await exchange(sold, returnId)).reply.status).toBe(201)
    expect(await sold.read()).toMatchObject({ status: 'processing', items: [{ cancelledQuantity: 0 }] })
    await sold.order.move('shipped')
    expect(await sold.read()).toMatchObject({
      items: [{ fulfilledQuantity: 3, returnedQuantity: 1, refundedQuantity: 1 }],
    })
  })

  test('if a carrier lost another unit of the item, createOrder rejects an exchange of a return that is not received yet, and changes nothing', async () => {
    const sold = await paid()
    await select(started(), 'update order_items set lost_quantity = 1 where id = $1', [sold.itemId])
    await rejected(sold, await sold.approved(1), 'not_received')
  })

  test('createOrder rejects an exchange of a return that is not received yet if an earlier return of the same item is received but not refunded', async () => {
    const sold = await paid()
    const earlier = await sold.approved(1)
    await sold.receive(earlier, { restockQuantity: 1 })
    const returnId = await sold.approved(1)
    await rejected(sold, returnId, 'not_received')
    await post(sold, '/refunds', { orderId: sold.order.id, returnId: earlier, reason: 'wrong_size' })
    expect((await exchange(sold, returnId)).reply.status).toBe(201)
  })

  test('createOrder rejects an exchange of a return for which an amount was already refunded, and changes nothing', async () => {
    const sold = await paid()
    const returnId = await sold.approved(1)
    const refund = { orderId: sold.order.id, returnId, amountKobo: 1_000_000, reason: 'wrong_size' }
    expect((await post(sold, '/refunds', refund)).status).toBe(201)
    await rejected(sold, returnId, 'refunded')
  })

  test('createOrder returns 409 insufficient_stock for an exchange whose variant is out of stock, and changes nothing', async () => {
    const sold = await paid()
    const returnId = await sold.approved(1)
    const { variantId } = await stockVariant(started(), sold.shop.merchantId, { onHand: 0 })
    const before = await contentsOf(started())
    const reply = await post(sold, '/orders', orderBody(variantId, { exchangeOfReturnId: returnId }))
    answers('createOrder', 'insufficient_stock', reply)
    expect(await contentsOf(started())).toEqual(before)
  })

  test('createOrder returns 404 for an exchange of a return that does not exist or belongs to another merchant', async () => {
    const sold = await paid()
    answers('createOrder', 'return_not_found', (await exchange(sold, newReturnId(0))).reply)
    const other = await paid()
    answers('createOrder', 'return_not_found', (await exchange(other, await sold.approved(1))).reply)
  })

  test('createOrder returns 403 for an exchange if the token lacks the scope refunds:write', async () => {
    const sold = await paid()
    const scopes = everyScope.filter((scope) => scope !== 'refunds:write')
    const { token } = await mintToken(started().context, sold.shop.tenant, { scopes })
    const { variantId } = await stockVariant(started(), sold.shop.merchantId)
    const body = orderBody(variantId, { exchangeOfReturnId: await sold.approved(1) })
    const reply = await post(sold, '/orders', body, token)
    answers('createOrder', 'insufficient_scope', reply)
    expect(reply.body.error.details.requiredScope).toBe('refunds:write')
  })

  test('an exchange for an anonymised customer is rejected with 409 customer_anonymised', async () => {
    const sold = await paid()
    const returnId = await sold.approved(1)
    const { customer } = await sold.read()
    expect((await post(sold, `/customers/${customer.id}/anonymise`, {})).status).toBe(200)
    const { reply } = await exchange(sold, returnId, { more: { customer: undefined, customerId: customer.id } })
    answers('createOrder', 'customer_anonymised', reply)
    const refund = await post(sold, '/refunds', { orderId: sold.order.id, returnId, reason: 'wrong_size' })
    expect(refund.status, refund.text).toBe(201)
  })
})
