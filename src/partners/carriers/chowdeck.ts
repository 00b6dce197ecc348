import { z } from 'zod'
import type { Place } from '../../../registry/logistics/place.ts'
import type { SafeFetch } from '../../outbound/safe-fetch.ts'
import { addressOf, riderNoteOf, valueKoboOf } from './address-text.ts'
import { KoboAmount } from './amounts.ts'
import { openCaller } from './call.ts'
import type {
  Cancellation,
  Capabilities,
  Carrier,
  CarrierAccount,
  CarrierOffer,
  CarrierOrder,
  CreateRequest,
  Outcome,
  PriceLine,
  QuoteRequest,
  Tracking,
} from './carrier.ts'
import { readChowdeckCallback } from './chowdeck-callback.ts'
import { chowdeckStatus, chowdeckTexts } from './chowdeck-texts.ts'
import { type ClassifiedResponse, type Declined, opened, outcomeOf, unfitting } from './classify-response.ts'
import { lagosMoment } from './moments.ts'

/**
 * Chowdeck Relay, by its public contract: riders on demand, prices in kobo. A delivery is asked for with the id of a fee
 * and a reference of ours, by which it is found again. Nothing says that it holds the reference to be unique, so an
 * asking whose answer was lost is looked for and never repeated.
 */

const capabilities: Capabilities = {
  createDedup: 'none',
  lookup: 'reference',
  serviceLevels: ['on_demand'],
  vehicles: ['bike'],
  callbacks: 'trusted',
  livePosition: false,
  namesCouriers: true,
  proof: ['pin'],
  cancelUntil: 'at_pickup',
  // Which cities it serves is nowhere listed; the fee says so for each pair of places.
  states: undefined,
  // Undocumented. What is usual for the box on a motorcycle.
  maxWeightGrams: 20_000,
  insurance: false,
  quotesLive: true,
  onUnknown: 'proceed_guarded',
}

export function openChowdeck(send: SafeFetch['fetch'], root: string): Carrier {
  const call = openCaller(send, root)

  interface Ask {
    readonly path: string
    readonly body?: object
    readonly isQuestion?: boolean
  }

  const ask = async (
    { credentials }: CarrierAccount,
    { path, body, isQuestion = body === undefined }: Ask,
    signal: AbortSignal,
  ) => {
    const headers = { authorization: `Bearer ${credentials.apiKey ?? ''}` }
    const sent = body === undefined ? { method: 'GET' as const } : { method: 'POST' as const, body }
    return dataOf(await call({ ...sent, path, headers, isQuestion }, signal))
  }

  return {
    code: 'chowdeck',
    capabilities,
    quote: async (account, request, signal) => {
      if (!request.serviceLevels.includes('on_demand')) return { is: 'ok', value: [] }
      const heard = await ask(account, { path: '/delivery/fee', body: feeBody(request), isQuestion: true }, signal)
      // Seen for a distance that is too large; a page of a gateway's has no such body and is not taken for it.
      if (heard.is === 'declined' && heard.status === 500) {
        return { is: 'refused', code: 'out_of_area', message: heard.message }
      }
      return read(heard, offersOf)
    },
    create: async (account, request, signal) => {
      const body = deliveryBody(request)
      if (body === undefined)
        return { is: 'invalid', message: 'Chowdeck needs a name and a phone number at both ends.' }
      return read(await ask(account, { path: '/delivery', body }, signal), (data) => orderOf(data, request.reference))
    },
    find: async (account, { request: { reference } }, signal) => {
      const heard = await ask(account, { path: deliveryPath(reference) }, signal)
      if (heard.is === 'declined' && heard.status === 404) return { is: 'ok', value: { is: 'absent' } }
      return read(heard, (data) => {
        const order = orderOf(data, reference)
        return order && { is: 'found' as const, order }
      })
    },
    get: async (account, { reference }, signal) =>
      read(await ask(account, { path: deliveryPath(reference) }, signal), trackingOf),
    cancel: async (account, { reference }, reason, signal) => {
      const heard = await ask(account, { path: `${deliveryPath(reference)}/cancel`, body: { reason } }, signal)
      // A reason cannot be wrong: declining this is a word on the delivery, which a rider may have by now.
      if (heard.is === 'declined' && [200, 400, 409, 422].includes(heard.status)) {
        return { is: 'refused', code: 'not_cancellable', message: heard.message }
      }
      return read(heard, cancellationOf)
    },
    readCallback: readChowdeckCallback,
  }
}

