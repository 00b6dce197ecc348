import { sql } from 'kysely'
import type {
  BulkReplayId,
  DeliveryId,
  EndpointId,
  MerchantId,
  Timestamp,
} from '../../../registry/values/vocabulary.ts'
import { lockingFirst, queueing } from '../core/calls.ts'
import type { ReadDb, SearchDb, WriteTrx } from '../core/database.ts'
import { build, reading, searching, writing } from '../core/statement.ts'
import type { BulkReplayStatus, ReplayableStatus } from '../tables/values.ts'
import type { EndpointKey } from './endpoints.ts'
import { leasedIdsOf } from './lease-fragments.ts'

/**
 * Bulk replays send many deliveries again. The row stores the selection and the progress. Each queued delivery is an
 * ordinary replay that also refers to the bulk replay.
 *
 *   running ──┬──> done        every original was checked, and no queued replay is pending
 *             └──> cancelled   by a user, or because the endpoint was deleted
 */

/**
 * The minimum age, in milliseconds, of the deliveries that a bulk replay reads. The id of a delivery starts with the
 * time at which its transaction began, but its row becomes visible only at the commit. A row that becomes visible late
 * could therefore have an id that the scan has already passed. No statement takes longer than 15 seconds, so the rows
 * of older deliveries are visible.
 */
export const settlingMs = 15_000

interface BulkReplayKey {
  readonly merchantId: MerchantId
  readonly id: BulkReplayId
}

export interface NewBulkReplay extends BulkReplayKey, EndpointKey {
  readonly since: Timestamp
  readonly until: Timestamp
  readonly statuses: readonly ReplayableStatus[]
  readonly now: Timestamp
}

/** Requires the endpoint's lock, and that the endpoint has no running bulk replay. */
export const insertBulkReplay = queueing<NewBulkReplay>()(
  'insert_bulk_replay',
  (p) => sql`
    insert into webhook_bulk_replays (merchant_id, id, endpoint_id, since, until, statuses, created_at)
    values (
      ${p.merchantId}, ${p.id}, ${p.endpointId}, ${p.since}::timestamptz, ${p.until}::timestamptz,
      ${p.statuses}::text[], ${p.now}::timestamptz
    )`,
)

const findRunning = reading<EndpointKey>()('find_running_bulk_replay', (p) =>
  build
    .selectFrom('webhook_bulk_replays')
    .where('merchantId', '=', p.merchantId)
    .where('endpointId', '=', p.endpointId)
    .where('status', '=', 'running')
    .select('id'),
)

export async function findRunningReplay(db: ReadDb, endpoint: EndpointKey): Promise<BulkReplayId | undefined> {
  const { merchantId, endpointId } = endpoint
  return (await db.read(findRunning, { merchantId, endpointId }))[0]?.id
}

const countSkipped = reading<EndpointKey & { fromId: string }>()('count_skipped_deliveries', (p) =>
  build
    .selectFrom('webhook_deliveries')
    .where('merchantId', '=', p.merchantId)
    .where('endpointId', '=', p.endpointId)
    .where('status', '=', 'skipped')
    .where('trigger', '=', 'automatic')
    .where(sql<boolean>`id >= ${p.fromId}`)
    .select(sql<number>`count(*)`.as('skipped')),
)

/** Returns the number of deliveries, from a given id on, that were skipped because the endpoint was disabled. */
export async function countSkippedDeliveries(db: ReadDb, counted: EndpointKey & { fromId: string }): Promise<number> {
  return (await db.read(countSkipped, counted))[0]?.skipped ?? 0
}

const listRunning = reading<{ merchantId: MerchantId }>()('list_running_bulk_replays', (p) =>
  build
    .selectFrom('webhook_bulk_replays')
    .where('merchantId', '=', p.merchantId)
    .where('status', '=', 'running')
    .select('id')
    .orderBy('id'),
)

/** Oldest first. */
export async function listRunningReplays(db: ReadDb, merchantId: MerchantId): Promise<readonly BulkReplayId[]> {
  return (await db.read(listRunning, { merchantId })).map(({ id }) => id)
}

const merchantsReplaying = searching<object>()('merchants_with_running_bulk_replays', (_, isReachable) =>
  build
    .selectFrom('webhook_bulk_replays')
    .where(isReachable('merchantId'))
    .where('status', '=', 'running')
    .select('merchantId')
    .distinct(),
)

