import type pg from 'pg'
import { type Period, rangeOf } from './partition-periods.ts'

/** A delivery is open while it is queued, leased or held. Its event and its attempts are needed until it ends. */

/**
 * The conditions of partial indexes. Each condition has a query of its own, because a query with `or` between the
 * conditions would not use the indexes. The first condition also finds leased deliveries. The second one finds the
 * deliveries that an earlier release, without the table webhook_leases, has leased.
 */
const openConditions = ['next_attempt_at is not null', 'lease_until is not null', `status = 'held'`]

/**
 * For each partitioned table, a column of webhook_deliveries. The id in this column determines the partition with the
 * rows that the delivery needs. Null for a table that no delivery needs.
 */
const ownKey = {
  webhook_attempts: 'id',
  webhook_deliveries: 'id',
  webhook_events: 'event_id',
  request_log: null,
} as const

/**
 * Reports whether an open delivery needs rows of the given month or day. These rows may be old: a new delivery that
 * replays an old event needs the row of this event.
 */
export async function isAnyOpenIn(client: pg.PoolClient, period: Omit<Period, 'key'>): Promise<boolean> {
  const key = ownKey[period.table]
  if (key === null) return false
  const exists = openConditions.map(
    (condition) => `exists (select from webhook_deliveries where ${condition} and ${key} >= $1 and ${key} < $2)`,
  )
  const { rows } = await client.query<{ open: boolean }>(`select ${exists.join(' or ')} as open`, [...rangeOf(period)])
  return rows[0]?.open === true
}
