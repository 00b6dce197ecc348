import { type RawBuilder, sql } from 'kysely'
import { bookkeep } from '../core/bookkeeping.ts'
import type { Database, WriteTrx } from '../core/database.ts'
import { reading, searching, writing } from '../core/statement.ts'
import { readOldestDueMs } from '../webhooks/delivery-sweeps.ts'
import { isNotLeased, leasedByEndpoint, leasedOfEndpoint } from '../webhooks/lease-fragments.ts'

/**
 * Reads, for the metrics, how much work waits in the database and how old it is. The cost of every statement is
 * bounded.
 */

export interface Backlog {
  /** Number of deliveries that are due, at most `countMax`. */
  readonly deliveriesDue: number
  /** Time in milliseconds for which the oldest due delivery has been due; 0 if none is due. */
  readonly oldestDueMs: number
  /**
   * For each responding node of a distributed database, the time in milliseconds for which its oldest due delivery has
   * been due.
   */
  readonly oldestDueOfNodes: readonly { readonly node: string; readonly dueMs: number }[]
  /**
   * Time in milliseconds since the oldest audit row that is not in its hash chain yet; 0 if every row is in its chain.
   */
  readonly oldestUnsealedMs: number
  /** Time in milliseconds for which the oldest due check of a refund has been due; 0 if none is due. */
  readonly oldestDueRefundMs: number
  readonly jobs: readonly JobCount[]
  readonly walArchive: WalArchive
}

/**
 * The state of the continuous archive of the write-ahead log. If the server archives nothing, `isFailing` is false and
 * `archivedAgeMs` is 0.
 */
export interface WalArchive {
  /** Whether the last attempt to archive a segment of the write-ahead log failed. */
  readonly isFailing: boolean
  /** Time in milliseconds since the last segment of the write-ahead log was archived. */
  readonly archivedAgeMs: number
}

export interface JobCount {
  readonly name: string
  /** Number of jobs in the queue that could run now. */
  readonly ready: number
  /** Time in milliseconds for which the oldest ready job has been ready; 0 without a ready job. */
  readonly oldestReadyMs: number
  /** Number of jobs whose last permitted attempt failed. */
  readonly failed: number
}

export interface TableSize {
  readonly table: string
  readonly bytes: number
}

/**
 * Maximum number of rows counted for a backlog metric. A backlog of ten thousand needs attention as much as a longer
 * one, and counting it takes milliseconds.
 */
const countMax = 10_000

/**
 * Timeout in milliseconds of the statements that measure backlogs. A longer statement would burden a database that is
 * already slow.
 */
const statementMs = 2_000

const limitTime = writing<{ ms: string }>()(
  'limit_statement_time',
  (p) => sql<{ limited: string }>`select set_config('statement_timeout', ${p.ms}, true) as limited`,
)

/**
 * Selects the due deliveries of an endpoint if the endpoint meets a condition. The condition is checked before any
 * delivery is read.
 */
const dueIf = (condition: RawBuilder<unknown>, isPaced: boolean, triggers: RawBuilder<unknown>) => sql`
  select 1
  from webhook_deliveries delivery
  where ${condition}
    and delivery.merchant_id = endpoint.merchant_id
    and delivery.endpoint_id = endpoint.id
    and delivery.is_paced = ${sql.lit(isPaced)}
    and delivery.next_attempt_at <= clock_timestamp()
    and ${isNotLeased(sql.ref('delivery.id'))}
    ${triggers}`

const isEnabled = sql`endpoint.status = 'enabled'`
const isDisabled = sql`endpoint.status <> 'enabled'`
const mayPace = sql`(endpoint.paced_until is null or endpoint.paced_until <= clock_timestamp())`
const isManual = sql`and delivery.trigger <> 'automatic'`

/**
 * Throttled deliveries, and automatic deliveries to disabled endpoints, wait on purpose, so they are not due. Each
 * branch of the query reads one range of an index. A single condition for all branches would read every waiting
 * delivery.
 */
const countDue = searching<object>()('count_due_deliveries', (_, isReachable) => {
  const isSearched = isReachable('delivery.merchantId')
  return sql<{ count: number }>`
      with ${leasedByEndpoint(isReachable)}
      select count(*)::integer as count
      from (
        select 1
        from webhook_endpoints endpoint
        ${leasedOfEndpoint}
        cross join lateral (
          ${dueIf(sql`${isSearched} and ${isEnabled}`, false, sql``)}
          union all
          ${dueIf(sql`${isSearched} and ${isEnabled} and ${mayPace}`, true, sql``)}
          union all
          ${dueIf(sql`${isSearched} and ${isDisabled}`, false, isManual)}
          union all
          ${dueIf(sql`${isSearched} and ${isDisabled} and ${mayPace}`, true, isManual)}
        ) delivery
        where ${isReachable('endpoint.merchantId')} and endpoint.deleted_at is null
        limit ${sql.lit(countMax)}
      ) due`
})