/** By our own reference: it is the path’s parameter in every document. */
function deliveryPath(reference: string): string {
  return `/delivery/${encodeURIComponent(reference)}`
}

type Heard = Exclude<ClassifiedResponse, { is: 'answered' }> | { readonly is: 'answered'; readonly data: unknown }

const WithData = z.looseObject({ data: z.unknown().optional() })

function dataOf(judged: ClassifiedResponse): Heard {
  const heard = opened(judged)
  return heard.is === 'answered' ? { is: 'answered', data: WithData.parse(heard.body).data } : heard
}

function read<Value>(heard: Heard, parse: (data: unknown) => Value | undefined): Outcome<Value> {
  switch (heard.is) {
    case 'answered': {
      const value = parse(heard.data)
      return value === undefined ? unfitting('its data lacks what is documented') : { is: 'ok', value }
    }
    case 'declined':
      return outcomeOf(heard satisfies Declined, chowdeckTexts)
    case 'unavailable':
    case 'unknown':
      return heard
  }
}

/** Closer than a street’s length, a point is worth more than the words; farther off, the words are. */
const pointPrecisionMeters = 200

function ended(name: 'source' | 'destination', place: Place): object {
  const { location, precisionMeters } = place
  if (precisionMeters > pointPrecisionMeters) return { [`${name}_address_string`]: addressOf(place) }
  return { [`${name}_address`]: { latitude: location.lat, longitude: location.lng } }
}

function feeBody({ pickup, dropoff, parcels }: QuoteRequest): object {
  return { ...ended('source', pickup), ...ended('destination', dropoff), estimated_order_amount: valueKoboOf(parcels) }
}

const Id = z.union([z.string().min(1).max(200), z.int().transform(String)])
const maybeAmount = KoboAmount.optional().catch(undefined)

/** Documented as a number. It is sent back as it came, for a text in its place may be refused. */
const FeeId = z.union([z.int(), z.string().min(1).max(200)])

const Fee = z.object({
  id: FeeId,
  total_amount: KoboAmount,
  delivery_amount: maybeAmount,
  service_amount: maybeAmount,
  safety_fee: maybeAmount,
})

function offersOf(data: unknown): readonly CarrierOffer[] | undefined {
  const fee = Fee.safeParse(data).data
  if (fee === undefined) return undefined
  const offer: CarrierOffer = {
    token: JSON.stringify(fee.id),
    service: 'Relay',
    serviceLevel: 'on_demand',
    vehicle: 'bike',
    priceKobo: fee.total_amount,
    breakdown: breakdownOf(fee),
    pickupMinutes: undefined,
    dropoffMinutes: undefined,
    // “Not permanent”, and no number: it is for the caller to be quick.
    expiresAt: undefined,
  }
  return [offer]
}

function breakdownOf(fee: z.output<typeof Fee>): readonly PriceLine[] {
  const lines = [
    { code: 'delivery', label: 'Delivery', amountKobo: fee.delivery_amount },
    { code: 'service', label: 'Service', amountKobo: fee.service_amount },
    { code: 'safety', label: 'Safety fee', amountKobo: fee.safety_fee },
  ].flatMap(({ amountKobo, ...line }) => (amountKobo === undefined ? [] : [{ ...line, amountKobo }]))
  const told = lines.reduce((sum, { amountKobo }) => sum + amountKobo, 0)
  // Parts that do not make up the whole explain nothing.
  return told === fee.total_amount ? lines : [{ code: 'delivery', label: 'Delivery', amountKobo: fee.total_amount }]
}

