import { type TestService, testCarriers } from '../../registry/service/test-carriers.ts'
import {
  callbackDigitsOf,
  type DispatchFault,
  dispatchFaultOf,
  lateAcceptanceSeconds,
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

/** A company takes an order, or refuses it, or leaves whoever asks in the dark. */
export async function createOrder(asked: SimulatedRequest, body: OrderBody): Promise<Reply> {
  const { simulation, nowMs } = asked
  const repeated = await repeatedAnswer(asked, body.reference)
  if (repeated !== undefined) return repeated
  const bought = boughtFrom(asked, body)
  if (bought.is === 'refused') return bought.reply
  const fault =
    dispatchFaultOf(body.dropoff.phone, attemptOf(body.reference)) ?? randomFaultOf(simulation.faults, body.reference)
  if (fault === 'couriers_busy') return refusal('couriers_busy', 'All our riders are busy.')
  if (fault === 'timeout_before_acceptance') return { is: 'hang' }
  const order = await insertSimulatedOrder(simulation.database, rowOf(asked, body, { ...bought, fault }))
  // Somebody sent the same a moment earlier.
  if (order === undefined) return (await repeatedAnswer(asked, body.reference)) ?? { is: 'hang' }
  switch (fault) {
    case 'timeout_after_acceptance':
    case 'late_acceptance':
      return { is: 'hang' }
    case 'server_error':
      return refusal('server_error', 'Something went wrong here.')
    case 'malformed_answer':
      return { is: 'half', status: 201, body: viewOf(order, nowMs) }
    case 'none':
    case 'carrier_cancels':
    case 'never_assigned':
    case 'delivery_fails':
      return answer(201, viewOf(order, nowMs))
  }
}

/** What a company answers that knows the reference; one that has not made up its mind yet still does not answer. */
async function repeatedAnswer(
  { company, simulation, nowMs }: SimulatedRequest,
  reference: string,
): Promise<Reply | undefined> {
  if (testCarriers[company].lookup !== 'reference') return undefined
  const order = await findSimulatedReference(simulation.database, reference)
  if (order === undefined) return undefined
  return isKnown(order, nowMs) ? answer(200, viewOf(order, nowMs)) : { is: 'hang' }
}

/** An order whose acceptance is late is not known to anybody before. */
export function isKnown(order: SimulatedOrder, nowMs: number): boolean {
  return toMs(order.accepted_at) <= nowMs
}

/** Two machines that keep their clocks do not differ by more. */
const clockToleranceMs = 60_000

type Bought =
  | { readonly is: 'bought'; readonly service: TestService; readonly priceKobo: number }
  | { readonly is: 'refused'; readonly reply: Reply }

function boughtFrom({ company, simulation, nowMs }: SimulatedRequest, body: OrderBody): Bought {
  const offered = readToken(body.offer)
  const service = servicesFor(company, body).find(({ name }) => name === offered?.service)
  if (isOutOfArea(company, body)) return refused('out_of_area', 'We do not go there.')
  if (offered === undefined || service === undefined || offered.atMs > nowMs + clockToleranceMs) {
    return refused('invalid_request', 'The offer is none of ours for this parcel and this way.')
  }
  const context = { company, seed: simulation.seed, stepMs: simulation.stepMs }
  const { priceKobo, expiresAt } = offerOf(context, body, { service, atMs: offered.atMs })
  if (expiresAt !== null && toMs(expiresAt) <= nowMs) return refused('quote_expired', 'The price held until earlier.')
  return { is: 'bought', service, priceKobo }
}

function refused(...reason: Parameters<typeof refusal>): Bought {
  return { is: 'refused', reply: refusal(...reason) }
}

/** Our references end with the number of the attempt. */
function attemptOf(reference: string): number {
  return Number(/-(\d{1,3})$/.exec(reference)?.[1] ?? 1)
}

/** Said on the telephone, should anybody ask; of fifty bits, two are the same only by mishap. */
const numberLength = 10

interface Accepted {
  readonly service: TestService
  readonly priceKobo: number
  readonly fault: DispatchFault
}

function rowOf(
  { company, simulation, nowMs }: SimulatedRequest,
  body: OrderBody,
  accepted: Accepted,
): NewSimulatedOrder {
  const { pickup, dropoff, callback } = body
  const { service, priceKobo, fault } = accepted
  const acceptedMs = nowMs + (fault === 'late_acceptance' ? lateAcceptanceSeconds * 1_000 : 0)
  const order = {
    fault,
    step_ms: simulation.stepMs * service.pace,
    accepted_at: toTimestamp(acceptedMs),
    callback_digits: callbackDigitsOf(pickup.phone) ?? simulation.callbackDigits,
  }
  const tellingMs = callbacksOf({ ...order, cancelled_at: null })[0]?.dueMs
  const isTold = callback !== null && tellingMs !== undefined
  return {
    ...order,
    company,
    number: `${company.slice('simulator-'.length, 'simulator-'.length + 2).toUpperCase()}-${randomCode(numberLength)}`,
    reference: body.reference,
    service: service.name,
    vehicle: body.vehicle,
    price_kobo: priceKobo,
    pickup_latitude: pickup.location.lat,
    pickup_longitude: pickup.location.lng,
    dropoff_latitude: dropoff.location.lat,
    dropoff_longitude: dropoff.location.lng,
    has_pin: body.pin !== null,
    seed: `${simulation.seed} ${body.reference}`,
    callback_url: callback?.url ?? null,
    callback_secret: callback?.secret ?? null,
    next_callback_at: isTold ? toTimestamp(tellingMs) : null,
    created_at: toTimestamp(nowMs),
  }
}
