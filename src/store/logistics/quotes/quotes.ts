import { sql } from 'kysely'
import type { Parcel } from '../../../../registry/logistics/parcel.ts'
import type { Place } from '../../../../registry/logistics/place.ts'
import type { Quote } from '../../../../registry/logistics/quote.ts'
import type { QuoteWarning } from '../../../../registry/logistics/quote-warnings.ts'
import type { ShipmentItem } from '../../../../registry/logistics/shipment-item.ts'
import type { ServiceLevel, Vehicle } from '../../../../registry/logistics/shipment-states.ts'
import type {
  Kobo,
  MerchantId,
  OfferId,
  OrderId,
  QuoteId,
  ReturnId,
  ShipmentId,
  Timestamp,
} from '../../../../registry/values/vocabulary.ts'
import type { LockTrx, ReadDb, WriteTrx } from '../../core/database.ts'
import { asRecord } from '../../core/json.ts'
import { insertingRows } from '../../core/rows.ts'
import { build, locking, reading, writing } from '../../core/statement.ts'
import type { PlannedOffer } from '../../tables/shipment.ts'
import type { QuotedSurge } from '../../tables/surge.ts'
import type { StoredWindow } from '../shipments/shipment-windows.ts'

/**
 * Stores quotes with their offers. A quote is inserted once and read when a shipment is created from it. Afterwards it
 * is only marked as used. If it stays unused, it is redacted (redact-quotes.ts).
 */

export interface StoredQuote {
  readonly merchantId: MerchantId
  readonly id: QuoteId
  readonly orderId: OrderId | null
  /** The return whose units the parcels contain. */
  readonly returnId: ReturnId | null
  /**
   * The items of the order to ship. Null when the request listed none: the shipment then gets all units that are
   * unfulfilled at dispatch.
   */
  readonly items: readonly ShipmentItem[] | null
  readonly status: 'complete' | 'partial'
  readonly pickup: Place
  readonly dropoff: Place
  readonly parcels: readonly Parcel[]
  readonly vehicle: Vehicle
  /** Null when the request names no service level. */
  readonly serviceLevels: readonly ServiceLevel[] | null
  readonly pickupWindow: StoredWindow | null
  readonly dropoffWindow: StoredWindow | null
  readonly declaredValueKobo: Kobo | null
  /** Null without cash on delivery. */
  readonly codAmountKobo: Kobo | null
  readonly distanceMeters: number
  readonly surge: QuotedSurge | null
  readonly carriers: Quote['carriers']
  readonly warnings: readonly QuoteWarning[]
  readonly createdAt: Timestamp
  readonly expiresAt: Timestamp
}

/** A stored offer: the fields that a dispatch plan uses, and the fields that only the quote shows. */
export interface StoredOffer extends PlannedOffer {
  readonly offerId: OfferId
  readonly carrierPriceKobo: Kobo
  readonly priceLock: 'carrier' | 'none'
  readonly tags: readonly string[]
}

export interface QuoteForDispatch extends Omit<StoredQuote, 'carriers' | 'status'> {
  readonly usedAt: Timestamp | null
  /** When the quote was redacted; null before. A redacted quote has no personal data and no exact places. */
  readonly redactedAt: Timestamp | null
  /** Null when the quote is unused. */
  readonly usedBy: ShipmentId | null
  readonly offers: readonly StoredOffer[]
}

const quoteRows = insertingRows('quotes')

const offerRows = insertingRows('quote_offers')

interface QuoteKey {
  readonly merchantId: MerchantId
  readonly id: QuoteId
}

const lock = locking<QuoteKey>()(
  'lock_quote',
  (p) => sql<Omit<QuoteForDispatch, 'offers'>>`
    select
      merchant_id, id, order_id, return_id, items, pickup, dropoff, parcels, vehicle,
      nullif(service_levels, '{}') as service_levels, pickup_window, dropoff_window,
      declared_value_kobo, cod_amount_kobo, distance_meters, surge, warnings,
      created_at, expires_at, used_at, redacted_at,
      (
        select shipment.id
        from shipments shipment
        where shipment.merchant_id = ${p.merchantId} and shipment.quote_id = quotes.id
      ) as used_by
    from quotes
    where merchant_id = ${p.merchantId} and id = ${p.id}
    for no key update`,
)

const offersOf = reading<QuoteKey>()(
  'list_quote_offers',
  (p) => sql<StoredOffer>`
    select
      id as offer_id, carrier, service, sub_carrier, service_level, vehicle, price_kobo,
      carrier_price_kobo, price_kobo - carrier_price_kobo as surge_kobo, breakdown,
      pickup_minutes, dropoff_minutes, reliability, price_lock,
      token, tags, expires_at
    from quote_offers
    where merchant_id = ${p.merchantId} and quote_id = ${p.id}
    order by rank`,
)

export interface QuoteToShow {
  readonly quote: StoredQuote
  readonly usedAt: Timestamp | null
  readonly offers: readonly StoredOffer[]
}

type QuotesKey = { readonly merchantId: MerchantId; readonly ids: readonly QuoteId[] }

export const quotesToShow = reading<QuotesKey>()(
  'list_quotes_to_show',
  (p) => sql<StoredQuote & Pick<QuoteToShow, 'usedAt'>>`
    select
      merchant_id, id, order_id, return_id, items, status, pickup, dropoff, parcels, vehicle,
      nullif(service_levels, '{}') as service_levels, pickup_window, dropoff_window,
      declared_value_kobo, cod_amount_kobo, distance_meters, surge, carriers, warnings,
      created_at, expires_at, used_at
    from quotes
    where merchant_id = ${p.merchantId} and id = any(${p.ids}::text[])`,
)

