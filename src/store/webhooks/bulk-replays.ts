import { sql } from 'kysely'
import type {
  BulkReplayId,
  DeliveryId,
  EndpointId,
  MerchantId,
  Timestamp,
} from '../../../registry/values/vocabulary.ts'
import type { LockTrx, ReadDb, WriteTrx } from '../core/database.ts'
import { build, locking, reading, writing } from '../core/statement.ts'
import type { BulkReplayStatus, ReplayableStatus } from '../tables/bulk-replay.ts'
import type { EndpointKey } from './endpoints.ts'

/**
 * Many deliveries sent once more. The row says which and how far it has come; what it queued are replays like any other,
 * which also name it.
 *
 *   running ──┬──> done        each original was looked at, and nothing queued is still to be sent
 *             └──> cancelled   by a person, or because its endpoint was deleted
 */

/**
 * An id begins with the moment its mutation began, and its row is seen from the commit on. What is younger than this is
 * not looked at yet, so that nothing is committed behind the cursor. No statement may take longer.
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

const insert = writing<NewBulkReplay>()(
  'insert_bulk_replay',
  (p) => sql`
    insert into webhook_bulk_replays (merchant_id, id, endpoint_id, since, until, statuses, created_at)
    values (
      ${p.merchantId}, ${p.id}, ${p.endpointId}, ${p.since}::timestamptz, ${p.until}::timestamptz,
      ${p.statuses}::text[], ${p.now}::timestamptz
    )`,
)

/** Under the lock of its endpoint, and when findRunningReplay() found none: there is one at a time. */
export function insertBulkReplay(trx: WriteTrx, replay: NewBulkReplay): void {
  trx.queue(insert, replay)
}

const findRunning = reading<EndpointKey>()('find_running_bulk_replay', (p) =>
  build
    .selectFrom('webhook_bulk_replays')
    .where('merchant_id', '=', p.merchantId)
    .where('endpoint_id', '=', p.endpointId)
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
    .where('merchant_id', '=', p.merchantId)
    .where('endpoint_id', '=', p.endpointId)
    .where('status', '=', 'skipped')
    .where('trigger', '=', 'automatic')
    .where(sql<boolean>`id >= ${p.fromId}`)
    .select(sql<number>`count(*)`.as('skipped')),
)

/** How many events an endpoint was not sent because it was disabled, from a lowest delivery id on. */
export async function countSkippedDeliveries(db: ReadDb, counted: EndpointKey & { fromId: string }): Promise<number> {
  return (await db.read(countSkipped, counted))[0]?.skipped ?? 0
}

const listRunning = reading<{ merchantId: MerchantId }>()('list_running_bulk_replays', (p) =>
  build
    .selectFrom('webhook_bulk_replays')
    .where('merchant_id', '=', p.merchantId)
    .where('status', '=', 'running')
    .select('id')
    .orderBy('id'),
)

export async function listRunningReplays(db: ReadDb, merchantId: MerchantId): Promise<readonly BulkReplayId[]> {
  return (await db.read(listRunning, { merchantId })).map(({ id }) => id)
}

const merchantsReplaying = reading<object>()('merchants_with_running_bulk_replays', () =>
  build
    .selectFrom('webhook_bulk_replays')
    .where('status', '=', 'running')
    .select('merchant_id as merchantId')
    .distinct(),
)

/** The merchants with something to replay. */
export async function listMerchantsReplaying(db: ReadDb): Promise<readonly MerchantId[]> {
  return (await db.read(merchantsReplaying, {})).map(({ merchantId }) => merchantId)
}

export interface RunningReplay extends BulkReplayKey, EndpointKey {
  readonly since: Timestamp
  readonly until: Timestamp
  readonly statuses: readonly ReplayableStatus[]
  readonly lastDeliveryId: DeliveryId | null
  readonly queued: number
  readonly isEndpointDeleted: boolean
}

/** Whoever else works on it has it locked, and does what there is to do. */
const lockRunning = locking<BulkReplayKey>()(
  'lock_running_bulk_replay',
  (p) => sql<RunningReplay>`
    select
      replay.merchant_id as "merchantId", replay.id, replay.endpoint_id as "endpointId", replay.since, replay.until,
      replay.statuses, replay.last_delivery_id as "lastDeliveryId", replay.queued,
      endpoint.deleted_at is not null as "isEndpointDeleted"
    from webhook_bulk_replays replay
    join webhook_endpoints endpoint
      on endpoint.merchant_id = replay.merchant_id and endpoint.id = replay.endpoint_id
    where replay.merchant_id = ${p.merchantId} and replay.id = ${p.id} and replay.status = 'running'
    for update of replay skip locked`,
)

/** Undefined when it is over, or somebody else is at it. */
export async function lockRunningReplay(
  trx: LockTrx,
  { merchantId, id }: BulkReplayKey,
): Promise<RunningReplay | undefined> {
  return (await trx.lock(lockRunning, { merchantId, id }))[0]
}

/**
 * So many rows are looked at in one statement, which keeps it far below the statement timeout when a busy merchant has
 * few that are asked for.
 */
const windowRows = 5_000

