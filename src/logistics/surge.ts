import type { Timestamp } from '../../registry/vocabulary.ts'
import type { ReadDb } from '../store/database.ts'
import type { QuotedSurge } from '../store/quotes.ts'

export async function currentSurge(
  _db: ReadDb,
  _mode: 'live' | 'test',
  _zoneId: string | null,
  _now: Timestamp,
): Promise<QuotedSurge | null> {
  return null
}
