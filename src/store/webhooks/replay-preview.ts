import { sql } from 'kysely'
import type { ReadDb } from '../core/database.ts'
import { reading } from '../core/statement.ts'
import type { ReplayableStatus } from '../tables/bulk-replay.ts'
import type { EndpointKey } from './endpoints.ts'

/** Deliveries that one preview reads at most, matching or not: about a tenth of a second. */
const scannedMax = 100_000

interface Range extends EndpointKey {
  readonly statuses: readonly ReplayableStatus[]
  /** The range of ids: from inclusive, before exclusive. */
  readonly fromId: string
  readonly beforeId: string
}

export interface ReplayCount {
  readonly deliveries: number
  /** Whether the range has more deliveries than were read, so that more may match. */
  readonly isPartial: boolean
}

/** The endpoint and the status are filtered after the limit, as in the replay itself. */
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
      count(*) = ${sql.lit(scannedMax)} as "isPartial"
    from scanned`,
)

/** Returns the number of deliveries that a bulk replay of the range would send. */
export async function countReplayable(db: ReadDb, range: Range): Promise<ReplayCount> {
  return (await db.read(countOriginals, range))[0] ?? { deliveries: 0, isPartial: false }
}
