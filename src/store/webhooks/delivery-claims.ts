import { sql } from 'kysely'
import type { Timestamp } from '../../../registry/values/vocabulary.ts'
import { advisoryLocks } from '../core/advisory-locks.ts'
import { bookkeep, bookkeepAtOnce } from '../core/bookkeeping.ts'
import type { Database, WriteTrx } from '../core/database.ts'
import { writing } from '../core/statement.ts'
import { type ClaimedLane, type ClaimLane, type ClaimRow, lanesOf } from './claimed-lanes.ts'
import { type EndpointKey, isHealthy } from './endpoints.ts'
import { useIndexes } from './lease-fragments.ts'
import { leaseSeconds } from './leases.ts'
import { liveSecrets } from './signing-secrets.ts'

/**
 * A claim leases deliveries to a worker. A result is recorded only under the lease of its claim: a worker whose lease
 * has expired cannot overwrite a later result. leases.ts describes the leases.
 *
 * The concurrency caps count leased deliveries. Two workers counting at the same time would both find capacity, so one
 * worker at a time claims for a merchant: under an advisory lock that lasts for the claim. Other workers do not wait
 * for it.
 */

export interface Claim {
  /** The endpoints whose due deliveries the claim takes, in the order of the ready queue. */
  readonly lanes: readonly ClaimLane[]
  readonly workerId: string
  readonly now: Timestamp
  /**
   * The maximum number of deliveries in this claim. `merchantCap` and `endpointCap` limit the deliveries in flight for
   * one merchant and for one endpoint.
   */
  readonly room: number
  readonly merchantCap: number
  readonly endpointCap: number
}

export interface Claimed {
  readonly lanes: readonly ClaimedLane[]
  /** The endpoints that this claim of deliveries left out, because another worker is claiming for their merchants. */
  readonly busy: readonly EndpointKey[]
}

/**
 * Locks merchants for a claim. `commerce.lanes` passes the locked merchants to the next statement, whose snapshot
 * includes the commits of the previous lock holders. `synchronous_commit` is off: a crash that loses a lease only
 * causes a duplicate delivery.
 */
const lockLanes = writing<{ merchantIds: readonly string[] }>()(
  'lock_lanes',
  (p) => sql<{ merchantIds: string }>`
    select
      set_config('commerce.lanes', coalesce(string_agg(merchant_id, ','), ''), true) as merchant_ids,
      set_config('synchronous_commit', 'off', true) as synchronous_commit
    from unnest(${p.merchantIds}::text[]) as wanted (merchant_id)
    where pg_try_advisory_xact_lock(${sql.lit(advisoryLocks.claims)}, hashtext(merchant_id))`,
)

interface ClaimColumns extends Omit<Claim, 'lanes'> {
  readonly merchantIds: readonly string[]
  readonly endpointIds: readonly string[]
  readonly dueFroms: readonly (Timestamp | null)[]
}

/**
 * The endpoint status whose deliveries a claim selects. An endpoint with the other status has a row in the result, but
 * its deliveries are not read.
 */
type EndpointStatus = 'enabled' | 'disabled'

/**
 * Selects due deliveries of one endpoint, of one kind: those to which the endpoint's throttling applies, or the others.
 * PostgreSQL tests the conditions on the endpoint once, before it reads an index. A disabled endpoint only receives
 * replays and tests, which have an index of their own; a condition on both the status and the trigger would read every
 * queued delivery of the endpoint.
 */
const dueOf = (p: ClaimColumns, status: EndpointStatus) => sql`
  select
    delivery.id, delivery.next_attempt_at, delivery.trigger, delivery.lease_number + 1 as lease_number, delivery.event_id
  from webhook_deliveries delivery
  where delivery.merchant_id = lane.merchant_id
    and delivery.endpoint_id = lane.endpoint_id
    and delivery.is_paced = kind.is_paced
    and delivery.next_attempt_at between lane.due_from and ${p.now}::timestamptz
    and delivery.id <> all(lane.leased_ids)
    and (not kind.is_paced or lane.paced_until is null or lane.paced_until <= ${p.now}::timestamptz)
    ${status === 'enabled' ? sql`and lane.is_enabled` : sql`and not lane.is_enabled and delivery.trigger <> 'automatic'`}
  order by delivery.next_attempt_at, delivery.id
  limit lane.room + 1`

