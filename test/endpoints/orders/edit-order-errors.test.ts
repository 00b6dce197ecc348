import { describe, expect, test } from 'vitest'
import { answers } from '../../support/answers.ts'
import { useApi } from '../../support/api.ts'
import { openEditableOrder, units } from '../../support/commerce/editable-order.ts'
import { moveOrderTo } from '../../support/commerce/order-transitions.ts'
import { contentsOf, select } from '../../support/database-contents.ts'
import { mintToken } from '../../support/shop.ts'

const started = useApi()
const openOrder = (more: Parameters<typeof openEditableOrder>[1] = {}) => openEditableOrder(started(), more)

describe('rejected edits of the content of an order', () => {
  test('an edit needs stock only for the added units', async () => {
    const { api, dress, cap, edit } = await openOrder()
    await select(api, 'update inventory set on_hand = 3 where variant_id = $1', [dress.variantId])
    expect((await edit({ items: [units(dress.variantId, 3), units(cap.variantId, 1)] })).status).toBe(200)
    const before = await contentsOf(api)
    const reply = await edit({ items: [units(dress.variantId, 4), units(cap.variantId, 2)] })
    answers('updateOrder', 'insufficient_stock', reply)
    expect(reply.body.error.details.items).toMatchObject([
      { variantId: dress.variantId, requested: 1, available: 0 },
      { variantId: cap.variantId, requested: 1, available: 0 },
    ])
    expect(await contentsOf(api)).toEqual(before)
  })

  test('units of an archived product can stay in the order or be removed, but no further units can be added', async () => {
    const { api, dress, edit } = await openOrder()
    await select(api, `update products set status = 'archived', archived_at = now() where id = $1`, [dress.productId])
    answers('updateOrder', 'product_not_available', await edit({ items: [units(dress.variantId, 3)] }))
    expect((await edit({ items: [units(dress.variantId, 1)] })).status).toBe(200)
  })

  test('an edit is rejected if it has an unknown variant, an unexpected total, a price without the required scope, or a repeated variant', async () => {
    const { api, shop, dress, scarf, path, edit } = await openOrder()
    const before = await contentsOf(api)
    const unknown = await edit({ items: [units('var_01jd3f8q6hf5n8v1zr4c7e2m9k', 1)] })
    answers('updateOrder', 'variant_not_found', unknown)
    const other = await edit({ items: [units(scarf.variantId, 1)], expectedTotalKobo: 1 })
    answers('updateOrder', 'total_mismatch', other)
    expect(other.body.error.details).toEqual({ expectedKobo: 1, actualKobo: 250_000 })
    const huge = units(scarf.variantId, 5, { unitPriceKobo: 100_000_000_000 })
    answers('updateOrder', 'amount_too_large', await edit({ items: [huge] }))
    const twice = await edit({ items: [units(dress.variantId, 1), units(dress.variantId, 2)] })
    answers('updateOrder', 'validation_failed', twice)
    expect(twice.body.error.errors).toMatchObject([{ path: 'body.items[1].variantId' }])
    expect(await contentsOf(api)).toEqual(before)
    const { token } = await mintToken(api.context, shop.tenant, { scopes: ['orders:write'] })
    const body = { items: [units(dress.variantId, 1, { unitPriceKobo: 1 })] }
    answers('updateOrder', 'insufficient_scope', await api.send('PATCH', path, { token, body }))
  })

  test.for([
    ['shipped', 'handed_over'],
    ['delivered', 'handed_over'],
    ['cancelled', 'ended'],
    ['returned', 'ended'],
  ] as const)('the items of a %s order cannot be changed, and the error has the reason %s', async ([
    status,
    reason,
  ]) => {
    const { api, shop, id, dress, edit } = await openOrder()
    await moveOrderTo(api, shop, id, status)
    const before = await contentsOf(api)
    for (const change of [{ items: [units(dress.variantId, 1)] }, { shippingKobo: 1 }, { discountCodes: [] }]) {
      const reply = await edit(change)
      answers('updateOrder', 'order_content_not_editable', reply)
      expect(reply.body.error.details).toEqual({ status, reason })
    }
    expect(await contentsOf(api)).toEqual(before)
  })

  test('an item that is part of a return cannot be removed even after the order was moved back to processing', async () => {
    const { api, shop, id, scarf, edit, read } = await openOrder()
    await moveOrderTo(api, shop, id, 'shipped')
    const items = [{ itemId: (await read()).items[0].id, quantity: 1 }]
    const send = (path: string, body: object) => api.send('POST', `/api/v1${path}`, { token: shop.token, body })
    const requested = await send(`/orders/${id}/returns`, { items, reason: 'wrong_size' })
    await send(`/returns/${requested.body.id}/transition`, { to: 'rejected' })
    expect((await send(`/orders/${id}/transition`, { to: 'processing' })).status).toBe(200)
    const reply = await edit({ items: [units(scarf.variantId, 1)] })
    answers('updateOrder', 'order_content_not_editable', reply)
    expect(reply.body.error.details).toEqual({ status: 'processing', reason: 'item_in_use' })
  })

  test('the items of an order cannot change after a refund', async () => {
    const { dress, edit, pay, refund } = await openOrder()
    await pay(2_000_000)
    expect((await refund(1_000)).status).toBe(201)
    const reply = await edit({ items: [units(dress.variantId, 1)] })
    answers('updateOrder', 'order_content_not_editable', reply)
    expect(reply.body.error.details).toEqual({ status: 'processing', reason: 'refunded' })
  })
})
