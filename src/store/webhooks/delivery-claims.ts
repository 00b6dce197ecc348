import { sql } from 'kysely'
import { webhookAcknowledgementSeconds } from '../../../registry/values/limits.ts'
import type { DeliveryId, EventId, Timestamp } from '../../../registry/values/vocabulary.ts'
import { advisoryLocks } from '../core/advisory-locks.ts'
import { bookkeep } from '../core/bookkeeping.ts'
import type { Database } from '../core/database.ts'
import { writing } from '../core/statement.ts'
import type { EndpointKey } from './endpoints.ts'
import { liveSecrets, type StoredSecret } from './signing-secrets.ts'

/**
 * Claims leases deliveries to a worker. A lease is identified by the worker's id and the lease number, and a result is
 * recorded only under both: a worker whose lease has expired cannot overwrite a later result.
 *
 * The concurrency caps count leases. Two workers counting at the same time would both find capacity, so one worker at a
 * time claims for a merchant: under an advisory lock that lasts for the claim. Other workers do not wait for it.
 */

/** Three send timeouts: one for the send itself, two for the work before and after it on a busy machine. */
export const leaseSeconds = 3 * webhookAcknowledgementSeconds

export interface Claim {
  /** The endpoints whose deliveries are claimed, in the order of the ready queue. */
  readonly lanes: readonly EndpointKey[]
  readonly workerId: string
  readonly now: Timestamp
  /** The maximum number of deliveries: in this claim, and in flight for one merchant and for one endpoint. */
  readonly room: number
  readonly merchantCap: number
  readonly endpointCap: number
}

export interface ClaimedDelivery extends EndpointKey {
  readonly id: DeliveryId
  readonly trigger: 'automatic' | 'replay' | 'test'
  readonly leaseNumber: number
  readonly eventId: EventId
  readonly body: string
  readonly url: string
  readonly epoch: number
  readonly mode: 'live' | 'test'
  /** Whether the endpoint has no consecutive failures and no ramp. */
  readonly isHealthy: boolean
  /** The endpoint's consecutive failures at the time of the claim. */
  readonly consecutiveFailures: number
  /** The signing secrets as stored, the current one first. */
  readonly secrets: readonly StoredSecret[]
}

/** The result of a claim for one endpoint. */
export interface ClaimedLane extends EndpointKey {
  readonly deliveries: readonly ClaimedDelivery[]
  /** The limit that left due deliveries unclaimed: the endpoint's cap, or the merchant's or the claim's. */
  readonly limitedBy: 'endpoint' | 'merchant' | undefined
  /** Whether the endpoint has no consecutive failures and no ramp. Otherwise it may be throttled. */
  readonly isHealthy: boolean
}

export interface Claimed {
  readonly lanes: readonly ClaimedLane[]
  /** The endpoints for whose merchants another worker is claiming. */
  readonly busy: readonly EndpointKey[]
}

/**
 * Locks merchants for a claim. `commerce.lanes` passes the locked merchants to the next statement, whose snapshot
 * includes the commits of the previous lock holders. `synchronous_commit` is off: a crash that loses a lease only
 * causes a duplicate delivery.
 *
 * The other settings fix the plan of the claim. A custom plan would be no better than the generic one, and planning
 * takes milliseconds. Statistics of a queue may be from a time when it was empty or long, so sequential scans are off.
 * Bitmap scans are off because only plain index scans mark the entries of claimed deliveries as dead; a bitmap scan
 * would visit them with every claim until the next vacuum.
 */
const lockLanes = writing<{ merchantIds: readonly string[] }>()(
  'lock_lanes',
  (p) => sql<{ merchantIds: string }>`
    select
      set_config('commerce.lanes', coalesce(string_agg(merchant_id, ','), ''), true) as "merchantIds",
      set_config('synchronous_commit', 'off', true) as "synchronousCommit",
      set_config('plan_cache_mode', 'force_generic_plan', true) as "planCacheMode",
      set_config('enable_bitmapscan', 'off', true) as "enableBitmapScan",
      set_config('enable_seqscan', 'off', true) as "enableSeqScan"
    from unnest(${p.merchantIds}::text[]) as wanted (merchant_id)
    where pg_try_advisory_xact_lock(${sql.lit(advisoryLocks.claims)}, hashtext(merchant_id))`,
)

interface ClaimColumns extends Omit<Claim, 'lanes'> {
  readonly merchantIds: readonly string[]
  readonly endpointIds: readonly string[]
}

