import { describe, expect, test } from 'vitest'
import { connectProvider } from '../../../src/access/connect-provider.ts'
import { paystack } from '../../../src/partners/payments/paystack.ts'
import { useApi, vault } from '../../support/api.ts'
import { formValuesOf } from '../../support/form-values.ts'
import { textOf } from '../../support/page-text.ts'
import { operator, stockVariant } from '../../support/shop.ts'
import { buyer, openNewOrder, path, quantityOf } from './new-order-form.ts'

const api = useApi()

describe('the total of a new order', () => {
  test('if a new order is submitted without a previewed total, the total is previewed and no order is created', async () => {
    const { dress, listOrders, member, submit } = await openNewOrder(api())
    const page = await submit(await member.get(path), { ...buyer, [quantityOf(dress)]: '1' }, 'create')
    expect([page.status, textOf(page.text).includes('Nothing has been created yet')]).toEqual([200, true])
    expect(await listOrders()).toEqual([])
  })

  test('a price that changed after the preview is shown before the order is created', async () => {
    const { call, dress, listOrders, previewed, submit } = await openNewOrder(api())
    const preview = await previewed()
    await call('PATCH', `/products/${dress.productId}/variants/${dress.variantId}`, { priceKobo: 1_600_000 })
    const refused = await submit(preview, {}, 'create')
    expect(refused.status).toBe(422)
    expect(textOf(refused.text)).toContain('The total is now ₦16,000.00 instead of ₦15,000.00.')
    expect(await listOrders()).toEqual([])
    expect((await submit(refused, {}, 'create')).status).toBe(303)
    expect(await listOrders()).toMatchObject([{ totalKobo: 1_600_000 }])
  })

  test('when two members sell the last unit, one creates the order and the other sees that no unit is available', async () => {
    const { dress, listOrders, previewed, shop, submit } = await openNewOrder(api())
    const last = await stockVariant(api(), shop.merchantId, { onHand: 1 })
    const fields = { [quantityOf(dress)]: '0', [quantityOf(last)]: '1' }
    const [one, other] = await Promise.all([previewed(fields), previewed(fields)])
    const replies = await Promise.all([submit(one, {}, 'create'), submit(other, {}, 'create')])
    expect(replies.map(({ status }) => status).toSorted()).toEqual([303, 422])
    const refused = replies.find(({ status }) => status === 422)
    expect(refused?.text).toContain(`id="p-${quantityOf(last)}" role="alert">No units are available.`)
    expect(formValuesOf(refused?.text ?? '', path)).toMatchObject({ ...buyer, [quantityOf(last)]: '1' })
    expect(await listOrders()).toHaveLength(1)
  })

  test('a form that is submitted twice at once creates one order', async () => {
    const { listOrders, previewed, submit } = await openNewOrder(api())
    const preview = await previewed()
    const replies = await Promise.all([submit(preview, {}, 'create'), submit(preview, {}, 'create')])
    expect(replies.map(({ status }) => status).toSorted()).toEqual([303, 409])
    expect(await listOrders()).toHaveLength(1)
  })
})

describe('the payment link of a new order', () => {
  test('an order is created with its payment link, which the next page shows to copy and to send by WhatsApp', async () => {
    const { call, listOrders, member, previewed, shop, submit } = await openNewOrder(api())
    const context = { ...api().context, vault, isProduction: true }
    await connectProvider(context, operator, shop.tenant, { provider: paystack, secretKey: 'sk_live_local' })
    const created = await submit(await previewed(), {}, 'create-link')
    const [{ id, number }] = await listOrders()
    expect(created.location).toBe(`/dashboard/orders/${id}/payment-link?done=orders.new`)
    const { text } = await member.get(`/dashboard/orders/${id}/payment-link`)
    const { url } = await call('GET', `/orders/${id}/payment-link`)
    expect(text).toContain(`<code data-copy>${url}</code>`)
    const query = new URLSearchParams({ text: `Pay for your order ${number}: ${url}` })
    expect(text).toContain(`href="https://wa.me/2348031234567?${query}"`)
  })

  test('if the payment link of a new order cannot be created, the page states the reason, and a second submission creates no second order', async () => {
    const { listOrders, previewed, submit } = await openNewOrder(api())
    const preview = await previewed()
    const created = await submit(preview, {}, 'create-link')
    expect([created.status, created.text.includes('has not connected a payment provider')]).toEqual([200, true])
    expect((await submit(preview, {}, 'create-link')).status).toBe(409)
    const orders = await listOrders()
    expect(orders).toHaveLength(1)
    expect(created.text).toContain(`href="/dashboard/orders/${orders[0].id}/payment-link"`)
  })
})
