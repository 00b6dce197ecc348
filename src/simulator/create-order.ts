import { type TestService, testCarriers } from '../../registry/service/test-carriers.ts'
import {
  callbackDigitsOf,
  cashOutcomeOf,
  deliveryOutcomeOf,
  dispatchFaultOf,
  lateAcceptanceSeconds,
  type SimulatedFault,
} from '../../registry/service/test-phones.ts'
import { toMs, toTimestamp } from '../base/clock.ts'
import { randomCode } from '../base/ids.ts'
import {
  findSimulatedReference,
  insertSimulatedOrder,
  type NewSimulatedOrder,
  type SimulatedOrder,
} from '../store/simulator/simulated-orders.ts'
import { callbacksOf } from './callbacks.ts'
import { answer, type OrderBody, type Reply, refusal } from './contract.ts'
import { isOutOfArea, offerOf, readToken, servicesFor } from './offers.ts'
import { viewOf } from './order-view.ts'
import { randomFaultOf } from './random-fault.ts'
import type { SimulatedRequest } from './simulation.ts'

/** Creates a simulated order, rejects the request, or simulates a fault with an unknown outcome. */
export async function createOrder(simulatedRequest: SimulatedRequest, body: OrderBody): Promise<Reply> {
  const { simulation, nowMs } = simulatedRequest
  const existing = await existingOrderReply(simulatedRequest, body.reference)
  if (existing !== undefined) return existing
  const acceptedOffer = acceptOffer(simulatedRequest, body)
  if (acceptedOffer.is === 'refused') return acceptedOffer.reply
  const request = requestNumberOf(body.reference)
  const fault =
    dispatchFaultOf(body.dropoff.phone, request) ??
    deliveryOutcomeOf(body.dropoff.phone, request) ??
    randomFaultOf(simulation.faults, body.reference)
  if (fault === 'couriers_busy') return refusal('couriers_busy', 'All our riders are busy.')
  if (fault === 'timeout_before_acceptance') return { is: 'hang' }
  const order = await insertSimulatedOrder(
    simulation.database,
    rowOf(simulatedRequest, body, { ...acceptedOffer, fault }),
  )
  // A concurrent request has created the same simulated order.
  if (order === undefined) return (await existingOrderReply(simulatedRequest, body.reference)) ?? { is: 'hang' }
  switch (fault) {
    case 'timeout_after_acceptance':
    case 'late_acceptance':
    case 'late_and_binding':
      return { is: 'hang' }
    case 'server_error':
      return refusal('server_error', 'Internal error.')
    case 'malformed_answer':
      return { is: 'half', status: 201, body: viewOf(order, nowMs) }
    case 'none':
    case 'carrier_cancels':
    case 'never_assigned':
    case 'delivery_fails':
    case 'lost':
    case 'cancelled_in_transit':
    case 'price_doubled':
      return answer(201, viewOf(order, nowMs))
  }
}

/**
 * Returns the response for an existing order, if the carrier deduplicates by reference. If the carrier accepts the
 * order late, requests get no response until the carrier has accepted it.
 */
async function existingOrderReply(
  { company, simulation, nowMs }: SimulatedRequest,
  reference: string,
): Promise<Reply | undefined> {
  if (testCarriers[company].lookup !== 'reference') return undefined
  const order = await findSimulatedReference(simulation.database, { reference })
  if (order === undefined) return undefined
  return isVisible(order, nowMs) ? answer(200, viewOf(order, nowMs)) : { is: 'hang' }
}

/** An order that is accepted late is invisible before its acceptance. */
export function isVisible(order: SimulatedOrder, nowMs: number): boolean {
  return toMs(order.acceptedAt) <= nowMs
}

/** The largest tolerated difference between two synchronised clocks, in milliseconds. */
const clockToleranceMs = 60_000

type AcceptedOffer =
  | { readonly is: 'bought'; readonly service: TestService; readonly priceKobo: number }
  | { readonly is: 'refused'; readonly reply: Reply }

