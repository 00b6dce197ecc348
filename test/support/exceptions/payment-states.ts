import { expect } from 'vitest'
import { ReturnId } from '../../../registry/values/vocabulary.ts'
import { expireOrders } from '../../../src/commerce/orders/expire-orders.ts'
import { reconcileAll } from '../../../src/payments/reconcile-payments.ts'
import type { TestApi } from '../api.ts'
import { connectShop, paidByPaystack } from '../commerce/paystack.ts'
import { soldOrder } from '../commerce/sold-order.ts'
import { storeShipment } from '../logistics/shipment.ts'
import { applyUpdate } from '../logistics/tracking-updates.ts'
import { placeOrder, type Shop } from '../shop.ts'
import { cancel, paidInTestMode, refundAll, refunded, theirs } from './refunded-orders.ts'

/** The exceptional states of payments, refunds and disputes in the guide “Exceptions”, each produced by requests. */

const dayMs = 24 * 3_600_000

/** An exceptional state that a test produced. */
export interface Shown {
  /** The shop of this state, if it differs from the shop of the other tests. */
  readonly shop?: Shop
  /** The order whose refundable amount the test checks. */
  readonly orderId?: string
  readonly refundableKobo?: number
}

export type Produce = (api: TestApi, shop: Shop) => Promise<Shown>

/** The connections to fake payment providers by merchant, for later steps of a test. */
export const connected = new Map<string, Awaited<ReturnType<typeof connectShop>>>()

async function connect(api: TestApi, shop: Shop) {
  const paystack = await connectShop(api, shop)
  connected.set(shop.merchantId, paystack)
  return paystack
}

