import pg from 'pg'
import { webhookFailuresBeforeDisabling, webhookRetryDelaysMinutes } from '../../registry/values/limits.ts'
import type { MerchantId } from '../../registry/values/vocabulary.ts'
import type { Receipt } from './receivers.ts'

/**
 * The invariants of the webhook tables. Each is a query that returns the violating rows. The table `receipt` contains
 * the requests that the receivers got. $1 is the latest time on the clock of any worker, $2 the retry delays in
 * minutes, $3 the number of failures that disables an endpoint.
 */
const queries = {
  'a mutation has exactly the events that its audit record counts': `
    select audit.merchant_id, audit.id, audit.changes -> 'events' as said
    from audit_log audit
    where audit.changes ? 'events'
      and (audit.changes -> 'events' ->> 1)::integer <> (
        select count(*) from webhook_events event
        where event.merchant_id = audit.merchant_id and event.resource_id = audit.resource_id
      )`,
  'an event belongs to a committed mutation': `
    select event.merchant_id, event.id
    from webhook_events event
    where not exists (
      select from audit_log audit where audit.merchant_id = event.merchant_id and audit.occurred_at = event.created_at
    )`,
  // The query counts the deliveries of all events at once: a separate count for each event would read all deliveries of
  // its merchant each time.
  'an event has one delivery for each subscribed endpoint': `
    select event.merchant_id, event.id as event_id, endpoint.id as endpoint_id
    from webhook_events event
    join webhook_subscriptions subscription
      on subscription.merchant_id = event.merchant_id and subscription.kind = event.kind
    join webhook_endpoints endpoint
      on endpoint.merchant_id = subscription.merchant_id and endpoint.id = subscription.endpoint_id
    left join (
      select merchant_id, event_id, endpoint_id, count(*) as deliveries
      from webhook_deliveries
      where trigger = 'automatic'
      group by merchant_id, event_id, endpoint_id
    ) sent
      on sent.merchant_id = event.merchant_id and sent.event_id = event.id and sent.endpoint_id = endpoint.id
    where not event.is_test
      and endpoint.created_at <= event.created_at
      and endpoint.deleted_at is null
      and coalesce(sent.deliveries, 0) <> 1`,
  'a delivery belongs to an event': `
    select delivery.merchant_id, delivery.id
    from webhook_deliveries delivery
    where not exists (
      select from webhook_events event
      where event.merchant_id = delivery.merchant_id and event.id = delivery.event_id
    )`,
  'a succeeded delivery was acknowledged': `
    select delivery.merchant_id, delivery.id
    from webhook_deliveries delivery
    join webhook_endpoints endpoint
      on endpoint.merchant_id = delivery.merchant_id and endpoint.id = delivery.endpoint_id
    where delivery.status = 'succeeded'
      and not exists (
        select from receipt
        where receipt.event_id = delivery.event_id and receipt.url = endpoint.url and receipt.is_acknowledged
      )`,
  'a received delivery has the exact bytes of its event': `
    select receipt.event_id, receipt.url
    from receipt
    where not exists (
      select from webhook_events event
      join webhook_deliveries delivery
        on delivery.merchant_id = event.merchant_id and delivery.event_id = event.id
      join webhook_endpoints endpoint
        on endpoint.merchant_id = delivery.merchant_id and endpoint.id = delivery.endpoint_id
      where event.id = receipt.event_id
        and endpoint.url = receipt.url
        and md5(event.body) = receipt.body_hash
        and event.body::json ->> 'id' = event.id
    )`,
  'a delivery is received at most once for each attempt': `
    select event_id, url, times, attempts
    from (select event_id, url, count(*) as times from receipt group by event_id, url) received
    left join (
      select
        delivery.event_id, endpoint.url,
        sum(delivery.lease_number + case when exists (
          select from webhook_leases lease
          where lease.merchant_id = delivery.merchant_id and delivery.id = any(lease.delivery_ids)
        ) then 1 else 0 end) as attempts
      from webhook_deliveries delivery
      join webhook_endpoints endpoint
        on endpoint.merchant_id = delivery.merchant_id and endpoint.id = delivery.endpoint_id
      group by delivery.event_id, endpoint.url
    ) sent using (event_id, url)
    where times > coalesce(attempts, 0)`,
  'a delivery has at most seven counted attempts, and the count is correct': `
    select delivery.merchant_id, delivery.id, delivery.attempt_count
    from webhook_deliveries delivery
    where delivery.attempt_count <> (
        select count(*) from webhook_attempts attempt
        where attempt.merchant_id = delivery.merchant_id
          and attempt.delivery_id = delivery.id
          and attempt.outcome <> 'aborted'
      )
      or delivery.attempt_count > 1 + cardinality($2::integer[])
      or (delivery.attempt_count > 1 and delivery.trigger <> 'automatic')`,
  'no attempt starts before its retry delay': `
    select merchant_id, delivery_id, number
    from (
      select attempt.*,
        count(*) filter (where outcome = 'failed') over earlier as failures,
        max(finished_at) filter (where outcome = 'failed') over earlier as failed_at
      from webhook_attempts attempt
      window earlier as (
        partition by merchant_id, delivery_id order by number
        rows between unbounded preceding and 1 preceding
      )
    ) attempt
    where failures > 0
      and outcome <> 'aborted'
      and started_at < failed_at + make_interval(mins => ($2::integer[])[failures])`,
  'no retry is due before its retry delay': `
    select delivery.merchant_id, delivery.id, delivery.next_attempt_at
    from webhook_deliveries delivery
    where delivery.status = 'failed'
      and delivery.next_attempt_at < (
        select max(attempt.finished_at) from webhook_attempts attempt
        where attempt.merchant_id = delivery.merchant_id
          and attempt.delivery_id = delivery.id
          and attempt.outcome = 'failed'
      ) + make_interval(mins => ($2::integer[])[delivery.attempt_count])`,
  'a disabled endpoint gets no automatic delivery': `
    select delivery.merchant_id, delivery.id, attempt.number
    from webhook_endpoints endpoint
    join webhook_deliveries delivery
      on delivery.merchant_id = endpoint.merchant_id
      and delivery.endpoint_id = endpoint.id
      and delivery.trigger = 'automatic'
    left join webhook_attempts attempt
      on attempt.merchant_id = delivery.merchant_id
      and attempt.delivery_id = delivery.id
      -- An attempt claimed before may start shortly after.
      and attempt.started_at > endpoint.disabled_at + interval '1 second'
      and attempt.outcome <> 'aborted'
    where endpoint.status = 'disabled'
      and (attempt.number is not null or delivery.next_attempt_at is not null)`,
  // The service counts the results of delivery attempts in the order of their commits, and workers commit the results
  // of concurrent attempts in any order. A failure is certainly counted if its attempt started after the last success.
  // It is certainly not counted if its attempt ended before that success.
  'the count of consecutive failures matches the attempts': `
    select endpoint.merchant_id, endpoint.id, endpoint.consecutive_failures, history.*
    from webhook_endpoints endpoint
    cross join lateral (
      select
        least($3::integer, count(*) filter (where is_after)) as least_count,
        least($3::integer, count(*)) as most_count
      from (
        select
          outcome, trigger,
          last_success is null or started_at > last_success as is_after,
          last_success is null or finished_at >= last_success as is_since
        from (
          select
            attempt.outcome, attempt.started_at, attempt.finished_at, delivery.trigger,
            max(attempt.finished_at) filter (where attempt.outcome = 'succeeded') over () as last_success
          from webhook_attempts attempt
          join webhook_deliveries delivery
            on delivery.merchant_id = attempt.merchant_id and delivery.id = attempt.delivery_id
          where delivery.merchant_id = endpoint.merchant_id
            and delivery.endpoint_id = endpoint.id
            and delivery.trigger <> 'test'
            and attempt.endpoint_epoch = endpoint.epoch
            and (endpoint.disabled_at is null or attempt.finished_at <= endpoint.disabled_at)
        ) attempt
      ) attempt
      where outcome = 'failed' and trigger = 'automatic' and is_since
    ) history
    where endpoint.disabled_reason is distinct from 'manual'
      and endpoint.consecutive_failures not between least_count and most_count`,
  'an endpoint is disabled at its sixth failure, with one notification': `
    select endpoint.merchant_id, endpoint.id
    from webhook_endpoints endpoint
    where (endpoint.status = 'enabled' and endpoint.consecutive_failures >= $3::integer)
      or (
        endpoint.disabled_reason = 'consecutive_failures'
        and (
          endpoint.consecutive_failures <> $3::integer
          or 1 <> (
            select count(*) from notifications
            where notifications.merchant_id = endpoint.merchant_id
              and notifications.endpoint_id = endpoint.id
              and notifications.kind = 'webhook_endpoint.disabled'
              and notifications.created_at = endpoint.disabled_at
          )
          or 1 <> (
            select count(*) from audit_log
            where audit_log.merchant_id = endpoint.merchant_id
              and audit_log.resource_id = endpoint.id
              and audit_log.action = 'webhook_endpoint.disable'
              and audit_log.occurred_at = endpoint.disabled_at
          )
        )
      )`,
  'no lease remains after its expiry': `
    select merchant_id, endpoint_id, worker_id, expires_at
    from webhook_leases
    where expires_at < $1::timestamptz - interval '10 seconds'`,
  'a delivery has one lease at a time': `
    select lease.merchant_id, leased.id, count(*)
    from webhook_leases lease
    cross join lateral unnest(lease.delivery_ids) as leased (id)
    group by lease.merchant_id, leased.id
    having count(*) > 1`,
  'each ended lease has one attempt': `
    select delivery.merchant_id, delivery.id, delivery.lease_number
    from webhook_deliveries delivery
    where (
      select array_agg(attempt.number order by attempt.number) from webhook_attempts attempt
      where attempt.merchant_id = delivery.merchant_id and attempt.delivery_id = delivery.id
    ) is distinct from (
      select array_agg(number) from generate_series(1, delivery.lease_number) as number
    )`,
  'a success is the last attempt and sets the status of the delivery': `
    select delivery.merchant_id, delivery.id, delivery.status
    from webhook_deliveries delivery
    cross join lateral (
      select
        count(*) filter (where outcome = 'succeeded') as successes,
        min(number) filter (where outcome = 'succeeded') as success,
        max(number) as latest,
        max(finished_at) filter (where outcome = 'succeeded') as succeeded_at
      from webhook_attempts attempt
      where attempt.merchant_id = delivery.merchant_id and attempt.delivery_id = delivery.id
    ) history
    where successes > 1
      or latest > success
      or (successes = 1 and (delivery.status <> 'succeeded' or delivery.completed_at <> succeeded_at))
      or (
        delivery.status = 'succeeded' and successes = 0
        and not exists (
          select from webhook_deliveries replay
          where replay.merchant_id = delivery.merchant_id
            and replay.replay_of = delivery.id
            and replay.status = 'succeeded'
        )
      )`,
} as const

