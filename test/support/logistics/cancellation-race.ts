import { expect } from 'vitest'
import { pickupInputExample } from '../../../registry/logistics/quote-example.ts'
import { isShipmentOver } from '../../../registry/logistics/shipment-states.ts'
import { ShipmentId, type VariantId } from '../../../registry/values/vocabulary.ts'
import { randomCode } from '../../../src/base/ids.ts'
import type { ReplyBody, TestApi } from '../api.ts'
import { attentionRows, reportedCodes, shownCodes } from '../attention.ts'
import { ledgerOf, stockOf } from '../commerce/order-transitions.ts'
import { sell } from '../commerce/product.ts'
import { type Browser, signedIn } from '../dashboard.ts'
import { mintToken, openShop, orderBody, type Shop, stockVariant } from '../shop.ts'
import { inOrder, pass, plainPhone, readValidShipment } from './parcel-run.ts'
import { testModeOf } from './shipment.ts'
import type { useSimulatedCarriers } from './simulated-carriers.ts'

/**
 * Cancels the order of a parcel at about the time at which its carrier accepts the parcel, and checks that all records
 * agree.
 */

interface Race {
  readonly api: TestApi
  readonly shop: Shop
  readonly simulate: ReturnType<typeof useSimulatedCarriers>
  readonly member: Browser
}

/**
 * Delays between the cancellation request and the acceptance of the carrier, as numbers of round trips to the database.
 * The cancellation request is sent first in every second round, and the acceptance in the other rounds. The
 * cancellation therefore commits before the acceptance in some rounds and after it in others.
 */
const roundTripsBefore = [0, 16, 2, 8, 1, 4]

/**
 * Maximum number of rounds with one dashboard session. Further rounds would take more simulated time than the session
 * lasts.
 */
const roundsPerSession = 10

/** Runs the given number of rounds. Returns how many parcels were delivered and how many were cancelled. */
export async function raceCancellations(
  api: TestApi,
  simulate: Race['simulate'],
  rounds: number,
): Promise<{ readonly delivered: number; readonly cancelled: number }> {
  const live = await openShop(api.context)
  const testShop = testModeOf(live)
  const { token } = await mintToken(api.context, testShop.tenant, {})
  const shop = { ...testShop, token }
  const ended = { delivered: 0, cancelled: 0 }
  for (let first = 0; first < rounds; first += roundsPerSession) {
    const member = await signedIn(api, live.merchantId, 'owner')
    await member.submit('/dashboard', '/dashboard/select-merchant', { merchant: shop.merchantId })
    for (let round = first; round < Math.min(rounds, first + roundsPerSession); round += 1) {
      ended[await race({ api, shop, simulate, member }, round)] += 1
    }
  }
  return ended
}

