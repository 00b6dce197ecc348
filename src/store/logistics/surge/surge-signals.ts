import { sql } from 'kysely'
import type { SurgeBook } from '../../../../registry/logistics/surge.ts'
import type { Timestamp } from '../../../../registry/values/vocabulary.ts'
import type { ReadDb } from '../../core/database.ts'
import { reading } from '../../core/statement.ts'

/** What quotes, shipments and askings of carriers tell of the zones they begin in, summed up in one pass. */

export type SightingKind =
  | 'assigned'
  | 'open'
  | 'no_courier'
  | 'accepted'
  | 'dispatched'
  | 'converted'
  | 'unconverted'
  | 'price'

/** The sightings of one kind by one merchant in one zone. */
export interface Sightings {
  readonly book: SurgeBook
  readonly zoneId: string
  readonly merchantId: string
  readonly kind: SightingKind
  /** For prices, which carrier’s service; null for everything else. */
  readonly priced: string | null
  readonly weight: number
  /** Weighted seconds, or for prices the logarithm over the rate card. */
  readonly total: number
  readonly count: number
}

export interface SightingSpan {
  /** Of the dispatch of shipments whose riders were found in the span. */
  readonly earliest: Timestamp
  readonly from: Timestamp
  readonly to: Timestamp
  /** A sighting so old counts half; null counts all alike. */
  readonly halfLifeSeconds: number | null
  /** Outcomes of an attempt that mean that there was no rider. */
  readonly noCourierCodes: readonly string[]
  /** Carriers whose prices are of the moment. */
  readonly livePricing: readonly string[]
}

/**
 * Only what is wanted at once: a parcel for tomorrow waits for its rider without there being too few. A shipment that is still
 * without one counts with the time it has waited so far. Prices are set beside the zone’s rate card, distance included,
 * so that they can be compared; weight is left out, since on-demand parcels hardly differ in it.
 *
 * `offset 0` has attempts and offers looked up by their keys: what the planner knows of a minute that has just begun is so
 * little that it would rather read all that were ever kept.
 */
const sum = reading<SightingSpan>()(
  'sum_surge_sightings',
  (p) => sql<Sightings>`
    with shipped as (
      select
        merchant.mode as book, zone.id as zone_id, shipment.merchant_id, shipment.id, shipment.status,
        shipment.dispatched_at, shipment.assigned_at
      from delivery_zones zone
      join shipments shipment
        on shipment.pickup_zone_id = zone.id
        and shipment.dispatched_at > ${p.earliest}::timestamptz and shipment.dispatched_at <= ${p.to}::timestamptz
      join merchants merchant on merchant.id = shipment.merchant_id
      where zone.active and coalesce(shipment.service_level, shipment.plan -> 0 ->> 'serviceLevel') = 'on_demand'
    ),
    quoted as (
      select
        merchant.mode as book, zone.id as zone_id, quote.merchant_id, quote.id, quote.created_at, quote.used_at,
        zone.base_fare_kobo
          + zone.per_km_kobo * greatest(0, quote.distance_meters - zone.included_meters) / 1000.0 as fare_kobo
      from delivery_zones zone
      join quotes quote
        on quote.pickup_zone_id = zone.id
        and quote.created_at > ${p.from}::timestamptz and quote.created_at <= ${p.to}::timestamptz
      join merchants merchant on merchant.id = quote.merchant_id
      where zone.active and (quote.service_levels = '{}' or 'on_demand' = any(quote.service_levels))
    ),
    sightings as (
      select
        book, zone_id, merchant_id, 'assigned' as kind, null as priced, assigned_at as at,
        extract(epoch from assigned_at - dispatched_at)::double precision as value
      from shipped
      where assigned_at is not null
      union all
      select
        book, zone_id, merchant_id, 'open', null, ${p.to}::timestamptz,
        extract(epoch from ${p.to}::timestamptz - dispatched_at)::double precision
      from shipped
      where assigned_at is null and status in ('dispatching', 'awaiting_courier')
      union all
      select book, zone_id, merchant_id, 'dispatched', null, dispatched_at, 0
      from shipped
      union all
      select
        shipped.book, shipped.zone_id, shipped.merchant_id,
        case when attempt.outcome_code = any(${p.noCourierCodes}::text[]) then 'no_courier' else 'accepted' end,
        null,
        case
          when attempt.outcome_code = any(${p.noCourierCodes}::text[])
            then coalesce(attempt.resolved_at, attempt.answered_at, attempt.started_at)
          else coalesce(attempt.answered_at, attempt.started_at)
        end,
        0
      from shipped
      cross join lateral (
        select carrier_reference, outcome_code, resolved_at, answered_at, started_at
        from dispatch_attempts
        where merchant_id = shipped.merchant_id and shipment_id = shipped.id
        offset 0
      ) attempt
      where attempt.carrier_reference is not null or attempt.outcome_code = any(${p.noCourierCodes}::text[])
      union all
      select book, zone_id, merchant_id, case when used_at is null then 'unconverted' else 'converted' end, null, created_at, 0
      from quoted
      union all
      select
        quoted.book, quoted.zone_id, quoted.merchant_id, 'price', offer.carrier || '/' || offer.service, quoted.created_at,
        ln(offer.carrier_price_kobo / nullif(quoted.fare_kobo, 0))::double precision
      from quoted
      cross join lateral (
        select carrier, service, service_level, carrier_price_kobo
        from quote_offers
        where merchant_id = quoted.merchant_id and quote_id = quoted.id
        offset 0
      ) offer
      where offer.carrier = any(${p.livePricing}::text[]) and offer.service_level = 'on_demand'
        and offer.carrier_price_kobo > 0 and quoted.fare_kobo > 0
    ),
    weighed as (
      select
        *,
        case
          when ${p.halfLifeSeconds}::double precision is null then 1
          else exp(
            -ln(2::double precision) / ${p.halfLifeSeconds}::double precision
              * greatest(0, extract(epoch from ${p.to}::timestamptz - at)::double precision)
          )
        end as weight
      from sightings
      where at > ${p.from}::timestamptz and at <= ${p.to}::timestamptz
    )
    select
      book, zone_id as "zoneId", merchant_id as "merchantId", kind, priced, sum(weight) as weight, sum(weight * value) as total,
      count(*)::integer as count
    from weighed
    group by book, zone_id, merchant_id, kind, priced`,
)

export function sumSightings(trx: ReadDb, span: SightingSpan): Promise<readonly Sightings[]> {
  return trx.read(sum, span)
}
