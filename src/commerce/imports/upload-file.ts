import type { ImportId } from '../../../registry/values/vocabulary.ts'
import { newImportId } from '../../base/records.ts'
import type { Actor } from '../../store/core/audit.ts'
import { addMerchantJobs } from '../../store/core/jobs.ts'
import { type Context, mutate, type Tenant } from '../../store/core/mutation.ts'
import {
  deleteOldCheckedImports,
  findImport,
  insertImport,
  isImportRunning,
  startCheckedImport,
} from '../../store/products/product-imports.ts'

/**
 * The two steps of an import that a member takes: uploading the file, and starting the import of the checked file. A
 * worker checks the file in between, and creates the products afterwards.
 */

interface By {
  readonly tenant: Tenant
  readonly actor: Actor
}

export type UploadOutcome = { readonly is: 'stored'; readonly id: ImportId } | { readonly is: 'import_running' }

/** Stores an uploaded file, which a worker then checks. Deletes the oldest files that were checked and not imported. */
export async function uploadFile(
  context: Context,
  { tenant, actor }: By,
  file: { readonly name: string; readonly bytes: Buffer },
): Promise<UploadOutcome> {
  const outcome = await mutate<UploadOutcome>(
    context,
    {
      ...{ tenant, actor, action: 'product_import.create' as const, resourceType: 'product_import' },
      resourceId: (stored) => (stored.is === 'stored' ? stored.id : undefined),
    },
    async ({ trx, merchantId, nowMs, now, note, abort }) => {
      if (await isImportRunning(trx, { merchantId })) return abort({ is: 'import_running' })
      deleteOldCheckedImports(trx, { merchantId })
      const id = newImportId(nowMs)
      insertImport(trx, {
        ...{ merchantId, id, now },
        ...{ fileName: file.name, file: file.bytes, actor: JSON.stringify(actor) },
      })
      // The name of the file is not recorded in the audit log, because it may contain personal data.
      note({ bytes: [null, file.bytes.length] })
      return { is: 'stored', id }
    },
  )
  if (outcome.is === 'stored') await enqueueImport(context, tenant)
  return outcome
}

export type StartOutcome = { readonly is: 'started' | 'import_running' | 'not_checked' | 'import_unknown' }

/**
 * Starts the import of a checked file. The audit log names the member who starts the import as the actor who creates
 * the products.
 */
export async function startImport(context: Context, { tenant, actor }: By, id: ImportId): Promise<StartOutcome> {
  const outcome = await mutate<StartOutcome>(
    context,
    { tenant, actor, action: 'product_import.start' as const, resourceType: 'product_import', resourceId: () => id },
    async ({ trx, merchantId, now, note, abort }) => {
      const found = await findImport(trx, { merchantId, id })
      if (found === undefined) return abort({ is: 'import_unknown' })
      if (found.status !== 'checked') return abort({ is: 'not_checked' })
      if (await isImportRunning(trx, { merchantId })) return abort({ is: 'import_running' })
      if (!(await startCheckedImport(trx, { merchantId, id, actor: JSON.stringify(actor), now })))
        return abort({ is: 'not_checked' })
      note({ status: ['checked', 'importing'] })
      return { is: 'started' }
    },
  )
  if (outcome.is === 'started') await enqueueImport(context, tenant)
  return outcome
}

/** Ignores a failure to enqueue the job, because the next sweep enqueues it too. */
async function enqueueImport({ database }: Context, { merchantId }: Tenant): Promise<void> {
  await addMerchantJobs(database, 'import_products', [merchantId]).catch(() => undefined)
}
