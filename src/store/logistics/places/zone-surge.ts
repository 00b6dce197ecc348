import { sql } from 'kysely'
import type { SurgeMoment } from '../surge/surge-snapshots.ts'

/**
 * Returns the SQL expression of a zone's surge multiplier, for a query of `delivery_zones`. It is 1 if no snapshot
 * applies.
 */
export function surgeMultiplier(p: SurgeMoment) {
  return sql<number>`coalesce((
    select published.multiplier
    from surge_snapshots published
    where published.book = ${p.book} and published.zone_id = delivery_zones.id
      and published.slot_at <= ${p.at}::timestamptz and published.published_at <= ${p.at}::timestamptz
      and published.valid_until > ${p.validAfter}::timestamptz
    order by published.slot_at desc
    limit 1
  ), 1)`.as('surgeMultiplier')
}
