import { sql } from 'kysely'
import type { EventKind } from '../../../registry/kit/event.ts'
import type { DeliveryId, Timestamp } from '../../../registry/values/vocabulary.ts'
import { toTimestamp } from '../../base/clock.ts'
import { lowestIdAt } from '../../base/ids.ts'
import type { Database } from '../core/database.ts'
import { reading } from '../core/statement.ts'
import type { EndpointKey } from './endpoints.ts'

/**
 * An attempt in the history of an endpoint. The history consists of delivery attempts and of changes of the endpoint.
 */
export interface PastAttempt {
  readonly is: 'attempt'
  readonly at: Timestamp
  readonly deliveryId: DeliveryId
  readonly kind: EventKind
  readonly trigger: 'automatic' | 'replay' | 'test'
  readonly outcome: 'succeeded' | 'failed' | 'aborted'
  readonly httpStatus: number | null
  readonly errorCode: string | null
  readonly epoch: number
}

/** A change of an endpoint in the endpoint's history, from the audit log. */
export interface PastChange {
  readonly is: 'change'
  readonly at: Timestamp
  readonly action: string
  readonly actor: string
  readonly changes: Readonly<Record<string, readonly [before: unknown, after: unknown]>>
}

interface Span extends EndpointKey {
  readonly firstId: string
  readonly since: Timestamp
}

const listAttempts = reading<Span>()(
  'list_attempts_of_endpoint',
  (p) => sql<Omit<PastAttempt, 'is'>>`
    select
      attempt.finished_at as at, attempt.delivery_id, event.kind, delivery.trigger, attempt.outcome,
      attempt.http_status, attempt.error_code, attempt.endpoint_epoch as epoch
    from webhook_deliveries delivery
    join webhook_attempts attempt
      on attempt.merchant_id = delivery.merchant_id and attempt.delivery_id = delivery.id
    join webhook_events event on event.merchant_id = delivery.merchant_id and event.id = delivery.event_id
    where delivery.merchant_id = ${p.merchantId}
      and delivery.endpoint_id = ${p.endpointId}
      and delivery.id >= ${p.firstId}
      and attempt.finished_at >= ${p.since}::timestamptz
    order by attempt.finished_at, attempt.delivery_id, attempt.number`,
)

const listChanges = reading<Span>()(
  'list_changes_of_endpoint',
  (p) => sql<Omit<PastChange, 'is'>>`
    select occurred_at as at, action, actor_label as actor, changes
    from audit_log
    where merchant_id = ${p.merchantId}
      and resource_id = ${p.endpointId}
      and occurred_at >= ${p.since}::timestamptz
    order by occurred_at, id`,
)

/**
 * Maximum time from the creation of a delivery to its last attempt. The last retry is due 38 h 36 min after the first
 * attempt.
 */
export const deliveryLifeMs = 40 * 60 * 60 * 1000

/** Oldest first. */
export async function listEndpointHistory(
  database: Database,
  endpoint: EndpointKey,
  sinceMs: number,
): Promise<readonly (PastAttempt | PastChange)[]> {
  const since = toTimestamp(sinceMs)
  const span = { ...endpoint, since, firstId: lowestIdAt('dlv', sinceMs - deliveryLifeMs) }
  const [pastAttempts, pastChanges] = await Promise.all([
    database.run(listAttempts, span),
    database.run(listChanges, span),
  ])
  return inOrder(pastAttempts, pastChanges)
}

/** Merges attempts and changes into one list, oldest first. Both given lists must be oldest first. */
export function inOrder(
  attempts: readonly Omit<PastAttempt, 'is'>[],
  changes: readonly Omit<PastChange, 'is'>[],
): readonly (PastAttempt | PastChange)[] {
  const past = [
    ...attempts.map((attempt) => ({ is: 'attempt' as const, ...attempt })),
    ...changes.map((change) => ({ is: 'change' as const, ...change })),
  ]
  // The sort is stable: attempts and changes with the same time keep their order.
  return past.toSorted((one, other) => (one.at < other.at ? -1 : one.at > other.at ? 1 : 0))
}
