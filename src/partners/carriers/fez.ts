import { z } from 'zod'
import { weightGramsOf } from '../../../registry/logistics/parcel.ts'
import type { ServiceLevel } from '../../../registry/logistics/shipment-states.ts'
import { parcelsWeightMaxGrams } from '../../../registry/values/limits.ts'
import { type Clock, systemClock } from '../../base/clock.ts'
import type { SafeFetch } from '../../outbound/safe-fetch.ts'
import { addressOf, contentsOf, dialledAtHome, riderNoteOf, valueKoboOf } from './address-text.ts'
import { NairaAmount, nairaOf } from './amounts.ts'
import { openCaller } from './call.ts'
import type {
  Capabilities,
  Carrier,
  CarrierOffer,
  CarrierOrder,
  CreateRequest,
  Outcome,
  QuoteRequest,
  Tracking,
} from './carrier.ts'
import { type ClassifiedResponse, checkEnvelope, outcomeOf, undocumented } from './classify-response.ts'
import { type Eta, levelOfEta, minutesOfEta } from './estimate-text.ts'
import { readFezCallback } from './fez-callback.ts'
import { openFezEstimates } from './fez-estimates.ts'
import { type FezResponse, openFezCaller } from './fez-session.ts'
import { fezStatus, fezTexts, isUnpaidAtFez } from './fez-texts.ts'
import { lagosMoment } from './moments.ts'

/**
 * Adapter for Fez Delivery, according to its public API documentation. Fez delivers parcels between all states, on the
 * same day or later, and its prices are in naira. Fez stores our reference as `uniqueID` and responds to a repeated
 * request with the first order's number, so a request whose response was lost is simply repeated. Its documentation
 * names endpoints to delete an order, to search by waybill number and to estimate a delivery time, but not their
 * responses. Assumptions about those responses are marked as unverified here.
 */

const capabilities: Capabilities = {
  createDedup: 'reference',
  lookup: 'none',
  serviceLevels: ['same_day', 'next_day', 'standard'],
  // All vehicles are listed as supported, because Fez chooses the vehicle by weight.
  vehicles: ['bike', 'car', 'van'],
  callbacks: 'hints',
  livePosition: false,
  namesCouriers: true,
  proof: [],
  // Unverified: it is assumed that a Fez order can be deleted until a rider is assigned.
  cancelUntil: 'awaiting_courier',
  isCancelUnverified: true,
  states: undefined,
  // Fez documents no weight limit, so the limit of this service applies.
  maxWeightGrams: parcelsWeightMaxGrams,
  insurance: false,
  // Fez documents no field for an amount that the rider collects.
  cashMaxKobo: undefined,
  // Fez's prices come from a rate card by state and weight.
  quotesLive: false,
  onUnknown: 'wait',
}

export function openFez(send: SafeFetch['fetch'], root: string, clock: Clock = systemClock): Carrier {
  const ask = openFezCaller(openCaller(send, root), clock)
  const estimate = openFezEstimates(ask, clock)
  const track: Carrier['get'] = async (account, { carrierReference }, signal) => {
    const path = `/order/track/${encodeURIComponent(carrierReference)}`
    return read(await ask(account, { method: 'GET', path }, signal), trackingOf)
  }
  return {
    code: 'fez',
    capabilities,
    quote: async (account, request, signal) => {
      const { pickup, dropoff, parcels } = request
      // Fez uses the same names of the states as this service, with FCT for the Federal Capital Territory.
      const body = {
        state: dropoff.state,
        pickUpState: pickup.state,
        weight: kilogramsOf(parcels),
      }
      const [response, eta] = await Promise.all([
        ask(account, { method: 'POST', path: '/order/cost', body, isIdempotent: true }, signal),
        estimate(account, request, signal),
      ])
      return read(response, (answer) => offersOf(answer, request, eta))
    },
    create: async (account, request, signal) => {
      const order = orderBody(request)
      if (order === undefined)
        return { is: 'invalid', message: 'Fez needs a name and a phone number of the recipient.' }
      // The request contains only one order, because Fez documents only one response for the whole array, and none for
      // each order.
      const response = await ask(account, { method: 'POST', path: '/order', body: [order] }, signal)
      const first = earlierOrderOf(response, request.reference)
      if (first !== undefined) return { is: 'ok', value: first }
      return read(response, (answer) => newOrderOf(answer, request.reference))
    },
    find: async (account, { request: { reference } }, signal) => {
      const path = `/orders/search/${encodeURIComponent(reference)}`
      return read(await ask(account, { method: 'GET', path }, signal), (answer) => {
        const order = orderWithWaybill(answer, reference)
        return order && { is: 'found' as const, order }
      })
    },
    get: track,
    cancel: async (account, order, _reason, signal) => {
      const body = { orderNo: order.carrierReference }
      const response = await ask(account, { method: 'DELETE', path: '/order', body }, signal)
      const outcome = read(response, () => ({ is: 'cancelled' as const, feeKobo: undefined, refundKobo: undefined }))
      // Unverified: Fez's response “not found” may also refer to the path or the order's status. Only tracking confirms
      // that the order does not exist.
      if (outcome.is === 'refused' && outcome.code === 'not_found') {
        const tracked = await track(account, order, signal)
        return tracked.is === 'ok' ? { ...outcome, code: 'not_cancellable' } : tracked
      }
      // The cancellation request contains only the order number. A rejected request therefore means that the carrier
      // does not cancel this order.
      if (response.is === 'declined' && [200, 400, 409, 422].includes(response.status)) {
        return { is: 'refused', code: 'not_cancellable', message: response.message }
      }
      return outcome
    },
    readCallback: readFezCallback,
  }
}

