import { LRUCache } from 'lru-cache'
import { z } from 'zod'
import type { Parcel } from '../../../registry/logistics/parcel.ts'
import type { ServiceLevel } from '../../../registry/logistics/shipment-states.ts'
import type { Timestamp } from '../../../registry/values/vocabulary.ts'
import { type Clock, expiryBy, toMs, toTimestamp } from '../../base/clock.ts'
import { riderNoteOf } from './address-text.ts'
import { lessKobo, NairaAmount, nairaOf } from './amounts.ts'
import type { CarrierAccount, CarrierOffer, Outcome, PriceLine, QuoteRequest, Span } from './carrier.ts'
import { levelOfEta, minutesOfEta, readEta } from './estimate-text.ts'
import { lagosDay, lagosMoment } from './moments.ts'
import { type Contact, contactAt, digestOf, type PlaceValidator } from './shipbubble-addresses.ts'
import { readShipbubble, type ShipbubbleCaller, type ShipbubbleRequest } from './shipbubble-calls.ts'

/** Validates two places and gets the rates between them; each courier's rate is one offer. */

export type RateFinder = (
  account: CarrierAccount,
  request: QuoteRequest,
  signal: AbortSignal,
) => Promise<Outcome<readonly CarrierOffer[]>>

/** The data that is needed to book a rate, as stored in the offer's token. */
const RateToken = z.object({
  requestToken: z.string(),
  serviceCode: z.string(),
  courierId: z.string(),
  /**
   * Digest of the contacts for whom the rate was requested. A dispatch may have other contacts than its quote, because
   * the contacts of a quote may be incomplete.
   */
  people: z.string(),
})

export type RateToken = z.output<typeof RateToken>

export function tokenIn(text: string): RateToken | undefined {
  try {
    return RateToken.safeParse(JSON.parse(text)).data
  } catch {
    return undefined
  }
}

export interface RouteEnds {
  readonly sender: Contact
  readonly receiver: Contact
}

/**
 * Returns the sender and the recipient. If a contact has no phone number, a quote is requested with the number of the
 * other contact. A label is booked only with each contact's own number.
 */
export function endsOf({ credentials }: CarrierAccount, { pickup, dropoff }: Pick<QuoteRequest, 'pickup' | 'dropoff'>) {
  const email = credentials.email ?? ''
  const sender = contactAt(pickup, { role: 'Sender', email, phone: dropoff.phone })
  const receiver = contactAt(dropoff, { role: 'Recipient', email, phone: pickup.phone })
  return sender === undefined || receiver === undefined ? undefined : { sender, receiver }
}

export function peopleDigest({ sender, receiver }: RouteEnds): string {
  return digestOf([sender, receiver])
}

export function openRateFinder(call: ShipbubbleCaller, places: PlaceValidator, clock: Clock): RateFinder {
  const categoryFor = openCategories(call, clock)
  const findRates = async (
    account: CarrierAccount,
    { request, isRetry }: RateRequest,
    signal: AbortSignal,
  ): ReturnType<RateFinder> => {
    const ends = endsOf(account, request)
    if (ends === undefined) return { is: 'invalid', message: 'Shipbubble needs a phone number to price a parcel.' }
    const nowMs = clock.nowMs()
    const pickupMs = Math.max(nowMs, toMs(request.pickupAt))
    const calledMs = request.calledAt === undefined ? nowMs : Math.max(nowMs, toMs(request.calledAt))
    if (pickupMs - nowMs > pickupAheadMaxMs) {
      return { is: 'refused', code: 'refused', message: 'Shipbubble accepts pickups at most seven days in advance.' }
    }
    const [from, to, category] = await Promise.all([
      places.validate(account, ends.sender, signal),
      places.validate(account, ends.receiver, signal),
      categoryFor(account, request.parcels[0]?.category ?? '', signal),
    ])
    if (from.is !== 'ok') return from
    if (to.is !== 'ok') return to
    if (category.is !== 'ok') return category
    const note = riderNoteOf(request.dropoff, undefined)
    const body = {
      sender_address_code: from.value.code,
      // Shipbubble's API misspells the name of the field `reciever_address_code`.
      reciever_address_code: to.value.code,
      // Shipbubble rejects a pickup date in the past, so a requested time that has just passed is replaced by the
      // current time.
      pickup_date: lagosDay(pickupMs),
      category_id: category.value,
      package_items: request.parcels.map(itemOf),
      package_dimension: boxAround(request.parcels),
      service_type: 'pickup',
      ...(note === undefined ? {} : { delivery_instructions: note }),
    }
    const ask: ShipbubbleRequest = { method: 'POST', path: '/shipping/fetch_rates', body, isIdempotent: true }
    const response = await call(account, ask, signal)
    // If Shipbubble no longer has an address code, the stored code is deleted, because every later quote from or to
    // this address would fail otherwise. A 404 may have other causes, so each code is checked before it is deleted.
    if (response.is === 'declined' && response.status === 404 && !isRetry) {
      const located = [
        { person: ends.sender, place: from.value },
        { person: ends.receiver, place: to.value },
      ]
      const areGone = await Promise.all(located.map((each) => places.deleteIfUnknown(account, each, signal)))
      if (areGone.includes(true)) return findRates(account, { request, isRetry: true }, signal)
    }
    return readShipbubble(response, (data) => offersIn(data, { request, people: peopleDigest(ends), nowMs, calledMs }))
  }
  return (account, request, signal) => findRates(account, { request, isRetry: false }, signal)
}

