import { sql } from 'kysely'
import type { EventId, MerchantId, Timestamp } from '../../../registry/values/vocabulary.ts'
import { toMs, toTimestamp } from '../../base/clock.ts'
import { advisoryLocks } from '../core/advisory-locks.ts'
import { bookkeep, bookkeepInSteps } from '../core/bookkeeping.ts'
import type { Database, WriteTrx } from '../core/database.ts'
import { insertingRows } from '../core/rows.ts'
import { type MerchantCondition, searching, writing } from '../core/statement.ts'
import {
  type ClaimedLane,
  type ClaimLane,
  chooseDeliveries,
  type DueRow,
  lanesOf,
  type Receiver,
  type SendCount,
} from './claimed-lanes.ts'
import { type EndpointKey, isHealthy } from './endpoints.ts'
import { indexSettings } from './lease-fragments.ts'
import { leaseSeconds } from './leases.ts'
import { liveSecrets } from './signing-secrets.ts'

/**
 * A claim leases deliveries to a worker. A result is recorded only under the lease of its claim: a worker whose lease
 * has expired cannot overwrite a later result. leases.ts describes the leases.
 *
 * The concurrency caps count leased deliveries. Two workers that count at the same time would both find capacity. Only
 * one worker at a time therefore claims deliveries of a merchant, under an advisory lock that lasts for the claim.
 * Other workers do not wait for this lock.
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
  /**
   * The endpoints that this claim of deliveries left out, because another worker is claiming for their merchants, or
   * because they were enabled during the claim.
   */
  readonly busy: readonly EndpointKey[]
}

/**
 * Locks the merchants whose deliveries are claimed. Each later statement of the transaction takes a new snapshot, so it
 * sees the commits of the processes that held these locks before.
 */
const lockMerchants = writing<{ merchantIds: readonly string[] }>()(
  'lock_merchants_for_claim',
  (p) => sql<{ merchantId: MerchantId }>`
    select merchant_id
    from unnest(${p.merchantIds}::text[]) as wanted (merchant_id)
    where pg_try_advisory_xact_lock(${sql.lit(advisoryLocks.claims)}, hashtext(merchant_id))`,
)

/** A crash that loses a lease only causes a duplicate delivery, so the commit of a claim does not wait for the disk. */
const useClaimSettings = writing<object>()(
  'use_claim_settings',
  () => sql`select ${indexSettings}, set_config('synchronous_commit', 'off', true) as synchronous_commit`,
)

interface Endpoints {
  readonly merchantIds: readonly string[]
  readonly endpointIds: readonly string[]
  readonly now: Timestamp
}

const countSends = searching<Endpoints>()(
  'count_sends_in_flight',
  (p, isReachable) => sql<SendCount>`
    select merchant_id, endpoint_id, sum(cardinality(delivery_ids))::integer as sends
    from webhook_leases
    where ${isReachable('merchantId')}
      and merchant_id = any(${p.merchantIds}::text[])
      and expires_at > ${p.now}::timestamptz
    group by merchant_id, endpoint_id`,
)

/**
 * Finds the receivers of the deliveries that a claim takes. The URL, the secrets and the custom headers of a receiver
 * are read only now, so that each attempt uses the current ones.
 */
const findReceivers = searching<Endpoints>()(
  'find_claimed_receivers',
  (p, isReachable) => sql<Receiver>`
    select
      endpoint.merchant_id, endpoint.id as endpoint_id, endpoint.url, endpoint.epoch,
      endpoint.sealed_headers, merchant.mode,
      ${liveSecrets(isReachable, p.now)} as secrets
    from webhook_endpoints endpoint
    join merchants merchant on merchant.id = endpoint.merchant_id
    where ${isReachable('endpoint.merchantId')}
      and endpoint.merchant_id = any(${p.merchantIds}::text[])
      and endpoint.id = any(${p.endpointIds}::text[])
      and endpoint.deleted_at is null`,
)

/**
 * Maximum time by which the clock of a worker may be behind the clock of the process that queued a delivery. Both
 * processes measure the time of the database, each with an error of half a round trip, which takes milliseconds even on
 * a busy machine.
 */
const clockToleranceMs = 1_000

interface DueSearch extends Endpoints {
  /** The time of the claim, plus the tolerated difference between the clocks of processes. */
  readonly firstBy: Timestamp
  readonly dueFroms: readonly (Timestamp | null)[]
  readonly endpointCap: number
}

/**
 * The status of the endpoints whose deliveries a claim selects. Deliveries of endpoints with another status are not
 * read.
 */
type EndpointStatus = 'enabled' | 'disabled'

interface DueKind {
  readonly status: EndpointStatus
  readonly isPaced: boolean
  readonly isReachable: MerchantCondition
}

