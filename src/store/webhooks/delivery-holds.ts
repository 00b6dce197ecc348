import { sql } from 'kysely'
import { webhookRetryDelaysMinutes } from '../../../registry/values/limits.ts'
import type { Timestamp } from '../../../registry/values/vocabulary.ts'
import type { Database, WriteTrx } from '../core/database.ts'
import { reading, writing } from '../core/statement.ts'
import type { EndpointKey } from './endpoints.ts'

/**
 * Nothing queued for an endpoint is lost when it is disabled: it is held, and resumes when the endpoint is enabled.
 *
 *   pending, failed with a retry due ──disable──> held ──enable──> pending, failed with a retry due
 */

/**
 * So many in the transaction of a result or a request: some hundred milliseconds of it. A disabled endpoint is sent nothing
 * whether it is held yet or not, and an enabled one's order is kept, so the pulse may see to the rest.
 */
const holdMax = 5_000

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
      limit ${sql.lit(holdMax)}
      for update skip locked
    )
    update webhook_deliveries delivery
    set status = 'held', next_attempt_at = null
    from waiting
    where delivery.merchant_id = ${p.merchantId} and delivery.id = waiting.id
    returning delivery.id`,
)

interface Resuming {
  readonly delaysMinutes: readonly number[]
  readonly now: Timestamp
}

/**
 * A retry is due when it would have been, or now if that has passed. What was never tried was due when it was made. All
 * of it keeps the endpoint's pace, because the first of them is the probe whether the receiver is well again.
 */
const resumed = (p: Resuming) => sql`
    update webhook_deliveries delivery
    set
      status = case delivery.attempt_count when 0 then 'pending' else 'failed' end,
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
    from waiting
    where delivery.merchant_id = waiting.merchant_id and delivery.id = waiting.id
    returning delivery.id`

/** The oldest first, which are the probe. */
const resume = writing<EndpointKey & Resuming>()(
  'resume_deliveries',
  (p) => sql<{ id: string }>`
    with waiting as (
      select merchant_id, id
      from webhook_deliveries
      where merchant_id = ${p.merchantId}
        and endpoint_id = ${p.endpointId}
        and status = 'held'
      order by id
      limit ${sql.lit(holdMax)}
      for update skip locked
    )
    ${resumed(p)}`,
)

/** What enabling left for later, and what a sweep held in the very moment its endpoint was enabled. */
const resumeStrays = writing<Resuming>()(
  'resume_stray_deliveries',
  (p) => sql<{ id: string }>`
    with found as (
      select stray.merchant_id, stray.id
      from webhook_endpoints endpoint
      cross join lateral (
        select merchant_id, id
        from webhook_deliveries
        where merchant_id = endpoint.merchant_id
          and endpoint_id = endpoint.id
          and status = 'held'
        order by id
        limit ${sql.lit(holdMax)}
      ) stray
      where endpoint.status = 'enabled'
      limit ${sql.lit(holdMax)}
    ), waiting as (
      select delivery.merchant_id, delivery.id
      from found
      join webhook_deliveries delivery on delivery.merchant_id = found.merchant_id and delivery.id = found.id
      where delivery.status = 'held'
      for update of delivery skip locked
    )
    ${resumed(p)}`,
)

const countHeld = reading<EndpointKey>()(
  'count_held_deliveries',
  (p) => sql<{ held: number }>`
    select count(*)::integer as held
    from webhook_deliveries
    where merchant_id = ${p.merchantId}
      and endpoint_id = ${p.endpointId}
      and status = 'held'`,
)

export function queueHold(trx: WriteTrx, { merchantId, endpointId }: EndpointKey): void {
  trx.queue(hold, { merchantId, endpointId })
}

/** How many are now held. */
export async function holdDeliveries(trx: WriteTrx, { merchantId, endpointId }: EndpointKey): Promise<number> {
  return (await trx.write(hold, { merchantId, endpointId })).length
}

/** How many wait no longer: those beyond the first thousands go on with the next pulses. */
export async function resumeDeliveries(trx: WriteTrx, endpoint: EndpointKey & { now: Timestamp }): Promise<number> {
  const [[counted]] = await Promise.all([
    trx.read(countHeld, endpoint),
    trx.write(resume, { ...endpoint, delaysMinutes: webhookRetryDelaysMinutes }),
  ])
  return counted?.held ?? 0
}

/** How many were found, of at most some thousands. */
export async function resumeStrayDeliveries(database: Database, now: Timestamp): Promise<number> {
  return (await database.run(resumeStrays, { delaysMinutes: webhookRetryDelaysMinutes, now })).length
}