interface RateRequest {
  readonly request: QuoteRequest
  /**
   * Whether the request repeats a rate request that Shipbubble rejected. It is repeated once, after outdated address
   * codes were deleted.
   */
  readonly isRetry: boolean
}

/**
 * Maximum time until the pickup. One document of Shipbubble says three days, another seven. For a pickup within seven
 * days, Shipbubble itself decides whether to accept it.
 */
const pickupAheadMaxMs = 7 * 24 * 3_600_000

function itemOf({ description, category, weightGrams, valueKobo, quantity }: Parcel): object {
  return {
    name: description,
    description: category,
    unit_weight: weightGrams / 1_000,
    unit_amount: nairaOf(valueKobo),
    quantity,
  }
}

/** Default dimensions of an item without dimensions: a folded dress in a mailer. */
const mailerCm = { length: 30, width: 25, height: 5 }

/** Returns the dimensions of a box that holds the items when they are stacked on top of each other. */
function boxAround(parcels: readonly Parcel[]): object {
  const items = parcels.map(({ lengthCm, widthCm, heightCm, quantity }) => ({
    length: lengthCm ?? mailerCm.length,
    width: widthCm ?? mailerCm.width,
    height: (heightCm ?? mailerCm.height) * quantity,
  }))
  return {
    length: Math.max(...items.map(({ length }) => length)),
    width: Math.max(...items.map(({ width }) => width)),
    height: items.reduce((sum, { height }) => sum + height, 0),
  }
}

const Id = z.union([z.string().min(1).max(100), z.int().transform(String)])
const maybeText = z.string().nullish().catch(null)

const Rate = z.object({
  courier_id: Id,
  courier_name: z.string().min(1).max(100),
  service_code: z.string().min(1).max(100),
  total: NairaAmount,
  vat: NairaAmount.optional().catch(undefined),
  currency: z.string().catch('NGN'),
  service_type: z.string().catch('pickup'),
  delivery_eta: maybeText,
  delivery_eta_time: maybeText,
  pickup_eta_time: maybeText,
})

const Rates = z.object({ request_token: z.string().min(1), couriers: z.array(z.unknown()) })

interface OfferContext {
  readonly request: QuoteRequest
  readonly people: string
  readonly nowMs: number
  /** The time from which the estimates of an offer are counted, in epoch milliseconds. */
  readonly calledMs: number
}

/** Undefined if the response, or every rate in it, cannot be parsed. */
function offersIn(data: unknown, context: OfferContext): readonly CarrierOffer[] | undefined {
  const rates = Rates.safeParse(data).data
  if (rates === undefined) return undefined
  const read = rates.couriers.flatMap((courier) => Rate.safeParse(courier).data ?? [])
  if (read.length === 0 && rates.couriers.length > 0) return undefined
  return read
    .filter((rate) => isNaira(rate.currency) && isFromDoor(rate.service_type))
    .map((rate) => offerOf(rate, rates.request_token, context))
    .filter(({ serviceLevel }) => context.request.serviceLevels.includes(serviceLevel))
}

/** Shipbubble's documentation shows the currency sign, but its responses contain the currency code. */
function isNaira(currency: string): boolean {
  return ['NGN', '₦', 'N', ''].includes(currency.trim().toUpperCase())
}

/**
 * Reports whether the courier collects the parcel at the sender's door. A service for which the sender brings the
 * parcel to a station is not the requested service.
 */
function isFromDoor(serviceType: string): boolean {
  return serviceType.trim().toLowerCase() === 'pickup'
}

/** Lifetime of a rate's token. Shipbubble documents seven days, but its own plugin renews the token after 120 hours. */
const tokenLifeMs = 120 * 3_600_000

