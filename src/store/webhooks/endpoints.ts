import { sql } from 'kysely'
import type { EventKind } from '../../../registry/kit/event.ts'
import type { EndpointId, MerchantId, Timestamp } from '../../../registry/values/vocabulary.ts'
import { lockingFirst } from '../core/calls.ts'
import type { ReadDb } from '../core/database.ts'
import { build, reading } from '../core/statement.ts'

export interface EndpointKey {
  readonly merchantId: MerchantId
  readonly endpointId: EndpointId
}

/**
 * Groups records by merchant, sorted by merchant id. Transactions that lock the records in this order cannot deadlock.
 */
export function inMerchantOrder<Item extends { readonly merchantId: MerchantId }>(
  items: readonly Item[],
): readonly [MerchantId, readonly Item[]][] {
  return [...Map.groupBy(items, ({ merchantId }) => merchantId)].toSorted(([a], [b]) => (a < b ? -1 : 1))
}

/**
 * Condition on the relation `endpoint`: the endpoint has no consecutive failures and is not ramping up after failures.
 * A healthy endpoint is not throttled.
 */
export const isHealthy = sql<boolean>`endpoint.consecutive_failures = 0 and endpoint.ramp is null`

export type DisabledReason = 'consecutive_failures' | 'manual' | 'deleted'

const list = reading<{ merchantId: MerchantId }>()('list_endpoints', (p) =>
  build
    .selectFrom('webhook_endpoints as endpoint')
    .where('endpoint.merchantId', '=', p.merchantId)
    .where('endpoint.deletedAt', 'is', null)
    .select([
      'endpoint.id',
      'endpoint.url',
      'endpoint.description',
      'endpoint.status',
      'endpoint.disabledReason',
      'endpoint.disabledAt',
      'endpoint.consecutiveFailures',
      'endpoint.headerNames',
      'endpoint.headersChangedAt',
      'endpoint.createdAt',
      sql<EventKind[]>`array(
        select kind
        from webhook_subscriptions subscription
        where subscription.merchant_id = ${p.merchantId} and subscription.endpoint_id = endpoint.id
        order by kind
      )`.as('kinds'),
      // When the previous secret expires. This may be in the past, because expired secrets are deleted later.
      sql<Timestamp | null>`(
        select max(expires_at)
        from webhook_secrets secret
        where secret.merchant_id = ${p.merchantId} and secret.endpoint_id = endpoint.id
      )`.as('previousSecretExpiresAt'),
      sql<number>`(
        select count(*)
        from webhook_deliveries delivery
        where delivery.merchant_id = ${p.merchantId}
          and delivery.endpoint_id = endpoint.id
          and delivery.status = 'held'
      )`.as('held'),
    ])
    .orderBy('endpoint.id', 'desc'),
)

/** Locks an endpoint with `for update`, so that its failures are counted one at a time. */
export const lockEndpoint = lockingFirst<EndpointKey>()('lock_endpoint', (p) =>
  build
    .selectFrom('webhook_endpoints')
    .where('merchantId', '=', p.merchantId)
    .where('id', '=', p.endpointId)
    .select([
      ...(['url', 'description', 'status', 'epoch', 'consecutiveFailures', 'disabledAt', 'deletedAt'] as const),
      ...(['sealedHeaders', 'headerNames', 'headersChangedAt'] as const),
    ])
    .forUpdate(),
)

/** Returns the endpoints of a merchant, newest first, with their consecutive failures and number of held deliveries. */
export function listEndpoints(db: ReadDb, merchantId: MerchantId) {
  return db.read(list, { merchantId })
}
