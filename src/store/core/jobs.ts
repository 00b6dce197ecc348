import { sql } from 'kysely'
import type { MerchantId } from '../../../registry/values/vocabulary.ts'
import type { Database, WriteTrx } from './database.ts'
import { writing } from './statement.ts'

/**
 * The names of the jobs. A job only wakes a worker; the rows it works on are the source of truth. A lost job costs
 * time, and a superfluous job costs a query. No job is added inside the transaction of a mutation, because the NOTIFY
 * of the job would delay the commit. There are two exceptions. The transaction that records failed attempts adds the
 * jobs of the retries. The transaction that starts an advance of a test clock adds the job of the advance, because such
 * transactions are rare.
 */
export type JobName =
  | 'deliver_webhooks'
  | 'sweep_deliveries'
  | 'purge_idempotency_keys'
  | 'expire_orders'
  | 'pay_refunds'
  | 'apply_callbacks'
  | 'apply_carrier_callbacks'
  | 'replay_webhooks'
  | 'import_products'
  | 'delete_old_imports'
  | 'redact_callbacks'
  | 'redact_carrier_callbacks'
  | 'purge_positions'
  | 'redact_quotes'
  | 'rotate_partitions'
  | 'delete_expired_secrets'
  | 'delete_request_counts'
  | 'check_shipments'
  | 'follow_returns'
  | 'publish_surge'
  | 'seal_audit'
  | 'report_audit_heads'
  | 'summarise_sales'
  | 'send_mails'
  | 'delete_old_surge'
  | 'update_estimates'
  | 'roll_up_carriers'
  | 'reconcile_payments'
  | 'advance_test_clock'

/**
 * Maximum attempts of a job that wakes a worker. The job fails only when the database fails, and a later sweep adds it
 * to the queue again. Few attempts are therefore enough.
 */
export const jobAttempts = 3

export type MerchantJobName = Extract<
  JobName,
  | 'pay_refunds'
  | 'apply_callbacks'
  | 'apply_carrier_callbacks'
  | 'replay_webhooks'
  | 'import_products'
  | 'advance_test_clock'
>

const addForMerchants = writing<{ name: MerchantJobName; merchantIds: readonly MerchantId[] }>()(
  'add_merchant_jobs',
  (p) => sql`
    select count(*)
    from graphile_worker.add_jobs(
      array(
        select
          row(
            ${p.name}::text, json_build_object('merchantId', merchant_id), null, null, ${sql.lit(jobAttempts)},
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
          ${p.name}::text, '{}'::json, null, null, ${sql.lit(jobAttempts)}, ${p.name}::text, null, null
        )::graphile_worker.job_spec
      ]
    )`,
)

/** Adds a job that does the work of all merchants, unlike the jobs of a single merchant. */
export async function addJob(
  database: Database,
  name: Extract<JobName, 'check_shipments' | 'send_mails'>,
): Promise<void> {
  await database.run(addOne, { name })
}

/** Adds a job for a merchant when the transaction commits. */
export function queueMerchantJob(trx: WriteTrx, name: MerchantJobName, merchantId: MerchantId): void {
  trx.queue(addForMerchants, { name, merchantIds: [merchantId] })
}

/** A job that is already queued is not added again. */
export async function addMerchantJobs(
  database: Database,
  name: MerchantJobName,
  merchantIds: readonly MerchantId[],
): Promise<void> {
  if (merchantIds.length > 0) await database.run(addForMerchants, { name, merchantIds })
}