export type Invariant = keyof typeof queries

export interface Violation {
  readonly invariant: Invariant
  readonly rows: readonly unknown[]
}

export interface Evidence {
  /** Requests that the receivers recorded. If undefined, the invariants about receivers are skipped. */
  readonly receivers?: { readonly url: string; readonly receipts: readonly Receipt[] }
  readonly nowMs: number
  /** Merchant to whose rows the check is limited. `receivers` must then contain only requests for this merchant. */
  readonly merchantId?: MerchantId
}

/** The tables that the invariants' queries read. All of them have a column for the merchant id. */
const tables = [
  'audit_log',
  'notifications',
  'webhook_attempts',
  'webhook_deliveries',
  'webhook_endpoints',
  'webhook_events',
  'webhook_leases',
  'webhook_subscriptions',
] as const

/**
 * Returns the violated invariants. Throws when a query fails. Needs a connection as the owner of the tables, because it
 * runs `analyze` on the tables.
 */
export async function findViolations(ownerConnectionString: string, evidence: Evidence): Promise<Violation[]> {
  const client = new pg.Client({ connectionString: ownerConnectionString, statement_timeout: 120_000 })
  await client.connect()
  try {
    await client.query('begin')
    return await violationsSeenBy(client, evidence)
  } finally {
    await client.end()
  }
}

