import { expect, test } from 'vitest'
import { newOrderId } from '../../../src/base/records.ts'
import { answers } from '../../support/answers.ts'
import { useApi } from '../../support/api.ts'
import { linksOf } from '../../support/commerce/buyer-pages.ts'
import { openShop, placeOrder } from '../../support/shop.ts'

const started = useApi()

test('getBuyerLinks returns links with the origin of the request, and the link to the receipt once the order is paid', async () => {
  const api = started()
  const shop = await openShop(api.context)
  const [paid, unpaid] = [await placeOrder(api, shop), await placeOrder(api, shop, { isPaid: false })]
  const { receiptUrl, trackingUrl } = await linksOf(api, shop, paid.id)
  expect([receiptUrl, trackingUrl]).toEqual([
    expect.stringMatching(`^${api.url}/receipts/[\\w-]+$`),
    expect.stringMatching(`^${api.url}/tracking/[\\w-]+$`),
  ])
  expect(await linksOf(api, shop, unpaid.id)).toMatchObject({ orderId: unpaid.id, receiptUrl: null })
})

test('getBuyerLinks returns 404 order_not_found for an unknown order', async () => {
  const api = started()
  const { token } = await openShop(api.context)
  const path = `/api/v1/orders/${newOrderId(api.clock.nowMs())}/buyer-links`
  answers('getBuyerLinks', 'order_not_found', await api.send('GET', path, { token }))
})
