import type { Reply, TestApi } from '../api.ts'
import { openShop } from '../shop.ts'
import { type exchangeableProvider, unpaidAtPaystack } from './paystack.ts'

/** Connects a shop to a fake Paystack server, and creates an unpaid order of 1,000,000 kobo. */
export async function openLinkShop(api: TestApi, exchanged: ReturnType<typeof exchangeableProvider>) {
  const shop = await openShop(api.context)
  const paystack = await unpaidAtPaystack(api, shop)
  exchanged.use(paystack.provider)
  const { server, provider, sendCallback, apply } = paystack
  const orderPath = `/api/v1/orders/${paystack.order.id}`
  const path = `${orderPath}/payment-link`
  const { token } = shop
  const readOrder = async () => (await api.send('GET', orderPath, { token })).body
  const order = await readOrder()
  let payments = 0
  return {
    ...{ api, shop, server, provider, apply, order, path, orderPath },
    create: (body: object = {}, headers: Record<string, string> = {}): Promise<Reply> =>
      api.send('POST', path, { token, body, headers }),
    get: (): Promise<Reply> => api.send('GET', path, { token }),
    readOrder,
    cancel: () => api.send('POST', `${orderPath}/cancel`, { token, body: { reason: 'customer' } }),
    /** Doubles the number of units of the order, and therefore its total. */
    double: () => {
      const [{ variantId, quantity }] = order.items
      return api.send('PATCH', orderPath, { token, body: { items: [{ variantId, quantity: quantity * 2 }] } })
    },
    payByHand: (amountKobo = 1_000_000) => {
      payments += 1
      const body = { amountKobo, method: 'cash', reference: `till-${order.number}-${payments}` }
      return api.send('POST', `${orderPath}/payments`, { token, body })
    },
    /**
     * Pays the checkout page with the given reference, and applies the callback with which Paystack reports the
     * payment.
     */
    payPage: async (reference: string) => {
      const page = server.checkouts.find((each) => each.reference === reference)
      if (page === undefined) throw new Error(`Paystack has no page with the reference ${reference}.`)
      const { amount, metadata } = page
      const charge = { reference, amount, currency: 'NGN', channel: 'card', status: 'success', metadata }
      // The callback contains the metadata as JSON text, because Paystack received JSON text.
      const reply = await sendCallback(server.callback('charge.success', charge))
      if (reply.status !== 200) throw new Error(reply.text)
      await apply()
    },
  }
}
