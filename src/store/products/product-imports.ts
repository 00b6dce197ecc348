import { sql } from 'kysely'
import { importCheckedMax } from '../../../registry/values/limits.ts'
import type { ImportId, MerchantId, Timestamp } from '../../../registry/values/vocabulary.ts'
import type { Actor } from '../core/audit.ts'
import {
  checking,
  finding,
  listing,
  queueing,
  runningAny,
  runningFirst,
  searchingAll,
  writingAny,
} from '../core/calls.ts'
import { deletingExpired } from '../core/expired-rows.ts'
import type { ProductImportStatus } from '../tables/values.ts'

/**
 * Imports of products from uploaded files.
 *
 *   checking ──┬──> checked ──a member confirms──> importing ──┬──> done
 *              └──> failed  <──────────────────────────────────┘
 *
 * A worker leases an import while it checks the file or creates the products. Another worker continues an import whose
 * lease was released or has expired.
 */

interface ImportKey {
  readonly merchantId: MerchantId
  readonly id: ImportId
}

interface NewImport extends ImportKey {
  readonly fileName: string
  readonly file: Buffer
  /** JSON text of the actor that starts the import. */
  readonly actor: string
  readonly now: Timestamp
}

/** Requires that no import of the merchant is running. */
export const insertImport = queueing<NewImport>()(
  'insert_product_import',
  (p) => sql`
    insert into product_imports (merchant_id, id, file_name, file, actor, created_at, updated_at)
    values (
      ${p.merchantId}, ${p.id}, ${p.fileName}, ${p.file}::bytea, ${p.actor}::jsonb, ${p.now}::timestamptz,
      ${p.now}::timestamptz
    )`,
)

/**
 * Reports whether an import of the merchant is running. If two transactions find none at the same time, the unique index
 * rejects one of them, which then runs again.
 */
export const isImportRunning = checking<{ merchantId: MerchantId }>()(
  'find_running_product_import',
  (p) => sql`
    select id from product_imports where merchant_id = ${p.merchantId} and status in ('checking', 'importing')`,
)

/**
 * Starts the import of a checked file. Returns false if the check of the file has not succeeded, or if its import has
 * already started.
 */
export const startCheckedImport = writingAny<ImportKey & { actor: string; now: Timestamp }>()(
  'start_product_import',
  (p) => sql`
    update product_imports
    set
      status = 'importing', report = null, actor = ${p.actor}::jsonb, progress_attempt = attempt,
      updated_at = ${p.now}::timestamptz
    where merchant_id = ${p.merchantId} and id = ${p.id} and status = 'checked'
    returning id`,
)

const merchantsImporting = searchingAll<{ now: Timestamp }>()(
  'merchants_with_due_product_imports',
  (p, isReachable) => sql<{ merchantId: MerchantId }>`
    select merchant_id
    from product_imports
    where ${isReachable('merchantId')}
      and status in ('checking', 'importing')
      and (leased_until is null or leased_until < ${p.now}::timestamptz)`,
)

export async function listMerchantsImporting(
  ...[db, args]: Parameters<typeof merchantsImporting>
): Promise<readonly MerchantId[]> {
  return (await merchantsImporting(db, args)).map(({ merchantId }) => merchantId)
}

export interface LeasedImport {
  readonly id: ImportId
  readonly status: 'checking' | 'importing'
  readonly file: Buffer
  readonly actor: Actor
  readonly report: object | null
  readonly attempt: number
  /** The number of attempts since the last progress of the import, including the current attempt. */
  readonly attempts: number
}

/** Leases the merchant's running import, unless another worker has leased it. */
export const leaseImport = runningFirst<{ merchantId: MerchantId; now: Timestamp; leasedUntil: Timestamp }>()(
  'lease_product_import',
  (p) => sql<LeasedImport>`
    update product_imports
    set attempt = attempt + 1, leased_until = ${p.leasedUntil}::timestamptz
    where merchant_id = ${p.merchantId}
      and status in ('checking', 'importing')
      and (leased_until is null or leased_until < ${p.now}::timestamptz)
    returning id, status, file, actor, report, attempt, attempt - progress_attempt as attempts`,
)

interface ImportProgress extends ImportKey {
  readonly attempt: number
  readonly status: ProductImportStatus
  /** JSON text of a new report. Null if there is no new report. */
  readonly report: string | null
  /**
   * Whether this attempt of the import has created products. The deletion of the import is postponed only if the
   * attempt has created products, or if the status of the import changes.
   */
  readonly hasCreated: boolean
  /** End of the worker’s lease of the import. Null releases the lease. */
  readonly leasedUntil: Timestamp | null
  readonly now: Timestamp
}

/**
 * Saves the progress of a leased import. Returns whether this attempt still has the lease. Without a new report, the
 * stored report stays, except after a failed check of the file: the stored report would then count products that were
 * never created.
 */
export const saveImport = runningAny<ImportProgress>()(
  'save_product_import',
  (p) => sql`
    update product_imports
    set
      status = ${p.status}, leased_until = ${p.leasedUntil}::timestamptz,
      report = coalesce(
        ${p.report}::jsonb, case when status = 'importing' or ${p.status} <> 'failed' then report end
      ),
      progress_attempt = case when ${p.hasCreated}::boolean then attempt else progress_attempt end,
      updated_at = case
        when ${p.hasCreated}::boolean or status <> ${p.status} then ${p.now}::timestamptz else updated_at
      end,
      file = case when ${p.status} in ('done', 'failed') then ''::bytea else file end
    where merchant_id = ${p.merchantId}
      and id = ${p.id}
      and attempt = ${p.attempt}::integer
      and status in ('checking', 'importing')
    returning id`,
)

export interface ProductImport {
  readonly id: ImportId
  readonly fileName: string
  readonly memberName: string
  readonly status: ProductImportStatus
  readonly report: object | null
  readonly createdAt: Timestamp
}

const columns = sql`id, file_name, actor ->> 'label' as member_name, status, report, created_at`

export const findImport = finding<ImportKey>()(
  'find_product_import',
  (p) => sql<ProductImport>`
    select ${columns} from product_imports where merchant_id = ${p.merchantId} and id = ${p.id}`,
)

/** Maximum number of imports in the list. A merchant imports a few files a day, and an import is deleted after a day. */
const listMax = 20

/** Newest first. */
export const listImports = listing<{ merchantId: MerchantId }>()(
  'list_product_imports',
  (p) => sql<ProductImport>`
    select ${columns}
    from product_imports
    where merchant_id = ${p.merchantId}
    order by id desc
    limit ${sql.lit(listMax)}`,
)

/** Number of imports that one batch deletes. Their files take up to 32 MiB each. */
const deleteMax = 20

export const oldImportDeletion = deletingExpired<{ before: Timestamp }>()({
  label: 'delete_old_imports',
  table: 'product_imports',
  key: ['id'],
  age: 'updated_at',
  hasEnded: (p) => sql`updated_at < ${p.before}::timestamptz`,
  size: deleteMax,
})

/**
 * Deletes the oldest checked files of a merchant, so that at most `importCheckedMax` checked files are stored after the
 * next one is added.
 */
export const deleteOldCheckedImports = queueing<{ merchantId: MerchantId }>()(
  'delete_old_checked_imports',
  (p) => sql`
    delete from product_imports
    where merchant_id = ${p.merchantId}
      and status = 'checked'
      and id <= (
        select id
        from product_imports
        where merchant_id = ${p.merchantId} and status = 'checked'
        order by id desc
        offset ${sql.lit(importCheckedMax - 1)}
        limit 1
      )`,
)
