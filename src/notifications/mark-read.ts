import { toTimestamp } from '../base/clock.ts'
import type { Context } from '../store/core/mutation.ts'
import { markAllRead, markRead } from '../store/notifications/read-marks.ts'
import type { Reader } from '../store/notifications/unread.ts'

/**
 * Outcome of marking notifications as read by a member. Marking adds no audit row, because it changes nothing for other
 * members, and a row for each click would fill the audit log.
 */

export type MarkOutcome = { readonly is: 'marked' } | { readonly is: 'unknown' }

export async function markNotificationRead({ database }: Context, reader: Reader, id: string): Promise<MarkOutcome> {
  return { is: (await markRead(database, { ...reader, id })) ? 'marked' : 'unknown' }
}

export async function markAllNotificationsRead({ database, clock }: Context, reader: Reader): Promise<void> {
  await markAllRead(database, { ...reader, now: toTimestamp(clock.nowMs()) })
}
