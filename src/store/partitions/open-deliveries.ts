import type pg from 'pg'
import { firstIdOf, type Partitioned } from './partition-months.ts'

/** A delivery is open while it is due, leased or held: something may still be done with it, its event and its attempts. */

/** Each condition is that of a partial index, which `or` would not use. */
const openConditions = ['next_attempt_at is not null', 'lease_until is not null', `status = 'held'`]

/** By which column of a delivery the rows of a table belong to it. */
const ownKey = { webhook_attempts: 'id', webhook_deliveries: 'id', webhook_events: 'event_id' } as const

/** Whether an open delivery needs rows that the table holds for the month. A replay of this month may need an old event. */
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
