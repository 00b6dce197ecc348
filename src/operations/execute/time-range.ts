import type { Instant, Timestamp } from '../../../registry/values/vocabulary.ts'
import { normaliseInstant } from '../../base/clock.ts'
import { Refusal } from './refusal.ts'

interface Sent {
  readonly createdFrom?: Instant | undefined
  readonly createdTo?: Instant | undefined
}

/** Returns the time range [createdFrom, createdTo) in UTC. Throws a refusal if the range is empty or reversed. */
export function timeRangeOf(sent: Sent): {
  createdFrom: Timestamp | undefined
  createdTo: Timestamp | undefined
} {
  const createdFrom = sent.createdFrom === undefined ? undefined : normaliseInstant(sent.createdFrom)
  const createdTo = sent.createdTo === undefined ? undefined : normaliseInstant(sent.createdTo)
  if (createdFrom !== undefined && createdTo !== undefined && createdFrom >= createdTo) {
    const message = `createdFrom ${createdFrom} must be before createdTo ${createdTo}.`
    const fix = 'Send a later `createdTo`, or leave out one of the two parameters.'
    throw new Refusal('invalid_time_range', message, {
      problems: [{ path: 'query.createdTo', code: 'invalid_value', message, fix }],
    })
  }
  return { createdFrom, createdTo }
}