/** Which deliveries of an endpoint a branch of the claim selects. */
interface Branch {
  readonly isEnabled: boolean
  /** Selects the deliveries that the endpoint's throttling applies to, or the others. */
  readonly isPaced: boolean
}

/**
 * Selects due deliveries of one endpoint, if its status is that of the branch. PostgreSQL tests the status once, before the
 * branch reads an index. A condition on both the status and the trigger would read every queued delivery of a disabled
 * endpoint.
 */
const dueOf = (p: ClaimColumns, { isEnabled, isPaced }: Branch) => sql`
  select delivery.id, delivery.next_attempt_at
  from webhook_deliveries delivery
  where delivery.merchant_id = lane.merchant_id
    and delivery.endpoint_id = lane.endpoint_id
    and delivery.is_paced = ${sql.lit(isPaced)}
    and delivery.next_attempt_at <= ${p.now}::timestamptz
    ${isEnabled ? sql`and lane.is_enabled` : sql`and not lane.is_enabled and delivery.trigger <> 'automatic'`}
    ${isPaced ? sql`and (lane.paced_until is null or lane.paced_until <= ${p.now}::timestamptz)` : sql``}
  order by delivery.next_attempt_at, delivery.id
  limit lane.room + 1`

/** Selects the due deliveries of one endpoint. The branches of the other status read nothing. */
const allDueOf = (p: ClaimColumns) => sql`
  (${dueOf(p, { isEnabled: true, isPaced: false })})
  union all (${dueOf(p, { isEnabled: true, isPaced: true })})
  union all (${dueOf(p, { isEnabled: false, isPaced: false })})
  union all (${dueOf(p, { isEnabled: false, isPaced: true })})`

/** The row of one endpoint. */
interface LaneRow {
  readonly id: null
  readonly lane: number
  /** The number of due deliveries, at most `room + 1`. */
  readonly candidates: number
  readonly room: number
  readonly url: string
  readonly epoch: number
  readonly mode: 'live' | 'test'
  readonly isHealthy: boolean
  readonly consecutiveFailures: number
  readonly secrets: readonly StoredSecret[]
}

/** The row of a claimed delivery. */
interface DeliveryRow extends Pick<ClaimedDelivery, 'id' | 'trigger' | 'leaseNumber' | 'eventId' | 'body'> {
  readonly lane: number
}

type ClaimRow = LaneRow | DeliveryRow

/**
 * Claims round-robin: the first delivery of every endpoint comes before the second of any. One candidate more than fits
 * is read, which shows whether more are due. A disabled endpoint only receives replays and tests. The URL and the
 * secrets are read at the time of the attempt; the body is the event's. Endpoints and deliveries are returned as
 * separate rows, because joining them here would cost more than the rest of the statement.
 */
