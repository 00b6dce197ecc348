import { sql } from 'kysely'
import type { Timestamp } from '../../registry/vocabulary.ts'
import type { ReadDb } from './database.ts'
import { build, reading } from './statement.ts'

/** How the askings of the last weeks ended, by carrier, with those of one zone apart. */

/** Two months: what is older weighs next to nothing. */
const windowDays = 60

/** A fortnight halves the weight of what a carrier did. */
const halfLifeDays = 14

export interface CarrierRecord {
  readonly carrier: string
  readonly kept: number
  readonly failed: number
  readonly keptHere: number
  readonly failedHere: number
}

/** What was called off by the merchant says nothing of the carrier, and neither does what was never sent. */
const records = reading<{ mode: 'live' | 'test'; zoneId: string | null; now: Timestamp }>()('carrier_records', (p) => {
  const weight = sql`power(2, -extract(epoch from ${p.now}::timestamptz - attempt.started_at) / ${sql.lit(halfLifeDays * 86_400)})`
  const isKept = sql`attempt.state in ('accepted', 'completed')`
  const isFailed = sql`attempt.state in ('refused', 'unavailable', 'resolved_absent', 'abandoned', 'superseded')`
  const isHere = sql`shipment.pickup_zone_id = ${p.zoneId}::text`
  const sum = (condition: ReturnType<typeof sql>) =>
    sql<number>`coalesce(sum(${weight}) filter (where ${condition}), 0)::double precision`
  return build
    .selectFrom('dispatch_attempts as attempt')
    .innerJoin('shipments as shipment', (join) =>
      join.onRef('shipment.merchant_id', '=', 'attempt.merchant_id').onRef('shipment.id', '=', 'attempt.shipment_id'),
    )
    .innerJoin('merchants', 'merchants.id', 'attempt.merchant_id')
    .where('merchants.mode', '=', p.mode)
    .where(sql<boolean>`attempt.started_at > ${p.now}::timestamptz - make_interval(days => ${sql.lit(windowDays)})`)
    .groupBy('attempt.carrier')
    .select([
      'attempt.carrier',
      sum(isKept).as('kept'),
      sum(isFailed).as('failed'),
      sum(sql`${isKept} and ${isHere}`).as('keptHere'),
      sum(sql`${isFailed} and ${isHere}`).as('failedHere'),
    ])
})

export function listCarrierRecords(
  db: ReadDb,
  mode: 'live' | 'test',
  zoneId: string | null,
  now: Timestamp,
): Promise<readonly CarrierRecord[]> {
  return db.read(records, { mode, zoneId, now })
}