function read<Value>(response: FezResponse, parse: (answer: object) => Value | undefined): Outcome<Value> {
  if (response.is === 'refused') return response
  const checked: ClassifiedResponse = checkEnvelope(response)
  switch (checked.is) {
    case 'answered': {
      const value = parse(checked.body)
      return value === undefined ? undocumented('documented fields are missing') : { is: 'ok', value }
    }
    case 'declined':
      return outcomeOf(checked, fezTexts)
    case 'unavailable':
    case 'unknown':
      return checked
  }
}

function serviceLevelOf({ pickup, dropoff }: QuoteRequest, eta: Eta | undefined): ServiceLevel {
  if (eta !== undefined) return levelOfEta(eta)
  return pickup.state === dropoff.state ? 'same_day' : 'standard'
}

const serviceNames: Readonly<Record<ServiceLevel, string>> = {
  on_demand: 'On demand',
  same_day: 'Same day',
  next_day: 'Next day',
  standard: 'Standard',
}

/** Fez charges whole kilograms, rounded up. */
function kilogramsOf(parcels: QuoteRequest['parcels']): number {
  return Math.ceil(weightGramsOf(parcels) / 1_000)
}

const Cost = z.object({ totalCost: NairaAmount })

function offersOf(answer: object, request: QuoteRequest, eta: Eta | undefined): readonly CarrierOffer[] | undefined {
  const cost = Cost.safeParse(answer).data
  if (cost === undefined) return undefined
  const serviceLevel = serviceLevelOf(request, eta)
  if (!request.serviceLevels.includes(serviceLevel)) return []
  const offer: CarrierOffer = {
    // The request that creates a Fez order contains the places and the weight again and refers to no quote. The token
    // of an offer is therefore only a description.
    token: `${request.pickup.state} to ${request.dropoff.state}, ${kilogramsOf(request.parcels)} kg`,
    service: serviceNames[serviceLevel],
    serviceLevel,
    vehicle: request.vehicle,
    priceKobo: cost.totalCost,
    breakdown: [{ code: 'delivery', label: 'Delivery', amountKobo: cost.totalCost }],
    pickupMinutes: undefined,
    dropoffMinutes: minutesOfEta(eta, 0),
    expiresAt: undefined,
  }
  return [offer]
}

/** Undefined if the recipient is incomplete. */
function orderBody({ pickup, dropoff, parcels, reference, undeliverable, pin }: CreateRequest): object | undefined {
  if (dropoff.name === null || dropoff.phone === null) return undefined
  const leaves = undeliverable === 'leave_at_door' ? 'Leave it at the door' : undefined
  const note = riderNoteOf(dropoff, leaves)
  return {
    recipientAddress: addressOf(dropoff),
    recipientState: dropoff.state,
    recipientName: dropoff.name,
    recipientPhone: dialledAtHome(dropoff.phone),
    ...(dropoff.email === null ? {} : { recipientEmail: dropoff.email }),
    uniqueID: reference,
    waybillNumber: reference,
    // Each order is sent to Fez in a batch of its own, so that an invalid order does not make other orders fail.
    BatchID: reference,
    ...(pin === undefined ? {} : { CustToken: pin }),
    itemDescription: contentsOf(parcels),
    ...(note === undefined ? {} : { additionalDetails: note }),
    valueOfItem: nairaOf(valueKoboOf(parcels)),
    weight: kilogramsOf(parcels),
    pickUpState: pickup.state,
    pickUpAddress: addressOf(pickup),
    ...senderOf(pickup),
  }
}

