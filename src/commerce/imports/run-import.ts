import { importAttemptsMax } from '../../../registry/values/limits.ts'
import type { MerchantId } from '../../../registry/values/vocabulary.ts'
import { toTimestamp } from '../../base/clock.ts'
import { storableValue } from '../../base/storable-text.ts'
import { getTenant } from '../../store/access/merchants.ts'
import { isNodeLost, isTransient } from '../../store/core/faults.ts'
import { QueueRefused } from '../../store/core/keyed-queue.ts'
import type { Context } from '../../store/core/mutation.ts'
import { MerchantUnreachable } from '../../store/core/reachability.ts'
import { OutcomeUnknown } from '../../store/core/transaction.ts'
import { type LeasedImport, leaseImport, saveImport } from '../../store/products/product-imports.ts'
import { ImportInterrupted, type ImportOutcome, importProducts } from './import-products.ts'
import type { ImportReport } from './report.ts'

/**
 * Duration of the lease on an import in milliseconds. Each batch of products takes some seconds and renews the lease.
 * If the worker is killed, another worker continues the import when the lease ends.
 */
const leaseMs = 5 * 60 * 1000

/**
 * Milliseconds between a transient error, such as an unreachable database, and the next attempt of the import. The wait
 * is long enough that the attempts of an import usually outlast such an error.
 */
const pauseMs = 60 * 1000

interface RunContext extends Context {
  /**
   * When this signal is aborted, the import stops after its current batch of products, and another worker continues the
   * import.
   */
  readonly stopping?: AbortSignal | undefined
}

/** Runs the next phase of a merchant's import: checks the uploaded file, or creates its products. */
export async function runImport(context: RunContext, merchantId: MerchantId): Promise<void> {
  const nowMs = context.clock.nowMs()
  const lease = { merchantId, now: toTimestamp(nowMs), leasedUntil: toTimestamp(nowMs + leaseMs) }
  const leased = await leaseImport(context.database, lease)
  if (leased === undefined) return
  const save = savingOf(context, merchantId, leased)
  if (leased.attempts > importAttemptsMax) {
    await save('failed', null)
    return
  }
  try {
    const outcome = await runLeased(context, { merchantId, leased, save })
    if (outcome.is === 'complete') await save('ended', outcome)
    if (outcome.is === 'unreadable') await save('failed', outcome)
  } catch (error) {
    const progress = error instanceof ImportInterrupted ? progressOf(leased, error.report) : null
    await save(mayContinue(context, error) ? 'interrupted' : 'failed', progress)
    throw error
  }
}

/** Reports whether the error that stopped an import is transient, so that the import can continue later. */
function mayContinue(context: Context, error: unknown): boolean {
  if (error instanceof ImportInterrupted || error instanceof OutcomeUnknown) return mayContinue(context, error.cause)
  if (error instanceof QueueRefused || error instanceof MerchantUnreachable || isTransient(error)) return true
  return context.database.reachability.isDistributed() && isNodeLost(error)
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
  const outcome = await importProducts(context, {
    ...{ tenant, actor, bytes, isDryRun },
    onProgress: async (report) => {
      const isStopping = context.stopping?.aborted === true
      const hasLease = await save(isStopping ? 'released' : 'running', progressOf(leased, report))
      return isStopping || !hasLease ? 'stop' : 'continue'
    },
  })
  return outcome.is === 'unreadable' ? outcome : { ...outcome, report: totalOf(leased, outcome.report) }
}

function progressOf(leased: LeasedImport, report: ImportReport): ImportOutcome {
  return { is: 'stopped', report: totalOf(leased, report) }
}

/**
 * Returns the report of the whole import. In the report of the current attempt, products that earlier attempts created
 * are counted as existing. In the returned report, they are counted as created.
 */
function totalOf(leased: LeasedImport, report: ImportReport): ImportReport {
  const earlier = createdBefore(leased)
  return { ...report, created: report.created + earlier, existing: Math.max(0, report.existing - earlier) }
}

/**
 * Returns the number of products that earlier attempts of an import created. Returns 0 while the file is checked,
 * because a check creates no products.
 */
function createdBefore({ status, report }: LeasedImport): number {
  if (status === 'checking' || report === null) return 0
  return createdIn(storedOutcome(report))
}

function createdIn(outcome: ImportOutcome): number {
  return outcome.is === 'unreadable' ? 0 : outcome.report.created
}

/**
 * Converts the stored report of an import to its type. The report is not validated, because only this file writes
 * reports.
 */
export function storedOutcome(report: object): ImportOutcome {
  return report as ImportOutcome
}

type State = 'running' | 'released' | 'interrupted' | 'ended' | 'failed'

/**
 * Saves the state and the report of an import. If the report is null, the stored report stays unchanged. Resolves with
 * true if the lease of the import is still valid, and with false otherwise.
 */
type Save = (state: State, report: ImportOutcome | null) => Promise<boolean>

/**
 * Time in milliseconds for which the lease of an import continues after the import was saved in the state `running` or
 * `interrupted`. In all other states, the lease is released immediately.
 */
const remainingMs: Readonly<Partial<Record<State, number>>> = { running: leaseMs, interrupted: pauseMs }

/**
 * Returns the function that saves the progress of an import. It saves only while this worker holds the lease of the
 * import.
 */
function savingOf({ database, clock }: Context, merchantId: MerchantId, leased: LeasedImport): Save {
  const { id, attempt, status } = leased
  const ended = status === 'checking' ? 'checked' : 'done'
  return (state, report) => {
    const nowMs = clock.nowMs()
    const remains = remainingMs[state]
    return saveImport(database, {
      ...{ merchantId, id, attempt, now: toTimestamp(nowMs) },
      status: state === 'ended' ? ended : state === 'failed' ? 'failed' : status,
      report: report === null ? null : jsonOf(report),
      hasCreated: status === 'importing' && report !== null && createdIn(report) > createdBefore(leased),
      leasedUntil: remains === undefined ? null : toTimestamp(nowMs + remains),
    })
  }
}

/**
 * Returns the JSON text of a report. Replaces lone surrogates, because PostgreSQL rejects them. A cell that was
 * shortened for the report may end with a lone surrogate.
 */
function jsonOf(report: object): string {
  return JSON.stringify(report, storableValue)
}