/**
 * Claims deliveries round-robin: the first delivery of every endpoint comes before the second delivery of any endpoint.
 * The statement reads one delivery more than it may claim, which shows whether more are due. A disabled endpoint only
 * receives replays and tests. The URL and the secrets are read at the time of the attempt; the body is the event's.
 * Endpoints, deliveries and events are returned as separate rows: joining them here would cost more than the rest of
 * the statement, and each event is returned once.
 *
 * The deliveries are neither changed nor locked. A delivery whose status changes to held, skipped or completed at the
 * same time is still sent, as if the claim had come first, and its result is recorded like any other.
 */
const claimOf = (status: EndpointStatus) =>
  writing<ClaimColumns>()(
    `claim_deliveries_of_${status}_endpoints`,
    (p) => sql<ClaimRow>`
    with busy as materialized (
      select
        lease.merchant_id, lease.endpoint_id, array_agg(delivery.id) as ids,
        count(*) filter (where lease.expires_at > ${p.now}::timestamptz)::integer as sends
      from webhook_leases lease
      cross join lateral unnest(lease.delivery_ids) as delivery (id)
      where lease.merchant_id = any(string_to_array(current_setting('commerce.lanes'), ','))
      group by lease.merchant_id, lease.endpoint_id
    ), lane as materialized (
      select
        wanted.position::integer as position, endpoint.merchant_id, endpoint.id as endpoint_id, endpoint.url,
        endpoint.epoch, endpoint.paced_until, merchant.mode,
        ${liveSecrets(sql.ref('wanted.merchantId'), sql.ref('wanted.endpointId'), p.now)} as secrets,
        coalesce(own.ids, '{}') as leased_ids, endpoint.status = 'enabled' as is_enabled,
        ${isHealthy} as is_healthy,
        greatest(0, least(${p.endpointCap}::integer, endpoint.ramp) - coalesce(own.sends, 0)) as room,
        ${p.merchantCap}::integer - coalesce(of_merchant.sends, 0) as merchant_room,
        case
          when endpoint.status = 'enabled' and ${isHealthy} then coalesce(wanted.due_from, '-infinity')
          else '-infinity'
        end as due_from
      from unnest(${p.merchantIds}::text[], ${p.endpointIds}::text[], ${p.dueFroms}::timestamptz[]) with ordinality
        as wanted (merchant_id, endpoint_id, due_from, position)
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
        lane.position, lane.merchant_id, lane.endpoint_id, lane.merchant_room, due.*, due.endpoint_rank <= lane.room as fits
      from lane
      cross join lateral (
        select
          waiting.id, waiting.next_attempt_at, waiting.trigger, waiting.lease_number, waiting.event_id,
          row_number() over (order by waiting.next_attempt_at, waiting.id) as endpoint_rank
        from (values (false), (true)) as kind (is_paced)
        cross join lateral (${dueOf(p, status)}) as waiting
        order by waiting.next_attempt_at, waiting.id
        limit lane.room + 1
      ) due
    ), chosen as materialized (
      select
        ranked.merchant_id, ranked.endpoint_id, ranked.id, ranked.trigger, ranked.lease_number, ranked.event_id,
        ranked.endpoint_rank, ranked.position
      from (
        select *, row_number() over (partition by merchant_id order by endpoint_rank, position) as merchant_rank
        from candidate
        where fits
      ) ranked
      where ranked.merchant_rank <= ranked.merchant_room
      order by ranked.endpoint_rank, ranked.position
      limit ${p.room}::integer
    ), claimed as (
      insert into webhook_leases (merchant_id, endpoint_id, worker_id, expires_at, delivery_ids)
      select
        merchant_id, endpoint_id, ${p.workerId},
        ${p.now}::timestamptz + make_interval(secs => ${sql.lit(leaseSeconds)}), array_agg(id order by endpoint_rank)
      from chosen
      group by merchant_id, endpoint_id
      returning merchant_id, endpoint_id, id
    ), found as (
      select position, count(*)::integer as candidates, min(next_attempt_at) as first_due_at
      from candidate
      group by position
    )
    select
      lane.position as lane, coalesce(found.candidates, 0) as candidates, lane.room, found.first_due_at, lane.url,
      lane.epoch, lane.mode, lane.is_enabled, lane.is_healthy, lane.secrets,
      claimed.id as lease_id, null as id, null as trigger, null::integer as lease_number, null as event_id, null as body
    from lane
    left join found on found.position = lane.position
    left join claimed on claimed.merchant_id = lane.merchant_id and claimed.endpoint_id = lane.endpoint_id
    union all
    select
      position, null, null, null, null, null, null, null, null, null, null, id, trigger, lease_number, event_id, null
    from chosen
    union all
    select null, null, null, null, null, null, null, null, null, null, null, null, null, null, event.id, event.body
    from (select distinct merchant_id, event_id from chosen) as sent
    join webhook_events event on event.merchant_id = sent.merchant_id and event.id = sent.event_id`,
  )

