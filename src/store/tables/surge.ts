import type { SurgeBook, SurgeFactor, SurgeTrend, surgeBases } from '../../../registry/logistics/surge.ts'
import type { Kobo, SurgeSnapshotId, Timestamp } from '../../../registry/values/vocabulary.ts'

/** The columns of the surge tables whose TypeScript types are narrower than their database types. */

/** The surge that is part of the price of a quote or schedule. */
export interface QuotedSurge {
  readonly zoneId: string
  readonly multiplier: number
  readonly surgeKobo: Kobo
  readonly snapshotId: string | null
}

export interface SurgeStateColumns {
  book: SurgeBook
  tickedAt: Timestamp
  baseline: object
  baselineHour: Timestamp
}

export interface SurgeSnapshotColumns {
  book: SurgeBook
  id: SurgeSnapshotId
  slotAt: Timestamp
  computedAt: Timestamp
  publishedAt: Timestamp
  validUntil: Timestamp
  basis: (typeof surgeBases)[number]
  trend: SurgeTrend
  referenceFareKobo: Kobo
  surgeKobo: Kobo
  factors: readonly SurgeFactor[]
  inputs: object
}

export interface SurgeOverrideColumns {
  book: SurgeBook
  kind: 'freeze' | 'override' | 'clear'
  createdAt: Timestamp
  expiresAt: Timestamp | null
}
