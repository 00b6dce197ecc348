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
import { type ClassifiedResponse, opened, outcomeOf, unfitting } from './classify-response.ts'
import { type Eta, levelOfEta, minutesOfEta } from './estimate-text.ts'
import { readFezCallback } from './fez-callback.ts'
import { openFezEstimates } from './fez-estimates.ts'
import { type FezResponse, openFezCaller } from './fez-session.ts'
import { fezStatus, fezTexts, isUnpaidAtFez } from './fez-texts.ts'
import { lagosMoment } from './moments.ts'

/**
 * Fez Delivery, by its public contract: parcels between all states, the same day or the next, prices in naira. It knows
 * our reference as `uniqueID` and answers a second asking with the number of the first order, so an asking whose answer
 * was lost is simply repeated. Its documents name calls to delete an order, to search by waybill number and to estimate a
 * delivery's time, and show no answers of them: what is assumed of those is marked as unverified here.
 */

const capabilities: Capabilities = {
  createDedup: 'reference',
  lookup: 'none',
  serviceLevels: ['same_day', 'next_day', 'standard'],
  // It chooses the vehicle by the weight itself.
  vehicles: ['bike', 'car', 'van'],
  callbacks: 'hints',
  livePosition: false,
  namesCouriers: true,
  proof: [],
  // Unverified: an order nobody was sent for yet can surely be deleted, and a rider on the way is somebody's work.
  cancelUntil: 'awaiting_courier',
  isCancelUnverified: true,
  states: undefined,
  // It documents no limit of its own.
  maxWeightGrams: parcelsWeightMaxGrams,
  insurance: false,
  // A card of rates by states and weight.
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
      // Its names of the states are ours, the capital’s territory being FCT.
      const body = {
        state: dropoff.state,
        pickUpState: pickup.state,
        weight: kilogramsOf(parcels),
      }
      const [heard, eta] = await Promise.all([
        ask(account, { method: 'POST', path: '/order/cost', body, isQuestion: true }, signal),
        estimate(account, request, signal),
      ])
      return read(heard, (answer) => offersOf(answer, request, eta))
    },
    create: async (account, request, signal) => {
      const order = orderBody(request)
      if (order === undefined)
        return { is: 'invalid', message: 'Fez needs a name and a phone number of the recipient.' }
      // An array of one: which of several were taken is documented for the whole only.
      const heard = await ask(account, { method: 'POST', path: '/order', body: [order] }, signal)
      const first = earlierOrderOf(heard, request.reference)
      if (first !== undefined) return { is: 'ok', value: first }
      return read(heard, (answer) => newOrderOf(answer, request.reference))
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
      const heard = await ask(account, { method: 'DELETE', path: '/order', body }, signal)
      const outcome = read(heard, () => ({ is: 'cancelled' as const, feeKobo: undefined, refundKobo: undefined }))
      // Unverified: “not found” may also be a path or a state. Only the tracking says that there is no such order.
      if (outcome.is === 'refused' && outcome.code === 'not_found') {
        const tracked = await track(account, order, signal)
        return tracked.is === 'ok' ? { ...outcome, code: 'not_cancellable' } : tracked
      }
      // Nothing but the order's number was sent: declining it is a word on the order.
      if (heard.is === 'declined' && [200, 400, 409, 422].includes(heard.status)) {
        return { is: 'refused', code: 'not_cancellable', message: heard.message }
      }
      return outcome
    },
    readCallback: readFezCallback,
  }
}

function read<Value>(heard: FezResponse, parse: (answer: object) => Value | undefined): Outcome<Value> {
  if (heard.is === 'refused') return heard
  const judged: ClassifiedResponse = opened(heard)
  switch (judged.is) {
    case 'answered': {
      const value = parse(judged.body)
      return value === undefined ? unfitting('it lacks what is documented') : { is: 'ok', value }
    }
    case 'declined':
      return outcomeOf(judged, fezTexts)
    case 'unavailable':
    case 'unknown':
      return judged
  }
}

/** By Fez's own estimate. Without one, within a state the same day, and between states no promise. */
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

/** It takes whole kilograms; what is begun is carried too. */
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
    // An order names its places and its weight once more, and no quote.
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

/** Undefined if the recipient is not known. */
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
    // A batch of its own, so that no other order has to share its fate.
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

/** It is assumed that `thirdparty` means a sender who need not be the owner of the account. */
function senderOf(pickup: CreateRequest['pickup']): object {
  const { name, phone } = pickup
  if (name === null || phone === null) return {}
  return { thirdparty: 'true', senderName: name, senderAddress: addressOf(pickup), senderPhone: dialledAtHome(phone) }
}

const OrderNumber = z.union([z.string().min(1).max(100), z.int().transform(String)])
const Numbers = z.record(z.string(), OrderNumber.nullable().catch(null))

/** An empty list is how some servers write an empty map. */
const Created = z.object({ orderNos: Numbers })
const Duplicate = z.object({ duplicateUniqueIds: Numbers })

function newOrderOf(answer: object, reference: string): CarrierOrder | undefined {
  return orderNamed(Created.safeParse(answer).data?.orderNos, reference)
}

/** Whatever status and verdict it comes with: the number of our reference is there only if there is such an order. */
function earlierOrderOf(heard: FezResponse, reference: string): CarrierOrder | undefined {
  if (heard.is !== 'answered' && heard.is !== 'declined') return undefined
  return orderNamed(Duplicate.safeParse(heard.body).data?.duplicateUniqueIds, reference)
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

/** Unverified: no answer is documented, so an order is looked for wherever Fez's other answers have theirs. */
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
  // The order of the history is not documented; of several moments of one word the last is the one that counts.
  const told = tracked.history.filter((step) => step.orderStatus === orderStatus)
  const moments = told.flatMap(({ statusCreationDate }) => lagosMoment(statusCreationDate) ?? [])
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
