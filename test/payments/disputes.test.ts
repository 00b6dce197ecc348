import { expect, test } from 'vitest'
import { useApi } from '../support/api.ts'
import { callbacksOf, connectShop, paidByPaystack } from '../support/paystack.ts'
import { openShopWith } from '../support/settings.ts'

/** What Paystack tells of disputes, and what it means for refunds. */

const started = useApi()

async function openPaid() {
  const { api, shop } = await openShopWith(started(), {})
  return { api, shop, ...(await paidByPaystack(api, shop, { priceKobo: 1_000_000 })) }
}

const dispute = (reference: string, id = 358950) => ({ id, transaction: { reference } })

test('a disputed payment is not refunded until the dispute is resolved', async () => {
  const { server, callBack, apply, refund, reference } = await openPaid()
  await callBack(server.callback('charge.dispute.create', dispute(reference)))
  await apply()
  const refused = await refund(1000)
  expect(refused.status).toBe(409)
  expect(refused.body.error.code).toBe('payment_disputed')
  await callBack(server.callback('charge.dispute.resolve', dispute(reference)))
  await apply()
  expect((await refund(1000)).status).toBe(201)
})

test('a dispute told after its resolution holds nothing up', async () => {
  const { api, shop, server, callBack, apply, refund, reference } = await openPaid()
  await callBack(server.callback('charge.dispute.resolve', dispute(reference)))
  await apply()
  await callBack(server.callback('charge.dispute.create', dispute(reference)))
  await apply()
  expect((await callbacksOf(api, shop.merchantId)).map(({ reason }) => reason)).toEqual([
    null,
    'no_news',
    'resolved_before',
  ])
  expect((await refund(1000)).status).toBe(201)
})

async function openUnpaid() {
  const { api, shop } = await openShopWith(started(), {})
  return { api, shop, ...(await connectShop(api, shop)) }
}

test('a dispute of a payment nobody knows is ignored', async () => {
  const { api, shop, server, callBack, apply } = await openUnpaid()
  await callBack(server.callback('charge.dispute.create', dispute('T0')))
  await callBack(server.callback('charge.dispute.create', { id: 1 }))
  await apply()
  const reasons = (await callbacksOf(api, shop.merchantId)).map(({ reason }) => reason)
  expect(reasons).toEqual(['payment_unknown', 'unreadable'])
})
