import type { Kobo } from '../../../registry/values/vocabulary.ts'

/** The surge that is part of the price of a quote or schedule. */
export interface QuotedSurge {
  readonly zoneId: string
  readonly multiplier: number
  readonly surgeKobo: Kobo
  readonly snapshotId: string | null
}
