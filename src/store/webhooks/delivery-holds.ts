import { sql } from 'kysely'
import { webhookRetryDelaysMinutes } from '../../../registry/values/limits.ts'
import type { MerchantId, Timestamp } from '../../../registry/values/vocabulary.ts'
import { searchingAll } from '../core/calls.ts'
import type { Database, WriteTrx } from '../core/database.ts'
import { reading, writing } from '../core/statement.ts'
import type { EndpointKey } from './endpoints.ts'
import { leasedIdsOf } from './lease-fragments.ts'
import { correctStrays, type StrayDelivery, type StraysOfMerchant } from './stray-deliveries.ts'

/**
 * Disabling an endpoint holds its queued deliveries; enabling it resumes them.
 *
 *   pending, failed with a retry due ──disable──> held ──enable──> pending, failed with a retry due
 */

/**
 * Maximum number of deliveries that one statement holds or resumes. Such a statement takes some hundred milliseconds in
 * the transaction that records a result or serves a request. The sweeper holds or resumes the rest later. The delay
 * does no harm: nothing is sent to a disabled endpoint, and an enabled endpoint resumes its oldest deliveries first.
 */
const holdMax = 5_000

/**
 * Sets the status of queued deliveries to `held`. Leased deliveries are excluded: their worker sets the status if the
 * attempt fails. Locked rows are skipped, because waiting for these rows under the endpoint's lock could cause a
 * deadlock. The sweeper changes the skipped rows later.
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
        and id <> all(${leasedIdsOf(p.merchantId, p.endpointId)})
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
 * The due time of a held delivery that is resumed. A retry keeps its scheduled time, or is due now if that time has
 * passed. A delivery without an attempt is due now.
 */
const dueOf = (p: Resuming & { merchantId: MerchantId }) => sql`
  greatest(
    ${p.now}::timestamptz,
    (
      select max(attempt.finished_at)
      from webhook_attempts attempt
      where attempt.merchant_id = ${p.merchantId}
        and attempt.delivery_id = delivery.id
        and attempt.outcome = 'failed'
    ) + make_interval(mins => (${p.delaysMinutes}::integer[])[delivery.attempt_count])
  )`

/**
 * Resumes the deliveries of the common table expression `waiting`. All of them are throttled, because the first one is
 * a probe: it shows whether the receiver has recovered.
 */
const resumed = (merchantId: MerchantId) => sql`
    update webhook_deliveries delivery
    set
      status = case when delivery.attempt_count = 0 then 'pending' else 'failed' end,
      is_paced = true,
      next_attempt_at = waiting.due_at
    from waiting
    where delivery.merchant_id = ${merchantId} and delivery.id = waiting.id
    returning delivery.id`

/**
 * Resumes the oldest held deliveries of an endpoint first. The oldest of them is the probe that shows whether the
 * receiver has recovered.
 */
const resume = writing<EndpointKey & Resuming>()(
  'resume_deliveries',
  (p) => sql<{ id: string }>`
    with waiting as (
      select id, ${dueOf(p)} as due_at
      from webhook_deliveries delivery
      where merchant_id = ${p.merchantId}
        and endpoint_id = ${p.endpointId}
        and status = 'held'
      order by id
      limit ${sql.lit(holdMax)}
      for update skip locked
    )
    ${resumed(p.merchantId)}`,
)

const findHeldStrays = searchingAll<object>()(
  'find_held_strays',
  (_, isReachable) => sql<StrayDelivery>`
    select stray.merchant_id, stray.id
    from webhook_endpoints endpoint
    cross join lateral (
      select merchant_id, id
      from webhook_deliveries
      where ${isReachable('merchantId')}
        and merchant_id = endpoint.merchant_id
        and endpoint_id = endpoint.id
        and status = 'held'
      order by id
      limit ${sql.lit(holdMax)}
    ) stray
    where ${isReachable('endpoint.merchantId')} and endpoint.status = 'enabled'
    limit ${sql.lit(holdMax)}`,
)

/**
 * Resumes held deliveries of enabled endpoints that were not resumed when the endpoint was enabled. There are two
 * causes: the statement that enables an endpoint resumes only a limited number of deliveries, and a concurrent sweep
 * may have set further deliveries to `held`.
 */
const resumeStrays = writing<StraysOfMerchant & Resuming>()(
  'resume_stray_deliveries',
  (p) => sql<{ id: string }>`
    with waiting as (
      select delivery.id, ${dueOf(p)} as due_at
      from webhook_deliveries delivery
      join webhook_endpoints endpoint
        on endpoint.merchant_id = delivery.merchant_id and endpoint.id = delivery.endpoint_id
      where delivery.merchant_id = ${p.merchantId}
        and delivery.id = any(${p.ids}::text[])
        and delivery.status = 'held'
        and endpoint.status = 'enabled'
      for update of delivery skip locked
    )
    ${resumed(p.merchantId)}`,
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

/** Holds the queued deliveries of an endpoint, without waiting for the result. */
export function queueHold(trx: WriteTrx, { merchantId, endpointId }: EndpointKey): void {
  trx.queue(hold, { merchantId, endpointId })
}

/** Returns the number of held deliveries, which is limited per call. */
export async function holdDeliveries(trx: WriteTrx, { merchantId, endpointId }: EndpointKey): Promise<number> {
  return (await trx.write(hold, { merchantId, endpointId })).length
}

/**
 * Resumes the held deliveries of an endpoint, up to the limit of one statement. The next sweeps resume the others.
 * Returns the number of deliveries of the endpoint that were held before this call.
 */
export async function resumeDeliveries(trx: WriteTrx, endpoint: EndpointKey & { now: Timestamp }): Promise<number> {
  const [[counted]] = await Promise.all([
    trx.read(countHeld, endpoint),
    trx.write(resume, { ...endpoint, delaysMinutes: webhookRetryDelaysMinutes }),
  ])
  return counted?.held ?? 0
}

/** Returns the number of resumed deliveries, which is limited per call. */
export async function resumeStrayDeliveries(database: Database, now: Timestamp): Promise<number> {
  const found = await findHeldStrays(database, {})
  const args = { delaysMinutes: webhookRetryDelaysMinutes, now }
  return correctStrays(database, { found, correct: resumeStrays, args })
}