export const offersToShow = reading<QuotesKey>()(
  'list_offers_to_show',
  (p) => sql<StoredOffer & { readonly quoteId: QuoteId }>`
    select
      quote_id, id as offer_id, carrier, service, sub_carrier, service_level, vehicle, price_kobo,
      carrier_price_kobo, price_kobo - carrier_price_kobo as surge_kobo, breakdown,
      pickup_minutes, dropoff_minutes, reliability, price_lock, token, tags, expires_at
    from quote_offers
    where merchant_id = ${p.merchantId} and quote_id = any(${p.ids}::text[])
    order by quote_id, rank`,
)

const use = writing<QuoteKey & { now: Timestamp }>()(
  'use_quote',
  (p) => sql`
    update quotes set used_at = ${p.now}::timestamptz where merchant_id = ${p.merchantId} and id = ${p.id}`,
)

/** The offers must be in the order of their rank. */
export function insertQuote(trx: WriteTrx, quote: StoredQuote, offers: readonly StoredOffer[]): void {
  quoteRows.insert(trx, [
    {
      merchantId: quote.merchantId,
      id: quote.id,
      orderId: quote.orderId,
      returnId: quote.returnId,
      items: quote.items,
      status: quote.status,
      pickup: quote.pickup,
      dropoff: quote.dropoff,
      parcels: quote.parcels,
      vehicle: quote.vehicle,
      serviceLevels: [...(quote.serviceLevels ?? [])],
      pickupWindow: quote.pickupWindow,
      dropoffWindow: quote.dropoffWindow,
      declaredValueKobo: quote.declaredValueKobo,
      codAmountKobo: quote.codAmountKobo,
      pickupZoneId: quote.pickup.zoneId,
      dropoffZoneId: quote.dropoff.zoneId,
      distanceMeters: quote.distanceMeters,
      surge: quote.surge,
      carriers: quote.carriers,
      warnings: [...quote.warnings],
      createdAt: quote.createdAt,
      expiresAt: quote.expiresAt,
    },
  ])
  offerRows.insert(
    trx,
    offers.map((offer, index) => ({
      merchantId: quote.merchantId,
      quoteId: quote.id,
      id: offer.offerId,
      rank: index + 1,
      carrier: offer.carrier,
      service: offer.service,
      subCarrier: offer.subCarrier ?? null,
      serviceLevel: offer.serviceLevel,
      vehicle: offer.vehicle,
      priceKobo: offer.priceKobo,
      carrierPriceKobo: offer.carrierPriceKobo,
      breakdown: offer.breakdown,
      pickupMinutes: offer.pickupMinutes,
      dropoffMinutes: offer.dropoffMinutes,
      reliability: offer.reliability,
      priceLock: offer.priceLock,
      token: offer.token,
      tags: [...offer.tags],
      expiresAt: offer.expiresAt,
    })),
  )
}

const responsesOf = reading<QuoteKey>()('find_quote_responses', (p) =>
  build.selectFrom('quotes').where('merchantId', '=', p.merchantId).where('id', '=', p.id).select('carriers'),
)

/** Undefined when the quote has been deleted. */
export async function findQuoteResponses(db: ReadDb, key: QuoteKey): Promise<StoredQuote['carriers'] | undefined> {
  const [row] = await db.read(responsesOf, key)
  return row && asRecord<Pick<StoredQuote, 'carriers'>>(row).carriers
}

const priceOf = reading<QuoteKey & { offerId: OfferId }>()('find_offer_price', (p) =>
  build
    .selectFrom('quote_offers')
    .where('merchantId', '=', p.merchantId)
    .where('quoteId', '=', p.id)
    .where('id', '=', p.offerId)
    .select('priceKobo'),
)

/** Undefined when the quote has no offer with this id. */
export async function findOfferPrice(db: ReadDb, key: QuoteKey, offerId: OfferId): Promise<Kobo | undefined> {
  const [row] = await db.read(priceOf, { ...key, offerId })
  return row && asRecord<{ priceKobo: Kobo }>(row).priceKobo
}

/** Leaves out ids that belong to no quote of the merchant. */
export async function listQuotesToShow(
  db: ReadDb,
  merchantId: MerchantId,
  ids: readonly QuoteId[],
): Promise<readonly QuoteToShow[]> {
  if (ids.length === 0) return []
  const [quotes, offers] = await Promise.all([
    db.read(quotesToShow, { merchantId, ids }),
    db.read(offersToShow, { merchantId, ids }),
  ])
  const offersOfQuote = Map.groupBy(offers, ({ quoteId }) => quoteId)
  return quotes.map(({ usedAt, ...row }) => {
    return { quote: asRecord<StoredQuote>(row), usedAt, offers: offersOfQuote.get(row.id) ?? [] }
  })
}

export async function lockQuote(trx: LockTrx, key: QuoteKey): Promise<QuoteForDispatch | undefined> {
  const [[quote], offers] = await Promise.all([trx.lock(lock, key), trx.read(offersOf, key)])
  return quote && asRecord<QuoteForDispatch>({ ...quote, offers })
}

export function useQuote(trx: WriteTrx, key: QuoteKey, now: Timestamp): void {
  trx.queue(use, { ...key, now })
}