function acceptOffer({ company, simulation, nowMs }: SimulatedRequest, body: OrderBody): AcceptedOffer {
  const offered = readToken(body.offer)
  const service = servicesFor(company, body).find(({ name }) => name === offered?.service)
  if (isOutOfArea(company, body)) return refused('out_of_area', 'The route is outside our service area.')
  if (offered === undefined || service === undefined || offered.atMs > nowMs + clockToleranceMs) {
    return refused('invalid_request', 'The offer does not match this parcel and route.')
  }
  const context = { company, seed: simulation.seed, stepMs: simulation.stepMs }
  const { cashMaxKobo = 0 } = testCarriers[company]
  if ((body.cashKobo ?? 0) > cashMaxKobo) return refused('invalid_request', 'Our riders do not collect this amount.')
  const { priceKobo, expiresAt } = offerOf(context, body, { service, atMs: offered.atMs })
  if (expiresAt !== null && toMs(expiresAt) <= nowMs) return refused('quote_expired', 'The quoted price has expired.')
  return { is: 'bought', service, priceKobo }
}

function refused(...reason: Parameters<typeof refusal>): AcceptedOffer {
  return { is: 'refused', reply: refusal(...reason) }
}

/** Returns the number at the end of an order's reference, which is the number of the dispatch attempt. */
function requestNumberOf(reference: string): number {
  return Number(/-(\d{1,3})$/.exec(reference)?.[1] ?? 1)
}

/** Length of an order number, short enough to dictate. With fifty random bits, collisions are negligible. */
const numberLength = 10

interface Accepted {
  readonly service: TestService
  readonly priceKobo: number
  readonly fault: SimulatedFault
}

function rowOf(
  { company, simulation, nowMs }: SimulatedRequest,
  body: OrderBody,
  accepted: Accepted,
): NewSimulatedOrder {
  const { pickup, dropoff, callback } = body
  const { service, fault } = accepted
  const priceKobo = fault === 'price_doubled' ? accepted.priceKobo * 2 : accepted.priceKobo
  const isLate = fault === 'late_acceptance' || fault === 'late_and_binding'
  const acceptedMs = nowMs + (isLate ? lateAcceptanceSeconds * 1_000 : 0)
  const order = {
    fault,
    stepMs: simulation.stepMs * service.pace,
    acceptedAt: toTimestamp(acceptedMs),
    callbackDigits: callbackDigitsOf(pickup.phone) ?? simulation.callbackDigits,
  }
  const firstCallbackMs = callbacksOf({ ...order, cancelledAt: null })[0]?.dueMs
  const hasCallback = callback !== null && firstCallbackMs !== undefined
  return {
    ...order,
    company,
    number: `${company.slice('simulator-'.length, 'simulator-'.length + 2).toUpperCase()}-${randomCode(numberLength)}`,
    reference: body.reference,
    service: service.name,
    vehicle: body.vehicle,
    priceKobo,
    pickupLatitude: pickup.location.lat,
    pickupLongitude: pickup.location.lng,
    dropoffLatitude: dropoff.location.lat,
    dropoffLongitude: dropoff.location.lng,
    hasPin: body.pin !== null,
    cashCollectedKobo: body.cashKobo === null ? null : collectedKobo(body.cashKobo, dropoff.phone),
    seed: `${simulation.seed} ${body.reference}`,
    callbackUrl: callback?.url ?? null,
    callbackSecret: callback?.secret ?? null,
    nextCallbackAt: hasCallback ? toTimestamp(firstCallbackMs) : null,
    createdAt: toTimestamp(nowMs),
  }
}

/** Null if the carrier reports no amount. */
function collectedKobo(cashKobo: number, recipientPhone: string): number | null {
  switch (cashOutcomeOf(recipientPhone)) {
    case 'collected':
      return cashKobo
    case 'short':
      return Math.floor(cashKobo / 2)
    case 'over':
      return cashKobo + overKobo
    case 'nothing':
      return 0
    case 'unreported':
      return null
  }
}

/** Amount by which a simulated rider collects too much: 500 naira, as if the rider had no change for a note. */
const overKobo = 50_000