/** Returns the violations that the given transaction sees, including its uncommitted changes. */
export async function violationsSeenBy(
  client: pg.ClientBase,
  { receivers, nowMs, merchantId }: Evidence,
): Promise<Violation[]> {
  const receipts = (receivers?.receipts ?? []).map(({ path, eventId, bodyHash, isAcknowledged }) => ({
    event_id: eventId,
    url: `${receivers?.url}${path}`,
    body_hash: bodyHash,
    is_acknowledged: isAcknowledged(),
  }))
  await client.query(`
    create temporary table receipt (
      event_id text not null, url text not null, body_hash text not null, is_acknowledged boolean not null
    ) on commit drop`)
  await client.query('insert into receipt select * from json_populate_recordset(null::receipt, $1)', [
    JSON.stringify(receipts),
  ])
  // New rows have no planner statistics yet: without `analyze`, PostgreSQL would plan as if the tables were empty.
  await client.query(`analyze receipt, ${tables.map((table) => `public.${table}`).join(', ')}`)
  if (merchantId !== undefined) await narrowTables(client, merchantId)
  const found: Violation[] = []
  for (const invariant of invariants) {
    const isOfReceivers = /\breceipt\b/.test(queries[invariant])
    if (isOfReceivers && receivers === undefined) continue
    // PostgreSQL requires a type for every parameter of a query. The query therefore casts each parameter, even one
    // that it does not use.
    const { rows } = await client.query(
      `with given as (select $1::timestamptz, $2::integer[], $3::integer) ${queries[invariant]} limit 10`,
      [new Date(nowMs).toISOString(), webhookRetryDelaysMinutes, webhookFailuresBeforeDisabling],
    )
    if (rows.length > 0) found.push({ invariant, rows })
  }
  return found
}

/** Hides the tables behind temporary views of one merchant, because PostgreSQL searches temporary names first. */
async function narrowTables(client: pg.ClientBase, merchantId: MerchantId): Promise<void> {
  for (const table of tables) {
    const rows = `select * from public.${table} where merchant_id = ${pg.escapeLiteral(merchantId)}`
    await client.query(`create temporary view ${table} as ${rows}`)
  }
}

const invariants = Object.keys(queries).filter((key): key is Invariant => Object.hasOwn(queries, key))
