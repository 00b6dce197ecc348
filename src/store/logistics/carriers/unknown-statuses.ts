import { sql } from 'kysely'
import type { Timestamp } from '../../../../registry/values/vocabulary.ts'
import type { Database, ReadDb } from '../../core/database.ts'
import { build, reading, writing } from '../../core/statement.ts'

/** Carrier statuses that no adapter maps. They belong to no merchant. */

const count = writing<{ carrier: string; status: string; now: Timestamp }>()(
  'count_unknown_status',
  (p) => sql<{ times: number }>`
    insert into unknown_carrier_statuses as known (carrier, status, times, first_at, last_at)
    values (${p.carrier}, left(${p.status}, 200), 1, ${p.now}::timestamptz, ${p.now}::timestamptz)
    on conflict (carrier, status) do update set times = known.times + 1, last_at = excluded.last_at
    returning times`,
)

/** Counts an occurrence of a carrier status that no adapter maps. */
export async function countUnknownStatus(
  database: Database,
  seen: { carrier: string; status: string; now: Timestamp },
): Promise<void> {
  await database.run(count, seen)
}

const list = reading<object>()('list_unknown_statuses', () =>
  build
    .selectFrom('unknown_carrier_statuses')
    .select(['carrier', 'status', 'times', 'firstAt', 'lastAt'])
    .orderBy('lastAt', 'desc'),
)

/** Returns the carrier statuses that no adapter maps, the most recently seen first. */
export function listUnknownStatuses(db: ReadDb) {
  return db.read(list, {})
}
