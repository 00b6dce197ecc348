import { eventFeedDays } from '../../registry/values/limits.ts'
import type { Timestamp } from '../../registry/values/vocabulary.ts'
import { toMs, toTimestamp } from '../base/clock.ts'
import { findEvent, listEvents as listEventRows } from '../store/webhooks/events.ts'
import { implement } from './execute/implement.ts'
import { timeRangeOf } from './execute/time-range.ts'

export const listEvents = implement('listEvents', async ({ db, caller, filters, page, now }) => {
  const { createdFrom, createdTo } = timeRangeOf(filters)
  const oldest = oldestOf(now)
  const from = createdFrom !== undefined && createdFrom > oldest ? createdFrom : oldest
  const { event: kinds, resourceId } = filters
  return listEventRows(db, caller.merchantId, { kinds, resourceId, createdFrom: from, createdTo }, page)
})

export const getEvent = implement('getEvent', async ({ db, caller, params, now, refuse }) => {
  const event = await findEvent(db, caller.merchantId, params.id, oldestOf(now))
  return event ?? refuse('event_not_found', `No event of the last ${eventFeedDays} days has the id ${params.id}.`)
})

const msPerDay = 86_400_000

/**
 * Returns the start of the period that the event feed covers. Older rows may exist, because partitions are deleted
 * later.
 */
function oldestOf(now: Timestamp): Timestamp {
  return toTimestamp(toMs(now) - eventFeedDays * msPerDay)
}
