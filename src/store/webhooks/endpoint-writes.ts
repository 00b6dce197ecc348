import { sql } from 'kysely'
import type { EventKind } from '../../../registry/kit/event.ts'
import type { MerchantId, Timestamp } from '../../../registry/values/vocabulary.ts'
import { queueing } from '../core/calls.ts'
import type { LockTrx, ReadDb, WriteTrx } from '../core/database.ts'
import { inserting } from '../core/rows.ts'
import { build, locking, reading, writing } from '../core/statement.ts'
import type { EndpointKey } from './endpoints.ts'

/** Creates, changes and deletes endpoints. Changes and deletions require the endpoint's lock. */

/**
 * Locks the merchant row. `for no key update` does not block inserts of rows that refer to the merchant, such as
 * orders.
 */
const lockMerchant = locking<{ merchantId: MerchantId }>()('lock_merchant_endpoints', (p) =>
  build.selectFrom('merchants').where('id', '=', p.merchantId).select('id').forNoKeyUpdate(),
)

const count = reading<{ merchantId: MerchantId }>()('count_endpoints', (p) =>
  build
    .selectFrom('webhook_endpoints')
    .where('merchantId', '=', p.merchantId)
    .where('deletedAt', 'is', null)
    .select((eb) => eb.fn.countAll<number>().as('count')),
)

const kindsOf = reading<EndpointKey>()('endpoint_kinds', (p) =>
  build
    .selectFrom('webhook_subscriptions')
    .where('merchantId', '=', p.merchantId)
    .where('endpointId', '=', p.endpointId)
    .select('kind')
    .orderBy('kind'),
)

const unsubscribe = writing<EndpointKey & { kinds: readonly EventKind[] }>()(
  'unsubscribe_endpoint',
  (p) => sql`
    delete from webhook_subscriptions
    where merchant_id = ${p.merchantId} and endpoint_id = ${p.endpointId} and kind <> all(${p.kinds}::text[])`,
)

const subscribe = writing<EndpointKey & { kinds: readonly EventKind[] }>()(
  'subscribe_endpoint',
  (p) => sql`
    insert into webhook_subscriptions (merchant_id, kind, endpoint_id)
    select ${p.merchantId}, kind, ${p.endpointId}
    from unnest(${p.kinds}::text[]) as kind
    on conflict do nothing`,
)

export const insertEndpoint = inserting('webhook_endpoints')

/**
 * Returns the merchant's number of endpoints. Blocks other transactions from adding an endpoint until this transaction
 * ends.
 */
export async function lockEndpointCount(trx: LockTrx, merchantId: MerchantId): Promise<number> {
  // The merchant is locked and its endpoints are counted with two statements. A single statement that waits for the
  // lock would count the endpoints in the snapshot from before the wait.
  const [, rows] = await Promise.all([trx.lock(lockMerchant, { merchantId }), trx.read(count, { merchantId })])
  return rows[0]?.count ?? 0
}

export async function listKinds(db: ReadDb, { merchantId, endpointId }: EndpointKey): Promise<EventKind[]> {
  return (await db.read(kindsOf, { merchantId, endpointId })).map(({ kind }) => kind)
}

/** Replaces the event types to which an endpoint is subscribed. Deliveries that are already queued are still sent. */
export function subscribeTo(trx: WriteTrx, change: EndpointKey & { kinds: readonly EventKind[] }): void {
  trx.queue(unsubscribe, change)
  trx.queue(subscribe, change)
}

export const describeEndpoint = queueing<EndpointKey & { description: string; now: Timestamp }>()(
  'describe_endpoint',
  (p) =>
    build
      .updateTable('webhook_endpoints')
      .set({ description: p.description, updatedAt: p.now })
      .where('merchantId', '=', p.merchantId)
      .where('id', '=', p.endpointId),
)

export const setEndpointUrl = queueing<EndpointKey & { url: string; now: Timestamp }>()('set_endpoint_url', (p) =>
  build
    .updateTable('webhook_endpoints')
    .set({ url: p.url, updatedAt: p.now })
    .where('merchantId', '=', p.merchantId)
    .where('id', '=', p.endpointId),
)

/** Marks an endpoint as deleted, and deletes its secrets, custom headers and subscriptions. The row stays as history. */
export const markEndpointDeleted = queueing<EndpointKey & { now: Timestamp }>()(
  'delete_endpoint',
  (p) => sql`
    with secrets as (
      delete from webhook_secrets
      where merchant_id = ${p.merchantId} and endpoint_id = ${p.endpointId}
    ), subscriptions as (
      delete from webhook_subscriptions
      where merchant_id = ${p.merchantId} and endpoint_id = ${p.endpointId}
    )
    update webhook_endpoints
    set
      status = 'disabled', disabled_reason = 'deleted', disabled_at = ${p.now}::timestamptz, epoch = epoch + 1,
      paced_until = null, sealed_headers = null, header_names = null,
      headers_changed_at = case when header_names is null then headers_changed_at else ${p.now}::timestamptz end,
      deleted_at = ${p.now}::timestamptz, updated_at = ${p.now}::timestamptz
    where merchant_id = ${p.merchantId} and id = ${p.endpointId}`,
)
