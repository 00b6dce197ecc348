import { onTestFinished } from 'vitest'
import { connectProvider } from '../../../src/access/connect-provider.ts'
import { silentLog } from '../../../src/base/log.ts'
import { openSafeFetch } from '../../../src/outbound/safe-fetch.ts'
import { openPaystack, paystack } from '../../../src/partners/payments/paystack.ts'
import type { PaymentApi } from '../../../src/partners/payments/provider.ts'
import { applyCallbacks } from '../../../src/payments/apply-callbacks.ts'
import { payRefunds } from '../../../src/payments/pay-refunds.ts'
import { vendorExample } from '../../partners/examples/example.ts'
import { openPaystackServer, type SignedCallback } from '../../partners/payments/paystack-server.ts'
import { type Reply, sendRaw, type TestApi, vault } from '../api.ts'
import { select } from '../database-contents.ts'
import { operator, placeOrder, type Shop } from '../shop.ts'
import { providersWith } from './payment-providers.ts'

export async function connectShop(api: TestApi, shop: Shop) {
  const server = await openPaystackServer()
  const connected = await connectProvider({ ...api.context, vault, isProduction: true }, operator, shop.tenant, {
    ...{ provider: paystack, secretKey: server.secretKey },
  })
  if (connected.is !== 'connected') throw new Error(`Not connected: ${connected.is}.`)
  const outbound = openSafeFetch({ allowsLoopback: true })
  onTestFinished(() => outbound.close())
  const provider = openPaystack(server.reach(outbound.fetch), server.url)
  const context = { ...api.context, log: silentLog, vault, providers: providersWith(provider) }
  const sendCallback = (callback: SignedCallback, merchantId: string = shop.merchantId): Promise<Reply> => {
    // The clock advances before each callback, so that callbacks have different times.
    api.clock.advance(1)
    return sendRaw(api, { method: 'POST', path: `/callbacks/paystack/${merchantId}`, ...callback })
  }
  const apply = () => applyCallbacks(context, shop.merchantId)
  return {
    server,
    provider,
    context,
    sendCallback,
    apply,
    /** Processes the due refunds, as the worker does. */
    work: () => payRefunds(context, shop.merchantId),
    /** Advances the clock to the next due check of a refund, and runs the check. */
    later: async () => {
      const [row] = await select(api, 'select min(next_check_at) as at from refunds where merchant_id = $1', [
        shop.merchantId,
      ])
      api.clock.advance(Math.max(0, Date.parse(row.at) - api.clock.nowMs()))
      return payRefunds(context, shop.merchantId)
    },
    /** Stores the callback of a Paystack payment for an order, and applies it. */
    charge: async (orderId: string, amountKobo: number | string, more: object = {}) => {
      charges += 1
      const reference = `T${charges}_${orderId.slice(-8)}`
      const data = { reference, amount: amountKobo, currency: 'NGN', channel: 'card', metadata: { orderId }, ...more }
      const reply = await sendCallback(server.callback('charge.success', data))
      if (reply.status !== 200) throw new Error(reply.text)
      await apply()
      return reference
    },
  }
}

let charges = 0

/**
 * Connects a shop to a fake Paystack server and creates an unpaid order. Also returns a function that pays the order at
 * this server.
 */
export async function unpaidAtPaystack(api: TestApi, shop: Shop) {
  const paystack = await connectShop(api, shop)
  const order = await placeOrder(api, shop, { priceKobo: 1_000_000, isPaid: false })
  /** Adds a payment to the fake Paystack server, but sends no callback. */
  const transaction = (more: object = {}) => {
    const { data } = vendorExample('paystack-transaction-verify').body
    const made = { ...data, reference: 'T1', amount: 1_000_000, ...more }
    paystack.server.transactions.push(made)
    return made
  }
  const paid = async () => (await api.send('GET', `/api/v1/orders/${order.id}`, { token: shop.token })).body.paidKobo
  return { ...paystack, order, transaction, paid }
}

export async function paidByPaystack(api: TestApi, shop: Shop, options: { priceKobo?: number; body?: object } = {}) {
  const paystack = await connectShop(api, shop)
  const order = await placeOrder(api, shop, { ...options, isPaid: false })
  const reference = await paystack.charge(order.id, order.totalKobo)
  const refund = async (amountKobo: number, more: object = {}) => {
    const body = { orderId: order.id, amountKobo, reason: 'damaged', ...more }
    return api.send('POST', '/api/v1/refunds', { token: shop.token, body })
  }
  const get = async (id: string) => (await api.send('GET', `/api/v1/refunds/${id}`, { token: shop.token })).body
  const getOrder = async () => (await api.send('GET', `/api/v1/orders/${order.id}`, { token: shop.token })).body
  return { ...paystack, order, reference, refund, get, getOrder }
}

/** Returns the payment callbacks of a merchant with their outcomes, oldest first. */
export async function callbacksOf(api: TestApi, merchantId: string) {
  return select(
    api,
    'select kind, outcome, reason from provider_callbacks where merchant_id = $1 order by received_at, id',
    [merchantId],
  )
}

/**
 * Returns a payment provider that forwards every call to another provider. A test can replace this other provider while
 * the service runs.
 */
export function exchangeableProvider() {
  const used: { provider?: PaymentApi } = {}
  const now = (): PaymentApi => {
    if (used.provider === undefined) throw new Error('No payment provider was chosen.')
    return used.provider
  }
  const provider: PaymentApi = {
    refund: (...all) => now().refund(...all),
    findRefund: (...all) => now().findRefund(...all),
    searchRefund: (...all) => now().searchRefund(...all),
    setBankDetails: (...all) => now().setBankDetails(...all),
    createCheckout: (...all) => now().createCheckout(...all),
    findPayment: (...all) => now().findPayment(...all),
    listPayments: (...all) => now().listPayments(...all),
    listReversedPayments: (...all) => now().listReversedPayments(...all),
    listRefunds: (...all) => now().listRefunds(...all),
  }
  return { provider, use: (chosen: PaymentApi) => Object.assign(used, { provider: chosen }) }
}
