import type { MerchantId } from '../../../registry/values/vocabulary.ts'
import { toTimestamp } from '../../base/clock.ts'
import { getTenant } from '../../store/access/merchants.ts'
import { isTransient } from '../../store/core/faults.ts'
import type { Context } from '../../store/core/mutation.ts'
import { type LeasedImport, leaseImport, saveImport } from '../../store/products/product-imports.ts'
import { type ImportOutcome, importProducts } from './import-products.ts'
import type { ImportReport } from './report.ts'

/**
 * Duration of a lease in milliseconds. Each batch of products renews the lease, and takes some seconds. An import whose
 * worker was killed continues after this time.
 */
const leaseMs = 5 * 60 * 1000

interface RunContext extends Context {
  /** When this signal is aborted, the import stops after its present batch, and another worker continues it. */
  readonly stopping?: AbortSignal | undefined
}

/** Checks the file of the merchant's running import, or creates its products. */
export async function runImport(context: RunContext, merchantId: MerchantId): Promise<void> {
  const nowMs = context.clock.nowMs()
  const lease = { merchantId, now: toTimestamp(nowMs), leasedUntil: toTimestamp(nowMs + leaseMs) }
  const leased = await leaseImport(context.database, lease)
  if (leased === undefined) return
  const save = savingOf(context, merchantId, leased)
  try {
    const outcome = await runLeased(context, { merchantId, leased, save })
    if (outcome.is === 'complete') await save('ended', outcome)
    if (outcome.is === 'unreadable') await save('failed', outcome)
  } catch (error) {
    if (isTransient(error)) await save('released', leased.report)
    else await save('failed', internalFailure)
    throw error
  }
}

const internalFailure: ImportOutcome = {
  is: 'unreadable',
  line: null,
  message: 'The import ended because of an error of this service. Products that were created remain.',
}

interface Run {
  readonly merchantId: MerchantId
  readonly leased: LeasedImport
  readonly save: Save
}

async function runLeased(context: RunContext, { merchantId, leased, save }: Run): Promise<ImportOutcome> {
  const { actor, file: bytes, status } = leased
  const tenant = await getTenant(context.database, merchantId)
  const isDryRun = status === 'checking'
  const add = addingTo(isDryRun ? 0 : createdIn(leased.report))
  const outcome = await importProducts(context, {
    ...{ tenant, actor, bytes, isDryRun },
    onProgress: async (report) => {
      const isStopping = context.stopping?.aborted === true
      const progress: ImportOutcome = { is: 'stopped', report: add(report) }
      const hasLease = await save(isStopping ? 'released' : 'running', progress)
      return isStopping || !hasLease ? 'stop' : 'continue'
    },
  })
  return outcome.is === 'unreadable' ? outcome : { ...outcome, report: add(outcome.report) }
}

/** Returns the report of the whole import: what earlier attempts created exists for this one. */
function addingTo(earlier: number): (report: ImportReport) => ImportReport {
  return (report) => {
    return { ...report, created: report.created + earlier, existing: Math.max(0, report.existing - earlier) }
  }
}

function createdIn(report: object | null): number {
  if (report === null) return 0
  const outcome = storedOutcome(report)
  return outcome.is === 'unreadable' ? 0 : outcome.report.created
}

/** Converts a stored report to its type. Only this file writes reports. */
export function storedOutcome(report: object): ImportOutcome {
  return report as ImportOutcome
}

type Save = (state: 'running' | 'released' | 'ended' | 'failed', report: object | null) => Promise<boolean>

/** Returns the function that saves the progress of a leased import, and reports whether the lease still holds. */
function savingOf({ database, clock }: Context, merchantId: MerchantId, { id, attempt, status }: LeasedImport): Save {
  const ended = status === 'checking' ? 'checked' : 'done'
  return (state, report) => {
    const nowMs = clock.nowMs()
    return saveImport(database, {
      ...{ merchantId, id, attempt, now: toTimestamp(nowMs) },
      status: state === 'ended' ? ended : state === 'failed' ? 'failed' : status,
      report: report === null ? null : jsonOf(report),
      leasedUntil: state === 'running' ? toTimestamp(nowMs + leaseMs) : null,
    })
  }
}

/** Returns the JSON text of a report. PostgreSQL stores no lone surrogate, which a shortened cell may end with. */
function jsonOf(report: object): string {
  return JSON.stringify(report, (_, value) => (typeof value === 'string' ? value.toWellFormed() : value))
}
