import { sql } from 'kysely'
import type { EventKind } from '../../../registry/kit/event.ts'
import type { SerializedText } from '../../../registry/kit/serialized-record.ts'
import type { EventId, MerchantId, Timestamp } from '../../../registry/values/vocabulary.ts'
import { toMs } from '../../base/clock.ts'
import { lowestIdAt } from '../../base/ids.ts'
import type { ReadDb } from '../core/database.ts'
import type { PageRequest } from '../core/page.ts'
import { build, reading } from '../core/statement.ts'

/**
 * The event feed. An event's id starts with its creation time, so a time range is a range of ids. The index of the
 * primary key therefore returns the events of any time range in order.
 */

export interface EventFilters {
  readonly kinds?: readonly EventKind[] | undefined
  readonly resourceId?: string | undefined
  readonly createdFrom: Timestamp
  readonly createdTo?: Timestamp | undefined
}

interface ListArgs {
  readonly merchantId: MerchantId
  readonly limit: number
  /** The range of record ids to read: it includes `fromId` and excludes the end of the range. */
  readonly fromId: string
  readonly beforeId: string
  /** The event kinds that the feed lists. Null lists all kinds. */
  readonly kinds: readonly EventKind[] | null
  readonly resourceId: string | null
}

const columns = ['id', 'createdAt', 'body as text'] as const

function rowsOf(p: ListArgs) {
  return build
    .selectFrom('webhook_events')
    .where('merchantId', '=', p.merchantId)
    .where(sql<boolean>`id >= ${p.fromId}`)
    .where(sql<boolean>`id < ${p.beforeId}`)
    .where('isTest', '=', false)
}

const statements = {
  all: reading<ListArgs>()('list_events', (p) => rowsOf(p).select(columns).orderBy('id', 'desc').limit(p.limit)),

  /**
   * Scans the event feed in order until the page is full. With `array_position`, PostgreSQL's planner cannot estimate
   * how few events have the requested kinds. With a low estimate, the planner would read and sort the whole table.
   */
  of_kinds: reading<ListArgs>()('list_events_of_kinds', (p) =>
    rowsOf(p)
      .where(sql<boolean>`array_position(${p.kinds}::text[], kind) is not null`)
      .select(columns)
      .orderBy('id', 'desc')
      .limit(p.limit),
  ),

  /**
   * Reads the events of one record. A record has few events, so they are read by the index on records. `offset 0`
   * prevents the planner from scanning the event feed instead.
   */
  of_resource: reading<ListArgs>()('list_events_of_resource', (p) =>
    build
      .selectFrom(
        rowsOf(p)
          .where(sql<boolean>`resource_id = ${p.resourceId}`)
          .selectAll('webhook_events')
          .offset(sql.lit(0))
          .as('webhook_events'),
      )
      .where(sql<boolean>`(${p.kinds}::text[] is null or kind = any(${p.kinds}::text[]))`)
      .select(columns)
      .orderBy('id', 'desc')
      .limit(p.limit),
  ),
}

/** A text that sorts after every event id, because the encoded part of an id starts with 0 to 7. */
const aboveEveryId = 'evt_z'

/** Newest first. */
export function listEvents(
  db: ReadDb,
  merchantId: MerchantId,
  filters: EventFilters,
  page: PageRequest,
): Promise<readonly SerializedText[]> {
  const { statement, args } = eventQuery(merchantId, filters, page)
  return db.read(statement, args)
}

/** Returns the statement of a page of events, so that tests can check its query plan. */
export function eventQuery(merchantId: MerchantId, filters: EventFilters, page: PageRequest) {
  const { kinds = null, resourceId = null, createdFrom, createdTo } = filters
  const until = createdTo === undefined ? aboveEveryId : lowestIdAt('evt', toMs(createdTo))
  const after = page.after?.id ?? aboveEveryId
  const args = {
    merchantId,
    limit: page.limit,
    fromId: lowestIdAt('evt', toMs(createdFrom)),
    beforeId: after < until ? after : until,
    kinds,
    resourceId,
  }
  const name = resourceId !== null ? 'of_resource' : kinds !== null ? 'of_kinds' : 'all'
  return { statement: statements[name], args }
}

const find = reading<{ merchantId: MerchantId; id: EventId; fromId: string }>()('find_event', (p) =>
  build
    .selectFrom('webhook_events')
    .where('merchantId', '=', p.merchantId)
    .where('id', '=', p.id)
    .where(sql<boolean>`id >= ${p.fromId}`)
    .where('isTest', '=', false)
    .select(columns),
)

export async function findEvent(
  db: ReadDb,
  merchantId: MerchantId,
  id: EventId,
  createdFrom: Timestamp,
): Promise<SerializedText | undefined> {
  return (await db.read(find, { merchantId, id, fromId: lowestIdAt('evt', toMs(createdFrom)) }))[0]
}
