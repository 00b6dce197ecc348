import { toTimestamp } from '../../base/clock.ts'
import { redactedPlace } from '../../commerce/customers/redact-person.ts'
import type { Context } from '../../store/core/mutation.ts'
import { redactQuotes } from '../../store/logistics/quotes/old-quotes.ts'

/**
 * Whoever comes back to a quote after the weekend, or after a few days of making up their mind, still gets a fresh one of the
 * same. After a week nobody does; and since nothing was bought, nobody complains of it, as they may of a shipment.
 */
const retentionDays = 7

const dayMs = 24 * 60 * 60_000

/**
 * Takes people and streets out of the quotes that came to nothing. Zones, distance and prices stay, of which surge and the
 * reckoning of carriers are made; a place stays as coarse as a town.
 */
export function redactOldQuotes({ database, clock }: Context): Promise<number> {
  const nowMs = clock.nowMs()
  return redactQuotes(database, {
    expiredBefore: toTimestamp(nowMs - retentionDays * dayMs),
    now: toTimestamp(nowMs),
    placePatch: JSON.stringify(redactedPlace),
  })
}
