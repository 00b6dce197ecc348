import { expect, test } from 'vitest'
import { listNotifications } from '../../src/store/webhooks/notifications.ts'
import { useApi } from '../support/api.ts'
import { unpaidAtPaystack } from '../support/commerce/paystack.ts'
import { openShop } from '../support/shop.ts'

const started = useApi()

test('each edit that raises the total of an overpaid order above its payments resolves the notification of the overpayment and updates the total in it', async () => {
  const api = started()
  const shop = await openShop(api.context)
  const { order, charge } = await unpaidAtPaystack(api, shop)
  await charge(order.id, order.totalKobo + 250_000)
  const overpayments = async () => {
    const rows = await listNotifications(api.database, { merchantId: shop.merchantId, limit: 50 })
    return rows.filter(({ kind }) => kind === 'payment.overpaid')
  }
  expect(await overpayments()).toMatchObject([{ resolvedAt: null, data: { allowedKobo: order.totalKobo } }])
  const path = `/api/v1/orders/${order.id}`
  const [{ variantId }] = (await api.send('GET', path, { token: shop.token })).body.items
  for (const quantity of [2, 3]) {
    const edited = await api.send('PATCH', path, { token: shop.token, body: { items: [{ variantId, quantity }] } })
    expect(edited.body.totalKobo, edited.text).toBe(quantity * order.totalKobo)
    expect(await overpayments()).toMatchObject([
      { resolvedAt: expect.any(String), data: { allowedKobo: quantity * order.totalKobo } },
    ])
  }
})
