import { onTestFinished } from 'vitest'
import { Parcel, parcelExample } from '../../../registry/logistics/parcel.ts'
import { dropoffExample, Place, pickupExample } from '../../../registry/logistics/place.ts'
import { type Clock, systemClock, toTimestamp } from '../../../src/base/clock.ts'
import { openSafeFetch, type SafeFetch } from '../../../src/outbound/safe-fetch.ts'
import type {
  Carrier,
  CarrierAccount,
  CarrierOffer,
  CreateRequest,
  OrderName,
  Outcome,
  QuoteRequest,
  RawCallback,
} from '../../../src/partners/carriers/carrier.ts'
import { openChowdeck } from '../../../src/partners/carriers/chowdeck.ts'
import { openFez } from '../../../src/partners/carriers/fez.ts'
import { openShipbubble } from '../../../src/partners/carriers/shipbubble.ts'
import { openChowdeckServer } from './chowdeck-server.ts'
import type { Fault } from './contract-server.ts'
import { openFezServer } from './fez-server.ts'
import { openShipbubbleServer } from './shipbubble-server.ts'

/**
 * A test bench for each carrier adapter, with a fake server that implements the carrier's contract, so that one test
 * suite runs against all adapters.
 */

export type CarrierCallName = 'quote' | 'create' | 'find' | 'get' | 'cancel'

export interface Bench<Server = unknown> {
  readonly carrier: Carrier
  readonly account: CarrierAccount
  readonly server: Server
  accepted(): readonly string[]
  /** Returns the ids of the orders that the carrier accepted and that are not cancelled. */
  held(): readonly string[]
  fail(call: CarrierCallName, ...faults: readonly Fault[]): void
  release(): Promise<void>
  /** Returns an abort signal with a long deadline. */
  patience(): AbortSignal
  /** Makes the carrier assign a rider, who collects the parcel of the latest order. */
  pickUp(): void
  /**
   * Returns the carrier's callback after the pickup of the latest order. It is signed if the carrier signs callbacks.
   */
  callback(): RawCallback
}

export function openSend(): SafeFetch['fetch'] {
  const outbound = openSafeFetch({ allowsLoopback: true })
  onTestFinished(() => outbound.close())
  return outbound.fetch
}

export async function openChowdeckBench() {
  const server = await openChowdeckServer()
  const { apiKey, webhookSecret } = server
  const operations = { quote: 'fee', create: 'create', find: 'read', get: 'read', cancel: 'cancel' } as const
  return {
    carrier: openChowdeck(server.reach(openSend()), server.url),
    account: { credentials: { apiKey, webhookSecret } },
    server,
    accepted: () => server.deliveries.map(({ id }) => String(id)),
    held: () => server.deliveries.filter(({ status }) => status !== 'cancelled').map(({ id }) => String(id)),
    fail: (call, ...faults) => server.fail(operations[call], ...faults),
    release: server.release,
    patience: server.patience,
    pickUp: () => {
      latest(server.deliveries).status = 'picked'
    },
    callback: () => server.callback('ORDER_PICKED_UP', latest(server.deliveries)),
  } satisfies Bench
}

export async function openFezBench(clock: Clock = systemClock) {
  const server = await openFezServer(() => clock.nowMs())
  const { userId, password, secretKey } = server
  const operations = { quote: 'cost', create: 'create', find: 'search', get: 'track', cancel: 'cancel' } as const
  return {
    carrier: openFez(server.reach(openSend()), server.url, clock),
    account: { credentials: { userId, password, secretKey } },
    server,
    accepted: () => server.orders.map(({ orderNo }) => orderNo),
    held: () => server.orders.filter(({ isDeleted }) => !isDeleted).map(({ orderNo }) => orderNo),
    fail: (call, ...faults) => server.fail(operations[call], ...faults),
    release: server.release,
    patience: server.patience,
    pickUp: () => server.move('Picked-Up'),
    callback: () => server.callback('Picked-Up'),
  } satisfies Bench
}

