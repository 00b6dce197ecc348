import { describe, expect, test } from 'vitest'
import { OrderItemId } from '../../../registry/values/vocabulary.ts'
import { newOrderId, newOrderItemId } from '../../../src/base/records.ts'
import { answers } from '../../support/answers.ts'
import { useApi } from '../../support/api.ts'
import { soldOrder } from '../../support/commerce/sold-order.ts'
import { select } from '../../support/database-contents.ts'
import { storeShipment } from '../../support/logistics/shipment.ts'

const started = useApi()

describe('createReturn', () => {
  test('createReturn creates a return without changing the order or the stock; getReturn and listReturns then return the new return', async () => {
    const api = started()
    const sold = await soldOrder(api)
    const before = [await sold.read(), await sold.order.stock()]
    const { status, body, headers } = await sold.request(2, { note: 'By courier.' })
    expect(status).toBe(201)
    expect(body).toMatchObject({
      orderId: sold.order.id,
      status: 'requested',
      reason: 'wrong_size',
      note: 'By courier.',
      items: [{ itemId: sold.itemId, quantity: 2, restockedQuantity: 0, writtenOffQuantity: 0 }],
      allowedTransitions: ['approved', 'rejected'],
      version: 1,
      receivedAt: null,
      endedAt: null,
    })
    expect([await sold.read(), await sold.order.stock()]).toEqual(before)
    const { token } = sold.shop
    expect((await api.send('GET', headers.get('location') ?? '', { token })).body).toEqual(body)
    const list = async (query: string) => (await api.send('GET', `/api/v1/returns?${query}`, { token })).body.data
    expect(await list(`orderId=${sold.order.id}&status=requested,closed&reason=wrong_size`)).toEqual([body])
    expect(await list('status=closed')).toEqual([])
    expect(await list('reason=damaged')).toEqual([])
    expect(await list(`orderId=${newOrderId(0)}`)).toEqual([])
  })

  test('units of an open return cannot be in a second return, and the rejection of a return makes its units returnable again', async () => {
    const sold = await soldOrder(started())
    const first = await sold.request(2)
    const reply = await sold.request(2)
    answers('createReturn', 'return_quantity_exceeds', reply)
    expect(reply.body.error.details).toEqual({ items: [{ itemId: sold.itemId, returnableQuantity: 1 }] })
    await sold.move(first.body.id, 'rejected')
    expect((await sold.request(3)).status).toBe(201)
  })

  test.for([
    'processing',
    'on_hold',
    'cancelled',
    'returned',
  ] as const)('createReturn rejects a return from an order that is %s, because the customer has no unit to return', async (status) => {
    const sold = await soldOrder(started(), { status })
    const reply = await sold.request(1)
    answers('createReturn', 'return_quantity_exceeds', reply)
    expect(reply.body.error.details.items[0].returnableQuantity).toBe(0)
  })

  test('units in an active shipment and units that a carrier lost cannot be returned', async () => {
    const api = started()
    const sold = await soldOrder(api, { status: 'shipped' })
    const items = [{ itemId: OrderItemId.parse(sold.itemId), quantity: 2 }]
    const { id } = await storeShipment(api, sold.shop, {
      orderId: sold.order.id,
      status: 'in_transit',
      items,
      itemsBooked: 'sent',
    })
    answers('createReturn', 'return_quantity_exceeds', await sold.request(2))
    await select(api, "update shipments set status = 'lost', ended_at = now() where id = $1", [id])
    await select(api, 'update order_items set lost_quantity = 2 where id = $1', [sold.itemId])
    answers('createReturn', 'return_quantity_exceeds', await sold.request(2))
    expect((await sold.request(1)).status).toBe(201)
  })

  test('only one of ten concurrent requests for all units of an order creates a return', async () => {
    const sold = await soldOrder(started())
    const replies = await Promise.all(Array.from({ length: 10 }, () => sold.request(3)))
    expect(replies.map(({ status }) => status).toSorted()).toEqual([201, ...Array.from({ length: 9 }, () => 409)])
  })

  test.for<[string, object]>([
    ['no item', { items: [] }],
    ['a quantity of zero', { items: [{ itemId: newOrderItemId(0), quantity: 0 }] }],
    ['a reason that is not published', { reason: 'bored' }],
    ['an unknown field', { restock: true }],
    [
      'a repeated item',
      {
        items: [
          { itemId: 'itm_01jd3f8q6hf5n8v1zr4c7e2m9k', quantity: 1 },
          { itemId: 'itm_01jd3f8q6hf5n8v1zr4c7e2m9k', quantity: 1 },
        ],
      },
    ],
  ])('createReturn returns 400 validation_failed for %s', async ([, more]) => {
    const sold = await soldOrder(started())
    answers('createReturn', 'validation_failed', await sold.request(1, more))
  })

  test('createReturn returns 404 for an unknown order and for an item of another order', async () => {
    const api = started()
    const sold = await soldOrder(api)
    answers(
      'createReturn',
      'item_not_found',
      await sold.request(1, { items: [{ itemId: newOrderItemId(0), quantity: 1 }] }),
    )
    const body = { items: [{ itemId: sold.itemId, quantity: 1 }], reason: 'other' }
    const { token } = sold.shop
    const reply = await api.send('POST', `/api/v1/orders/${newOrderId(0)}/returns`, { token, body })
    answers('createReturn', 'order_not_found', reply)
  })

  test('createReturn rejects a return of an order whose customer was anonymised', async () => {
    const api = started()
    const sold = await soldOrder(api)
    const { customer } = await sold.read()
    await api.send('POST', `/api/v1/customers/${customer.id}/anonymise`, { token: sold.shop.token })
    answers('createReturn', 'customer_anonymised', await sold.request(1))
  })
})