interface Chunk extends BulkReplayKey, EndpointKey {
  readonly statuses: readonly ReplayableStatus[]
  /** Above the one and below the other. */
  readonly afterId: string
  readonly beforeId: string
  /** For those it queues, in their order. Their number is how many may wait at once. */
  readonly deliveryIds: readonly DeliveryId[]
  readonly now: Timestamp
}

interface Queued {
  /** Still to be sent of what was queued before. */
  readonly waiting: number
  readonly queued: number
  readonly lastQueuedId: DeliveryId | null
  readonly looked: number
  readonly lastLookedId: DeliveryId | null
}

/**
 * In the order of their keys, which is the order of time. The endpoint and the status are judged behind the window: put
 * together with it, PostgreSQL would take what is rare for common and walk the merchant's whole past.
 */
const queue = writing<Chunk>()(
  'queue_bulk_replay',
  (p) => sql<Queued>`
    with waiting as materialized (
      select count(*)::integer as deliveries
      from webhook_deliveries
      where merchant_id = ${p.merchantId} and bulk_replay_id = ${p.id} and status = 'pending'
    ), looked as materialized (
      select id, event_id, endpoint_id, trigger, status, completed_at
      from webhook_deliveries
      where merchant_id = ${p.merchantId} and id > ${p.afterId} and id < ${p.beforeId}
      order by id
      limit ${sql.lit(windowRows)}
    ), original as materialized (
      select id, event_id, row_number() over (order by id) as position
      from looked
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
      (select max(replay_of) from queued) as "lastQueuedId",
      (select count(*)::integer from looked) as looked,
      (select max(id) from looked) as "lastLookedId"`,
)

export interface QueuedChunk extends Queued {
  /** There was room for no more, and there may be more. */
  readonly isFull: boolean
  /** Nothing lies between what was looked at and the end. */
  readonly isAtEnd: boolean
}

/** Queues the next originals of a replay, as many as may still wait. To be called under the lock of the replay. */
export async function queueReplays(trx: WriteTrx, chunk: Chunk): Promise<QueuedChunk> {
  const [found] = await trx.write(queue, chunk)
  if (found === undefined) throw new Error('The chunk of a bulk replay has no result.')
  const isFull = found.waiting + found.queued >= chunk.deliveryIds.length
  return { ...found, isFull, isAtEnd: !isFull && found.looked < windowRows }
}

interface Progress extends BulkReplayKey {
  readonly status: BulkReplayStatus
  readonly lastDeliveryId: string | null
  readonly queued: number
  readonly completedAt: Timestamp | null
}

const save = writing<Progress>()(
  'save_bulk_replay',
  (p) => sql`
    update webhook_bulk_replays
    set
      status = ${p.status}, last_delivery_id = ${p.lastDeliveryId}, queued = ${p.queued}::integer,
      completed_at = ${p.completedAt}::timestamptz
    where merchant_id = ${p.merchantId} and id = ${p.id}`,
)

/** Under its lock, and in the transaction that queued what it counts: so nothing is queued twice, whatever crashes. */
export function saveReplay(trx: WriteTrx, progress: Progress): void {
  trx.queue(save, progress)
}

const lock = locking<BulkReplayKey>()('lock_bulk_replay', (p) =>
  build
    .selectFrom('webhook_bulk_replays')
    .where('merchant_id', '=', p.merchantId)
    .where('id', '=', p.id)
    .select(['status', 'queued', 'last_delivery_id as lastDeliveryId'])
    .forUpdate(),
)

/** For a person: waits for whoever works on it. */
export async function lockReplay(trx: LockTrx, { merchantId, id }: BulkReplayKey) {
  return (await trx.lock(lock, { merchantId, id }))[0]
}

/** What is leased is left to its worker. What another transaction has locked is just being leased, or is over. */
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
      for update skip locked
    )
    update webhook_deliveries delivery
    set status = 'skipped', next_attempt_at = null, completed_at = ${p.now}::timestamptz
    from waiting
    where delivery.merchant_id = ${p.merchantId} and delivery.id = waiting.id
    returning delivery.id`,
)

/** How many are not sent. */
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
            .whereRef('delivery.merchant_id', '=', 'replay.merchant_id')
            .whereRef('delivery.bulk_replay_id', '=', 'replay.id')
            .select([
              countOf('succeeded').as('succeeded'),
              countOf('failed').as('failed'),
              countOf('pending').as('waiting'),
            ])
            .as('progress'),
        (join) => join.onTrue(),
      )
      .where('replay.merchant_id', '=', p.merchantId)
      .where(sql<boolean>`(${p.endpointId}::text is null or replay.endpoint_id = ${p.endpointId})`)
      .select([
        'replay.id',
        'replay.endpoint_id as endpointId',
        'replay.status',
        'replay.since',
        'replay.until',
        'replay.statuses',
        'replay.queued',
        'progress.succeeded',
        'progress.failed',
        'progress.waiting',
        'replay.created_at as createdAt',
        'replay.completed_at as completedAt',
      ])
      .orderBy('replay.id', 'desc')
      .limit(p.limit),
)

/** Newest first, each with how far it has come. */
export function listBulkReplays(
  db: ReadDb,
  request: { merchantId: MerchantId; endpointId?: EndpointId; limit: number },
) {
  return db.read(list, { endpointId: null, ...request })
}
