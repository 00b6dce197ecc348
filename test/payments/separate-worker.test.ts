import { expect, test } from 'vitest'
import { testPaymentReference } from '../../registry/service/test-payments.ts'
import { silentLog } from '../../src/base/log.ts'
import { payRefunds } from '../../src/payments/pay-refunds.ts'
import { useApi } from '../support/api.ts'
import { select } from '../support/database-contents.ts'
import { openTestShop } from '../support/logistics/parcel-run.ts'
import { placeOrder } from '../support/shop.ts'

/**
 * Refunds in test mode that were created before a failover of the database. They are processed by a separate worker
 * process, which receives no callbacks.
 */

const started = useApi()

/** Duration that is a little longer than a simulation step, so that the next step is due. */
const stepMs = 31_000

test('a worker process without an API moves a test-mode refund through the steps of the simulated provider', async () => {
  const api = started()
  const shop = await openTestShop(api)
  const order = await placeOrder(api, shop, { priceKobo: 1_000_000, isPaid: false })
  const reference = testPaymentReference({ amountKobo: 1_000_000, behaviour: 'success' }, 'a1')
  const paid = { amountKobo: 1_000_000, method: 'card', reference, provider: 'paystack' }
  await api.send('POST', `/api/v1/orders/${order.id}/payments`, { token: shop.token, body: paid })
  const body = { orderId: order.id, amountKobo: 400_000, reason: 'damaged' }
  const { id } = (await api.send('POST', '/api/v1/refunds', { token: shop.token, body })).body
  await select(api, `update refunds set created_server = 'another server' where id = $1`, [id])
  const statusAfterWork = async () => {
    await payRefunds({ ...api.payments, log: silentLog }, shop.merchantId)
    const { status, providerReference } = (await api.send('GET', `/api/v1/refunds/${id}`, { token: shop.token })).body
    return [status, providerReference !== null]
  }
  expect(await statusAfterWork()).toEqual(['pending', true])
  api.clock.advance(stepMs)
  expect(await statusAfterWork()).toEqual(['processing', true])
  api.clock.advance(stepMs)
  expect(await statusAfterWork()).toEqual(['succeeded', true])
})
