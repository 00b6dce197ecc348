import { sql } from 'kysely'
import { webhookRetryDelaysMinutes } from '../../registry/limits.ts'
import type { Timestamp } from '../../registry/vocabulary.ts'
import type { WriteTrx } from './database.ts'
import type { EndpointKey } from './endpoints.ts'
import { writing } from './statement.ts'

/**
 * Nothing queued for an endpoint is lost when it is disabled: it is held, and resumes when the endpoint is enabled.
 *
 *   pending, failed with a retry due ──disable──> held ──enable──> pending, failed with a retry due
 */

/**
 * What is leased is left alone: its worker holds it itself if it fails. So is what another transaction has locked,
 * since waiting for it with the endpoint locked could deadlock; the pulse finds what is missed here.
 */
const hold = writing<EndpointKey>()(
  'hold_deliveries',
  (p) => sql<{ id: string }>`
    with waiting as (
      select id
      from webhook_deliveries
      where merchant_id = ${p.merchantId}
        and endpoint_id = ${p.endpointId}
        and next_attempt_at is not null
        and trigger = 'automatic'
      for update skip locked
    )
    update webhook_deliveries delivery
    set status = 'held', held_because = 'endpoint_disabled', next_attempt_at = null
    from waiting
    where delivery.merchant_id = ${p.merchantId} and delivery.id = waiting.id
    returning delivery.id`,
)

/**
 * A retry is due when it would have been, or now if that has passed. What was never tried was due when it was made. All
 * of it keeps the endpoint's pace, because the first of them is the probe whether the receiver is well again.
 */
const resume = writing<EndpointKey & { delaysMinutes: readonly number[]; now: Timestamp }>()(
  'resume_deliveries',
  (p) => sql<{ id: string }>`
    update webhook_deliveries delivery
    set
      status = case delivery.attempt_count when 0 then 'pending' else 'failed' end,
      held_because = null,
      is_paced = true,
      next_attempt_at = greatest(
        ${p.now}::timestamptz,
        (
          select max(attempt.finished_at)
          from webhook_attempts attempt
          where attempt.merchant_id = delivery.merchant_id
            and attempt.delivery_id = delivery.id
            and attempt.outcome = 'failed'
        ) + make_interval(mins => (${p.delaysMinutes}::integer[])[delivery.attempt_count])
      )
    where delivery.merchant_id = ${p.merchantId}
      and delivery.endpoint_id = ${p.endpointId}
      and delivery.status = 'held'
      and delivery.held_because = 'endpoint_disabled'
    returning delivery.id`,
)

export function queueHold(trx: WriteTrx, { merchantId, endpointId }: EndpointKey): void {
  trx.queue(hold, { merchantId, endpointId })
}

/** How many are now held. */
export async function holdDeliveries(trx: WriteTrx, { merchantId, endpointId }: EndpointKey): Promise<number> {
  return (await trx.write(hold, { merchantId, endpointId })).length
}

/** How many wait no longer. */
export async function resumeDeliveries(trx: WriteTrx, endpoint: EndpointKey & { now: Timestamp }): Promise<number> {
  return (await trx.write(resume, { ...endpoint, delaysMinutes: webhookRetryDelaysMinutes })).length
}
