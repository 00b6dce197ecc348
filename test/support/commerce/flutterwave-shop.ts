import { expect } from 'vitest'
import { chargeEvent, flutterwaveTransaction, openFlutterwaveBench } from '../../partners/payments/flutterwave-bench.ts'
import type { TestApi } from '../api.ts'
import { openShop } from '../shop.ts'
import { callbacksOf } from './paystack.ts'
import { connectProviders } from './providers.ts'

/** A shop whose payment provider sends callbacks with a secret that does not sign the body. */

/** Opens a shop that is connected to the fake server of Flutterwave, with an unpaid order. */
export async function openFlutterwaveShop(api: TestApi) {
  const shop = await openShop(api.context)
  const bench = await openFlutterwaveBench()
  const connected = await connectProviders(api, shop, [bench])
  const order = await connected.order()
  const payment = { reference: `T_${order.id.slice(-8)}`, amountKobo: order.totalKobo, orderId: order.id }
  const send = async (content: object) => {
    const headers = { 'content-type': 'application/json', 'verif-hash': bench.callbackSecret ?? '' }
    return (await connected.sendCallback(bench, { body: JSON.stringify(content), headers })).status
  }
  const post = async (content: object) => {
    expect(await send(content)).toBe(200)
    await connected.apply()
  }
  const chargeOf = (claimed: object = {}, more: object = {}) =>
    chargeEvent(flutterwaveTransaction({ ...payment, ...claimed }, { id: 9_000_000, ...more }))
  const charge = (claimed: object = {}) => post(chargeOf(claimed))
  /**
   * Advances the clock by each given delay in turn. After each delay, applies the callbacks that are then due, such as
   * those whose confirmation failed before.
   */
  const retry = async (...minutes: readonly number[]) => {
    for (const each of minutes) {
      api.clock.advance(each * 60_000)
      await connected.apply()
    }
  }
  const reads = () => bench.requests.filter(({ line }) => line.startsWith('GET')).length
  const reasons = async () => (await callbacksOf(api, shop.merchantId)).map(({ reason }) => reason)
  const orderNow = () => connected.read(`/orders/${order.id}`)
  return {
    ...connected,
    api,
    shop,
    bench,
    order,
    payment,
    send,
    post,
    chargeOf,
    charge,
    retry,
    reads,
    reasons,
    orderNow,
  }
}
