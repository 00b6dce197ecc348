import { expect, test } from 'vitest'
import { webhookRetryDelaysMinutes } from '../../../registry/values/limits.ts'
import { trustSecret } from '../../../scripts/faults/outside-verifiers.ts'
import { useApi } from '../../support/api.ts'
import { select } from '../../support/database-contents.ts'
import { getShipment, openTestShop, parcelTo, plainPhone, post } from '../../support/logistics/parcel-run.ts'
import { placeOrder } from '../../support/shop.ts'
import { addEndpoint, advance, startClockWorker } from '../../support/test-clock.ts'
import { openReceiver, status } from '../../webhooks/receiver.ts'

const started = useApi({ sendsCallbacks: true })

const hour = 3600
const day = 24 * hour

test('a test clock advance expires an unpaid order at the expiry time of the order, not at the end of the advance', async () => {
  const api = started()
  const shop = await openTestShop(api)
  await startClockWorker(api)
  const { id } = await placeOrder(api, shop, { isPaid: false })
  const read = async () => (await api.send('GET', `/api/v1/orders/${id}`, { token: shop.token })).body
  await advance(api, shop, day - 1)
  expect(await read()).toMatchObject({ status: 'pending' })
  const { body: clock } = await advance(api, shop, 2 * day)
  expect(clock).toEqual({ id: shop.merchantId, status: 'idle', advancedSeconds: 3 * day - 1, remainingSeconds: 0 })
  const expired = await read()
  expect(expired).toMatchObject({ status: 'cancelled', cancelReason: 'expired' })
  expect(Date.parse(expired.cancelledAt) - Date.parse(expired.createdAt)).toBe(day * 1000)
})

test('a test clock advance makes all retries to a webhook endpoint that always fails, and thereby disables the endpoint', async () => {
  const api = started()
  const shop = await openTestShop(api)
  await startClockWorker(api)
  const receiver = await openReceiver(status(500))
  const { id: endpointId, secret } = await addEndpoint(api, shop, receiver.url)
  trustSecret(receiver.url, secret)
  await placeOrder(api, shop, { isPaid: false })
  await advance(api, shop, 38 * hour)
  expect(receiver.received).toHaveLength(6)
  const [endpoint] = await select(api, 'select status, disabled_reason from webhook_endpoints where id = $1', [
    endpointId,
  ])
  expect(endpoint).toEqual({ status: 'disabled', disabled_reason: 'consecutive_failures' })
  const attempts = await select(api, 'select started_at from webhook_attempts where merchant_id = $1 order by number', [
    shop.merchantId,
  ])
  const times = attempts.map(({ started_at }) => Date.parse(started_at))
  const minutesBetween = times.slice(1).map((ms, index) => Math.floor((ms - Number(times[index])) / 60_000))
  expect(minutesBetween).toEqual(webhookRetryDelaysMinutes.slice(0, 5))
})

test('a simulated shipment is delivered when the test clock is advanced', async () => {
  const api = started()
  const shop = await openTestShop(api)
  await startClockWorker(api)
  const { body: shipment } = await post(api, shop, 'dispatch', parcelTo(plainPhone, { carriers: ['simulator-swift'] }))
  expect(shipment).toMatchObject({ status: 'awaiting_courier' })
  await advance(api, shop, hour)
  const { body: delivered } = await getShipment(api, shop, shipment.id)
  expect(delivered).toMatchObject({ status: 'delivered' })
  const minutes = (Date.parse(delivered.deliveredAt) - Date.parse(delivered.createdAt)) / 60_000
  expect(minutes).toBeGreaterThan(1)
  expect(minutes).toBeLessThan(10)
  const { body: track } = await api.send('GET', `/api/v1/logistics/shipments/${shipment.id}/track`, {
    token: shop.token,
  })
  const events: { status: string }[] = track.events.toReversed()
  expect([...new Set(events.map(({ status: each }) => each))]).toEqual([
    ...['dispatching', 'awaiting_courier', 'courier_assigned', 'at_pickup'],
    ...['picked_up', 'in_transit', 'at_dropoff', 'delivered'],
  ])
})

test('when the test clock is advanced, the simulated payment provider completes a refund', async () => {
  const api = started()
  const shop = await openTestShop(api)
  await startClockWorker(api)
  const { id: orderId, totalKobo } = await placeOrder(api, shop, { isPaid: false })
  const payment = {
    amountKobo: totalKobo,
    method: 'card',
    provider: 'paystack',
    reference: `sim-${totalKobo}-success-clock`,
  }
  const paid = await api.send('POST', `/api/v1/orders/${orderId}/payments`, { token: shop.token, body: payment })
  expect(paid.status, paid.text).toBe(201)
  const body = { orderId, amountKobo: 1_000, reason: 'damaged' }
  const { body: refund } = await api.send('POST', '/api/v1/refunds', { token: shop.token, body })
  expect(refund).toMatchObject({ status: 'pending' })
  await advance(api, shop, hour)
  const read = await api.send('GET', `/api/v1/refunds/${refund.id}`, { token: shop.token })
  expect(read.body).toMatchObject({ status: 'succeeded' })
})