async function race({ api, shop, simulate, member }: Race, round: number): Promise<'delivered' | 'cancelled'> {
  const { variantId } = await stockVariant(api, shop.merchantId, { priceKobo: 1_000_000, onHand: 1 })
  const orderId = await paidOrder(api, shop, variantId)
  const post = (path: string, body: object) => api.send('POST', `/api/v1${path}`, { token: shop.token, body })
  let cancellation: ReturnType<typeof post> | undefined
  const cancel = async () => {
    cancellation = post(`/orders/${orderId}/cancel`, { reason: 'customer' })
    const roundTrips = roundTripsBefore[Math.floor(round / 2) % roundTripsBefore.length] ?? 0
    for (let trip = 0; trip < roundTrips; trip += 1) await api.database.pool.query('select 1')
  }
  simulate('simulator-swift', ({ create }) => ({
    create: async (...args) => {
      if (round % 2 === 0) await cancel()
      const accepted = await create(...args)
      if (round % 2 === 1) await cancel()
      return accepted
    },
  }))
  const dispatch = { orderId, reference: randomCode(12), pickup: pickupInputExample, ...inOrder(['simulator-swift']) }
  const { body: dispatched } = await post('/logistics/dispatch', dispatch)
  expect((await cancellation)?.status).toBe(200)
  // The unit in the parcel is in no other order until the parcel has reached a final status.
  await expectUnsold(api, shop, variantId)
  const { status } = await untilEnd(api, shop, dispatched.id)
  expect(['delivered', 'cancelled']).toContain(status)
  const isDelivered = status === 'delivered'
  const stock = { onHand: isDelivered ? 0 : 1, reserved: 0 }
  expect(await stockOf(api, variantId)).toEqual(stock)
  const ledger = await ledgerOf(api, variantId)
  expect({ onHand: ledger.onHand + 1, reserved: ledger.reserved }).toEqual(stock)
  const { body: order } = await api.send('GET', `/api/v1/orders/${orderId}`, { token: shop.token })
  const [fulfilledQuantity, cancelledQuantity] = isDelivered ? [1, 0] : [0, 1]
  expect(order).toMatchObject({ status: 'cancelled', items: [{ fulfilledQuantity, cancelledQuantity }] })
  await expectReports({ api, shop, member }, { orderId, shipmentId: ShipmentId.parse(dispatched.id), isDelivered })
  if (!isDelivered) expect((await sell(api, shop, variantId)).status).toBe(201)
  await expectUnsold(api, shop, variantId)
  return isDelivered ? 'delivered' : 'cancelled'
}

interface Ended {
  readonly orderId: string
  readonly shipmentId: ShipmentId
  readonly isDelivered: boolean
}

/**
 * Checks that events, notifications and the dashboard page agree about the parcel and about the payment of its order.
 */
async function expectReports(
  { api, shop: { merchantId }, member }: Omit<Race, 'simulate'>,
  { orderId, shipmentId, isDelivered }: Ended,
): Promise<void> {
  const { sent, notified } = await reportedCodes(api, merchantId, shipmentId)
  expect(notified).toEqual(sent)
  expect(sent.filter((code) => code === 'delivered_after_cancellation')).toHaveLength(isDelivered ? 1 : 0)
  if (isDelivered) expect(sent).toContain('order_cancelled')
  expect(await shownCodes(member, shipmentId)).toEqual(isDelivered ? ['delivered_after_cancellation'] : [])
  expect(await attentionRows(member, `/orders/${orderId}`)).toHaveLength(1)
}

async function expectUnsold(api: TestApi, shop: Shop, variantId: string): Promise<void> {
  const { status, body } = await sell(api, shop, variantId)
  expect([status, body.error.code]).toEqual([409, 'insufficient_stock'])
}

/** Twice the duration of a simulated delivery. */
const endSeconds = 1_200

async function untilEnd(api: TestApi, shop: Shop, id: string): Promise<ReplyBody> {
  // The worker requests the cancellation from the carrier at once. It would not do so once a rider is assigned, because
  // the cancellation would then cost a fee.
  await pass(api, 10, 10)
  for (let passed = 0; passed < endSeconds; passed += 30) {
    const shipment = await readValidShipment(api, shop, id)
    if (isShipmentOver(shipment.status)) return shipment
    await pass(api, 30, 30)
  }
  return readValidShipment(api, shop, id)
}

async function paidOrder(api: TestApi, shop: Shop, variantId: VariantId): Promise<string> {
  const shippingAddress = { phone: plainPhone, line1: '12 Admiralty Way', city: 'Lekki', state: 'Lagos' }
  const { token } = shop
  const { body } = await api.send('POST', '/api/v1/orders', { token, body: orderBody(variantId, { shippingAddress }) })
  const payment = { amountKobo: body.totalKobo, method: 'cash', reference: randomCode(12) }
  const paid = await api.send('POST', `/api/v1/orders/${body.id}/payments`, { token, body: payment })
  expect(paid.status, paid.text).toBe(201)
  return body.id
}