export async function listMerchantsReplaying(db: SearchDb): Promise<readonly MerchantId[]> {
  return (await db.search(merchantsReplaying, {})).map(({ merchantId }) => merchantId)
}

export interface RunningReplay extends BulkReplayKey, EndpointKey {
  readonly since: Timestamp
  readonly until: Timestamp
  readonly statuses: readonly ReplayableStatus[]
  readonly lastDeliveryId: DeliveryId | null
  readonly queued: number
  readonly isEndpointDeleted: boolean
}

/**
 * Locks a running bulk replay. Returns undefined when it has ended or another worker has locked it. A locked bulk
 * replay is skipped, because another worker is processing it.
 */
export const lockRunningReplay = lockingFirst<BulkReplayKey>()(
  'lock_running_bulk_replay',
  (p) => sql<RunningReplay>`
    select
      replay.merchant_id, replay.id, replay.endpoint_id, replay.since, replay.until,
      replay.statuses, replay.last_delivery_id, replay.queued,
      endpoint.deleted_at is not null as is_endpoint_deleted
    from webhook_bulk_replays replay
    join webhook_endpoints endpoint
      on endpoint.merchant_id = replay.merchant_id and endpoint.id = replay.endpoint_id
    where replay.merchant_id = ${p.merchantId} and replay.id = ${p.id} and replay.status = 'running'
    for update of replay skip locked`,
)

/**
 * Number of deliveries that each statement scans, whether or not they match the selection of the bulk replay. Scanning
 * so many takes far less than the statement timeout.
 */
const windowRows = 5_000

interface Chunk extends BulkReplayKey, EndpointKey {
  readonly statuses: readonly ReplayableStatus[]
  /** Bounds of the delivery ids that the bulk replay scans. Both bounds are excluded. */
  readonly afterId: string
  readonly beforeId: string
  /**
   * The ids for the new deliveries (replays), in order. Their number is the limit of pending replays, so the store uses
   * fewer ids while earlier replays are pending.
   */
  readonly deliveryIds: readonly DeliveryId[]
  readonly now: Timestamp
}

interface Queued {
  /** The number of pending deliveries that earlier batches of this bulk replay have queued. */
  readonly waiting: number
  readonly queued: number
  readonly lastQueuedId: DeliveryId | null
  readonly scanned: number
  readonly lastScannedId: DeliveryId | null
}

/**
 * Scans deliveries in key order, which is chronological. The query first limits the number of scanned rows, and then
 * filters them by endpoint and status. If the limited part of the query contained these filters and only few rows
 * matched, it could scan the merchant's whole history.
 */
const queue = writing<Chunk>()(
  'queue_bulk_replay',
  (p) => sql<Queued>`
    with waiting as materialized (
      select count(*)::integer as deliveries
      from webhook_deliveries
      where merchant_id = ${p.merchantId} and bulk_replay_id = ${p.id} and status = 'pending'
    ), scanned as materialized (
      select id, event_id, endpoint_id, trigger, status, completed_at
      from webhook_deliveries
      where merchant_id = ${p.merchantId} and id > ${p.afterId} and id < ${p.beforeId}
      order by id
      limit ${sql.lit(windowRows)}
    ), original as materialized (
      select id, event_id, row_number() over (order by id) as position
      from scanned
      where endpoint_id = ${p.endpointId}
        and trigger = 'automatic'
        and status = any(${p.statuses}::text[])
        and completed_at is not null
      order by id
      limit greatest(0, cardinality(${p.deliveryIds}::text[]) - (select deliveries from waiting))
    ), queued as (
      insert into webhook_deliveries (
        merchant_id, id, event_id, endpoint_id, status, trigger, replay_of, bulk_replay_id, next_attempt_at, is_paced,
        created_at
      )
      select
        ${p.merchantId}, (${p.deliveryIds}::text[])[position], event_id, ${p.endpointId}, 'pending', 'replay', id,
        ${p.id}, ${p.now}::timestamptz, false, ${p.now}::timestamptz
      from original
      returning replay_of
    )
    select
      (select deliveries from waiting) as waiting,
      (select count(*)::integer from queued) as queued,
      (select max(replay_of) from queued) as last_queued_id,
      (select count(*)::integer from scanned) as scanned,
      (select max(id) from scanned) as last_scanned_id`,
)

export interface QueuedChunk extends Queued {
  /** Whether the limit of pending replays was reached, in which case more original deliveries may remain. */
  readonly isFull: boolean
  /** Whether the scan of deliveries reached the end of the range of ids. */
  readonly isAtEnd: boolean
}

