import { sql } from 'kysely'
import type { EventId, MerchantId } from '../../../registry/values/vocabulary.ts'
import type { ReadDb } from '../core/database.ts'
import { build, reading } from '../core/statement.ts'

export const eventRecords = reading<{ merchantId: MerchantId; ids: readonly EventId[] }>()('list_event_records', (p) =>
  build
    .selectFrom('webhook_events')
    .where('merchantId', '=', p.merchantId)
    .where(sql<boolean>`id = any(${p.ids}::text[])`)
    .select(['id', 'resourceId']),
)

/** Returns, for the id of each event, the id of the record that the event reports, such as an order. */
export async function listEventRecords(
  db: ReadDb,
  merchantId: MerchantId,
  ids: readonly EventId[],
): Promise<ReadonlyMap<string, string>> {
  if (ids.length === 0) return new Map()
  const rows = await db.read(eventRecords, { merchantId, ids })
  return new Map(rows.map(({ id, resourceId }) => [id, resourceId]))
}
