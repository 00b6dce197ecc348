import { sql } from 'kysely'
import type { Timestamp } from '../../../../registry/values/vocabulary.ts'
import { listing, running } from '../../core/calls.ts'
import { build } from '../../core/statement.ts'

/** Counts an occurrence of a carrier status that no adapter maps. Such statuses belong to no merchant. */
export const countUnknownStatus = running<{ carrier: string; status: string; now: Timestamp }>()(
  'count_unknown_status',
  (p) => sql`
    insert into unknown_carrier_statuses as known (carrier, status, times, first_at, last_at)
    values (${p.carrier}, left(${p.status}, 200), 1, ${p.now}::timestamptz, ${p.now}::timestamptz)
    on conflict (carrier, status) do update set times = known.times + 1, last_at = excluded.last_at`,
)

/** Most recently seen first. */
export const listUnknownStatuses = listing<object>()('list_unknown_statuses', () =>
  build
    .selectFrom('unknown_carrier_statuses')
    .select(['carrier', 'status', 'times', 'firstAt', 'lastAt'])
    .orderBy('lastAt', 'desc'),
)
