import type { Kobo } from '../../../registry/values/vocabulary.ts'

export interface QuotedSurge {
  readonly zoneId: string
  readonly multiplier: number
  readonly surgeKobo: Kobo
  readonly snapshotId: string | null
}
