import { describe, expect, test } from 'vitest'
import { returnStatuses, returnTransitions } from '../../../registry/returns/return-states.ts'
import { OrderItemId } from '../../../registry/values/vocabulary.ts'
import { newOrderId, newOrderItemId, newReturnId } from '../../../src/base/records.ts'
import { followShipment } from '../../../src/logistics/shipments/follow-shipment.ts'
import { mutate } from '../../../src/store/core/mutation.ts'
import { lockShipment } from '../../../src/store/logistics/shipments/shipments.ts'
import { answers } from '../../support/answers.ts'
import { type Reply, type ReplyBody, type TestApi, useApi } from '../../support/api.ts'
import { ledgerOf, type MovedOrder, orderAt, stockOf } from '../../support/commerce/order-transitions.ts'
import { contentsOf, eventsOf, select } from '../../support/database-contents.ts'
import { storeShipment } from '../../support/logistics/shipment.ts'
import { openShop, operator, type Shop } from '../../support/shop.ts'

const started = useApi()

/** A delivered order of three units of one item. Ten units were on hand before the order. */
interface Sold {
  readonly shop: Shop
  readonly order: MovedOrder
  readonly itemId: string
  request(quantity: number, more?: object): Promise<Reply>
  read(): Promise<ReplyBody>
}

async function soldOrder(api: TestApi, status: Parameters<typeof orderAt>[2] = 'delivered'): Promise<Sold> {
  const shop = await openShop(api.context)
  const order = await orderAt(api, shop, status)
  const { token } = shop
  const read = async () => (await api.send('GET', `/api/v1/orders/${order.id}`, { token })).body
  const itemId = (await read()).items[0].id
  const request = (quantity: number, more: object = {}) =>
    api.send('POST', `/api/v1/orders/${order.id}/returns`, {
      token,
      body: { items: [{ itemId, quantity }], reason: 'wrong_size', ...more },
    })
  return { shop, order, itemId, request, read }
}

const move = ({ shop }: Sold, id: string, to: string, headers = {}) =>
  started().send('POST', `/api/v1/returns/${id}/transition`, { token: shop.token, body: { to }, headers })

const receive = ({ shop }: Sold, id: string, items: readonly object[]) =>
  started().send('POST', `/api/v1/returns/${id}/receive`, { token: shop.token, body: { items } })

async function approved(sold: Sold, quantity: number): Promise<string> {
  const { body } = await sold.request(quantity)
  await move(sold, body.id, 'approved')
  return body.id
}

const pay = async ({ shop, order, read }: Sold) => {
  const { balanceKobo } = await read()
  const body = { amountKobo: balanceKobo, method: 'cash', reference: `till-${order.id}` }
  await started().send('POST', `/api/v1/orders/${order.id}/payments`, { token: shop.token, body })
}

const refund = ({ shop, order, itemId }: Sold, quantity: number) =>
  started().send('POST', '/api/v1/refunds', {
    token: shop.token,
    body: { orderId: order.id, items: [{ itemId, quantity, restock: true }], reason: 'wrong_size' },
  })

/** Returns the data of the events about a return. */
async function eventsAbout({ shop }: Sold, id: string) {
  const events = await eventsOf(started(), shop.merchantId, 'return.status_changed')
  return events.map(({ data }) => data).filter((data) => data.return.id === id)
}

/** Expects that the movements of the variant add up to its stock. The ten units of the opening stock have no movement. */
async function expectLedger(api: TestApi, variantId: string): Promise<void> {
  const { onHand, reserved } = await ledgerOf(api, variantId)
  expect({ onHand: onHand + 10, reserved }).toEqual(await stockOf(api, variantId))
}

