import type { z } from 'zod'
import { weightGramsOf } from '../../../registry/logistics/parcel.ts'
import { type TestCarrierCode, testCarriers } from '../../../registry/service/test-carriers.ts'
import { toMs, toTimestamp } from '../../base/clock.ts'
import type { OutboundRequest, SafeFetch } from '../../outbound/safe-fetch.ts'
import type {
  Cancellation,
  Capabilities,
  Carrier,
  CarrierAccount,
  CarrierOffer,
  CreateRequest,
  FoundOrder,
  Outcome,
  QuoteRequest,
  SoughtOrder,
} from './carrier.ts'
import { classifySimulatorResponse } from './classify-simulator-response.ts'
import { readSimulatorCallback } from './simulator-callback.ts'
import { Cancelled, carrierOrderOf, OfferList, Order, OrderList, OrderPage, trackingOf } from './simulator-reading.ts'

/**
 * Adapters of the three simulated carriers of test mode (src/simulator), which are called over HTTP like real ones. An
 * account needs no credentials. If the account has `callbackUrl` and `callbackSecret`, its carrier sends a callback for
 * each step of an order.
 */
export function openSimulatorCarriers(
  send: SafeFetch['fetch'],
  root: string,
): Readonly<Record<TestCarrierCode, Carrier>> {
  return {
    'simulator-swift': openCompany(send, root, 'simulator-swift'),
    'simulator-steady': openCompany(send, root, 'simulator-steady'),
    'simulator-saver': openCompany(send, root, 'simulator-saver'),
  }
}

const capabilityDifferences: Readonly<
  Record<TestCarrierCode, Pick<Capabilities, 'createDedup' | 'cancelUntil' | 'quotesLive' | 'onUnknown'>>
> = {
  'simulator-swift': {
    createDedup: 'reference',
    cancelUntil: 'at_pickup',
    quotesLive: true,
    onUnknown: 'proceed_guarded',
  },
  'simulator-steady': {
    createDedup: 'none',
    cancelUntil: 'courier_assigned',
    quotesLive: false,
    onUnknown: 'proceed_guarded',
  },
  'simulator-saver': { createDedup: 'none', cancelUntil: undefined, quotesLive: false, onUnknown: 'wait' },
}

function openCompany(send: SafeFetch['fetch'], root: string, code: TestCarrierCode): Carrier {
  const { services, vehicles, states, maxWeightGrams, cashMaxKobo, lookup, callbacks, cancellationFeesKobo } =
    testCarriers[code]
  const call = async <Schema extends z.ZodType>(schema: Schema, asked: SimulatorRequest, signal: AbortSignal) => {
    if (signal.aborted) return notSent
    return classifySimulatorResponse(await send(outbound(`${root}/${code}`, asked, signal)), schema)
  }
  const find = async ({ request, requestedAt }: SoughtOrder, signal: AbortSignal): Promise<Outcome<FoundOrder>> => {
    if (lookup === 'list') return findInList(call, { request, requestedAt }, signal)
    const query = new URLSearchParams({ reference: request.reference })
    const listed = await call(OrderList, { method: 'GET', path: `/orders?${query}` }, signal)
    return listed.is === 'ok' ? foundAmong(listed.value.orders) : listed
  }
  return {
    code,
    capabilities: {
      ...capabilityDifferences[code],
      lookup,
      serviceLevels: services.map(({ level }) => level),
      vehicles,
      callbacks: callbacks === 'signed' ? 'trusted' : 'hints',
      livePosition: true,
      namesCouriers: true,
      proof: ['photo', 'pin'],
      states,
      maxWeightGrams,
      insurance: false,
      cashMaxKobo,
      cancellationFeesKobo,
    },
    quote: async (_, request, signal) => {
      const quoted = await call(
        OfferList,
        { method: 'POST', path: '/quotes', body: quoteBody(request), isIdempotent: true },
        signal,
      )
      return quoted.is === 'ok' ? { is: 'ok', value: quoted.value.offers satisfies readonly CarrierOffer[] } : quoted
    },
    create: async (account, request, signal) => {
      const created = await call(Order, { method: 'POST', path: '/orders', body: orderBody(account, request) }, signal)
      return created.is === 'ok' ? { is: 'ok', value: carrierOrderOf(created.value) } : created
    },
    ...(lookup === 'none' ? {} : { find: (_, sought, signal) => find(sought, signal) }),
    get: async (_, { carrierReference }, signal) => {
      const path = `/orders/${encodeURIComponent(carrierReference)}`
      const response = await call(Order, { method: 'GET', path }, signal)
      return response.is === 'ok' ? { is: 'ok', value: trackingOf(response.value) } : response
    },
    cancel: async (_, { carrierReference }, __, signal): Promise<Outcome<Cancellation>> => {
      const path = `/orders/${encodeURIComponent(carrierReference)}/cancel`
      const response = await call(Cancelled, { method: 'POST', path }, signal)
      if (response.is !== 'ok') return response
      const { cancellationFeeKobo, refundKobo } = response.value
      return { is: 'ok', value: { is: 'cancelled', feeKobo: cancellationFeeKobo, refundKobo } }
    },
    readCallback: (account, callback) => readSimulatorCallback(code, account, callback),
  }
}

