import { toTimestamp } from '../base/clock.ts'
import type { Inbox } from '../store/callbacks/inbox.ts'
import type { Context } from '../store/core/mutation.ts'

/**
 * Retention in days of a callback's body, which contains personal data. A month is enough to investigate an unrecorded
 * payment or a complaint. Senders stop their retries earlier.
 */
const retentionDays = 30

const dayMs = 24 * 60 * 60_000

/**
 * Redacts the processed callbacks whose retention has ended. The row and its hash are never deleted: a signature has no
 * timestamp, so a replay of an old callback is detected only by its hash.
 */
export function redactProcessed({ database, clock }: Context, inbox: Inbox<never, object>): Promise<number> {
  return inbox.redact(database, toTimestamp(clock.nowMs() - retentionDays * dayMs))
}
