import type { PaymentProviderName } from '../../../registry/values/payment-providers.ts'
import { OrderId } from '../../../registry/values/vocabulary.ts'
import { connectProvider } from '../../../src/access/connect-provider.ts'
import { silentLog } from '../../../src/base/log.ts'
import { applyCallbacks } from '../../../src/payments/apply-callbacks.ts'
import { createPaymentLink } from '../../../src/payments/create-payment-link.ts'
import type { PaymentContext } from '../../../src/payments/open-key.ts'
import { payRefunds } from '../../../src/payments/pay-refunds.ts'
import { reconcileAll } from '../../../src/payments/reconcile-payments.ts'
import type { SignedCallback } from '../../partners/payments/paystack-server.ts'
import type { ProviderBench } from '../../partners/payments/provider-bench.ts'
import { type Reply, sendRaw, type TestApi, vault } from '../api.ts'
import { select } from '../database-contents.ts'
import { operator, placeOrder, type Shop } from '../shop.ts'

/**
 * Base URLs of all payment providers, with which the API serves the callbacks of all providers. No test sends requests
 * to these URLs.
 */
export const allProviderUrls = { paystack: 'http://127.0.0.1:1', flutterwave: 'http://127.0.0.1:1' }

export async function connect(api: TestApi, shop: Shop, { adapter, secretKey, callbackSecret }: ProviderBench) {
  const outcome = await connectProvider({ ...api.context, vault, isProduction: true }, operator, shop.tenant, {
    ...{ provider: adapter, secretKey, callbackSecret },
  })
  if (outcome.is !== 'connected') throw new Error(`Not connected: ${outcome.is}.`)
}

export async function connectProviders(api: TestApi, shop: Shop, benches: readonly ProviderBench[]) {
  for (const bench of benches) await connect(api, shop, bench)
  const providers = new Map(benches.map(({ adapter, client }) => [adapter.name, { ...adapter, ...client }]))
  const context: PaymentContext = { ...api.context, log: silentLog, vault, providers }
  const { merchantId, token } = shop
  const read = async (path: string) => (await api.send('GET', `/api/v1${path}`, { token })).body
  return {
    context,
    /** Stores a callback of a provider. The clock advances first, so that callbacks have different times. */
    sendCallback: ({ adapter }: ProviderBench, callback: SignedCallback): Promise<Reply> => {
      api.clock.advance(1)
      return sendRaw(api, { method: 'POST', path: `/callbacks/${adapter.name}/${merchantId}`, ...callback })
    },
    apply: () => applyCallbacks(context, merchantId),
    /** Processes the due refunds, as the worker does. */
    work: () => payRefunds(context, merchantId),
    /** Advances the clock to the next due check of a refund, if any is due, and runs the check. */
    later: async () => {
      const statement = 'select min(next_check_at) as at from refunds where merchant_id = $1'
      const [row] = await select(api, statement, [merchantId])
      if (row.at !== null) api.clock.advance(Math.max(0, Date.parse(row.at) - api.clock.nowMs()))
      return payRefunds(context, merchantId)
    },
    reconcile: () => reconcileAll(context),
    order: (options: Parameters<typeof placeOrder>[2] = {}) =>
      placeOrder(api, shop, { priceKobo: 1_000_000, isPaid: false, ...options }),
    read,
    /** Creates the payment link of an order at a provider, or at the only connected provider. */
    createLink: (order: string, provider?: PaymentProviderName) => {
      const call = { tenant: shop.tenant, actor: operator, isDryRun: false }
      const inWriteQueue = <Result>(run: () => Promise<Result>) => run()
      return createPaymentLink(
        context,
        { ...call, inWriteQueue },
        { orderId: OrderId.parse(order), provider, expiresInMinutes: 60 },
      )
    },
    refund: async (orderId: string, amountKobo: number) => {
      const body = { orderId, amountKobo, reason: 'damaged' }
      return api.send('POST', '/api/v1/refunds', { token, body })
    },
  }
}
