import type { ErrorCode } from '../../registry/errors.ts'
import type { EndpointId } from '../../registry/index.ts'
import { newId } from '../../src/ids.ts'
import type { TestApi } from '../support/api.ts'
import { orderBody, placeOrder, type Shop, stockVariant } from '../support/shop.ts'

export interface Arranged {
  readonly method: string
  readonly path: string
  readonly body?: object
}

export interface Fixture {
  /** Makes what the operation needs in a shop, and the request that then succeeds. */
  readonly arrange: (api: TestApi, shop: Shop) => Promise<Arranged>
  /** How the operation says that a record its request names is not the merchant's; none where it names no record. */
  readonly notFound?: ErrorCode
}

/** One for each operation of the registry: a new operation without one does not compile and fails the tests. */
export const fixtures: { readonly [Id in EndpointId]: Fixture } = {
  listOrders: {
    arrange: async (api, shop) => {
      await placeOrder(api, shop, { isPaid: false })
      await placeOrder(api, shop, { isPaid: false })
      return { method: 'GET', path: '/api/v1/orders' }
    },
  },
  createOrder: {
    arrange: async (api, shop) => {
      const { variantId } = await stockVariant(api, shop.merchantId)
      return { method: 'POST', path: '/api/v1/orders', body: orderBody(variantId) }
    },
    notFound: 'variant_not_found',
  },
  getOrder: {
    arrange: async (api, shop) => {
      const order = await placeOrder(api, shop, { isPaid: false })
      return { method: 'GET', path: `/api/v1/orders/${order.id}` }
    },
    notFound: 'order_not_found',
  },
  recordPayment: {
    arrange: async (api, shop) => {
      const order = await placeOrder(api, shop, { isPaid: false })
      const body = { amountKobo: order.totalKobo, method: 'cash', reference: newId('ref', api.clock.nowMs()) }
      return { method: 'POST', path: `/api/v1/orders/${order.id}/payments`, body }
    },
    notFound: 'order_not_found',
  },
  listRefunds: {
    arrange: async (api, shop) => {
      await refund(api, shop)
      await refund(api, shop)
      return { method: 'GET', path: '/api/v1/refunds' }
    },
  },
  createRefund: {
    arrange: async (api, shop) => {
      const order = await placeOrder(api, shop)
      return { method: 'POST', path: '/api/v1/refunds', body: refundBody(order.id) }
    },
    notFound: 'order_not_found',
  },
  getRefund: {
    arrange: async (api, shop) => ({ method: 'GET', path: `/api/v1/refunds/${await refund(api, shop)}` }),
    notFound: 'refund_not_found',
  },
  getDescription: {
    arrange: async () => ({ method: 'GET', path: '/api/v1/openapi.json' }),
  },
}

function refundBody(orderId: string) {
  return { orderId, amountKobo: 100_000, reason: 'damaged' }
}

async function refund(api: TestApi, shop: Shop): Promise<string> {
  const order = await placeOrder(api, shop)
  const reply = await api.send('POST', '/api/v1/refunds', { token: shop.token, body: refundBody(order.id) })
  return reply.body.id
}

const anyId = /\b([a-z]{3})_[0-7][0-9a-hjkmnp-tv-z]{25}\b/g

/** The same request for records that do not exist anywhere. */
export function elsewhere(arranged: Arranged, nowMs: number): Arranged {
  return JSON.parse(JSON.stringify(arranged).replace(anyId, (_, prefix: string) => newId(prefix, nowMs)))
}

/** A text in which every id looks the same, so that two answers can be compared. */
export function withoutIds(text: string): string {
  return text.replace(anyId, '$1_…')
}
