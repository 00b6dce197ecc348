import { expect, test, vi } from 'vitest'
import { silentLog } from '../../src/base/log.ts'
import { standardRules } from '../../src/webhooks/pace.ts'
import { startWorker } from '../../src/worker/runner.ts'
import { useApi, vault } from '../support/api.ts'
import { eventsOf } from '../support/contents.ts'
import { connectShop } from '../support/paystack.ts'
import { refunding } from '../support/refund.ts'
import { openShop, placeOrder } from '../support/shop.ts'

/** The same by the real worker, which nobody calls but its own pulse. */

const started = useApi()

test('a worker applies what Paystack tells and asks it for a refund, and stops when told to', async () => {
  const api = started()
  const shop = await openShop(api.context)
  const { server, callBack } = await connectShop(api, shop)
  const order = await placeOrder(api, shop, { isPaid: false })
  const worker = await startWorker({
    ...api.context,
    connectionString: api.connectionString,
    log: silentLog,
    policy: { allowsLoopback: true },
    vault,
    rules: standardRules,
    paystackUrl: server.url,
  })
  const { refund, read } = refunding(api, shop, order.id)
  try {
    const data = { reference: 'T1', amount: order.totalKobo, currency: 'NGN', metadata: { orderId: order.id } }
    expect((await callBack(server.callback('charge.success', data))).status).toBe(200)
    await vi.waitFor(async () => expect(await read()).toMatchObject({ paymentStatus: 'paid' }), { timeout: 20_000 })
    server.newStatus = 'processed'
    const reply = await refund(order.totalKobo)
    expect(reply.body).toMatchObject({ status: 'pending', provider: 'paystack' })
    await vi.waitFor(async () => expect(await read()).toMatchObject({ paymentStatus: 'refunded' }), { timeout: 20_000 })
    expect(server.refunds).toMatchObject([{ amount: order.totalKobo, merchantNote: reply.body.id }])
    expect(await eventsOf(api, shop.merchantId, 'order.refunded')).toHaveLength(1)
  } finally {
    await worker.stop()
  }
  await worker.ended
})
