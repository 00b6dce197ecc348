import { sql } from 'kysely'
import type { ReadDb } from '../core/database.ts'
import { reading } from '../core/statement.ts'
import type { ReplayableStatus } from '../tables/values.ts'
import type { EndpointKey } from './endpoints.ts'

/**
 * Maximum number of deliveries that one preview of a bulk replay reads, including those that do not match its filters.
 * Reading so many deliveries takes about a tenth of a second.
 */
const scannedMax = 100_000

interface Range extends EndpointKey {
  readonly statuses: readonly ReplayableStatus[]
  /** The first record id to read. The range of ids ends before `beforeId`. */
  readonly fromId: string
  readonly beforeId: string
}

export interface ReplayCount {
  readonly deliveries: number
  /**
   * Whether the time range contains more deliveries than were read. The number of matching deliveries may then be
   * higher.
   */
  readonly isPartial: boolean
}

/**
 * Reads at most `scannedMax` deliveries of the range, and only then filters them by endpoint and status. The statement
 * that queues a bulk replay reads and filters deliveries in the same way.
 */
const countOriginals = reading<Range>()(
  'count_replayable_deliveries',
  (p) => sql<ReplayCount>`
    with scanned as materialized (
      select endpoint_id, trigger, status, completed_at
      from webhook_deliveries
      where merchant_id = ${p.merchantId} and id >= ${p.fromId} and id < ${p.beforeId}
      order by id
      limit ${sql.lit(scannedMax)}
    )
    select
      (count(*) filter (
        where endpoint_id = ${p.endpointId}
          and trigger = 'automatic'
          and status = any(${p.statuses}::text[])
          and completed_at is not null
      ))::integer as deliveries,
      count(*) = ${sql.lit(scannedMax)} as is_partial
    from scanned`,
)

export async function countReplayable(db: ReadDb, range: Range): Promise<ReplayCount> {
  return (await db.read(countOriginals, range))[0] ?? { deliveries: 0, isPartial: false }
}
