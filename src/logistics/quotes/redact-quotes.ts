import { toTimestamp } from '../../base/clock.ts'
import { redactedPlace } from '../../commerce/customers/redact-person.ts'
import type { Context } from '../../store/core/mutation.ts'
import { quoteRedaction } from '../../store/logistics/quotes/redact-quotes.ts'

/**
 * Retention period of an unused quote after its expiry. If a merchant dispatches an expired quote within this period,
 * the response contains a new quote for the same request. The period is shorter than that of shipments, because an
 * unused quote is not needed for complaints.
 */
const retentionDays = 7

const dayMs = 24 * 60 * 60_000

/**
 * Redacts personal data and street addresses in unused quotes after the retention period. Returns the number of
 * redacted quotes. Zones, distance and prices stay, because surge uses them. Locations are rounded to about the size of
 * a town.
 */
export function redactOldQuotes({ database, clock }: Context): Promise<number> {
  const nowMs = clock.nowMs()
  return quoteRedaction.run(database, {
    expiredBefore: toTimestamp(nowMs - retentionDays * dayMs),
    now: toTimestamp(nowMs),
    placePatch: JSON.stringify(redactedPlace),
  })
}