/**
 * Each endpoint status has a statement of its own: PostgreSQL needs more time to start a statement that searches for
 * both statuses than to claim a few deliveries.
 */
const claims = { enabled: claimOf('enabled'), disabled: claimOf('disabled') }

/**
 * Claims due deliveries. The deliveries of disabled endpoints are claimed by a second statement, which most claims do
 * not need. `beforeCommit` is a test hook at which a test may end the process.
 */
export async function claimDeliveries(
  database: Database,
  request: Claim,
  beforeCommit?: () => Promise<void>,
): Promise<Claimed> {
  const first = await claimWith(database, { statement: claims.enabled, request, beforeCommit })
  const disabled = first.lanes.filter(({ isEnabled }) => !isEnabled)
  if (disabled.length === 0) return first
  const enabled = first.lanes.filter(({ isEnabled }) => isEnabled)
  const room = request.room - enabled.reduce((sum, { deliveries }) => sum + deliveries.length, 0)
  const rest = { ...request, lanes: disabled, room }
  const second = await claimWith(database, { statement: claims.disabled, request: rest, beforeCommit })
  return { lanes: [...enabled, ...second.lanes], busy: [...first.busy, ...second.busy] }
}

interface ClaimStatement {
  readonly statement: typeof claims.enabled
  readonly request: Claim
  readonly beforeCommit: (() => Promise<void>) | undefined
}

async function claimWith(
  database: Database,
  { statement, request: { lanes, ...claimed }, beforeCommit }: ClaimStatement,
): Promise<Claimed> {
  const merchantIds = lanes.map(({ merchantId }) => merchantId)
  const endpointIds = lanes.map(({ endpointId }) => endpointId)
  const dueFroms = lanes.map(({ dueFrom = null }) => dueFrom)
  const send = async (trx: WriteTrx) => {
    const [, [lockedRow], found] = await Promise.all([
      trx.write(useIndexes, {}),
      trx.write(lockLanes, { merchantIds: [...new Set(merchantIds)] }),
      trx.write(statement, { ...claimed, merchantIds, endpointIds, dueFroms }),
    ])
    return { locked: new Set(lockedRow?.merchantIds.split(',')), rows: found }
  }
  const { locked, rows } =
    beforeCommit === undefined
      ? await bookkeepAtOnce(database, send)
      : await bookkeep(database, async (trx) => {
          const sent = await send(trx)
          await beforeCommit()
          return sent
        })
  return { lanes: lanesOf(lanes, rows), busy: lanes.filter(({ merchantId }) => !locked.has(merchantId)) }
}
