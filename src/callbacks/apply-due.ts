import type { MerchantId, Timestamp } from '../../registry/values/vocabulary.ts'
import { toTimestamp } from '../base/clock.ts'
import type { Log } from '../base/log.ts'
import { getTenant } from '../store/access/merchants.ts'
import type { DueCallback, Inbox } from '../store/callbacks/inbox.ts'
import type { Actor } from '../store/core/audit.ts'
import { isContention, isUnavailable } from '../store/core/faults.ts'
import type { Context, Tenant } from '../store/core/mutation.ts'

/**
 * Applies the callbacks of carriers and payment providers, each exactly once: the transaction that makes the change
 * also marks the callback as processed.
 */

export interface ApplyContext extends Context {
  readonly log: Log
  /** When this signal is aborted, no further callback is claimed for processing. */
  readonly stopping?: AbortSignal
}

interface Applying<Applied> {
  /** Function that claims the next due callback. Omit it to claim the oldest due callback of any sender. */
  readonly claim?: (
    due: Pick<DueCallback, 'merchantId'> & { readonly now: Timestamp },
  ) => Promise<(DueCallback & Applied) | undefined>
  readonly apply: (tenant: Tenant, due: DueCallback & Applied) => Promise<void>
  /**
   * Returns the milliseconds until the next attempt after the given number of failures; undefined if no further attempt
   * is made.
   */
  readonly retryMs: (failures: number) => number | undefined
}

/** Returns how many callbacks were claimed. */
export async function applyDue<Applied extends object>(
  context: ApplyContext,
  inbox: Inbox<never, Applied>,
  merchantId: MerchantId,
  { claim = (due) => inbox.claimOldest(context.database, due), apply, retryMs }: Applying<Applied>,
): Promise<number> {
  const { database, clock, stopping } = context
  const tenant = await getTenant(database, merchantId)
  let count = 0
  while (stopping?.aborted !== true) {
    const due = await claim({ merchantId, now: toTimestamp(clock.nowMs()) })
    if (due === undefined) return count
    count += 1
    // An error here is a fault of this service, not of the sender. It is therefore recorded as a failed attempt to
    // apply the callback.
    await apply(tenant, due).catch((error) => recordFailure(context, inbox, due, { error, retryMs }))
  }
  return count
}

/** Maximum length of an error message that is stored with a callback. */
const errorMax = 500

/** Records that this service failed to apply a callback, and schedules the next attempt. */
async function recordFailure(
  { database, clock, log }: ApplyContext,
  inbox: Inbox<never, object>,
  { merchantId, id, ...due }: DueCallback,
  { error, retryMs }: { readonly error: unknown; readonly retryMs: Applying<object>['retryMs'] },
): Promise<void> {
  // Two errors are not recorded as failures of the callback. If the database is unavailable, nothing can be recorded. A
  // lock timeout is not caused by the callback. After either error, the callback is claimed again when its lease ends.
  if (isUnavailable(error) || isContention(error)) {
    log.error(
      { err: error, merchantId, callbackId: id },
      `A ${inbox.senderKind} callback could not be processed, because the database could not be reached. It is claimed again after its lease.`,
    )
    return
  }
  const failures = due.failures + 1
  const nowMs = clock.nowMs()
  const delayMs = retryMs(failures)
  log.error(
    { err: error, merchantId, callbackId: id, failures },
    delayMs === undefined
      ? `A ${inbox.senderKind} callback failed permanently; \`shipment callbacks\` lists it.`
      : `A ${inbox.senderKind} callback was not applied.`,
  )
  const message = error instanceof Error ? error.message : String(error)
  const nextAttemptAt = delayMs === undefined ? null : toTimestamp(nowMs + delayMs)
  await inbox.postpone(database, {
    ...{ merchantId, id, nextAttemptAt, error: message.slice(0, errorMax), now: toTimestamp(nowMs) },
  })
}

export function actorOf({ sender, sourceIp, requestId, userAgent }: DueCallback): Actor {
  return { type: 'provider', id: null, label: sender, sessionId: null, sourceIp, requestId, userAgent }
}
