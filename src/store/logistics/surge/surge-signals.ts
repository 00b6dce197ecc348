import { sql } from 'kysely'
import type { SurgeBook } from '../../../../registry/logistics/surge.ts'
import type { Timestamp } from '../../../../registry/values/vocabulary.ts'
import { searchingAll } from '../../core/calls.ts'

/** Sums, in one query, the surge observations from quotes, shipments and dispatch attempts by pickup zone. */

export type SurgeObservationKind =
  | 'assigned'
  | 'open'
  | 'no_courier'
  | 'accepted'
  | 'dispatched'
  | 'converted'
  | 'unconverted'
  | 'price'

/**
 * The sum of the surge observations of one kind, for one merchant and one zone. Observations of prices are summed
 * separately for each service of a carrier.
 */
export interface SurgeObservations {
  readonly book: SurgeBook
  readonly zoneId: string
  readonly merchantId: string
  readonly kind: SurgeObservationKind
  /** The `carrier/service` of a price. Null for every kind of observation other than price. */
  readonly priced: string | null
  readonly weight: number
  /**
   * Weighted sum of the observed values. The value of a price is the logarithm of its ratio to the rate-card price.
   * Other values are times in seconds.
   */
  readonly total: number
  readonly count: number
}

export interface SurgeObservationSpan {
  /**
   * The earliest dispatch time of the shipments that are read. This time is before `from`: a rider may be assigned
   * after `from` to a shipment that was dispatched before `from`.
   */
  readonly earliest: Timestamp
  readonly from: Timestamp
  readonly to: Timestamp
  /** Age in seconds at which an observation has half its weight. With null, all observations have the weight 1. */
  readonly halfLifeSeconds: number | null
  /** Outcome codes of attempts whose carrier had no rider. */
  readonly noCourierCodes: readonly string[]
  /** Carriers whose prices reflect current demand. */
  readonly livePricing: readonly string[]
}

/**
 * Returns the sums of the surge observations in a period, by mode, zone, merchant, kind and service. Only on-demand
 * shipments and quotes count: a next-day parcel waits for its rider even without a shortage. A shipment that still has
 * no rider counts with its waiting time so far. Prices are divided by the zone's rate-card price for the same distance,
 * so that they are comparable; weight is ignored, because on-demand parcels hardly differ in weight.
 */
export const sumSurgeObservations = searchingAll<SurgeObservationSpan>()(
  'sum_surge_observations',
  (p, isReachable) => sql<SurgeObservations>`
    with dispatched as (
      select
        merchant.mode as book, zone.id as zone_id, shipment.merchant_id, shipment.id, shipment.status,
        shipment.dispatched_at, shipment.assigned_at
      from delivery_zones zone
      join shipments shipment
        on ${isReachable('shipment.merchantId')}
        and shipment.pickup_zone_id = zone.id
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
        on ${isReachable('quote.merchantId')}
        and quote.pickup_zone_id = zone.id
        and quote.created_at > ${p.from}::timestamptz and quote.created_at <= ${p.to}::timestamptz
      join merchants merchant on merchant.id = quote.merchant_id
      where zone.active and (quote.service_levels = '{}' or 'on_demand' = any(quote.service_levels))
    ),
    observations as (
      select
        book, zone_id, merchant_id, 'assigned' as kind, null as priced, assigned_at as at,
        extract(epoch from assigned_at - dispatched_at)::double precision as value
      from dispatched
      where assigned_at is not null
      union all
      select
        book, zone_id, merchant_id, 'open', null, ${p.to}::timestamptz,
        extract(epoch from ${p.to}::timestamptz - dispatched_at)::double precision
      from dispatched
      where assigned_at is null and status in ('dispatching', 'awaiting_courier')
      union all
      select book, zone_id, merchant_id, 'dispatched', null, dispatched_at, 0
      from dispatched
      union all
      select
        dispatched.book, dispatched.zone_id, dispatched.merchant_id,
        case when attempt.outcome_code = any(${p.noCourierCodes}::text[]) then 'no_courier' else 'accepted' end,
        null,
        case
          when attempt.outcome_code = any(${p.noCourierCodes}::text[])
            then coalesce(attempt.resolved_at, attempt.answered_at, attempt.started_at)
          else coalesce(attempt.answered_at, attempt.started_at)
        end,
        0
      from dispatched
      join dispatch_attempts attempt
        on ${isReachable('attempt.merchantId')}
        and attempt.merchant_id = dispatched.merchant_id and attempt.shipment_id = dispatched.id
      where attempt.carrier_reference is not null or attempt.outcome_code = any(${p.noCourierCodes}::text[])
      union all
      select book, zone_id, merchant_id, case when used_at is null then 'unconverted' else 'converted' end, null, created_at, 0
      from quoted
      union all
      select
        quoted.book, quoted.zone_id, quoted.merchant_id, 'price', offer.carrier || '/' || offer.service, quoted.created_at,
        ln(offer.carrier_price_kobo / nullif(quoted.fare_kobo, 0))::double precision
      from quoted
      join quote_offers offer
        on ${isReachable('offer.merchantId')} and offer.merchant_id = quoted.merchant_id and offer.quote_id = quoted.id
      where offer.carrier = any(${p.livePricing}::text[]) and offer.service_level = 'on_demand'
        and offer.carrier_price_kobo > 0 and quoted.fare_kobo > 0
    ),
    weighted as (
      select
        *,
        case
          when ${p.halfLifeSeconds}::double precision is null then 1
          else exp(
            -ln(2::double precision) / ${p.halfLifeSeconds}::double precision
              * greatest(0, extract(epoch from ${p.to}::timestamptz - at)::double precision)
          )
        end as weight
      from observations
      where at > ${p.from}::timestamptz and at <= ${p.to}::timestamptz
    )
    select
      book, zone_id, merchant_id, kind, priced, sum(weight) as weight, sum(weight * value) as total,
      count(*)::integer as count
    from weighted
    group by book, zone_id, merchant_id, kind, priced`,
)
