import type { Surge, SurgeBook, SurgeLevel } from '../../../registry/logistics/surge.ts'
import type { Timestamp } from '../../../registry/values/vocabulary.ts'
import { toMs, toTimestamp } from '../../base/clock.ts'
import { toKobo } from '../../commerce/money.ts'
import type { ReadDb } from '../../store/core/database.ts'
import { type FoundSurge, findSurge, type SurgeMoment } from '../../store/logistics/surge/surge-snapshots.ts'
import type { QuotedSurge } from '../../store/tables/surge.ts'
import { graceMs, publicationMs, surgeRules } from './surge-rules.ts'

/** The moment as the store takes it: a publication whose successor is late counts a little longer, and then no more. */
export function surgeMoment(book: SurgeBook, at: Timestamp): SurgeMoment {
  return { book, at, validAfter: toTimestamp(toMs(at) - graceMs) }
}

/** What a quote adds to prices of a rate card; null outside the zones. */
export async function currentSurge(
  db: ReadDb,
  mode: 'live' | 'test',
  zoneId: string | null,
  now: Timestamp,
): Promise<QuotedSurge | null> {
  if (zoneId === null) return null
  const found = await findSurge(db, zoneId, surgeMoment(mode, now))
  if (found === undefined) return null
  const { multiplier, surgeKobo, id: snapshotId } = found
  return { zoneId, multiplier: multiplier ?? 1, surgeKobo: surgeKobo ?? toKobo(0), snapshotId }
}

/** As a client sees it. Where nothing is in force, nobody has looked, and the fare is plain. */
export function surgeRecord(found: FoundSurge, at: Timestamp): Surge {
  const { zoneId, baseFareKobo, multiplier } = found
  return {
    zoneId,
    multiplier: multiplier ?? 1,
    level: levelOf(multiplier ?? 1),
    surgeKobo: found.surgeKobo ?? toKobo(0),
    referenceFareKobo: found.referenceFareKobo ?? baseFareKobo,
    appliesTo: ['rate_card'],
    basis: found.basis ?? 'insufficient_data',
    ...slotAt(found, at),
    trend: found.trend ?? 'steady',
    factors: [...(found.factors ?? [])],
    sampleSize: found.sampleSize ?? 0,
    cap: found.cap ?? surgeRules.cap,
    snapshotId: found.id,
  }
}

/**
 * A row that was confirmed spans many slots, and who asks about one of them is told of that one and of nothing later: it was
 * reckoned in its slot, and the next was due at its end. Of a publication whose successor is late it is as it was.
 */
function slotAt(
  { publishedAt, computedAt, validUntil }: Pick<FoundSurge, 'publishedAt' | 'computedAt' | 'validUntil'>,
  at: Timestamp,
): Pick<Surge, 'computedAt' | 'validUntil'> {
  const slotMs = Math.floor(toMs(at) / publicationMs) * publicationMs
  const [begun, end] = [toTimestamp(slotMs), toTimestamp(slotMs + publicationMs)]
  if (publishedAt === null || computedAt === null || validUntil === null) return { computedAt: at, validUntil: end }
  const firstKnown = publishedAt > begun ? publishedAt : begun
  return {
    computedAt: computedAt <= at ? computedAt : firstKnown,
    validUntil: validUntil < end ? validUntil : end,
  }
}

export function levelOf(multiplier: number): SurgeLevel {
  if (multiplier >= 1.6) return 'very_high'
  if (multiplier >= 1.3) return 'high'
  return multiplier >= 1.05 ? 'elevated' : 'normal'
}