function offerOf(
  rate: z.output<typeof Rate>,
  requestToken: string,
  { request, people, nowMs, calledMs }: OfferContext,
): CarrierOffer {
  const estimated = lagosMoment(rate.delivery_eta_time)
  // An estimated delivery time in the past, such as that in Shipbubble's documentation example, is ignored.
  const deliveredAt = estimated !== undefined && estimated > request.pickupAt ? estimated : undefined
  const eta = readEta(rate.delivery_eta)
  const token: RateToken = { requestToken, serviceCode: rate.service_code, courierId: rate.courier_id, people }
  return {
    token: JSON.stringify(token),
    service: rate.courier_name,
    subCarrier: rate.courier_id,
    serviceLevel: deliveredAt === undefined ? levelOfEta(eta) : levelOf(deliveredAt, request.pickupAt),
    vehicle: request.vehicle,
    // The price is the amount charged to the merchant's wallet. `rate_card_amount` is Shipbubble's suggested price for
    // customers.
    priceKobo: rate.total,
    breakdown: breakdownOf(rate),
    pickupMinutes: minutesUntil(lagosMoment(rate.pickup_eta_time), calledMs),
    dropoffMinutes: minutesUntil(deliveredAt, calledMs) ?? minutesOfEta(eta, toMs(request.pickupAt) - calledMs),
    expiresAt: toTimestamp(nowMs + tokenLifeMs),
  }
}

/** Returns the service level by the calendar days in Lagos between pickup and delivery. */
function levelOf(deliveredAt: Timestamp, pickupAt: Timestamp): ServiceLevel {
  const dayMs = 24 * 3_600_000
  const delivered = lagosDay(toMs(deliveredAt))
  if (delivered <= lagosDay(toMs(pickupAt))) return 'same_day'
  return delivered === lagosDay(toMs(pickupAt) + dayMs) ? 'next_day' : 'standard'
}

/** Shipbubble gives only one estimate, which serves as both the median and the upper bound. */
function minutesUntil(moment: Timestamp | undefined, calledMs: number): Span | undefined {
  if (moment === undefined) return undefined
  const minutes = Math.max(0, Math.round((toMs(moment) - calledMs) / 60_000))
  return { p50: minutes, p90: minutes }
}

function breakdownOf({ total, vat }: z.output<typeof Rate>): readonly PriceLine[] {
  const carriageKobo = vat === undefined ? undefined : lessKobo(total, vat)
  if (vat === undefined || vat === 0 || carriageKobo === undefined) {
    return [{ code: 'delivery', label: 'Delivery', amountKobo: total }]
  }
  return [
    { code: 'delivery', label: 'Delivery', amountKobo: carriageKobo },
    { code: 'vat', label: 'VAT', amountKobo: vat },
  ]
}

const Categories = z
  .array(z.looseObject({ category_id: z.union([z.int(), z.string().min(1)]), category: z.string() }))
  .min(1)

type CategoryFinder = (
  account: CarrierAccount,
  category: string,
  signal: AbortSignal,
) => Promise<Outcome<z.output<typeof Categories>[number]['category_id']>>

/**
 * Time for which Shipbubble's list of item categories is cached. The list is short, the same for all accounts, and
 * changes rarely.
 */
const categoriesLifeMs = 24 * 3_600_000

function openCategories(call: ShipbubbleCaller, clock: Clock): CategoryFinder {
  const known = new LRUCache<'all', z.output<typeof Categories>>({ max: 1, ttl: categoriesLifeMs, ...expiryBy(clock) })
  return async (account, category, signal) => {
    const cached = known.get('all')
    const ask: ShipbubbleRequest = { method: 'GET', path: '/shipping/labels/categories' }
    const listed: Outcome<z.output<typeof Categories>> =
      cached === undefined
        ? readShipbubble(await call(account, ask, signal), (data) => Categories.safeParse(data).data)
        : { is: 'ok', value: cached }
    if (listed.is !== 'ok') return listed
    // The list of categories is cached only after a request to Shipbubble: reading the cached list must not extend its
    // lifetime.
    if (cached === undefined) known.set('all', listed.value)
    return { is: 'ok', value: closest(listed.value, category) }
  }
}

/**
 * Returns Shipbubble's item category whose name contains the given word. If there is none, returns fashion, the most
 * common category in this service. Each rate request requires a category.
 */
function closest(categories: z.output<typeof Categories>, word: string) {
  const named = (part: string) => categories.find(({ category }) => category.toLowerCase().includes(part.toLowerCase()))
  const found = (word === '' ? undefined : named(word)) ?? named('fashion') ?? categories[0]
  return found?.category_id ?? ''
}