interface SimulatorRequest {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly body?: object
  /**
   * Whether the request changes nothing at the carrier. Such a request may reuse an idle connection, because it can be
   * sent again if the carrier has closed the connection.
   */
  readonly isIdempotent?: boolean
}

type Call = <Schema extends z.ZodType>(
  schema: Schema,
  asked: SimulatorRequest,
  signal: AbortSignal,
) => Promise<Outcome<z.output<Schema>>>

const notSent: Outcome<never> = {
  is: 'unavailable',
  message: 'The deadline passed before the request was sent.',
  retryAfterSeconds: undefined,
}

/** Upper limit of a request's duration. Callers normally abort a request earlier, through its signal. */
const deadlineMs = 30_000

/** Maximum size of a simulated carrier's response. A page of a hundred orders is about 30 KB. */
const responseMaxBytes = 256 * 1024

function outbound(
  root: string,
  { method, path, body, isIdempotent = method === 'GET' }: SimulatorRequest,
  signal: AbortSignal,
): OutboundRequest {
  return {
    url: root + path,
    method,
    headers: {
      'user-agent': 'Commerce-Service-Carriers/1',
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    deadlineMs,
    responseMaxBytes,
    signal,
    isIdempotent,
  }
}

function quoteBody({ pickup, dropoff, parcels, serviceLevels, vehicle }: QuoteRequest): object {
  return {
    pickup: { location: pickup.location, state: pickup.state, phone: pickup.phone },
    dropoff: { location: dropoff.location, state: dropoff.state, phone: dropoff.phone },
    weightGrams: weightGramsOf(parcels),
    vehicle,
    serviceLevels,
  }
}

function orderBody({ credentials }: CarrierAccount, request: CreateRequest): object {
  const { callbackUrl: url, callbackSecret: secret } = credentials
  const { pickup, dropoff, parcels, offer, reference, pin, codAmountKobo } = request
  const stop = ({ name, line1, phone, location, state }: CreateRequest['pickup']) => ({
    name,
    line1,
    phone,
    location,
    state,
  })
  return {
    reference,
    offer: offer.token,
    pickup: stop(pickup),
    dropoff: stop(dropoff),
    weightGrams: weightGramsOf(parcels),
    vehicle: offer.vehicle,
    pin: pin ?? null,
    cashKobo: codAmountKobo ?? null,
    callback: url === undefined || secret === undefined ? null : { url, secret },
  }
}

/** Tolerated difference between the simulated carrier's clock and ours, in milliseconds. */
const clockToleranceMs = 60_000

/**
 * Maximum number of pages that one search for an order reads: ten thousand orders that were created since the dispatch
 * request. The search of a longer list is inconclusive.
 */
const pagesMax = 100

async function findInList(
  call: Call,
  { request, requestedAt }: SoughtOrder,
  signal: AbortSignal,
): Promise<Outcome<FoundOrder>> {
  const since = toTimestamp(toMs(requestedAt) - clockToleranceMs)
  const matches: z.output<typeof OrderPage>['orders'] = []
  let after = ''
  for (let page = 1; page <= pagesMax; page++) {
    const query = new URLSearchParams({ since, after })
    const listed = await call(OrderPage, { method: 'GET', path: `/orders?${query}` }, signal)
    if (listed.is !== 'ok') return listed
    matches.push(...listed.value.orders.filter(({ reference }) => reference === request.reference))
    if (listed.value.next === null) return foundAmong(matches)
    after = listed.value.next
  }
  return { is: 'unknown', cause: 'bad_response', message: 'The list of orders has too many pages.', isNeutral: true }
}

/**
 * Selects the simulated order with the searched reference. A carrier that does not deduplicate may have several such
 * orders; an order that is not cancelled is preferred.
 */
function foundAmong(orders: z.output<typeof OrderPage>['orders']): Outcome<FoundOrder> {
  const order = orders.find(({ status }) => status !== 'order_cancelled') ?? orders[0]
  return { is: 'ok', value: order === undefined ? { is: 'absent' } : { is: 'found', order: carrierOrderOf(order) } }
}
