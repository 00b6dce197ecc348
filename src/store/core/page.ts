import type { Timestamp } from '../../../registry/values/vocabulary.ts'

/** The position of a cursor: the page starts after the record with this creation time and id, newest first. */
export interface Position {
  readonly createdAt: Timestamp
  readonly id: string
}

export interface PageRequest {
  /** The page size plus one, to determine whether there is another page. */
  readonly limit: number
  readonly after: Position | undefined
}