export const paymentStates = {
  late_payment: async (api, shop) => {
    const { charge } = await connect(api, shop)
    const order = await placeOrder(api, shop, { isPaid: false })
    api.clock.advance(dayMs)
    await expireOrders(api.context)
    await charge(order.id, order.totalKobo)
    return { orderId: order.id, refundableKobo: order.totalKobo }
  },
  overpayment: async (api, shop) => {
    const { charge } = await connect(api, shop)
    const order = await placeOrder(api, shop, { isPaid: false })
    await charge(order.id, order.totalKobo + 500)
    return { orderId: order.id, refundableKobo: order.totalKobo + 500 }
  },
  double_charge: async (api, shop) => {
    const { order, charge } = await paidByPaystack(api, shop)
    await charge(order.id, order.totalKobo)
    return { orderId: order.id, refundableKobo: 2 * order.totalKobo }
  },
  edited_below_payments: async (api, shop) => {
    const order = await placeOrder(api, shop, { body: { shippingKobo: 500 } })
    const path = `/api/v1/orders/${order.id}`
    const reply = await api.send('PATCH', path, { token: shop.token, body: { shippingKobo: 0 } })
    expect(reply.status, reply.text).toBe(200)
    return { orderId: order.id, refundableKobo: order.totalKobo }
  },
  part_payment: async (api, shop) => {
    const { charge } = await connect(api, shop)
    const order = await placeOrder(api, shop, { isPaid: false })
    await charge(order.id, order.totalKobo - 1)
    api.clock.advance(dayMs)
    await expireOrders(api.context)
    return { orderId: order.id, refundableKobo: order.totalKobo - 1 }
  },
  cancelled_paid_order: async (api, shop) => {
    const order = await placeOrder(api, shop)
    await cancel(api, shop, order.id)
    return { orderId: order.id, refundableKobo: order.totalKobo }
  },
  refunded_reserved_order: async (api, shop) => {
    const order = await placeOrder(api, shop)
    await refundAll(api, shop, order)
    return { orderId: order.id, refundableKobo: 0 }
  },
  unmatched_charge: async (api, shop) => {
    const { server, sendCallback, apply } = await connect(api, shop)
    await sendCallback(server.callback('charge.success', { reference: 'T1', amount: 1000, currency: 'NGN' }))
    await apply()
    return {}
  },
  differing_payment: async (api, shop) => {
    const { order, reference, server, context } = await paidByPaystack(api, shop)
    const paid_at = new Date(api.clock.nowMs()).toISOString()
    server.transactions.push({ reference, amount: order.totalKobo - 1, status: 'success', currency: 'NGN', paid_at })
    await reconcileAll(context)
    return { orderId: order.id, refundableKobo: order.totalKobo }
  },
  provider_refund: async (api, shop) => {
    const paid = await paidByPaystack(api, shop, { priceKobo: 1_000_000 })
    await paid.sendCallback(paid.server.refundCallback(theirs(paid.reference)))
    await paid.apply()
    return { orderId: paid.order.id, refundableKobo: 600_000 }
  },
  excess_provider_refund: async (api, shop) => {
    const paid = await refunded(api, shop, 1_000_000)
    await paid.sendCallback(paid.server.refundCallback(theirs(paid.reference)))
    await paid.apply()
    return { orderId: paid.order.id, refundableKobo: 0 }
  },
  failed_refund: async (api, shop) => {
    const paid = await refunded(api, shop)
    await paid.work()
    await paid.sendCallback(paid.server.refundCallback(paid.server.move('failed')))
    await paid.apply()
    return { orderId: paid.order.id, refundableKobo: 1_000_000 }
  },
  refund_without_account: async (api, shop) => {
    const paid = await refunded(api, shop)
    paid.server.newStatus = 'needs-attention'
    await paid.work()
    return { orderId: paid.order.id, refundableKobo: 600_000 }
  },
  contradicted_refund: async (api, shop) => {
    const paid = await refunded(api, shop)
    await paid.work()
    for (const status of ['failed', 'processed'] as const) {
      await paid.sendCallback(paid.server.refundCallback(paid.server.move(status)))
      await paid.apply()
    }
    return { orderId: paid.order.id, refundableKobo: 1_000_000 }
  },
  differing_refund: async (api, shop) => {
    const paid = await refunded(api, shop)
    await paid.work()
    await paid.sendCallback(paid.server.refundCallback(paid.server.move('processed'), { amount: 399_999 }))
    await paid.apply()
    return {}
  },
  refund_after_dispute: async (api, shop) => {
    const paid = await refunded(api, shop)
    paid.server.newStatus = 'needs-attention'
    await paid.work()
    const lost = { id: 358950, transaction: { reference: paid.reference }, resolution: 'merchant-accepted' }
    await paid.sendCallback(paid.server.callback('charge.dispute.resolve', lost))
    await paid.apply()
    await paid.later()
    return { orderId: paid.order.id, refundableKobo: 0 }
  },
  unsettled_return: async (api, shop) => {
    const sold = await soldOrder(api, { shop })
    await sold.pay()
    await sold.receive(await sold.approved(1), { restockQuantity: 1 })
    return { orderId: sold.order.id, refundableKobo: 3_000_000 }
  },
  arrived_return: async (api, shop) => {
    const sold = await soldOrder(api, { shop })
    const returnId = ReturnId.parse(await sold.approved(1))
    await applyUpdate(api, shop, await storeShipment(api, shop, { returnId }), { status: 'delivered' })
    return {}
  },
  open_dispute: async (api, shop) => {
    const paid = await paidByPaystack(api, shop)
    const opened = { id: 358950, transaction: { reference: paid.reference } }
    await paid.sendCallback(paid.server.callback('charge.dispute.create', opened))
    await paid.apply()
    return { orderId: paid.order.id, refundableKobo: 0 }
  },
  unmatched_dispute: async (api, shop) => {
    const { server, sendCallback, apply } = await connect(api, shop)
    await sendCallback(
      server.callback('charge.dispute.create', { id: 358950, transaction: { reference: 'T-unknown' } }),
    )
    await apply()
    return {}
  },
  lost_dispute: async (api, shop) => {
    const paid = await paidByPaystack(api, shop)
    const lost = { id: 358950, transaction: { reference: paid.reference }, resolution: 'merchant-accepted' }
    await paid.sendCallback(paid.server.callback('charge.dispute.resolve', lost))
    await paid.apply()
    return { orderId: paid.order.id, refundableKobo: 0 }
  },
  unclear_dispute: async (api, shop) => {
    const paid = await paidByPaystack(api, shop)
    const unclear = { id: 358950, transaction: { reference: paid.reference }, resolution: 'partly-something' }
    await paid.sendCallback(paid.server.callback('charge.dispute.resolve', unclear))
    await paid.apply()
    return { orderId: paid.order.id, refundableKobo: 0 }
  },
  unpaid_refund_of_restocked_units: async (api, shop) => {
    const { testShop, orderId, amountKobo, itemId, send, cancelRefund } = await paidInTestMode(api, shop)
    const items = [{ itemId, quantity: 1, restock: true }]
    const { body: refund } = await send('/refunds', { orderId, items, reason: 'customer_request' })
    await cancelRefund(refund.id)
    return { shop: testShop, orderId, refundableKobo: amountKobo }
  },
} as const satisfies Readonly<Record<string, Produce>>