/**
 * Selects due deliveries of one endpoint. `isPaced` selects the deliveries to which the throttling of the endpoint
 * applies; otherwise, all other deliveries are selected. A disabled endpoint receives only replays and tests, which
 * have an index of their own. The statement therefore contains a fixed endpoint status: one statement for enabled and
 * disabled endpoints would read every queued delivery of a disabled endpoint. A delivery without an attempt is due as
 * soon as it is queued. It is selected even if its due time is slightly after the time of the claim, because the clocks
 * of processes differ a little. Otherwise, the notification that woke this process would have no effect, and the
 * delivery would wait for the next sweep.
 */
const dueOf = (p: DueSearch, { status, isPaced, isReachable }: DueKind) => sql`
  select
    delivery.id, delivery.next_attempt_at, delivery.trigger, delivery.lease_number + 1 as lease_number, delivery.event_id
  from webhook_deliveries delivery
  where ${isReachable('delivery.merchantId')}
    and delivery.merchant_id = endpoint.merchant_id
    and delivery.endpoint_id = endpoint.id
    and delivery.is_paced = ${sql.lit(isPaced)}
    and delivery.next_attempt_at >= case
      when endpoint.status = 'enabled' and ${isHealthy}
        then coalesce((${p.dueFroms}::timestamptz[])[array_position(${p.endpointIds}::text[], endpoint.id::text)], '-infinity')
      else '-infinity'
    end
    and delivery.next_attempt_at <= ${p.firstBy}::timestamptz
    and (delivery.lease_number = 0 or delivery.next_attempt_at <= ${p.now}::timestamptz)
    and delivery.id <> all(array(
      select unnest(lease.delivery_ids)
      from webhook_leases lease
      where ${isReachable('lease.merchantId')}
        and lease.merchant_id = endpoint.merchant_id
        and lease.endpoint_id = endpoint.id
    ))
    ${isPaced ? sql`and (endpoint.paced_until is null or endpoint.paced_until <= ${p.now}::timestamptz)` : sql``}
    and endpoint.status = ${sql.lit(status)}
    ${status === 'enabled' ? sql`` : sql`and delivery.trigger <> 'automatic'`}
  order by delivery.next_attempt_at, delivery.id
  limit ${p.endpointCap}::integer + 1`

/**
 * Finds the due deliveries of endpoints, without changing or locking the deliveries. For each endpoint, the statement
 * reads one delivery more than the endpoint's concurrency cap, which shows whether more are due. A concurrent
 * transaction may change the status of a found delivery to held, skipped or completed. The delivery is then still sent,
 * and its result is recorded, as if it had been claimed before the change. Enabled and disabled endpoints have separate
 * statements, and each statement reads the status of an endpoint in the same snapshot as its deliveries. With a status
 * from another snapshot, both statements could miss the due deliveries of an endpoint whose status changes
 * concurrently.
 */
const findDueOf = (status: EndpointStatus) =>
  searching<DueSearch>()(
    `find_due_of_${status}_endpoints`,
    (p, isReachable) => sql<DueRow>`
    select
      endpoint.merchant_id, endpoint.id as endpoint_id, endpoint.status = 'enabled' as is_enabled,
      ${isHealthy} as is_healthy, endpoint.ramp, due.*
    from webhook_endpoints endpoint
    left join lateral (
      (${dueOf(p, { status, isPaced: false, isReachable })})
      union all
      (${dueOf(p, { status, isPaced: true, isReachable })})
    ) as due on true
    where ${isReachable('endpoint.merchantId')}
      and endpoint.merchant_id = any(${p.merchantIds}::text[])
      and endpoint.id = any(${p.endpointIds}::text[])
      and endpoint.deleted_at is null`,
  )

/**
 * Each endpoint status has a statement of its own. If one statement searched for both statuses, PostgreSQL would need
 * more time to start it than to claim a few deliveries.
 */
const findDue = { enabled: findDueOf('enabled'), disabled: findDueOf('disabled') }

const leaseRows = insertingRows('webhook_leases')

const findBodies = searching<{ merchantIds: readonly string[]; eventIds: readonly string[] }>()(
  'find_event_bodies',
  (p, isReachable) => sql<{ eventId: EventId; body: string }>`
    select event.id as event_id, event.body
    from unnest(${p.merchantIds}::text[], ${p.eventIds}::text[]) as sent (merchant_id, event_id)
    join webhook_events event on event.merchant_id = sent.merchant_id and event.id = sent.event_id
    where ${isReachable('event.merchantId')}`,
)

/**
 * Claims due deliveries. The deliveries of disabled endpoints are claimed by a second transaction, which most claims do
 * not need. `beforeCommit` is a test hook at which a test may end the process.
 */
