import { describe, expect, test } from 'vitest'
import { answers } from '../../support/answers.ts'
import { useApi } from '../../support/api.ts'
import { openEditableOrder, units } from '../../support/commerce/editable-order.ts'
import { stockOf } from '../../support/commerce/order-transitions.ts'
import { parcelTo, plainPhone, post } from '../../support/logistics/parcel-run.ts'

const started = useApi()
const openOrder = (more: Parameters<typeof openEditableOrder>[1] = {}) => openEditableOrder(started(), more)

describe('edits beside other changes of an order', () => {
  test('if an order is edited and dispatched at the same time, a shipment that is created contains exactly the units of the order', async () => {
    const home = { line1: '12 Admiralty Way', city: 'Lekki', state: 'Lagos' }
    const body = { shippingAddress: { recipientName: 'Bisi Ade', phone: plainPhone, ...home } }
    for (let round = 0; round < 6; round++) {
      const { api, shop, id, dress, edit, pay, read } = await openOrder({ shop: 'test', body })
      await pay(2_000_000)
      const dispatch = () => post(api, shop, 'dispatch', parcelTo(plainPhone, { orderId: id }))
      const change = () => edit({ items: [units(dress.variantId, 1)] })
      const editing = round % 2 === 0 ? change() : undefined
      const [dispatched, edited] = await Promise.all([dispatch(), editing ?? change()])
      if (edited.status !== 200) answers('updateOrder', 'order_content_not_editable', edited)
      if (dispatched.status !== 201) answers('dispatchShipment', 'order_items_unavailable', dispatched)
      expect([edited.status, dispatched.status]).not.toEqual([409, 409])
      const order = await read()
      const sent = order.shipments.flatMap(({ items }: { items: { quantity: number }[] }) => items)
      if (sent.length > 0) expect(sent).toMatchObject([{ quantity: order.items[0].quantity }])
    }
  })

  test('an edit and a payment at the same moment both change the balance of the order', async () => {
    for (let round = 0; round < 4; round++) {
      const { dress, edit, pay, read } = await openOrder()
      const change = () => edit({ items: [units(dress.variantId, 1)] })
      const editing = round % 2 === 0 ? change() : undefined
      const [, edited] = await Promise.all([pay(1_000_000), editing ?? change()])
      expect(edited.status, edited.text).toBe(200)
      expect(await read()).toMatchObject({
        status: 'processing',
        paymentStatus: 'paid',
        balanceKobo: 0,
        expiresAt: null,
      })
    }
  })

  test('if an order is edited and cancelled at the same moment, the order is cancelled and none of its units stays reserved', async () => {
    for (let round = 0; round < 4; round++) {
      const { api, shop, dress, scarf, path, edit, read } = await openOrder()
      const change = () => edit({ items: [units(dress.variantId, 3), units(scarf.variantId, 1)] })
      const editing = round % 2 === 0 ? change() : undefined
      const cancelling = api.send('POST', `${path}/cancel`, { token: shop.token, body: { reason: 'customer' } })
      const [edited, cancelled] = await Promise.all([editing ?? change(), cancelling])
      expect(cancelled.status, cancelled.text).toBe(200)
      if (edited.status !== 200) answers('updateOrder', 'order_content_not_editable', edited)
      expect(await read()).toMatchObject({ status: 'cancelled' })
      expect(await stockOf(api, dress.variantId)).toMatchObject({ reserved: 0 })
      expect(await stockOf(api, scarf.variantId)).toMatchObject({ reserved: 0 })
    }
  })

  test('only one of two concurrent edits with the same If-Match succeeds, and the reserved stock matches this edit', async () => {
    const { api, dress, scarf, order, edit, read } = await openOrder()
    const ifMatch = { 'If-Match': `"v${order.version}"` }
    const replies = await Promise.all([
      edit({ items: [units(dress.variantId, 5)] }, ifMatch),
      edit({ items: [units(scarf.variantId, 4)] }, ifMatch),
    ])
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 412])
    const [item] = (await read()).items
    expect(await stockOf(api, item.variantId)).toMatchObject({ reserved: item.quantity })
    const other = item.variantId === dress.variantId ? scarf : dress
    expect(await stockOf(api, other.variantId)).toMatchObject({ reserved: 0 })
  })
})
