import type { Instant, Timestamp } from '../../../registry/values/vocabulary.ts'
import { normaliseInstant } from '../../base/clock.ts'
import { Refusal } from './refusal.ts'

interface Sent {
  readonly createdFrom?: Instant | undefined
  readonly createdTo?: Instant | undefined
}

/** Returns the range [createdFrom, createdTo) in UTC. Refuses an empty or reversed range. */
export function timeRangeOf(sent: Sent): {
  createdFrom: Timestamp | undefined
  createdTo: Timestamp | undefined
} {
  const createdFrom = sent.createdFrom === undefined ? undefined : normaliseInstant(sent.createdFrom)
  const createdTo = sent.createdTo === undefined ? undefined : normaliseInstant(sent.createdTo)
  if (createdFrom !== undefined && createdTo !== undefined && createdFrom >= createdTo) {
    const message = `createdFrom ${createdFrom} must be before createdTo ${createdTo}.`
    const fix = 'Send a later time, or leave one of the two out.'
    throw new Refusal('invalid_time_range', message, {
      problems: [{ path: 'query.createdTo', code: 'invalid_value', message, fix }],
    })
  }
  return { createdFrom, createdTo }
}
