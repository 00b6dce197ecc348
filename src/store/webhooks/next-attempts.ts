import { sql } from 'kysely'
import type { EndpointId, MerchantId, Timestamp } from '../../../registry/values/vocabulary.ts'
import { bookkeepInSteps } from '../core/bookkeeping.ts'
import type { Database, WriteTrx } from '../core/database.ts'
import { jobAttempts } from '../core/jobs.ts'
import { isOf, reading, writing } from '../core/statement.ts'
import { type DueEndpoint, dueEndpoints } from './delivery-sweeps.ts'
import { lockEndpointStates } from './endpoint-states.ts'
import { type EndpointKey, inMerchantOrder } from './endpoints.ts'
import { useIndexes } from './lease-fragments.ts'

/**
 * Schedules the next attempts of endpoints. An endpoint has at most one job, which wakes a worker when the first of the
 * endpoint’s deliveries is due; then the worker claims all due deliveries and schedules the next job.
 */

interface EndpointsOfMerchant {
  readonly merchantId: MerchantId
  readonly endpointIds: readonly EndpointId[]
}

/**
 * The result includes endpoints without queued deliveries, whose `dueAt` is null. A condition that excludes these
 * endpoints would make PostgreSQL evaluate the expression of the due time twice.
 */
const findNext = reading<EndpointsOfMerchant>()(
  'find_next_attempts',
  (p) => sql<EndpointKey & { dueAt: Timestamp | null }>`
    select merchant_id, endpoint_id, due_at
    from ${dueEndpoints(isOf(p.merchantId))}
    where endpoint_id = any(${p.endpointIds}::text[])`,
)

interface Jobs {
  readonly merchantIds: readonly MerchantId[]
  readonly endpointIds: readonly EndpointId[]
  readonly dueAts: readonly Timestamp[]
}

/** Adds the jobs in the order of their keys, so that two transactions that add jobs of the same endpoints do not deadlock. */
const addJobs = writing<Jobs>()(
  'schedule_next_attempts',
  (p) => sql`
    select count(*)
    from graphile_worker.add_jobs(
      array(
        select
          row(
            'deliver_webhooks', json_build_object('merchantId', merchant_id, 'endpointId', endpoint_id), null,
            due_at, ${sql.lit(jobAttempts)}, 'retry:' || endpoint_id, null, null
          )::graphile_worker.job_spec
        from unnest(${p.merchantIds}::text[], ${p.endpointIds}::text[], ${p.dueAts}::timestamptz[])
          as next (merchant_id, endpoint_id, due_at)
        order by endpoint_id
      )
    )`,
)

async function findNextAttempts(trx: WriteTrx, endpoints: readonly EndpointKey[]): Promise<readonly DueEndpoint[]> {
  const found = inMerchantOrder(endpoints).map(([merchantId, ofMerchant]) =>
    trx.read(findNext, { merchantId, endpointIds: ofMerchant.map(({ endpointId }) => endpointId) }),
  )
  return (await Promise.all(found)).flat().flatMap(({ dueAt, ...key }) => (dueAt === null ? [] : [{ ...key, dueAt }]))
}

function queueJobs(trx: WriteTrx, next: readonly DueEndpoint[]): void {
  if (next.length === 0) return
  trx.queue(addJobs, {
    merchantIds: next.map(({ merchantId }) => merchantId),
    endpointIds: next.map(({ endpointId }) => endpointId),
    dueAts: next.map(({ dueAt }) => dueAt),
  })
}

/**
 * Schedules the next attempt of each endpoint in the transaction that records results. Endpoints without queued
 * deliveries get no job.
 */
export async function queueNextAttempts(trx: WriteTrx, endpoints: readonly EndpointKey[]): Promise<void> {
  trx.queue(useIndexes, {})
  queueJobs(trx, await findNextAttempts(trx, endpoints))
}

/**
 * Schedules a job for the next attempt of each endpoint, however far in the future the attempt is. The endpoints are
 * locked first. Without the locks, this function could replace a job that a concurrent transaction has scheduled for an
 * earlier time.
 */
export async function scheduleNextAttempts(database: Database, endpoints: readonly EndpointKey[]): Promise<void> {
  const find = async (trx: WriteTrx) => {
    const [, , next] = await Promise.all([
      trx.write(useIndexes, {}),
      lockEndpointStates(trx, endpoints),
      findNextAttempts(trx, endpoints),
    ])
    return next
  }
  await bookkeepInSteps(database, find, async (trx, next) => queueJobs(trx, next))
}
