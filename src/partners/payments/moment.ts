import type { Timestamp } from '../../../registry/values/vocabulary.ts'
import { toTimestamp } from '../../base/clock.ts'

/** An invalid timestamp is ignored, because it must not prevent the payment from being recorded. */
export function providerMoment(text: string | null | undefined): Timestamp | undefined {
  const ms = Date.parse(text ?? '')
  const year = new Date(ms).getUTCFullYear()
  return year >= 1 && year <= 9999 ? toTimestamp(ms) : undefined
}
