import { expect, test } from 'vitest'
import { messageOf } from '../../src/notifications/messages.ts'
import { resolveNotification } from '../../src/notifications/resolve.ts'
import { listNotifications } from '../../src/store/webhooks/notifications.ts'
import { openFlutterwaveBench } from '../partners/payments/flutterwave-bench.ts'
import { openPaystackBench } from '../partners/payments/paystack-bench.ts'
import { useApi } from '../support/api.ts'
import { callbacksOf } from '../support/commerce/paystack.ts'
import { allProviderUrls, connectProviders } from '../support/commerce/providers.ts'
import { openShop, operator } from '../support/shop.ts'

/**
 * Tests outages of payment providers that last for days: the single open notification of each outage, and the
 * comparison after the outage.
 */

const started = useApi({ paymentProviders: { urls: allProviderUrls } })

const dayMs = 24 * 3_600_000

async function open(openBench: typeof openPaystackBench) {
  const api = started()
  const shop = await openShop(api.context)
  const bench = await openBench()
  const connected = await connectProviders(api, shop, [bench])
  let isDown = false
  // The server fails only for requests with the key of this merchant. The comparison of other merchants uses other
  // keys, which the server rejects anyway.
  bench.onRequest(() => {
    if (isDown && bench.requests.at(-1)?.authorization === `Bearer ${bench.secretKey}`) bench.failReads('answers_500')
  })
  const { merchantId } = shop
  const notifications = (state: 'all' | 'open' = 'all') =>
    listNotifications(api.database, { merchantId, limit: 10, state })
  return {
    ...connected,
    api,
    shop,
    bench,
    notifications,
    setDown: (isNowDown: boolean) => {
      isDown = isNowDown
    },
    /** Lets days pass, with the daily comparison at the end of each. */
    days: async (count: number) => {
      for (let day = 0; day < count; day++) {
        api.clock.advance(dayMs)
        await connected.reconcile()
      }
    },
    resolve: async () => {
      for (const { id } of await notifications('open'))
        await resolveNotification(api.context, operator, shop.tenant, id)
    },
    receive: async () => {
      const order = await connected.order()
      const paidAt = new Date(api.clock.nowMs()).toISOString()
      bench.receive({ reference: `T_${order.id.slice(-8)}`, amountKobo: order.totalKobo, orderId: order.id, paidAt })
      return async () => (await connected.read(`/orders/${order.id}`)).paidKobo
    },
  }
}

const outageOf = (provider: string) => ({
  kind: 'payment.not_recorded',
  data: { reason: 'not_confirmed', provider },
})

test.for([
  ['Paystack', 'paystack', openPaystackBench],
  ['Flutterwave', 'flutterwave', openFlutterwaveBench],
] as const)('an outage of %s has one notification, created after three failed daily comparisons and resolved by the next successful comparison', async ([
  displayName,
  provider,
  openBench,
]) => {
  const { shop, setDown, days, notifications } = await open(openBench)
  await days(1)
  setDown(true)
  await days(2)
  expect(await notifications()).toEqual([])
  await days(1)
  expect(await notifications()).toMatchObject([{ ...outageOf(provider), resolvedAt: null }])
  await days(17)
  const [outage, ...others] = await notifications()
  expect(others).toEqual([])
  const source = { merchantId: shop.merchantId, kind: 'payment.not_recorded', endpointId: null }
  expect(messageOf({ ...source, data: outage?.data }).text).toContain(`Check the connection with ${displayName}.`)
  setDown(false)
  await days(1)
  const [ended] = await notifications()
  expect(ended).toMatchObject({ resolvedAt: expect.any(String), data: { endedAt: expect.any(String) } })
  expect(messageOf({ ...source, data: ended?.data }).text).toContain(`The outage of ${displayName} ended before`)
})

test('the first daily comparison with a payment provider after an outage records all payments made during the outage', async () => {
  const { setDown, days, receive } = await open(openFlutterwaveBench)
  await days(1)
  setDown(true)
  const paid = await receive()
  await days(12)
  expect(await paid()).toBe(0)
  setDown(false)
  await days(1)
  expect(await paid()).toBe(1_000_000)
})

test('a new outage of the payment provider causes a new notification, even if another outage ended only the day before', async () => {
  const { setDown, days, notifications } = await open(openPaystackBench)
  setDown(true)
  await days(3)
  setDown(false)
  await days(1)
  expect(await notifications('open')).toEqual([])
  setDown(true)
  await days(3)
  expect(await notifications('open')).toMatchObject([outageOf('paystack')])
  expect(await notifications()).toHaveLength(2)
})

test('an outage that continues is reported again a week after a member resolved the notification of the outage', async () => {
  const { setDown, days, notifications, resolve } = await open(openPaystackBench)
  setDown(true)
  await days(3)
  await resolve()
  await days(6)
  expect(await notifications('open')).toEqual([])
  await days(1)
  expect(await notifications('open')).toMatchObject([outageOf('paystack')])
  expect(await notifications()).toHaveLength(2)
})

test('the notification about an outage of a payment provider stays open until the provider can list all payments since the start of the outage, and a later outage gets its own notification', async () => {
  const { bench, setDown, days, receive, notifications } = await open(openFlutterwaveBench)
  await days(1)
  setDown(true)
  const early = await receive()
  await days(12)
  const late = await receive()
  setDown(false)
  // Only the request that lists all payments of the outage fails.
  bench.failReads('answers_500')
  await days(1)
  expect([await early(), await late()]).toEqual([0, 1_000_000])
  expect(await notifications('open')).toMatchObject([{ data: { comparedSince: expect.any(String) } }])
  setDown(true)
  await days(3)
  expect(await notifications('open')).toMatchObject([
    outageOf('flutterwave'),
    { data: { endedAt: expect.any(String) } },
  ])
})

test('callbacks that stay unconfirmed for three days in the same outage create one notification, and a later outage creates another notification', async () => {
  const { api, shop, bench, setDown, days, sendCallback, apply, notifications } = await open(openFlutterwaveBench)
  const ignoreCallback = async (reference: string) => {
    setDown(true)
    await sendCallback(bench, bench.chargeCallback({ reference, amountKobo: 1_000_000 }))
    await apply()
    api.clock.advance(3 * dayMs)
    await apply()
  }
  const outage = outageOf('flutterwave')
  await ignoreCallback('T-1')
  await ignoreCallback('T-2')
  expect(await notifications()).toMatchObject([{ ...outage, resolvedAt: null }])
  setDown(false)
  await days(1)
  expect(await notifications('open')).toEqual([])
  await ignoreCallback('T-3')
  expect(await notifications('open')).toMatchObject([outage])
  expect(await notifications()).toHaveLength(2)
  expect((await callbacksOf(api, shop.merchantId)).map(({ reason }) => reason)).toEqual(
    Array.from({ length: 3 }, () => 'not_confirmed'),
  )
})

test('callbacks that stay unconfirmed for three days are not reported if a daily comparison with the provider has succeeded meanwhile, because the comparison finds their payments', async () => {
  const { api, shop, bench, setDown, days, sendCallback, apply, notifications } = await open(openFlutterwaveBench)
  setDown(true)
  await sendCallback(bench, bench.chargeCallback({ reference: 'T-1', amountKobo: 1_000_000 }))
  await apply()
  setDown(false)
  await days(1)
  setDown(true)
  api.clock.advance(2 * dayMs)
  await apply()
  expect(await callbacksOf(api, shop.merchantId)).toMatchObject([{ reason: 'not_confirmed' }])
  expect(await notifications()).toEqual([])
})
