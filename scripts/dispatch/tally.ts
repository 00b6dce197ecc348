import type { Database } from '../../src/store/core/database.ts'

/** Counts the orders at the simulated carriers, by shipment. */
export interface OrderTally {
  /** Number of shipments with two or more carrier orders that were not cancelled. */
  readonly doubles: number
  /** Ids of the shipments with two or more carrier orders that were not cancelled. */
  readonly doubleIds: readonly string[]
  /** Number of cancelled carrier orders, and number of those with a cancellation fee. */
  readonly cancelled: number
  readonly cancelledForFee: number
}

export async function tallyOrders({ pool }: Database): Promise<OrderTally> {
  const { rows: doubled } = await pool.query<{ shipment: string }>(
    `select regexp_replace(reference, '-[0-9]+$', '') as shipment
     from simulated_orders
     where cancelled_at is null
     group by 1
     having count(*) > 1`,
  )
  const { rows: cancelled } = await pool.query<{ all: number; charged: number }>(
    `select count(*)::integer as all, (count(*) filter (where cancellation_fee_kobo > 0))::integer as charged
     from simulated_orders
     where cancelled_at is not null`,
  )
  return {
    doubles: doubled.length,
    doubleIds: doubled.map(({ shipment }) => shipment),
    cancelled: cancelled[0]?.all ?? 0,
    cancelledForFee: cancelled[0]?.charged ?? 0,
  }
}

export interface ShipmentTally {
  readonly accepted: number
  /** Number of shipments that have an unknown outcome and an open exception. */
  readonly parked: number
  readonly failed: number
  readonly other: number
  /** Number of shipments that are not accepted although a carrier has an active order for them. */
  readonly unrecordedOrders: number
  /** Times from the dispatch request to the acceptance by a carrier, sorted in ascending order. */
  readonly waitsMs: readonly number[]
}

/** Counts the shipments by their final state in the service's database. */
export async function tallyShipments({ pool }: Database): Promise<ShipmentTally> {
  const { rows } = await pool.query<{ end: 'accepted' | 'parked' | 'failed' | 'other'; hasOrder: boolean; ms: number }>(
    `with ordered as (
       select distinct regexp_replace(reference, '-[0-9]+$', '') as id from simulated_orders where cancelled_at is null
     )
     select
       case
         when accepted_at is not null then 'accepted'
         when exceptions @> '[{"code": "outcome_unknown"}]' then 'parked'
         when status = 'failed' then 'failed'
         else 'other'
       end as end,
       ordered.id is not null as "hasOrder",
       (extract(epoch from accepted_at - created_at) * 1000)::integer as ms
     from shipments left join ordered using (id)`,
  )
  const count = (end: string) => rows.filter((row) => row.end === end).length
  return {
    accepted: count('accepted'),
    parked: count('parked'),
    failed: count('failed'),
    other: count('other'),
    unrecordedOrders: rows.filter(({ end, hasOrder }) => end !== 'accepted' && hasOrder).length,
    waitsMs: rows
      .filter(({ end }) => end === 'accepted')
      .map(({ ms }) => ms)
      .sort((one, other) => one - other),
  }
}

/** Returns a quantile of sorted numbers. Returns 0 for an empty list. */
export function quantile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
}