export async function claimDeliveries(
  database: Database,
  request: Claim,
  beforeCommit?: () => Promise<void>,
): Promise<Claimed> {
  const first = await claimWith(database, { status: 'enabled', request, beforeCommit })
  const disabled = first.lanes.filter(({ isEnabled }) => !isEnabled)
  if (disabled.length === 0) return first
  const enabled = first.lanes.filter(({ isEnabled }) => isEnabled)
  const room = request.room - enabled.reduce((sum, { deliveries }) => sum + deliveries.length, 0)
  const rest = { ...request, lanes: disabled, room }
  const second = await claimWith(database, { status: 'disabled', request: rest, beforeCommit })
  // The first transaction claims for enabled endpoints, the second one for disabled endpoints. If an endpoint was
  // enabled between the two transactions, neither transaction has searched its deliveries.
  const missed = second.lanes.filter(({ isEnabled }) => isEnabled)
  const searched = second.lanes.filter(({ isEnabled }) => !isEnabled)
  return { lanes: [...enabled, ...searched], busy: [...first.busy, ...second.busy, ...missed] }
}

interface ClaimOfStatus {
  readonly status: EndpointStatus
  readonly request: Claim
  readonly beforeCommit: (() => Promise<void>) | undefined
}

/**
 * Claims deliveries in one transaction with two round trips. The first round trip finds the due deliveries of all
 * merchants. The second one inserts the leases, with a statement for each merchant, and reads the bodies of the events.
 */
function claimWith(database: Database, { status, request, beforeCommit }: ClaimOfStatus): Promise<Claimed> {
  const { now, endpointCap } = request
  const find = async (trx: WriteTrx) => {
    // If a condition of a query lists merchants, a distributed database sends the query to the nodes of all these
    // merchants. This happens even if another condition excludes some of the merchants. Endpoints of unreachable
    // merchants are therefore removed before the query.
    const lanes = request.lanes.filter(({ merchantId }) => database.reachability.isReachable(merchantId))
    const merchantIds = [...new Set(lanes.map(({ merchantId }) => merchantId))]
    const search = {
      merchantIds,
      endpointIds: lanes.map(({ endpointId }) => endpointId),
      dueFroms: lanes.map(({ dueFrom = null }) => dueFrom),
      now,
      firstBy: toTimestamp(toMs(now) + clockToleranceMs),
      endpointCap,
    }
    const [, locked, sends, due, receivers] = await Promise.all([
      trx.write(useClaimSettings, {}),
      trx.write(lockMerchants, search),
      trx.search(countSends, search, merchantIds),
      trx.search(findDue[status], search, merchantIds),
      trx.search(findReceivers, search, merchantIds),
    ])
    const free = new Set(locked.map(({ merchantId }) => merchantId))
    const isFree = ({ merchantId }: EndpointKey) => free.has(merchantId)
    const chosen = chooseDeliveries({ ...request, lanes: lanes.filter(isFree) }, { sends, receivers, due })
    return { chosen, busy: lanes.filter((lane) => !isFree(lane)) }
  }
  const claim = async (trx: WriteTrx, { chosen, busy }: Awaited<ReturnType<typeof find>>) => {
    const leased = chosen.filter(({ deliveries }) => deliveries.length > 0)
    if (leased.length === 0) return { lanes: lanesOf(chosen, []), busy }
    leaseRows.insert(
      trx,
      leased.map(({ merchantId, endpointId, leaseId, deliveries }) => {
        const deliveryIds = deliveries.map(({ id }) => id)
        // If the due time of a delivery were later than the start of its lease, the service would assume that the
        // delivery was rescheduled after the claim. The lease therefore starts no earlier than the due times of its
        // deliveries.
        const startMs = Math.max(toMs(now), ...deliveries.map(({ nextAttemptAt }) => toMs(nextAttemptAt)))
        const expiresAt = toTimestamp(startMs + leaseSeconds * 1000)
        return { merchantId, endpointId, id: leaseId, workerId: request.workerId, expiresAt, deliveryIds }
      }),
    )
    const events = new Map(leased.flatMap(({ deliveries }) => deliveries.map((each) => [each.eventId, each])))
    const merchantIds = [...events.values()].map(({ merchantId }) => merchantId)
    const bodies = await trx.search(findBodies, { merchantIds, eventIds: [...events.keys()] }, [
      ...new Set(merchantIds),
    ])
    await beforeCommit?.()
    return { lanes: lanesOf(chosen, bodies), busy }
  }
  if (beforeCommit === undefined) return bookkeepInSteps(database, find, claim)
  return bookkeep(database, async (trx) => claim(trx, await find(trx)))
}
