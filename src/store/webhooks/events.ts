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
 * The feed of events. An event's id begins with the moment of its creation, so a range of time is a range of ids, and the
 * primary key alone gives a page in its order, whatever the filters on time.
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
  /** The lowest id that may be shown, and the lowest above those that may. */
  readonly fromId: string
  readonly beforeId: string
  /** Null for all of them. */
  readonly kinds: readonly EventKind[] | null
  readonly resourceId: string | null
}

const columns = ['id', 'created_at as createdAt', 'body as text'] as const

function rowsOf(p: ListArgs) {
  return build
    .selectFrom('webhook_events')
    .where('merchant_id', '=', p.merchantId)
    .where(sql<boolean>`id >= ${p.fromId}`)
    .where(sql<boolean>`id < ${p.beforeId}`)
    .where('is_test', '=', false)
}

const statements = {
  all: reading<ListArgs>()('list_events', (p) => rowsOf(p).select(columns).orderBy('id', 'desc').limit(p.limit)),

  /**
   * Through the feed in its order until the page is full. Put this way PostgreSQL does not know how rare a kind is; if it
   * did, it would read and sort the whole table for one it takes for rare.
   */
  of_kinds: reading<ListArgs>()('list_events_of_kinds', (p) =>
    rowsOf(p)
      .where(sql<boolean>`array_position(${p.kinds}::text[], kind) is not null`)
      .select(columns)
      .orderBy('id', 'desc')
      .limit(p.limit),
  ),

  /** A record has few events, which its index gives at once; the offset keeps PostgreSQL from walking the feed. */
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

/** The encoded part begins with 0 to 7, so this is above every id of an event. */
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

/** The statement that gives a page, for those who look at its plan too. */
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
  const way = resourceId !== null ? 'of_resource' : kinds !== null ? 'of_kinds' : 'all'
  return { statement: statements[way], args }
}

const find = reading<{ merchantId: MerchantId; id: EventId; fromId: string }>()('find_event', (p) =>
  build
    .selectFrom('webhook_events')
    .where('merchant_id', '=', p.merchantId)
    .where('id', '=', p.id)
    .where(sql<boolean>`id >= ${p.fromId}`)
    .where('is_test', '=', false)
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