export async function openShipbubbleBench(clock: Clock = systemClock) {
  const server = await openShipbubbleServer(() => clock.nowMs())
  const operations = { quote: 'rates', create: 'create', find: 'list', get: 'read', cancel: 'cancel' } as const
  return {
    carrier: openShipbubble(server.reach(openSend()), server.url, { clock }),
    account: { credentials: { apiKey: server.apiKey, email: 'shop@example.com' } },
    server,
    accepted: () => server.orders.map(({ orderId }) => orderId),
    held: () => server.orders.filter(({ status }) => status !== 'cancelled').map(({ orderId }) => orderId),
    fail: (call, ...faults) => server.fail(operations[call], ...faults),
    release: server.release,
    patience: server.patience,
    pickUp: () => {
      latest(server.orders).status = 'picked_up'
    },
    callback: () => {
      const { orderId, status } = latest(server.orders)
      return server.callback('shipment.status.changed', { order_id: orderId, status })
    },
  } satisfies Bench
}

export const benches = [
  ['chowdeck', openChowdeckBench],
  ['fez', openFezBench],
  ['shipbubble', openShipbubbleBench],
] as const satisfies readonly (readonly [string, () => Promise<Bench>])[]

function latest<Item>(items: readonly Item[]): Item {
  const item = items.at(-1)
  if (item === undefined) throw new Error('The carrier has no order.')
  return item
}

export const reference = 'shp_01jd3f8q6hf5n8v1zr4c7e2m9k-1'

export function quoteRequest(more: Partial<QuoteRequest> = {}): QuoteRequest {
  return {
    pickup: Place.parse(pickupExample),
    dropoff: Place.parse(dropoffExample),
    parcels: [Parcel.parse(parcelExample)],
    serviceLevels: ['on_demand', 'same_day', 'next_day', 'standard'],
    vehicle: 'bike',
    distanceMeters: 6_200,
    pickupAt: toTimestamp(systemClock.nowMs()),
    ...more,
  }
}

export async function offersFrom(bench: Bench, request = quoteRequest()): Promise<readonly CarrierOffer[]> {
  return okay(await bench.carrier.quote(bench.account, request, bench.patience()))
}

export async function createRequest(bench: Bench, more: Partial<CreateRequest> = {}): Promise<CreateRequest> {
  const request = quoteRequest()
  const [offer] = await offersFrom(bench, request)
  if (offer === undefined) throw new Error('The carrier made no offer.')
  return { ...request, reference, offer, undeliverable: 'return', pin: undefined, ...more }
}

export async function placeOrder(bench: Bench): Promise<OrderName> {
  const { carrier, account } = bench
  const order = okay(await carrier.create(account, await createRequest(bench), bench.patience()))
  return { carrierReference: order.carrierReference, reference }
}

/** Looks up an order as a dispatch does. For a carrier that deduplicates orders, repeats the create request instead. */
export async function look(
  bench: Bench,
  request: CreateRequest,
  requestedAt = toTimestamp(systemClock.nowMs() - 1_000),
) {
  const { carrier, account } = bench
  const isSure = carrier.capabilities.lookup !== 'none'
  if (isSure && carrier.find !== undefined) return carrier.find(account, { request, requestedAt }, bench.patience())
  const again = await carrier.create(account, request, bench.patience())
  return again.is === 'ok' ? { is: 'ok' as const, value: { is: 'found' as const, order: again.value } } : again
}

export function okay<Value>(outcome: Outcome<Value>): Value {
  if (outcome.is !== 'ok') throw new Error(`Not ok: ${JSON.stringify(outcome)}`)
  return outcome.value
}

interface OneCall {
  readonly call: CarrierCallName
  /**
   * Runs after the orders and quotes that the tested operation needs have been created, and before the operation
   * itself.
   */
  arrange(): unknown
}

/** Calls one operation of the carrier adapter, for tests that combine every operation with a fault. */
export async function callOnce(bench: Bench, { call, arrange }: OneCall): Promise<Outcome<unknown>> {
  const { carrier, account } = bench
  if (call === 'quote') {
    arrange()
    return carrier.quote(account, quoteRequest(), bench.patience())
  }
  const request = await createRequest(bench)
  if (call === 'create') {
    arrange()
    return carrier.create(account, request, bench.patience())
  }
  const order = await placeOrder(bench)
  arrange()
  if (call === 'get') return carrier.get(account, order, bench.patience())
  if (call === 'cancel') return carrier.cancel(account, order, 'customer_request', bench.patience())
  if (carrier.find === undefined) throw new Error(`${carrier.code} cannot find an order.`)
  const requestedAt = toTimestamp(systemClock.nowMs() - 60_000)
  return carrier.find(account, { request, requestedAt }, bench.patience())
}
