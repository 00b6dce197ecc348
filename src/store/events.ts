import { sql } from 'kysely'
import type { EventKind } from '../../registry/event.ts'
import type { KeptText } from '../../registry/kept-text.ts'
import type { EventId, MerchantId, Timestamp } from '../../registry/vocabulary.ts'
import { toMs } from '../clock.ts'
import { lowestIdAt } from '../ids.ts'
import type { ReadDb } from './database.ts'
import type { PageRequest } from './page.ts'
import { build, reading } from './statement.ts'

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
}

const columns = ['id', 'created_at as createdAt', 'body as text'] as const

function rowsOf(p: ListArgs) {
  return build
    .selectFrom('webhook_events')
    .where('merchant_id', '=', p.merchantId)
    .where(sql<boolean>`id >= ${p.fromId}`)
    .where(sql<boolean>`id < ${p.beforeId}`)
    .where(sql<boolean>`(${p.kinds}::text[] is null or kind = any(${p.kinds}::text[]))`)
    .where('is_test', '=', false)
}

const list = reading<ListArgs>()('list_events', (p) => rowsOf(p).select(columns).orderBy('id', 'desc').limit(p.limit))

interface ResourceArgs extends ListArgs {
  readonly resourceId: string
}

/**
 * A record has few events, which its index gives at once. The offset keeps PostgreSQL from walking through the whole feed in
 * its order instead, in the hope of meeting them soon.
 */
const listOfResource = reading<ResourceArgs>()('list_events_of_resource', (p) =>
  build
    .selectFrom(
      rowsOf(p)
        .where('resource_id', '=', p.resourceId)
        .selectAll('webhook_events')
        .offset(sql.lit(0))
        .as('webhook_events'),
    )
    .select(columns)
    .orderBy('id', 'desc')
    .limit(p.limit),
)

/** The encoded part begins with 0 to 7, so this is above every id of an event. */
const aboveEveryId = 'evt_z'

/** Newest first. */
export function listEvents(
  db: ReadDb,
  merchantId: MerchantId,
  filters: EventFilters,
  page: PageRequest,
): Promise<readonly KeptText[]> {
  const { statement, args } = eventQuery(merchantId, filters, page)
  return db.read(statement, args)
}

/** The statement that gives a page, for those who look at its plan too. */
export function eventQuery(merchantId: MerchantId, filters: EventFilters, page: PageRequest) {
  const { kinds = null, resourceId = '', createdFrom, createdTo } = filters
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
  return { statement: filters.resourceId === undefined ? list : listOfResource, args }
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
): Promise<KeptText | undefined> {
  return (await db.read(find, { merchantId, id, fromId: lowestIdAt('evt', toMs(createdFrom)) }))[0]
}
