import type { Surge, SurgeBook, SurgeLevel } from '../../../registry/logistics/surge.ts'
import type { Timestamp } from '../../../registry/values/vocabulary.ts'
import { toMs, toTimestamp } from '../../base/clock.ts'
import { toKobo } from '../../commerce/money.ts'
import type { ReadDb } from '../../store/core/database.ts'
import {
  findPublishedSurge,
  type PublishedSurge,
  type SurgeMoment,
} from '../../store/logistics/surge/surge-snapshots.ts'
import type { QuotedSurge } from '../../store/tables/surge.ts'
import { graceMs, publicationMs, surgeRules } from './surge-rules.ts'

/**
 * Returns the parameters of the query for the surge in force at a time. If the next publication is late, the last
 * publication stays in force for the grace period.
 */
export function surgeMoment(book: SurgeBook, at: Timestamp): SurgeMoment {
  return { book, at, validAfter: toTimestamp(toMs(at) - graceMs) }
}

/** Returns the surge that a quote adds to rate-card prices. Null for a pickup outside the delivery zones. */
export async function currentSurge(
  db: ReadDb,
  mode: 'live' | 'test',
  zoneId: string | null,
  now: Timestamp,
): Promise<QuotedSurge | null> {
  if (zoneId === null) return null
  const found = await findPublishedSurge(db, zoneId, surgeMoment(mode, now))
  if (found === undefined) return null
  const { multiplier, surgeKobo, id: snapshotId } = found
  return { zoneId, multiplier: multiplier ?? 1, surgeKobo: surgeKobo ?? toKobo(0), snapshotId }
}

/** If no publication is in force, the multiplier is 1. */
export function surgeRecord(found: PublishedSurge, at: Timestamp): Surge {
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
 * Returns when the surge was computed and until when it is valid, as known at the time `at`. If the same surge was
 * published repeatedly, one database row covers many five-minute slots. The returned times are those of the slot that
 * contains `at`: the surge was computed within this slot, and is valid until the end of this slot. If the next
 * publication is late, the stored times are returned.
 */
function slotAt(
  { publishedAt, computedAt, validUntil }: Pick<PublishedSurge, 'publishedAt' | 'computedAt' | 'validUntil'>,
  at: Timestamp,
): Pick<Surge, 'computedAt' | 'validUntil'> {
  const slotMs = Math.floor(toMs(at) / publicationMs) * publicationMs
  const [start, end] = [toTimestamp(slotMs), toTimestamp(slotMs + publicationMs)]
  if (publishedAt === null || computedAt === null || validUntil === null) return { computedAt: at, validUntil: end }
  const firstKnown = publishedAt > start ? publishedAt : start
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
