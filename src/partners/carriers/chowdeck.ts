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
import { type ClassifiedResponse, checkEnvelope, type Declined, outcomeOf, undocumented } from './classify-response.ts'
import { lagosMoment } from './moments.ts'

/**
 * Adapter for Chowdeck Relay, written from its public contract. Chowdeck offers on-demand riders at prices in kobo. A
 * delivery is created with the id of a quoted fee and with a reference of this service, and can be found by this
 * reference. Chowdeck does not document that references are unique. If the response to a request was lost, the service
 * therefore searches for the delivery instead of repeating the request.
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
  // Chowdeck does not document which cities it serves. Its fee endpoint rejects a place that Chowdeck does not serve.
  states: undefined,
  // Chowdeck documents no weight limit. This is the usual limit of a motorcycle box.
  maxWeightGrams: 20_000,
  insurance: false,
  // Chowdeck documents no cash on delivery.
  cashMaxKobo: undefined,
  quotesLive: true,
  onUnknown: 'proceed_guarded',
}

export function openChowdeck(send: SafeFetch['fetch'], root: string): Carrier {
  const call = openCaller(send, root)

  interface DeliveryRequest {
    readonly path: string
    readonly body?: object
    readonly isIdempotent?: boolean
  }

  const callChowdeck = async (
    { credentials }: CarrierAccount,
    { path, body, isIdempotent = body === undefined }: DeliveryRequest,
    signal: AbortSignal,
  ) => {
    const headers = { authorization: `Bearer ${credentials.apiKey ?? ''}` }
    const sent = body === undefined ? { method: 'GET' as const } : { method: 'POST' as const, body }
    return dataOf(await call({ ...sent, path, headers, isIdempotent }, signal))
  }

  return {
    code: 'chowdeck',
    capabilities,
    quote: async (account, request, signal) => {
      if (!request.serviceLevels.includes('on_demand')) return { is: 'ok', value: [] }
      const response = await callChowdeck(
        account,
        { path: '/delivery/fee', body: feeBody(request), isIdempotent: true },
        signal,
      )
      // Chowdeck responded with 500 and a JSON body when the distance was too long. A gateway's error page has no such
      // body and is not mistaken for it.
      if (response.is === 'declined' && response.status === 500) {
        return { is: 'refused', code: 'out_of_area', message: response.message }
      }
      return read(response, offersOf)
    },
    create: async (account, request, signal) => {
      const body = deliveryBody(request)
      if (body === undefined)
        return { is: 'invalid', message: 'Chowdeck needs a name and a phone number for the pickup and the dropoff.' }
      return read(await callChowdeck(account, { path: '/delivery', body }, signal), (data) =>
        orderOf(data, request.reference),
      )
    },
    find: async (account, { request: { reference } }, signal) => {
      const response = await callChowdeck(account, { path: deliveryPath(reference) }, signal)
      if (response.is === 'declined' && response.status === 404) return { is: 'ok', value: { is: 'absent' } }
      return read(response, (data) => {
        const order = orderOf(data, reference)
        return order && { is: 'found' as const, order }
      })
    },
    get: async (account, { reference }, signal) =>
      read(await callChowdeck(account, { path: deliveryPath(reference) }, signal), trackingOf),
    cancel: async (account, { reference }, reason, signal) => {
      const response = await callChowdeck(
        account,
        { path: `${deliveryPath(reference)}/cancel`, body: { reason } },
        signal,
      )
      // The cancellation `reason` that this service sends is always valid. A rejected request therefore means that this
      // delivery cannot be cancelled, for example because a rider was assigned.
      if (response.is === 'declined' && [200, 400, 409, 422].includes(response.status)) {
        return { is: 'refused', code: 'not_cancellable', message: response.message }
      }
      return read(response, cancellationOf)
    },
    readCallback: readChowdeckCallback,
  }
}

/**
 * Returns the API path of a delivery. In all of Chowdeck's documentation, the path parameter is the client's reference
 * of the delivery.
 */
function deliveryPath(reference: string): string {
  return `/delivery/${encodeURIComponent(reference)}`
}

type ChowdeckResponse =
  | Exclude<ClassifiedResponse, { is: 'answered' }>
  | { readonly is: 'answered'; readonly data: unknown }