/** Undefined if somebody at an end is not known. */
function deliveryBody(request: CreateRequest): object | undefined {
  const { pickup, dropoff, parcels, offer, reference, pin } = request
  const source = contactOf(pickup)
  const destination = contactOf(dropoff)
  if (source === undefined || destination === undefined) return undefined
  const note = riderNoteOf(dropoff, request.undeliverable === 'leave_at_door' ? 'Leave it at the door' : undefined)
  return {
    fee_id: feeIdIn(offer.token),
    reference,
    // Which kinds it knows is not documented; it is taken for free text.
    item_type: parcels[0]?.category ?? 'fashion',
    user_action: 'sending',
    source_contact: source,
    destination_contact: destination,
    estimated_order_amount: valueKoboOf(parcels),
    ...(note === undefined ? {} : { customer_delivery_note: note }),
    ...(pin === undefined ? {} : { delivery_pin: pinOf(pin) }),
  }
}

function feeIdIn(token: string): string | number {
  try {
    return FeeId.parse(JSON.parse(token))
  } catch {
    // Of a quote made before the id kept its type.
    return token
  }
}

/** Documented as a number, which cannot begin with 0. */
function pinOf(pin: string): string | number {
  return pin.startsWith('0') ? pin : Number(pin)
}

function contactOf({ name, phone, email }: Place): object | undefined {
  if (name === null || phone === null) return undefined
  return { name, phone, country_code: 'NG', ...(email === null ? {} : { email }) }
}

const maybeText = z.string().nullish().catch(null)

const Delivery = z.object({
  id: Id,
  reference: Id.optional().catch(undefined),
  delivery_price: maybeAmount,
  status: maybeText,
  tracking_url: maybeText,
})

function orderOf(data: unknown, reference: string): CarrierOrder | undefined {
  const delivery = Delivery.safeParse(data).data
  if (delivery === undefined || (delivery.reference ?? reference) !== reference) return undefined
  return {
    carrierReference: delivery.id,
    priceKobo: delivery.delivery_price,
    trackingUrl: delivery.tracking_url ?? undefined,
    labelUrl: undefined,
    status: chowdeckStatus(delivery.status ?? ''),
  }
}

const Rider = z
  .looseObject({ name: maybeText, first_name: maybeText, last_name: maybeText })
  .transform(({ name, first_name, last_name }) => (name ?? `${first_name ?? ''} ${last_name ?? ''}`).trim())
  .nullish()
  .catch(null)

/** Only the status is insisted on. The documents have the rider under `driver`, one client under `rider`. */
const State = z.object({
  status: z.string().min(1),
  delivery_price: maybeAmount,
  updated_at: maybeText,
  driver: Rider,
  rider: Rider,
})

function trackingOf(data: unknown): Tracking | undefined {
  const state = State.safeParse(data).data
  if (state === undefined) return undefined
  const name = state.driver || state.rider || undefined
  const status = chowdeckStatus(state.status, name !== undefined)
  return {
    status,
    carrierStatus: state.status,
    priceKobo: state.delivery_price,
    at: lagosMoment(state.updated_at),
    position: undefined,
    courier: name === undefined ? undefined : { name, vehicle: undefined, phone: undefined, plateLastFour: undefined },
    // No status of a record says that a rider gave it back, and not every record has the driver.
    isCourierOpen: status === 'awaiting_courier',
    dropoffAt: undefined,
    proof: [],
  }
}

/** There is no word for a fee: what it keeps of the price is what is not given back. */
const Cancelled = z.object({ status: z.string(), refund_amount: maybeAmount })

function cancellationOf(data: unknown): Cancellation | undefined {
  const cancelled = Cancelled.safeParse(data).data
  if (cancelled === undefined) return undefined
  const is = chowdeckStatus(cancelled.status) === 'cancelled' ? 'cancelled' : 'requested'
  return { is, feeKobo: undefined, refundKobo: cancelled.refund_amount }
}
