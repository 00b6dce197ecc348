import { sql } from 'kysely'
import { bookkeepAtOnce } from '../core/bookkeeping.ts'
import type { Database, WriteTrx } from '../core/database.ts'
import { jobAttempts } from '../core/jobs.ts'
import { writing } from '../core/statement.ts'
import { nextDue } from './delivery-sweeps.ts'
import { lockEndpointStates } from './endpoint-states.ts'
import type { EndpointKey } from './endpoints.ts'
import { leasedByEndpoint, leasedOfEndpoint, useIndexes } from './lease-fragments.ts'

/**
 * Schedules the next attempts of endpoints. An endpoint has at most one job, which wakes a worker when the first of the
 * endpoint’s deliveries is due; then the worker claims all due deliveries and schedules the next job.
 */

interface Endpoints {
  readonly merchantIds: readonly string[]
  readonly endpointIds: readonly string[]
}

/** Adds the jobs in the order of their keys, so that two transactions that add jobs of the same endpoints do not deadlock. */
const schedule = writing<Endpoints>()(
  'schedule_next_attempts',
  (p) => sql`
    with ${leasedByEndpoint((column) => sql`${sql.ref(column)} = any(${p.merchantIds}::text[])`)}, next as (
      select endpoint.merchant_id, endpoint.id as endpoint_id, first.due_at
      from unnest(${p.merchantIds}::text[], ${p.endpointIds}::text[]) as wanted (merchant_id, id)
      join webhook_endpoints endpoint on endpoint.merchant_id = wanted.merchant_id and endpoint.id = wanted.id
      ${leasedOfEndpoint}
      cross join lateral (${nextDue(() => sql`true`)}) first
      where endpoint.deleted_at is null and first.due_at is not null
    )
    select count(*)
    from graphile_worker.add_jobs(
      array(
        select
          row(
            'deliver_webhooks', json_build_object('merchantId', merchant_id, 'endpointId', endpoint_id), null,
            due_at, ${sql.lit(jobAttempts)}, 'retry:' || endpoint_id, null, null
          )::graphile_worker.job_spec
        from next
        order by endpoint_id
      )
    )`,
)

function columnsOf(endpoints: readonly EndpointKey[]): Endpoints {
  return {
    merchantIds: endpoints.map(({ merchantId }) => merchantId),
    endpointIds: endpoints.map(({ endpointId }) => endpointId),
  }
}

/**
 * Schedules the next attempt of each endpoint in the transaction that records results, without waiting for the
 * statement. Endpoints without queued deliveries get no job.
 */
export function queueNextAttempts(trx: WriteTrx, endpoints: readonly EndpointKey[]): void {
  trx.queue(useIndexes, {})
  trx.queue(schedule, columnsOf(endpoints))
}

/**
 * Schedules the next attempt of each endpoint, however far in the future it is. The lock of the endpoints comes first:
 * without it, a job for an earlier attempt that a concurrent transaction records could be replaced.
 */
export async function scheduleNextAttempts(database: Database, endpoints: readonly EndpointKey[]): Promise<void> {
  await bookkeepAtOnce(database, (trx) =>
    Promise.all([
      trx.write(useIndexes, {}),
      lockEndpointStates(trx, endpoints),
      trx.write(schedule, columnsOf(endpoints)),
    ]),
  )
}