const WithData = z.looseObject({ data: z.unknown().optional() })

function dataOf(classified: ClassifiedResponse): ChowdeckResponse {
  const response = checkEnvelope(classified)
  return response.is === 'answered' ? { is: 'answered', data: WithData.parse(response.body).data } : response
}

function read<Value>(response: ChowdeckResponse, parse: (data: unknown) => Value | undefined): Outcome<Value> {
  switch (response.is) {
    case 'answered': {
      const value = parse(response.data)
      return value === undefined ? undocumented('documented fields of `data` are missing') : { is: 'ok', value }
    }
    case 'declined':
      return outcomeOf(response satisfies Declined, chowdeckTexts)
    case 'unavailable':
    case 'unknown':
      return response
  }
}

/**
 * Maximum imprecision, in metres, of a place whose coordinates are sent. If a place is less precise, its address is
 * sent as text instead.
 */
const pointPrecisionMeters = 200

function addressField(name: 'source' | 'destination', place: Place): object {
  const { location, precisionMeters } = place
  if (precisionMeters > pointPrecisionMeters) return { [`${name}_address_string`]: addressOf(place) }
  return { [`${name}_address`]: { latitude: location.lat, longitude: location.lng } }
}

function feeBody({ pickup, dropoff, parcels }: QuoteRequest): object {
  return {
    ...addressField('source', pickup),
    ...addressField('destination', dropoff),
    estimated_order_amount: valueKoboOf(parcels),
  }
}

const Id = z.union([z.string().min(1).max(200), z.int().transform(String)])
const maybeAmount = KoboAmount.optional().catch(undefined)

/**
 * Chowdeck documents the id of a fee as a number. The id is sent back with its original type, because a string may be
 * rejected.
 */
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
    // Chowdeck documents a quoted price as “Not permanent”, but not the duration for which the price is valid.
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
  const partsKobo = lines.reduce((sum, { amountKobo }) => sum + amountKobo, 0)
  // The parts of Chowdeck's price are omitted if they do not add up to the total.
  return partsKobo === fee.total_amount
    ? lines
    : [{ code: 'delivery', label: 'Delivery', amountKobo: fee.total_amount }]
}

/** Undefined if a contact is incomplete. */
function deliveryBody(request: CreateRequest): object | undefined {
  const { pickup, dropoff, parcels, offer, reference, pin } = request
  const source = contactOf(pickup)
  const destination = contactOf(dropoff)
  if (source === undefined || destination === undefined) return undefined
  const note = riderNoteOf(dropoff, request.undeliverable === 'leave_at_door' ? 'Leave it at the door' : undefined)
  return {
    fee_id: feeIdIn(offer.token),
    reference,
    // Chowdeck does not document which item types it accepts. This adapter assumes that it accepts any text.
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
    // A token that is not JSON is from an older quote: it is the plain text of Chowdeck's fee id. Newer tokens are
    // JSON, which distinguishes a number from a text.
    return token
  }
}

/**
 * Returns a PIN with a leading zero as a string, because Chowdeck documents the PIN as a number. Returns any other PIN
 * as a number.
 */
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

/**
 * A delivery record must have a status; all other fields are optional. Chowdeck's documentation has the rider in the
 * field `driver`, but one known client reads the rider from the field `rider`.
 */
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
    // No status of a Chowdeck record reports that a rider was unassigned, and not every record names the rider. A rider
    // who was assigned before therefore stays assigned.
    isCourierOpen: status === 'awaiting_courier',
    dropoffAt: undefined,
    proof: [],
  }
}

/**
 * Chowdeck's response contains no cancellation fee. The fee is therefore computed as the part of the price that is not
 * refunded.
 */
const Cancelled = z.object({ status: z.string(), refund_amount: maybeAmount })

function cancellationOf(data: unknown): Cancellation | undefined {
  const cancelled = Cancelled.safeParse(data).data
  if (cancelled === undefined) return undefined
  const is = chowdeckStatus(cancelled.status) === 'cancelled' ? 'cancelled' : 'requested'
  return { is, feeKobo: undefined, refundKobo: cancelled.refund_amount }
}
