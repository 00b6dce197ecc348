import type pg from 'pg'
import { firstIdOf, type Partitioned } from './partition-months.ts'

/** A delivery is open while it is queued, leased or held. Its event and its attempts are needed until it ends. */

/** The conditions of partial indexes. Separate queries, because a condition with `or` would not use the indexes. */
const openConditions = ['next_attempt_at is not null', 'lease_until is not null', `status = 'held'`]

/** For each table: the column of webhook_deliveries whose id determines the partition of the rows of a delivery. */
const ownKey = { webhook_attempts: 'id', webhook_deliveries: 'id', webhook_events: 'event_id' } as const

/** Reports whether an open delivery needs rows of the table's month. A recent replay may need an old event. */
export async function isAnyOpenIn(
  client: pg.PoolClient,
  { table, month }: { readonly table: Partitioned['table']; readonly month: number },
): Promise<boolean> {
  const prefix = table === 'webhook_events' ? 'evt' : 'dlv'
  const [from, to] = [firstIdOf({ prefix, month }), firstIdOf({ prefix, month: month + 1 })]
  const key = ownKey[table]
  const exists = openConditions.map(
    (condition) => `exists (select from webhook_deliveries where ${condition} and ${key} >= $1 and ${key} < $2)`,
  )
  const { rows } = await client.query<{ open: boolean }>(`select ${exists.join(' or ')} as open`, [from, to])
  return rows[0]?.open === true
}
