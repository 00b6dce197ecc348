import { sql } from 'kysely'
import type { EndpointId, MerchantId, Timestamp } from '../../../registry/values/vocabulary.ts'
import type { Database } from './database.ts'
import { writing } from './statement.ts'

/**
 * The names of the jobs. A job only wakes a worker; the rows it works on are the source of truth. A lost job costs
 * time, and a superfluous job costs a query. No job is added inside the transaction of a mutation, because the NOTIFY
 * would delay its commit.
 */
export type JobName =
  | 'deliver_webhooks'
  | 'purge_idempotency_keys'
  | 'expire_orders'
  | 'pay_refunds'
  | 'apply_callbacks'
  | 'apply_carrier_callbacks'
  | 'replay_webhooks'
  | 'redact_callbacks'
  | 'redact_carrier_callbacks'
  | 'purge_positions'
  | 'redact_quotes'
  | 'rotate_partitions'
  | 'delete_expired_secrets'
  | 'delete_request_counts'
  | 'check_shipments'
  | 'publish_surge'
  | 'seal_audit'
  | 'report_audit_heads'
  | 'send_mails'
  | 'delete_old_surge'
  | 'update_estimates'
  | 'roll_up_carriers'
  | 'reconcile_payments'

/**
 * Maximum attempts of a delivery job. It fails only when the database does, and the sweep queues it again within five
 * seconds, so few attempts are enough.
 */
const deliverAttempts = 3

export interface DeliveryJob {
  readonly merchantId: MerchantId
  readonly endpointId: EndpointId
  readonly runAt: Timestamp
}

interface DeliveryJobColumns {
  readonly merchantIds: readonly string[]
  readonly endpointIds: readonly string[]
  readonly keys: readonly string[]
  readonly runAts: readonly string[]
}

/** Adds jobs in the order of their keys, so that two processes adding the same jobs do not deadlock. */
const addJobs = writing<DeliveryJobColumns>()(
  'add_delivery_jobs',
  (p) => sql`
    select count(*)
    from graphile_worker.add_jobs(
      array(
        select
          row(
            'deliver_webhooks', json_build_object('merchantId', merchant_id, 'endpointId', endpoint_id), null,
            run_at, ${sql.lit(deliverAttempts)}, key, null, null
          )::graphile_worker.job_spec
        from unnest(
          ${p.merchantIds}::text[], ${p.endpointIds}::text[], ${p.keys}::text[], ${p.runAts}::timestamptz[]
        ) as job (merchant_id, endpoint_id, key, run_at)
        order by key
      )
    )`,
)

/**
 * Adds any number of delivery jobs in one statement. An endpoint has at most one job; a new job replaces the time of
 * the existing one.
 */
export async function addDeliveryJobs(database: Database, jobs: readonly DeliveryJob[]): Promise<void> {
  const byKey = new Map(jobs.map((job) => [keyOf(job), job]))
  if (byKey.size === 0) return
  const unique = [...byKey.values()]
  await database.run(addJobs, {
    merchantIds: unique.map((job) => job.merchantId),
    endpointIds: unique.map((job) => job.endpointId),
    keys: [...byKey.keys()],
    runAts: unique.map((job) => job.runAt),
  })
}

function keyOf({ endpointId }: DeliveryJob): string {
  return `retry:${endpointId}`
}

/** Names of the jobs that each run for one merchant. */
export type MerchantJobName = Extract<
  JobName,
  'pay_refunds' | 'apply_callbacks' | 'apply_carrier_callbacks' | 'replay_webhooks'
>

const addForMerchants = writing<{ name: MerchantJobName; merchantIds: readonly MerchantId[] }>()(
  'add_merchant_jobs',
  (p) => sql`
    select count(*)
    from graphile_worker.add_jobs(
      array(
        select
          row(
            ${p.name}::text, json_build_object('merchantId', merchant_id), null, null, ${sql.lit(deliverAttempts)},
            ${p.name}::text || ':' || merchant_id, null, null
          )::graphile_worker.job_spec
        from unnest(${p.merchantIds}::text[]) as job (merchant_id)
        order by merchant_id
      )
    )`,
)

const addOne = writing<{ name: JobName }>()(
  'add_job',
  (p) => sql`
    select count(*)
    from graphile_worker.add_jobs(
      array[
        row(
          ${p.name}::text, '{}'::json, null, null, ${sql.lit(deliverAttempts)}, ${p.name}::text, null, null
        )::graphile_worker.job_spec
      ]
    )`,
)

/** Adds a job that runs once for all merchants. */
export async function addJob(
  database: Database,
  name: Extract<JobName, 'check_shipments' | 'send_mails'>,
): Promise<void> {
  await database.run(addOne, { name })
}

/** Adds one job for each of the given merchants. A job that is already queued is not added again. */
export async function addMerchantJobs(
  database: Database,
  name: MerchantJobName,
  merchantIds: readonly MerchantId[],
): Promise<void> {
  if (merchantIds.length > 0) await database.run(addForMerchants, { name, merchantIds })
}