describe('createReturn', () => {
  test('a return is requested without a change of the order or of the stock, and getReturn and listReturns return it', async () => {
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

  test('units in a return under way cannot be returned a second time, and a rejected return frees its units', async () => {
    const sold = await soldOrder(started())
    const first = await sold.request(2)
    const reply = await sold.request(2)
    answers('createReturn', 'return_quantity_exceeds', reply)
    expect(reply.body.error.details).toEqual({ items: [{ itemId: sold.itemId, returnableQuantity: 1 }] })
    await move(sold, first.body.id, 'rejected')
    expect((await sold.request(3)).status).toBe(201)
  })

  test.for([
    'processing',
    'on_hold',
    'cancelled',
    'returned',
  ] as const)('units of an order that is %s cannot be returned, because the customer has none', async (status) => {
    const sold = await soldOrder(started(), status)
    const reply = await sold.request(1)
    answers('createReturn', 'return_quantity_exceeds', reply)
    expect(reply.body.error.details.items[0].returnableQuantity).toBe(0)
  })

  test('units in an active shipment and units that a carrier lost cannot be returned', async () => {
    const api = started()
    const sold = await soldOrder(api, 'shipped')
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

  test('of ten concurrent requests for all units of an order, one creates a return', async () => {
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
})

describe('transitionReturn', () => {
  const reached: Readonly<Record<string, readonly string[]>> = {
    requested: [],
    approved: ['approved'],
    in_transit: ['approved', 'in_transit'],
    received: ['approved', 'received'],
    closed: ['approved', 'closed'],
    rejected: ['rejected'],
  }

  const targets = ['approved', 'in_transit', 'received', 'closed', 'rejected'] as const
  const pairs = returnStatuses.flatMap((from) => targets.map((to) => [from, to] as const))

  test.for(pairs)('a return that is %s moves to %s only if the lifecycle publishes the transition', async ([
    from,
    to,
  ]) => {
    const sold = await soldOrder(started())
    const { id } = (await sold.request(1)).body
    const step = (status: string) =>
      status === 'received' ? receive(sold, id, [{ itemId: sold.itemId, writeOffQuantity: 1 }]) : move(sold, id, status)
    for (const status of reached[from] ?? []) await step(status)
    const events = (await eventsAbout(sold, id)).length
    const reply = await step(to)
    const allowed: readonly string[] = returnTransitions[from]
    if (from === to && to !== 'received') expect([reply.status, reply.body.version]).toEqual([200, events + 1])
    else if (allowed.includes(to)) expect([reply.status, reply.body.status]).toEqual([200, to])
    else if (to === 'received') answers('receiveReturn', 'invalid_transition', reply)
    else answers('transitionReturn', 'invalid_transition', reply)
    const isChanged = from !== to && allowed.includes(to)
    expect(await eventsAbout(sold, id)).toHaveLength(events + (isChanged ? 1 : 0))
  })

  test('the database rejects a transition that the lifecycle does not publish', async () => {
    const sold = await soldOrder(started())
    const { id } = (await sold.request(1)).body
    const write = select(started(), "update returns set status = 'received', received_at = now() where id = $1", [id])
    await expect(write).rejects.toThrow('A return cannot move from requested to received.')
  })

  test('transitionReturn returns 412 for an outdated If-Match, and emits return.status_changed once per change', async () => {
    const sold = await soldOrder(started())
    const { id } = (await sold.request(1)).body
    const reply = await move(sold, id, 'approved', { 'if-match': '"v7"' })
    answers('transitionReturn', 'version_conflict', reply)
    await move(sold, id, 'approved', { 'if-match': '"v1"' })
    await move(sold, id, 'approved')
    expect(await eventsAbout(sold, id)).toMatchObject([
      { from: 'requested', to: 'approved', return: { id, version: 2 } },
    ])
  })

  test('operations on an unknown return are answered with 404 return_not_found', async () => {
    const sold = await soldOrder(started())
    const id = newReturnId(0)
    const { token } = sold.shop
    answers('getReturn', 'return_not_found', await started().send('GET', `/api/v1/returns/${id}`, { token }))
    answers('transitionReturn', 'return_not_found', await move(sold, id, 'approved'))
    answers('receiveReturn', 'return_not_found', await receive(sold, id, [{ itemId: sold.itemId, restockQuantity: 1 }]))
  })
})

describe('receiveReturn', () => {
  test('received units are restocked or written off, count as returned, and the order is returned with its last unit', async () => {
    const api = started()
    const sold = await soldOrder(api)
    const first = await receive(sold, await approved(sold, 2), [
      { itemId: sold.itemId, restockQuantity: 1, writeOffQuantity: 1 },
    ])
    expect(first.body).toMatchObject({
      status: 'received',
      items: [{ quantity: 2, restockedQuantity: 1, writtenOffQuantity: 1 }],
      receivedAt: expect.any(String),
    })
    expect(await sold.read()).toMatchObject({ status: 'delivered', items: [{ returnedQuantity: 2 }] })
    expect(await sold.order.stock()).toEqual({ onHand: 8, reserved: 0 })
    await receive(sold, await approved(sold, 1), [{ itemId: sold.itemId, restockQuantity: 1 }])
    expect(await sold.read()).toMatchObject({ status: 'returned', items: [{ returnedQuantity: 3 }] })
    expect(await sold.order.stock()).toEqual({ onHand: 9, reserved: 0 })
    await expectLedger(api, sold.order.variantId)
    const changes = await eventsOf(api, sold.shop.merchantId, 'order.status_changed')
    expect(changes.map(({ data }) => [data.from, data.to])).toContainEqual(['delivered', 'returned'])
  })

  test('units of a return that did not come can be part of a new return', async () => {
    const sold = await soldOrder(started())
    await receive(sold, await approved(sold, 3), [{ itemId: sold.itemId, restockQuantity: 1 }])
    answers('createReturn', 'return_quantity_exceeds', await sold.request(3))
    expect((await sold.request(2)).status).toBe(201)
  })

  test('a refund of received units does not restock them again, and a later refund restocks another unit', async () => {
    const api = started()
    const sold = await soldOrder(api)
    await pay(sold)
    await receive(sold, await approved(sold, 2), [{ itemId: sold.itemId, restockQuantity: 1, writeOffQuantity: 1 }])
    expect((await refund(sold, 2)).status).toBe(201)
    expect(await sold.order.stock()).toEqual({ onHand: 8, reserved: 0 })
    expect((await refund(sold, 1)).status).toBe(201)
    expect(await sold.order.stock()).toEqual({ onHand: 9, reserved: 0 })
    expect(await sold.read()).toMatchObject({ status: 'returned', items: [{ returnedQuantity: 3 }] })
    await expectLedger(api, sold.order.variantId)
  })

  test('a refund does not restock units of a return under way, which are restocked when the return is received', async () => {
    const sold = await soldOrder(started())
    await pay(sold)
    const id = await approved(sold, 2)
    const reply = await refund(sold, 2)
    answers('createRefund', 'order_items_unavailable', reply)
    expect(reply.body.error.details).toEqual({ items: [{ itemId: sold.itemId, requested: 2, available: 1 }] })
    expect((await refund(sold, 1)).status).toBe(201)
    await receive(sold, id, [{ itemId: sold.itemId, restockQuantity: 2 }])
    expect(await sold.order.stock()).toEqual({ onHand: 10, reserved: 0 })
  })

  test('the pickup of another shipment does not take back units that the customer returned', async () => {
    const api = started()
    const { order, ...sold } = await soldOrder(api, 'processing')
    const items = [{ itemId: OrderItemId.parse(sold.itemId), quantity: 1 }]
    const { id } = await storeShipment(api, sold.shop, { orderId: order.id, items })
    await order.move('shipped')
    await receive({ ...sold, order }, await approved({ ...sold, order }, 1), [
      { itemId: sold.itemId, restockQuantity: 1 },
    ])
    const { merchantId, tenant } = sold.shop
    const mutation = { tenant, actor: operator, action: 'test.change', resourceType: 'test', resourceId: () => 'test' }
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

  test('of ten concurrent receipts of a return, one counts its units', async () => {
    const sold = await soldOrder(started())
    const id = await approved(sold, 2)
    const items = [{ itemId: sold.itemId, restockQuantity: 2 }]
    const replies = await Promise.all(Array.from({ length: 10 }, () => receive(sold, id, items)))
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(await sold.order.stock()).toEqual({ onHand: 9, reserved: 0 })
  })

  test('receiveReturn rejects more units than the return has and items of other returns, and changes nothing', async () => {
    const api = started()
    const sold = await soldOrder(api)
    const id = await approved(sold, 1)
    const before = await contentsOf(api)
    const tooMany = await receive(sold, id, [{ itemId: sold.itemId, restockQuantity: 1, writeOffQuantity: 1 }])
    answers('receiveReturn', 'return_quantity_exceeds', tooMany)
    const unknown = await receive(sold, id, [{ itemId: newOrderItemId(0), restockQuantity: 1 }])
    answers('receiveReturn', 'item_not_found', unknown)
    answers('receiveReturn', 'validation_failed', await receive(sold, id, [{ itemId: sold.itemId }]))
    expect(await contentsOf(api)).toEqual(before)
  })

  test('receiveReturn rejects units that the customer no longer has, because the order was returned after the request', async () => {
    const sold = await soldOrder(started())
    const id = await approved(sold, 2)
    await sold.order.move('returned')
    const reply = await receive(sold, id, [{ itemId: sold.itemId, restockQuantity: 2 }])
    answers('receiveReturn', 'order_items_unavailable', reply)
    expect(reply.body.error.details).toEqual({ items: [{ itemId: sold.itemId, requested: 2, available: 0 }] })
    expect((await move(sold, id, 'closed')).body).toMatchObject({ status: 'closed', endedAt: expect.any(String) })
  })
})

test('listReturns returns 400 invalid_time_range when the end of the range equals its start', async () => {
  const api = started()
  const { token } = await openShop(api.context)
  const at = '2026-11-21T08:30:00.000Z'
  const reply = await api.send('GET', `/api/v1/returns?createdFrom=${at}&createdTo=${at}`, { token })
  answers('listReturns', 'invalid_time_range', reply)
})

test('another merchant’s returns and orders are not found', async () => {
  const sold = await soldOrder(started())
  const other = await soldOrder(started())
  const { id } = (await sold.request(1)).body
  answers('transitionReturn', 'return_not_found', await move(other, id, 'approved'))
  answers('receiveReturn', 'return_not_found', await receive(other, id, [{ itemId: sold.itemId, restockQuantity: 1 }]))
})

test('createReturn rejects a return of an order whose customer is anonymised', async () => {
  const api = started()
  const sold = await soldOrder(api)
  const { customer } = await sold.read()
  await api.send('POST', `/api/v1/customers/${customer.id}/anonymise`, { token: sold.shop.token })
  answers('createReturn', 'customer_anonymised', await sold.request(1))
})

test('anonymising a customer removes the notes of the customer’s returns, also in the stored events', async () => {
  const api = started()
  const sold = await soldOrder(api)
  const { id } = (await sold.request(1, { note: 'Ask Adaeze.' })).body
  await move(sold, id, 'approved')
  const { customer } = await sold.read()
  if (customer.id === null) expect.fail('The order has no customer record.')
  const { token } = sold.shop
  const reply = await api.send('POST', `/api/v1/customers/${customer.id}/anonymise`, { token })
  expect(reply.status, reply.text).toBe(200)
  expect((await api.send('GET', `/api/v1/returns/${id}`, { token })).body.note).toBeNull()
  expect(JSON.stringify(await eventsAbout(sold, id))).not.toContain('Adaeze')
})