/** It is assumed that `thirdparty` allows a sender who is not the account's owner. */
function senderOf(pickup: CreateRequest['pickup']): object {
  const { name, phone } = pickup
  if (name === null || phone === null) return {}
  return { thirdparty: 'true', senderName: name, senderAddress: addressOf(pickup), senderPhone: dialledAtHome(phone) }
}

const OrderNumber = z.union([z.string().min(1).max(100), z.int().transform(String)])
const Numbers = z.record(z.string(), OrderNumber.nullable().catch(null))

/**
 * The map of created orders and the map of duplicates have separate schemas. A server may encode an empty map as an
 * empty list, which does not match the schema. The other map must still be parsed.
 */
const Created = z.object({ orderNos: Numbers })
const Duplicate = z.object({ duplicateUniqueIds: Numbers })

function newOrderOf(answer: object, reference: string): CarrierOrder | undefined {
  return orderNamed(Created.safeParse(answer).data?.orderNos, reference)
}

/**
 * Returns the existing order of a repeated request. Fez's response contains an order number under our reference only if
 * the order exists, regardless of the HTTP status.
 */
function earlierOrderOf(response: FezResponse, reference: string): CarrierOrder | undefined {
  if (response.is !== 'answered' && response.is !== 'declined') return undefined
  return orderNamed(Duplicate.safeParse(response.body).data?.duplicateUniqueIds, reference)
}

function orderNamed(numbers: z.output<typeof Numbers> | undefined, reference: string): CarrierOrder | undefined {
  const found = numbers !== undefined && Object.hasOwn(numbers, reference) ? numbers[reference] : undefined
  if (typeof found !== 'string') return undefined
  return {
    carrierReference: found,
    priceKobo: undefined,
    trackingUrl: undefined,
    labelUrl: undefined,
    status: undefined,
  }
}

const Found = z.looseObject({ orderNo: OrderNumber, waybillNumber: z.string() })

/**
 * Fez does not document the response to a search by waybill number. The order is therefore searched in the fields that
 * contain orders in Fez's other responses. This is unverified.
 */
function orderWithWaybill(answer: object, reference: string): CarrierOrder | undefined {
  const places = ['order', 'orders', 'orderDetails', 'data'].flatMap((key) => {
    const place: unknown = Reflect.get(answer, key)
    return [place, Reflect.get(Object(place), 'data')].flat()
  })
  const found = places.flatMap((each) => Found.safeParse(each).data ?? [])
  const match = found.find(({ waybillNumber }) => waybillNumber === reference)
  return match && orderNamed({ [reference]: match.orderNo }, reference)
}

const maybeText = z.string().nullish().catch(null)

const Tracked = z.object({
  order: z.object({ orderStatus: z.string().min(1) }),
  history: z.array(z.looseObject({ orderStatus: z.string().catch(''), statusCreationDate: maybeText })).catch([]),
})

function trackingOf(answer: object): Tracking | undefined {
  const tracked = Tracked.safeParse(answer).data
  if (tracked === undefined) return undefined
  const { orderStatus } = tracked.order
  // Fez does not document the sequence of the history entries. If several entries have the current status, the latest
  // time of these entries is used.
  const entries = tracked.history.filter((step) => step.orderStatus === orderStatus)
  const moments = entries.flatMap(({ statusCreationDate }) => lagosMoment(statusCreationDate) ?? [])
  return {
    status: fezStatus(
      orderStatus,
      tracked.history.map((step) => step.orderStatus),
    ),
    carrierStatus: orderStatus,
    isUnpaid: isUnpaidAtFez(orderStatus),
    at: moments.toSorted().at(-1),
    position: undefined,
    courier: undefined,
    dropoffAt: undefined,
    proof: [],
  }
}