/** Queues the next replays, up to the limit of pending replays. Requires the lock of the bulk replay. */
export async function queueReplays(trx: WriteTrx, chunk: Chunk): Promise<QueuedChunk> {
  const [found] = await trx.write(queue, chunk)
  if (found === undefined) throw new Error('queue_bulk_replay returned no row.')
  const isFull = found.waiting + found.queued >= chunk.deliveryIds.length
  return { ...found, isFull, isAtEnd: !isFull && found.scanned < windowRows }
}

interface Progress extends BulkReplayKey {
  readonly status: BulkReplayStatus
  readonly lastDeliveryId: string | null
  readonly queued: number
  readonly completedAt: Timestamp | null
}

/**
 * Saves the progress of a bulk replay. Must run in the transaction that queued the replays and has locked the bulk
 * replay, so that no replay is queued twice after a crash.
 */
export const saveReplay = queueing<Progress>()(
  'save_bulk_replay',
  (p) => sql`
    update webhook_bulk_replays
    set
      status = ${p.status}, last_delivery_id = ${p.lastDeliveryId}, queued = ${p.queued}::integer,
      completed_at = ${p.completedAt}::timestamptz
    where merchant_id = ${p.merchantId} and id = ${p.id}`,
)

/**
 * Locks a bulk replay for a command of a user, such as its cancellation. Waits for the worker that is processing it.
 */
export const lockReplay = lockingFirst<BulkReplayKey>()('lock_bulk_replay', (p) =>
  build
    .selectFrom('webhook_bulk_replays')
    .where('merchantId', '=', p.merchantId)
    .where('id', '=', p.id)
    .select(['status', 'queued', 'lastDeliveryId'])
    .forUpdate(),
)

/**
 * Sets the status of the queued deliveries of a bulk replay to `skipped`. Two kinds of deliveries are left unchanged:
 * deliveries that a worker has leased, and deliveries that a worker is completing and has therefore locked.
 */
const skip = writing<BulkReplayKey & { now: Timestamp }>()(
  'skip_bulk_replay_deliveries',
  (p) => sql<{ id: string }>`
    with waiting as (
      select id
      from webhook_deliveries
      where merchant_id = ${p.merchantId}
        and bulk_replay_id = ${p.id}
        and status = 'pending'
        and next_attempt_at is not null
        and id <> all(${leasedIdsOf(p.merchantId)})
      for update skip locked
    )
    update webhook_deliveries delivery
    set status = 'skipped', next_attempt_at = null, completed_at = ${p.now}::timestamptz
    from waiting
    where delivery.merchant_id = ${p.merchantId} and delivery.id = waiting.id
    returning delivery.id`,
)

/** Returns the number of skipped deliveries. */
export async function skipReplays(trx: WriteTrx, replay: BulkReplayKey & { now: Timestamp }): Promise<number> {
  return (await trx.write(skip, replay)).length
}

const countOf = (status: string) => sql<number>`count(*) filter (where delivery.status = ${sql.lit(status)})`

const list = reading<{ merchantId: MerchantId; endpointId: EndpointId | null; limit: number }>()(
  'list_bulk_replays',
  (p) =>
    build
      .selectFrom('webhook_bulk_replays as replay')
      .leftJoinLateral(
        (eb) =>
          eb
            .selectFrom('webhook_deliveries as delivery')
            .where('delivery.merchantId', '=', p.merchantId)
            .whereRef('delivery.bulkReplayId', '=', 'replay.id')
            .select([
              countOf('succeeded').as('succeeded'),
              countOf('failed').as('failed'),
              countOf('pending').as('waiting'),
            ])
            .as('progress'),
        (join) => join.onTrue(),
      )
      .where('replay.merchantId', '=', p.merchantId)
      .where(sql<boolean>`(${p.endpointId}::text is null or replay.endpoint_id = ${p.endpointId})`)
      .select([
        'replay.id',
        'replay.endpointId',
        'replay.status',
        'replay.since',
        'replay.until',
        'replay.statuses',
        'replay.queued',
        'progress.succeeded',
        'progress.failed',
        'progress.waiting',
        'replay.createdAt',
        'replay.completedAt',
      ])
      .orderBy('replay.id', 'desc')
      .limit(p.limit),
)

/** Newest first. */
export function listBulkReplays(
  db: ReadDb,
  request: { merchantId: MerchantId; endpointId?: EndpointId; limit: number },
) {
  return db.read(list, { endpointId: null, ...request })
}
