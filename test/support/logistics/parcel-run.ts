import { expect } from 'vitest'
import { parcelExample } from '../../../registry/logistics/parcel.ts'
import { dropoffInputExample, pickupInputExample } from '../../../registry/logistics/quote-example.ts'
import { liveAttemptStates, mayShipmentMove } from '../../../registry/logistics/shipment-states.ts'
import type { TestCarrierCode } from '../../../registry/service/test-carriers.ts'
import type { Timestamp } from '../../../registry/values/vocabulary.ts'
import { toMs } from '../../../src/base/clock.ts'
import { randomCode } from '../../../src/base/ids.ts'
import { checkDueShipments } from '../../../src/logistics/jobs/check-shipments.ts'
import type { Context, Tenant } from '../../../src/store/core/mutation.ts'
import type { Reply, ReplyBody, TestApi } from '../api.ts'
import { select } from '../database-contents.ts'
import { mintToken, openShop, placeOrder, type Shop } from '../shop.ts'

/** Opens a shop in test mode, whose shipments are dispatched to the simulated carriers. */
export async function openTestShop(api: { readonly context: Context }): Promise<Shop> {
  const shop = await openShop(api.context)
  const tenant: Tenant = { merchantId: shop.testMerchantId, mode: 'test' }
  const { id: tokenId, token } = await mintToken(api.context, tenant, {})
  return { ...shop, tenant, merchantId: shop.testMerchantId, token, tokenId }
}

/**
 * Returns the body of a dispatch request. The digits of its phone number select the behaviour of the carriers in the
 * first, second and third attempt (registry/service/test-phones.ts).
 */
export function parcelTo(phone: string, more: object = {}): object {
  return {
    reference: randomCode(12),
    pickup: pickupInputExample,
    dropoff: { ...dropoffInputExample, phone },
    parcels: [parcelExample],
    ...more,
  }
}

/** A phone number whose digits select no simulated fault. */
export const plainPhone = '+2348029876543'

export async function orderTo(
  api: TestApi,
  shop: Shop,
  phone = plainPhone,
  more: { isPaid?: boolean } = {},
): Promise<string> {
  const shippingAddress = { recipientName: 'Bisi Ade', phone, line1: '12 Admiralty Way', city: 'Lekki', state: 'Lagos' }
  return (await placeOrder(api, shop, { body: { shippingAddress }, ...more })).id
}

export function post(api: TestApi, shop: Shop, path: string, body: object): Promise<Reply> {
  return api.send('POST', `/api/v1/logistics/${path}`, { token: shop.token, body })
}

export function getShipment(api: TestApi, shop: Shop, id: string): Promise<Reply> {
  return api.send('GET', `/api/v1/logistics/shipments/${id}`, { token: shop.token })
}

/**
 * Advances the clock in steps, and checks the due shipments after each step. If no check becomes due in several steps,
 * the clock advances by all these steps at once, because a check after each of them would change nothing.
 */
export async function pass(api: TestApi, seconds: number, stepSeconds = 5): Promise<void> {
  let remaining = Math.ceil(seconds / stepSeconds)
  while (remaining > 0) {
    const steps = Math.min(remaining, await stepsUntilDue(api, stepSeconds * 1000))
    api.clock.advance(steps * stepSeconds * 1000)
    await checkDueShipments(api.logistics)
    remaining -= steps
  }
}

/** Returns the number of steps until the next check is due. At least one step, and infinitely many if no check is due. */
async function stepsUntilDue(api: TestApi, stepMs: number): Promise<number> {
  const [next] = await select(
    api,
    'select least((select min(next_check_at) from shipments), (select min(next_check_at) from dispatch_attempts)) as due_at',
  )
  const dueAt: Timestamp | null = next?.due_at
  return dueAt === null ? Number.POSITIVE_INFINITY : Math.max(1, Math.ceil((toMs(dueAt) - api.clock.nowMs()) / stepMs))
}

export function cancelShipment(api: TestApi, shop: Shop, id: string, more: object = {}): Promise<Reply> {
  return post(api, shop, `shipments/${id}/cancel`, { reason: 'customer_request', ...more })
}

/** Returns failover settings with which a dispatch tries the carriers in the given order at any price. */
export function inOrder(carriers: readonly TestCarrierCode[], more: object = {}): object {
  return { failover: { strategy: 'preferred', carriers, maxPriceKobo: 10_000_000, ...more } }
}

/** Returns the carrier, the state and the outcome code of each dispatch attempt, oldest first. */
export function attemptsOf({ attempts }: ReplyBody): [carrier: string, state: string, code: string | undefined][] {
  return attempts.map((attempt: ReplyBody) => [
    attempt.carrier.replace('simulator-', ''),
    attempt.state,
    attempt.outcome?.code,
  ])
}

/**
 * Returns the orders that the simulated carriers have for a shipment, and whether the service or the carrier cancelled
 * them.
 */
export async function ordersOf(api: TestApi, id: string): Promise<{ company: string; isCancelled: boolean }[]> {
  const rows = await select(
    api,
    `select company, cancelled_at is not null or fault = 'carrier_cancels' as "isCancelled"
     from simulated_orders where reference like $1 || '-%' order by reference`,
    [id],
  )
  return rows.map(({ company, isCancelled }) => ({ company: company.replace('simulator-', ''), isCancelled }))
}

export async function ridersOf(api: TestApi, id: string): Promise<string[]> {
  return (await ordersOf(api, id)).filter(({ isCancelled }) => !isCancelled).map(({ company }) => company)
}

/**
 * Reads a shipment and checks what is true of every shipment: it has at most one active attempt, and its status changes
 * are allowed.
 */
export async function readValidShipment(api: TestApi, shop: Shop, id: string): Promise<ReplyBody> {
  const { body } = await getShipment(api, shop, id)
  const live = body.attempts.filter(({ state }: ReplyBody) => liveAttemptStates.includes(state))
  expect(live.length, JSON.stringify(body.attempts)).toBeLessThanOrEqual(1)
  const rows = await select(
    api,
    `select status from shipment_events where shipment_id = $1 and status is not null and is_applied order by number`,
    [id],
  )
  rows.reduce((from, { status: to }) => {
    if (from !== to) expect(mayShipmentMove(from, to), `${from} to ${to}`).toBe(true)
    return to
  }, rows[0].status)
  expect(rows.at(-1).status).toBe(body.status)
  return body
}
