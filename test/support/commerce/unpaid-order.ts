import type { TestApi } from '../api.ts'
import { openShop, placeOrder } from '../shop.ts'

let references = 0

/** Creates an unpaid order of 1,000,000 kobo. Also returns functions that pay the order and read it. */
export async function placeUnpaid(api: TestApi) {
  const shop = await openShop(api.context)
  const order = await placeOrder(api, shop, { priceKobo: 1_000_000, isPaid: false })
  const path = `/api/v1/orders/${order.id}`
  const pay = (amountKobo: number, more: object = {}) => {
    references += 1
    const body = { amountKobo, method: 'bank_transfer', reference: `GTB-${references}`, ...more }
    return api.send('POST', `${path}/payments`, { token: shop.token, body })
  }
  return { api, shop, order, pay, read: async () => (await api.send('GET', path, { token: shop.token })).body }
}
