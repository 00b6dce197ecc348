import type { Timestamp } from '../../../registry/values/vocabulary.ts'

/**
 * The list position that a pagination cursor stands for. In a list that is newest first, the page starts after the
 * record with this creation time and id.
 */
export interface Position {
  readonly createdAt: Timestamp
  readonly id: string
}

export interface PageRequest {
  /** The page size plus one: the additional row shows that there is another page. */
  readonly limit: number
  readonly after: Position | undefined
}
