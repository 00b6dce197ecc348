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
  ticked_at: Timestamp
  baseline: object
  baseline_hour: Timestamp
}

export interface SurgeSnapshotColumns {
  book: SurgeBook
  id: SurgeSnapshotId
  slot_at: Timestamp
  computed_at: Timestamp
  published_at: Timestamp
  valid_until: Timestamp
  basis: (typeof surgeBases)[number]
  trend: SurgeTrend
  reference_fare_kobo: Kobo
  surge_kobo: Kobo
  factors: readonly SurgeFactor[]
  inputs: object
}

export interface SurgeOverrideColumns {
  book: SurgeBook
  kind: 'freeze' | 'override' | 'clear'
  created_at: Timestamp
  expires_at: Timestamp | null
}
