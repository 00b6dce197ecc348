import { sql } from 'kysely'
import { webhookAcknowledgementSeconds } from '../../registry/limits.ts'
import type { DeliveryId, EventId, Timestamp } from '../../registry/vocabulary.ts'
import type { Database } from './database.ts'
import type { EndpointKey } from './endpoints.ts'
import { type KeptSecret, liveSecrets } from './signing-secrets.ts'
import { writing } from './statement.ts'

/**
 * A delivery belongs to whoever holds its lease, told by the worker's name and the lease's number. A result is
 * written only under both, so a worker that was given up for dead cannot overwrite what came after it.
 */

/** Three deadlines: one for the send, two for what comes before and after it on a busy machine. */
export const leaseSeconds = 3 * webhookAcknowledgementSeconds

export interface Claim extends EndpointKey {
  readonly workerId: string
  readonly now: Timestamp
  /** How many sends this worker has under way to the endpoint, and how many it may have. */
  readonly inFlight: number
  readonly cap: number
}

export interface ClaimedDelivery {
  readonly id: DeliveryId
  readonly trigger: 'automatic' | 'replay' | 'test'
  readonly attemptCount: number
  readonly leaseNumber: number
  readonly eventId: EventId
  readonly body: string
  readonly url: string
  readonly epoch: number
  /** As they are kept, the current one first. */
  readonly secrets: readonly KeptSecret[]
}

/**
 * A disabled endpoint is sent what a person asks for and nothing else. The URL and the secrets are those of the
 * moment of the attempt; the body is that of the event.
 */
const claim = writing<Claim>()(
  'claim_deliveries',
  (p) => sql<ClaimedDelivery>`
    with endpoint as (
      select
        url, epoch, status = 'enabled' as is_enabled,
        case consecutive_failures when 0 then ${p.cap}::integer else 1 end - ${p.inFlight}::integer as room
      from webhook_endpoints
      where merchant_id = ${p.merchantId} and id = ${p.endpointId} and deleted_at is null
    ), due as (
      select delivery.id
      from webhook_deliveries delivery
      where delivery.merchant_id = ${p.merchantId}
        and delivery.endpoint_id = ${p.endpointId}
        and delivery.next_attempt_at <= ${p.now}::timestamptz
        and (delivery.trigger <> 'automatic' or (select is_enabled from endpoint))
      order by delivery.next_attempt_at
      limit (select greatest(0, room) from endpoint)
      for update skip locked
    )
    update webhook_deliveries delivery
    set
      next_attempt_at = null,
      lease_until = ${p.now}::timestamptz + make_interval(secs => ${sql.lit(leaseSeconds)}),
      leased_by = ${p.workerId},
      lease_number = lease_number + 1
    from due, endpoint, webhook_events event
    where delivery.merchant_id = ${p.merchantId}
      and delivery.id = due.id
      and event.merchant_id = delivery.merchant_id
      and event.id = delivery.event_id
    returning
      delivery.id, delivery.trigger, delivery.attempt_count as "attemptCount",
      delivery.lease_number as "leaseNumber", event.id as "eventId", event.body, endpoint.url, endpoint.epoch,
      ${liveSecrets(p.merchantId, p.endpointId, p.now)} as secrets`,
)

/** When this endpoint has something to do next, so that a job can be there. */
const nextDue = writing<EndpointKey>()(
  'next_due_delivery',
  (p) => sql<{ dueAt: Timestamp | null }>`
    select min(delivery.next_attempt_at) as "dueAt"
    from webhook_deliveries delivery
    join webhook_endpoints endpoint
      on endpoint.merchant_id = delivery.merchant_id and endpoint.id = delivery.endpoint_id
    where delivery.merchant_id = ${p.merchantId}
      and delivery.endpoint_id = ${p.endpointId}
      and delivery.next_attempt_at is not null
      and endpoint.deleted_at is null
      and (delivery.trigger <> 'automatic' or endpoint.status = 'enabled')`,
)

/** `skip locked`: two workers at one endpoint take different deliveries. */
export function claimDeliveries(database: Database, request: Claim): Promise<readonly ClaimedDelivery[]> {
  return database.run(claim, request)
}

export async function findNextDue(database: Database, endpoint: EndpointKey): Promise<Timestamp | undefined> {
  return (await database.run(nextDue, endpoint))[0]?.dueAt ?? undefined
}