const isReady = sql`locked_at is null and run_at <= now() and attempts < max_attempts`

/** Graphile Worker deletes a job that succeeded, so the table contains jobs that wait, run or failed. */
const countJobs = writing<object>()(
  'count_jobs',
  () => sql<JobCount>`
    select
      task_identifier as name,
      count(*) filter (where ${isReady})::integer as ready,
      coalesce(extract(epoch from now() - min(run_at) filter (where ${isReady})) * 1000, 0)::float8 as oldest_ready_ms,
      count(*) filter (where attempts >= max_attempts and locked_at is null)::integer as failed
    from graphile_worker.jobs
    group by task_identifier`,
)

/** Reads the audit queue in physical order, in which the oldest rows are approximately the first ones. */
const oldestUnsealed = searching<object>()(
  'oldest_unsealed_audit',
  (_, isReachable) => sql<{ ageMs: number }>`
    select coalesce(extract(epoch from clock_timestamp() - min(recorded_at)) * 1000, 0)::float8 as age_ms
    from (
      select recorded_at from audit_queue where ${isReachable('merchantId')} limit ${sql.lit(countMax)}
    ) as queued`,
)

/**
 * A refund stays due only if no worker claims it, because a claim moves the time of the next check to the future. The
 * statement reads the index of refunds with a scheduled check, like the sweep for due refunds.
 */
const oldestDueRefund = searching<object>()(
  'oldest_due_refund',
  (_, isReachable) => sql<{ ageMs: number }>`
    select coalesce(extract(epoch from clock_timestamp() - min(next_check_at)) * 1000, 0)::float8 as age_ms
    from refunds
    where ${isReachable('merchantId')} and next_check_at <= clock_timestamp()`,
)

/**
 * WAL archiving is treated as failing if its last failure is newer than its last success. If nothing was archived yet,
 * the time of the last reset of PostgreSQL's statistics replaces the time of the last success.
 */
const walArchive = reading<object>()(
  'wal_archive',
  () => sql<WalArchive>`
    select
      coalesce(last_failed_time > coalesce(last_archived_time, stats_reset, '-infinity'), false) as is_failing,
      greatest(
        coalesce(extract(epoch from clock_timestamp() - coalesce(last_archived_time, stats_reset)) * 1000, 0), 0
      )::float8 as archived_age_ms
    from pg_stat_archiver
    where current_setting('archive_mode') <> 'off'`,
)

const archivesNothing: WalArchive = { isFailing: false, archivedAgeMs: 0 }

/**
 * The size of a partitioned table is the size of its partitions. pg_partition_tree() returns no row for a table that is
 * not partitioned.
 */
const tableSizes = writing<object>()(
  'table_sizes',
  () => sql<TableSize>`
    select
      root.relname as "table",
      coalesce(sum(pg_total_relation_size(part.relid)), pg_total_relation_size(root.oid), 0)::float8 as bytes
    from pg_class root
    left join lateral pg_partition_tree(root.oid) part on true
    where root.relnamespace in (current_schema()::regnamespace, to_regnamespace('graphile_worker'))
      and root.relkind in ('p', 'r')
      and not root.relispartition
    group by root.oid, root.relname`,
)

export function readBacklog(database: Database): Promise<Backlog> {
  const nodes = database.reachability.reachableNodes()
  return withLimit(database, async (trx) => {
    const dueOfNodes = nodes.map(async ({ name, merchants }) => ({
      node: name,
      dueMs: await readOldestDueMs(trx, merchants),
    }))
    const [[due], oldestDueMs, oldestDueOfNodes, jobs, [unsealed], [refund], [archive]] = await Promise.all([
      trx.search(countDue, {}),
      readOldestDueMs(trx),
      Promise.all(dueOfNodes),
      trx.write(countJobs, {}),
      trx.search(oldestUnsealed, {}),
      trx.search(oldestDueRefund, {}),
      trx.read(walArchive, {}),
    ])
    return {
      deliveriesDue: due?.count ?? 0,
      oldestDueMs,
      oldestDueOfNodes,
      oldestUnsealedMs: unsealed?.ageMs ?? 0,
      oldestDueRefundMs: refund?.ageMs ?? 0,
      jobs,
      walArchive: archive ?? archivesNothing,
    }
  })
}

/** Includes the tables of the job queue. Each table and each partition costs a few system calls. */
export function readTableSizes(database: Database): Promise<readonly TableSize[]> {
  return withLimit(database, (trx) => trx.write(tableSizes, {}))
}

function withLimit<Result>(database: Database, run: (trx: WriteTrx) => Promise<Result>): Promise<Result> {
  return bookkeep(database.within(2 * statementMs), async (trx) => {
    const [, result] = await Promise.all([trx.write(limitTime, { ms: String(statementMs) }), run(trx)])
    return result
  })
}
