import { expect, test } from 'vitest'
import { useApi } from '../support/api.ts'
import { select } from '../support/contents.ts'
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

test('a dispute the payer won leaves nothing to refund: the money has gone back that way', async () => {
  const { api, shop, server, callBack, apply, refund, reference } = await openPaid()
  const lost = { ...dispute(reference), status: 'resolved', resolution: 'merchant-accepted' }
  await callBack(server.callback('charge.dispute.create', dispute(reference)))
  await apply()
  await callBack(server.callback('charge.dispute.resolve', lost))
  await apply()
  const destination = { accountNumber: '0123456789', bankCode: '058', accountName: 'Adaeze Okafor' }
  expect((await refund(1000)).body.error.code).toBe('payment_disputed')
  expect((await refund(1000, { destination })).body.error.code).toBe('payment_disputed')
  expect((await callbacksOf(api, shop.merchantId)).map(({ reason }) => reason)).toEqual([null, null, 'no_news'])
})

test('a lost dispute counts, whichever of its callbacks comes first', async () => {
  const { server, callBack, apply, refund, reference } = await openPaid()
  await callBack(server.callback('charge.dispute.resolve', { ...dispute(reference), resolution: 'merchant-accepted' }))
  await apply()
  await callBack(server.callback('charge.dispute.create', dispute(reference)))
  await apply()
  expect((await refund(1000)).body.error.code).toBe('payment_disputed')
})

test('a dispute the payer lost frees the payment', async () => {
  const { server, callBack, apply, refund, reference } = await openPaid()
  for (const event of ['charge.dispute.create', 'charge.dispute.resolve']) {
    await callBack(server.callback(event, { ...dispute(reference), resolution: 'declined' }))
    await apply()
  }
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

test('what Paystack told of a person’s payments is emptied when the person is forgotten', async () => {
  const { api, shop, order, server, callBack, apply, reference } = await openPaid()
  const customer = { first_name: 'Adaeze', email: 'adaeze.okafor@example.com' }
  const data = { id: 1, transaction: { reference }, customer }
  for (const event of ['charge.dispute.create', 'charge.dispute.remind', 'charge.dispute.resolve']) {
    await callBack(server.callback(event, data))
    await apply()
  }
  const { customer: person } = (await api.send('GET', `/api/v1/orders/${order.id}`, { token: shop.token })).body
  await api.send('POST', `/api/v1/orders/${order.id}/cancel`, { token: shop.token, body: { reason: 'customer' } })
  const path = `/api/v1/customers/${person.id}/anonymise`
  const reply = await api.send('POST', path, { token: shop.token })
  expect(reply.status, reply.text).toBe(200)
  const kept = await select(api, 'select body from provider_callbacks where merchant_id = $1', [shop.merchantId])
  expect(kept.map(({ body }) => body.length)).toEqual([0, 0, 0, 0])
  // Told once more, it is still known.
  await callBack(server.callback('charge.dispute.create', data))
  expect(await callbacksOf(api, shop.merchantId)).toHaveLength(4)
})

test('what Paystack tells of a person who is forgotten is used, and then emptied', async () => {
  const { api, shop, order, server, callBack, apply, reference } = await openPaid()
  await api.send('POST', `/api/v1/orders/${order.id}/cancel`, { token: shop.token, body: { reason: 'customer' } })
  const { customer: person } = (await api.send('GET', `/api/v1/orders/${order.id}`, { token: shop.token })).body
  const path = `/api/v1/customers/${person.id}/anonymise`
  expect((await api.send('POST', path, { token: shop.token })).status).toBe(200)
  const customer = { first_name: 'Adaeze', email: 'adaeze.okafor@example.com' }
  const charge = { amount: 5000, currency: 'NGN', channel: 'card', metadata: { orderId: order.id }, customer }
  await callBack(server.callback('charge.success', { ...charge, reference: 'T-late' }))
  await callBack(server.callback('charge.success', { ...charge, reference: 'T-late', id: 2 }))
  await callBack(server.callback('charge.dispute.create', { id: 1, transaction: { reference }, customer }))
  await apply()
  expect((await callbacksOf(api, shop.merchantId)).slice(1)).toMatchObject([
    { outcome: 'applied' },
    { outcome: 'ignored', reason: 'reference_in_use' },
    { outcome: 'applied' },
  ])
  const kept = await select(api, 'select body from provider_callbacks where merchant_id = $1', [shop.merchantId])
  expect(kept.map(({ body }) => body.length)).toEqual([0, 0, 0, 0])
})
