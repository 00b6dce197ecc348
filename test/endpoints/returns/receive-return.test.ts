import { describe, expect, test } from 'vitest'
import { OrderItemId } from '../../../registry/values/vocabulary.ts'
import { newOrderItemId } from '../../../src/base/records.ts'
import { followShipment } from '../../../src/logistics/shipments/follow-shipment.ts'
import { mutate } from '../../../src/store/core/mutation.ts'
import { lockShipment } from '../../../src/store/logistics/shipments/shipments.ts'
import { answers } from '../../support/answers.ts'
import { useApi } from '../../support/api.ts'
import { type SoldOrder, soldOrder } from '../../support/commerce/sold-order.ts'
import { contentsOf, eventsOf } from '../../support/database-contents.ts'
import { storeShipment } from '../../support/logistics/shipment.ts'
import { operator } from '../../support/shop.ts'

const started = useApi()

const refund = ({ shop, order, itemId }: SoldOrder, quantity: number) =>
  started().send('POST', '/api/v1/refunds', {
    token: shop.token,
    body: { orderId: order.id, items: [{ itemId, quantity, restock: true }], reason: 'wrong_size' },
  })

describe('receiveReturn', () => {
  test('received units are restocked or written off and counted as returned, and the order becomes returned when its last unit is received', async () => {
    const api = started()
    const sold = await soldOrder(api)
    const first = await sold.receive(await sold.approved(2), { restockQuantity: 1, writeOffQuantity: 1 })
    expect(first.body).toMatchObject({
      status: 'received',
      items: [{ quantity: 2, restockedQuantity: 1, writtenOffQuantity: 1 }],
      receivedAt: expect.any(String),
    })
    expect(await sold.read()).toMatchObject({ status: 'delivered', items: [{ returnedQuantity: 2 }] })
    expect(await sold.order.stock()).toEqual({ onHand: 8, reserved: 0 })
    await sold.receive(await sold.approved(1), { restockQuantity: 1 })
    expect(await sold.read()).toMatchObject({ status: 'returned', items: [{ returnedQuantity: 3 }] })
    expect(await sold.order.stock()).toEqual({ onHand: 9, reserved: 0 })
    await sold.expectLedger()
    const changes = await eventsOf(api, sold.shop.merchantId, 'order.status_changed')
    expect(changes.map(({ data }) => [data.from, data.to])).toContainEqual(['delivered', 'returned'])
  })

  test('units that were missing when a return was received can be part of a new return', async () => {
    const sold = await soldOrder(started())
    await sold.receive(await sold.approved(3), { restockQuantity: 1 })
    answers('createReturn', 'return_quantity_exceeds', await sold.request(3))
    expect((await sold.request(2)).status).toBe(201)
  })

  test('a refund of units that were received in a return does not restock these units again, but a refund of a further unit restocks that unit', async () => {
    const api = started()
    const sold = await soldOrder(api)
    await sold.pay()
    await sold.receive(await sold.approved(2), { restockQuantity: 1, writeOffQuantity: 1 })
    expect((await refund(sold, 2)).status).toBe(201)
    expect(await sold.order.stock()).toEqual({ onHand: 8, reserved: 0 })
    expect((await refund(sold, 1)).status).toBe(201)
    expect(await sold.order.stock()).toEqual({ onHand: 9, reserved: 0 })
    expect(await sold.read()).toMatchObject({ status: 'returned', items: [{ returnedQuantity: 3 }] })
    await sold.expectLedger()
  })

  test('a refund cannot restock units of an open return; these units are restocked when the return is received', async () => {
    const sold = await soldOrder(started())
    await sold.pay()
    const id = await sold.approved(2)
    const reply = await refund(sold, 2)
    answers('createRefund', 'order_items_unavailable', reply)
    expect(reply.body.error.details).toEqual({ items: [{ itemId: sold.itemId, requested: 2, available: 1 }] })
    expect((await refund(sold, 1)).status).toBe(201)
    await sold.receive(id, { restockQuantity: 2 })
    expect(await sold.order.stock()).toEqual({ onHand: 10, reserved: 0 })
  })

  test('the pickup of a shipment after the receipt of a return does not change the returned quantity or the stock of the returned units', async () => {
    const api = started()
    const { order, ...sold } = await soldOrder(api, { status: 'processing' })
    const items = [{ itemId: OrderItemId.parse(sold.itemId), quantity: 1 }]
    const { id } = await storeShipment(api, sold.shop, { orderId: order.id, items })
    await order.move('shipped')
    await sold.receive(await sold.approved(1), { restockQuantity: 1 })
    const { merchantId, tenant } = sold.shop
    const mutation = {
      tenant,
      actor: operator,
      action: 'order.update' as const,
      resourceType: 'test',
      resourceId: () => 'test',
    }
    await mutate(
      api.context,
      { ...mutation, emits: ['order.status_changed', 'inventory.back_in_stock'] },
      async (work) => {
        const found = await lockShipment(work.trx, { merchantId, id })
        if (found === undefined) expect.fail('There is no shipment.')
        return followShipment(work, found.shipment, 'picked_up')
      },
    )
    expect(await sold.read()).toMatchObject({ items: [{ returnedQuantity: 1 }] })
    expect(await order.stock()).toEqual({ onHand: 8, reserved: 0 })
  })

  test('only one of ten concurrent receiveReturn requests for a return succeeds, and restocks its units once', async () => {
    const sold = await soldOrder(started())
    const id = await sold.approved(2)
    const replies = await Promise.all(Array.from({ length: 10 }, () => sold.receive(id, { restockQuantity: 2 })))
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(await sold.order.stock()).toEqual({ onHand: 9, reserved: 0 })
  })

  test('receiveReturn rejects more units than the return has and items of other returns, and changes nothing', async () => {
    const api = started()
    const sold = await soldOrder(api)
    const id = await sold.approved(1)
    const before = await contentsOf(api)
    const tooMany = await sold.receive(id, { restockQuantity: 1, writeOffQuantity: 1 })
    answers('receiveReturn', 'return_quantity_exceeds', tooMany)
    const unknown = await sold.receive(id, { itemId: newOrderItemId(0), restockQuantity: 1 })
    answers('receiveReturn', 'item_not_found', unknown)
    answers('receiveReturn', 'validation_failed', await sold.receive(id, {}))
    expect(await contentsOf(api)).toEqual(before)
  })

  test('receiveReturn returns order_items_unavailable if the whole order was set to returned after the return was approved', async () => {
    const sold = await soldOrder(started())
    const id = await sold.approved(2)
    await sold.order.move('returned')
    const reply = await sold.receive(id, { restockQuantity: 2 })
    answers('receiveReturn', 'order_items_unavailable', reply)
    expect(reply.body.error.details).toEqual({ items: [{ itemId: sold.itemId, requested: 2, available: 0 }] })
    expect((await sold.move(id, 'closed')).body).toMatchObject({ status: 'closed', endedAt: expect.any(String) })
  })
})