const claim = writing<ClaimColumns>()(
  'claim_deliveries',
  (p) => sql<ClaimRow>`
    with busy as materialized (
      select merchant_id, endpoint_id, count(*)::integer as sends
      from webhook_deliveries
      where merchant_id = any(string_to_array(current_setting('commerce.lanes'), ','))
        and lease_until > ${p.now}::timestamptz
      group by merchant_id, endpoint_id
    ), lane as materialized (
      select
        wanted.position::integer as position, endpoint.merchant_id, endpoint.id as endpoint_id, endpoint.url,
        endpoint.epoch, endpoint.paced_until, merchant.mode,
        ${liveSecrets(sql.ref('wanted.merchant_id'), sql.ref('wanted.endpoint_id'), p.now)} as secrets,
        endpoint.status = 'enabled' as is_enabled,
        endpoint.consecutive_failures = 0 and endpoint.ramp is null as is_healthy, endpoint.consecutive_failures,
        greatest(0, least(${p.endpointCap}::integer, endpoint.ramp) - coalesce(own.sends, 0)) as room,
        ${p.merchantCap}::integer - coalesce(of_merchant.sends, 0) as merchant_room
      from unnest(${p.merchantIds}::text[], ${p.endpointIds}::text[]) with ordinality
        as wanted (merchant_id, endpoint_id, position)
      join webhook_endpoints endpoint
        on endpoint.merchant_id = wanted.merchant_id and endpoint.id = wanted.endpoint_id
      join merchants merchant on merchant.id = endpoint.merchant_id
      left join busy own on own.merchant_id = wanted.merchant_id and own.endpoint_id = wanted.endpoint_id
      left join (
        select merchant_id, sum(sends) as sends
        from busy
        group by merchant_id
      ) of_merchant on of_merchant.merchant_id = wanted.merchant_id
      where wanted.merchant_id = any(string_to_array(current_setting('commerce.lanes'), ','))
        and endpoint.deleted_at is null
    ), candidate as materialized (
      select
        lane.position, lane.merchant_id, lane.merchant_room, due.id, due.endpoint_rank, due.endpoint_rank <= lane.room as fits
      from lane
      cross join lateral (
        select waiting.id, row_number() over (order by waiting.next_attempt_at, waiting.id) as endpoint_rank
        from (${allDueOf(p)}) as waiting
        order by waiting.next_attempt_at, waiting.id
        limit lane.room + 1
      ) due
    ), chosen as materialized (
      select ranked.merchant_id, ranked.id, ranked.position
      from (
        select *, row_number() over (partition by merchant_id order by endpoint_rank, position) as merchant_rank
        from candidate
        where fits
      ) ranked
      where ranked.merchant_rank <= ranked.merchant_room
      order by ranked.endpoint_rank, ranked.position
      limit ${p.room}::integer
    ), claimed as (
      update webhook_deliveries delivery
      set
        next_attempt_at = null,
        lease_until = ${p.now}::timestamptz + make_interval(secs => ${sql.lit(leaseSeconds)}),
        leased_by = ${p.workerId},
        lease_number = lease_number + 1
      from chosen
      where delivery.merchant_id = chosen.merchant_id
        and delivery.id = chosen.id
        -- Another transaction may have held or completed the delivery meanwhile.
        and delivery.next_attempt_at is not null
      returning
        chosen.position, delivery.merchant_id, delivery.id, delivery.trigger, delivery.lease_number, delivery.event_id
    ), found as (
      select position, count(*)::integer as candidates
      from candidate
      group by position
    )
    select
      lane.position as lane, coalesce(found.candidates, 0) as candidates, lane.room, lane.url, lane.epoch, lane.mode,
      lane.is_healthy as "isHealthy", lane.consecutive_failures as "consecutiveFailures", lane.secrets, null as id, null as trigger, null::integer as "leaseNumber",
      null as "eventId", null as body
    from lane
    left join found on found.position = lane.position
    union all
    select
      claimed.position, null, null, null, null, null, null, null, null, claimed.id, claimed.trigger, claimed.lease_number,
      claimed.event_id, event.body
    from claimed
    join webhook_events event on event.merchant_id = claimed.merchant_id and event.id = claimed.event_id`,
)

/** Claims due deliveries. `beforeCommit` is a test hook at which a test may end the process. */
export async function claimDeliveries(
  database: Database,
  { lanes, ...claimed }: Claim,
  beforeCommit?: () => Promise<void>,
): Promise<Claimed> {
  const merchantIds = lanes.map(({ merchantId }) => merchantId)
  const endpointIds = lanes.map(({ endpointId }) => endpointId)
  const { locked, rows } = await bookkeep(database, async (trx) => {
    const [[lockedRow], found] = await Promise.all([
      trx.write(lockLanes, { merchantIds: [...new Set(merchantIds)] }),
      trx.write(claim, { ...claimed, merchantIds, endpointIds }),
    ])
    await beforeCommit?.()
    return { locked: new Set(lockedRow?.merchantIds.split(',')), rows: found }
  })
  return { lanes: lanesOf(lanes, rows), busy: lanes.filter(({ merchantId }) => !locked.has(merchantId)) }
}

function lanesOf(wanted: readonly EndpointKey[], rows: readonly ClaimRow[]): ClaimedLane[] {
  const claimed = Map.groupBy(rows.filter(isDelivery), ({ lane }) => lane)
  return rows.filter(isLane).flatMap(({ lane, candidates, room, isHealthy, ...endpoint }) => {
    const key = wanted[lane - 1]
    if (key === undefined) return []
    const { merchantId, endpointId } = key
    const { url, epoch, mode, consecutiveFailures, secrets } = endpoint
    const deliveries = (claimed.get(lane) ?? []).map(({ id, trigger, leaseNumber, eventId, body }) => ({
      ...{ merchantId, endpointId, url, epoch, mode, isHealthy, consecutiveFailures, secrets },
      ...{ id, trigger, leaseNumber, eventId, body },
    }))
    const isHeldBack = deliveries.length < Math.min(candidates, room)
    const limitedBy = isHeldBack ? 'merchant' : candidates > room ? 'endpoint' : undefined
    return [{ merchantId, endpointId, deliveries, isHealthy, limitedBy }]
  })
}

function isLane(row: ClaimRow): row is LaneRow {
  return row.id === null
}

function isDelivery(row: ClaimRow): row is DeliveryRow {
  return row.id !== null
}
