import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { silentLog } from '../../src/base/log.ts'
import { redactProcessed } from '../../src/callbacks/redact-processed.ts'
import { providerCallbacks } from '../../src/store/callbacks/inboxes.ts'
import { createTasks } from '../../src/worker/tasks.ts'
import { useApi, vault } from '../support/api.ts'
import { callbacksOf, connectShop, paidByPaystack } from '../support/commerce/paystack.ts'
import { select } from '../support/database-contents.ts'
import { openShop, placeOrder } from '../support/shop.ts'

/** Tests how long the service retains the bodies of payment callbacks. */

const started = useApi()

const dayMs = 24 * 60 * 60_000

test('the body of a payment callback is redacted 30 days after its processing, and a repeated callback is still recognised', async () => {
  const api = started()
  const shop = await openShop(api.context)
  const { server, sendCallback, apply, context } = await connectShop(api, shop)
  const order = await placeOrder(api, shop, { isPaid: false })
  const data = { reference: 'T1', amount: 1000, currency: 'NGN', metadata: { orderId: order.id } }
  const callback = server.callback('charge.success', data)
  const waiting = server.callback('transfer.success', { id: 1 })
  await sendCallback(callback)
  await apply()
  await sendCallback(waiting)
  const bodies = async () => {
    const text = 'select body, body_hash from provider_callbacks where merchant_id = $1 order by received_at'
    return (await select(api, text, [shop.merchantId])).map(({ body }) => body.toString())
  }
  api.clock.advance(30 * dayMs - 1)
  // First redacts the callbacks of other tests, because some may be old enough to be redacted.
  await redactProcessed(api.context, providerCallbacks)
  expect(await bodies()).toEqual([callback.body, waiting.body])
  api.clock.advance(2)
  const tasks = createTasks({ ...context, wake: () => undefined, log: silentLog, vault })
  await tasks.redact_callbacks({})
  // The service does not redact callbacks that are not processed yet.
  expect(await bodies()).toEqual(['', waiting.body])
  expect(await redactProcessed(api.context, providerCallbacks)).toBe(0)
  const [{ body_hash }] = await select(
    api,
    "select body_hash from provider_callbacks where merchant_id = $1 and kind = 'charge.success'",
    [shop.merchantId],
  )
  expect(body_hash).toEqual(createHash('sha256').update(callback.body).digest())
  await select(api, 'delete from payments where order_id = $1', [order.id])
  expect((await sendCallback(callback)).status).toBe(200)
  await apply()
  expect(await select(api, 'select 1 from payments where order_id = $1', [order.id])).toEqual([])
  expect((await callbacksOf(api, shop.merchantId)).map(({ outcome }) => outcome)).toEqual(['applied', 'ignored'])
})

test('one run of the redaction redacts all due payment callbacks, even if they need several batches', async () => {
  const api = started()
  const shop = await openShop(api.context)
  api.clock.advance(31 * dayMs)
  await redactProcessed(api.context, providerCallbacks)
  await select(
    api,
    `insert into provider_callbacks (
      merchant_id, id, provider, body, body_hash, source_ip, request_id, received_at, outcome, processed_at
    )
    select
      $1, 'clb_' || lpad(i::text, 26, '0'), 'paystack', 'x', sha256(i::text::bytea), '127.0.0.1', 'r', $2, 'ignored', $2
    from generate_series(1, 2001) i`,
    [shop.merchantId, new Date(api.clock.nowMs()).toISOString()],
  )
  api.clock.advance(31 * dayMs)
  expect(await redactProcessed(api.context, providerCallbacks)).toBe(2001)
  const left = await select(api, "select 1 from provider_callbacks where merchant_id = $1 and body <> ''", [
    shop.merchantId,
  ])
  expect(left).toEqual([])
})

test('if a refund callback has the same bytes as a callback one month earlier, the service still checks the payment’s refunds again', async () => {
  const api = started()
  const shop = await openShop(api.context)
  const { refund, work, server, sendCallback, apply } = await paidByPaystack(api, shop, { priceKobo: 1_000_000 })
  const unnamed = { id: undefined, merchant_note: undefined }
  await refund(400_000)
  await work()
  const callback = server.refundCallback(server.move('processed'), unnamed)
  await sendCallback(callback)
  await apply()
  await work()
  api.clock.advance(31 * dayMs)
  expect(await redactProcessed(api.context, providerCallbacks)).toBeGreaterThan(0)
  await refund(400_000)
  await work()
  await sendCallback(callback)
  await apply()
  expect((await callbacksOf(api, shop.merchantId)).at(-1)).toMatchObject({
    outcome: 'ignored',
    reason: 'refunds_rechecked',
  })
})
