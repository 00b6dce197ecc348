import type { Timestamp } from '../../../registry/values/vocabulary.ts'

/** Where a page begins: after the record with this creation time and id, in the order newest first. */
export interface Position {
  readonly createdAt: Timestamp
  readonly id: string
}

export interface PageRequest {
  /** One more than the page holds, so that it shows whether there is another. */
  readonly limit: number
  readonly after: Position | undefined
}
