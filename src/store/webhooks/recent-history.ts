import { sql } from 'kysely'
import type { Timestamp } from '../../../registry/values/vocabulary.ts'
import { toTimestamp } from '../../base/clock.ts'
import { lowestIdAt } from '../../base/ids.ts'
import type { ReadDb } from '../core/database.ts'
import { reading } from '../core/statement.ts'
import { inOrder, type PastAttempt, type PastChange } from './endpoint-history.ts'
import type { EndpointKey } from './endpoints.ts'

/**
 * The most recent part of an endpoint's history. A page reads only a limited number of deliveries, because a busy
 * merchant has very many.
 */

/**
 * Maximum number of deliveries that are read for the history of an endpoint, whether or not they match its filters.
 * Reading this many deliveries takes tens of milliseconds.
 */
const scannedMax = 20_000

/**
 * Maximum number of attempts and changes in the history of an endpoint. Six failures disable an endpoint, so a few
 * dozen entries explain its state.
 */
const attemptsMax = 200

interface End extends EndpointKey {
  readonly beforeId: string
  readonly until: Timestamp
}

/**
 * Reads the last attempts and the last changes with one statement, each newest first. The deliveries are read in key order,
 * which is chronological, and are filtered after the limit.
 */
const history = reading<End>()(
  'list_recent_history_of_endpoint',
  (p) => sql<PastAttempt | PastChange>`
    with scanned as materialized (
      select id, event_id, endpoint_id, trigger, lease_number
      from webhook_deliveries
      where merchant_id = ${p.merchantId} and id < ${p.beforeId}
      order by id desc
      limit ${sql.lit(scannedMax)}
    ), attempts as (
      select
        attempt.finished_at as at, delivery.id as delivery_id, event.kind, delivery.trigger, attempt.outcome,
        attempt.http_status, attempt.error_code, attempt.endpoint_epoch as epoch,
        row_number() over (order by attempt.finished_at desc, attempt.delivery_id desc, attempt.number desc) as place
      from scanned delivery
      join webhook_attempts attempt
        on attempt.merchant_id = ${p.merchantId} and attempt.delivery_id = delivery.id
      join webhook_events event on event.merchant_id = ${p.merchantId} and event.id = delivery.event_id
      where delivery.endpoint_id = ${p.endpointId} and delivery.lease_number > 0
        and attempt.finished_at <= ${p.until}::timestamptz
      order by place
      limit ${sql.lit(attemptsMax)}
    ), changes as (
      select
        occurred_at as at, action, actor_label as actor, changes,
        row_number() over (order by occurred_at desc, id desc) as place
      from audit_log
      where merchant_id = ${p.merchantId} and resource_id = ${p.endpointId}
      order by occurred_at desc, id desc
      limit ${sql.lit(attemptsMax)}
    )
    select
      'attempt' as is, at, delivery_id, kind, trigger, outcome, http_status, error_code, epoch,
      null as action, null as actor, null::jsonb as changes, place
    from attempts
    union all
    select 'change', at, null, null, null, null, null, null, null, action, actor, changes, place
    from changes
    order by place`,
)

/**
 * Returns the last attempts and changes of an endpoint until a time, oldest first. The list of attempts and the list of
 * changes cover the same period.
 */
export async function listRecentHistory(
  db: ReadDb,
  { merchantId, endpointId }: EndpointKey,
  untilMs: number,
): Promise<readonly (PastAttempt | PastChange)[]> {
  const until = toTimestamp(untilMs)
  const found = await db.read(history, { merchantId, endpointId, until, beforeId: lowestIdAt('dlv', untilMs + 1) })
  const pastAttempts = found.filter((past) => past.is === 'attempt')
  const pastChanges = found.filter((past) => past.is === 'change')
  const past = inOrder(pastAttempts.toReversed(), pastChanges.toReversed())
  const starts = [pastAttempts, pastChanges].flatMap((part) => {
    const oldest = part.length === attemptsMax ? part.at(-1) : undefined
    return oldest === undefined ? [] : [oldest.at]
  })
  return past.filter(({ at }) => starts.every((start) => at >= start))
}
