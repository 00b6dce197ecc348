import type { ErrorCode } from '../../registry/errors/index.ts'
import { newId } from '../../src/base/ids.ts'
import type { TestApi } from '../support/api.ts'
import type { Shop } from '../support/shop.ts'

export interface Arranged {
  readonly method: string
  readonly path: string
  readonly body?: object
  /** The merchant that sends the request. Defaults to the merchant passed to arrange(). */
  readonly shop?: Shop
}

export interface Fixture {
  /**
   * Creates, for a merchant, the records that an operation needs. Returns a request of the operation that then
   * succeeds.
   */
  readonly arrange: (api: TestApi, shop: Shop) => Promise<Arranged>
  /**
   * The error code when the request contains the id of another merchant's record. Undefined when the request contains
   * no id of a record.
   */
  readonly notFound?: ErrorCode
  /** Response fields whose values come from the called partner. A dry run calls no partner. */
  readonly partnerFields?: readonly string[]
  /** Whether the operation lists records that are the same for every merchant. */
  readonly isShared?: true
  /** The filter that the test uses for a list without the filter `createdFrom`. */
  readonly filter?: string
}

const anyId = /\b([a-z]{3})_[0-7][0-9a-hjkmnp-tv-z]{25}\b/g

/** Returns the same request with ids of records that do not exist. */
export function elsewhere(arranged: Arranged, nowMs: number): Arranged {
  return JSON.parse(JSON.stringify(arranged).replace(anyId, (_, prefix: string) => newId(prefix, nowMs)))
}

/** Returns a text with every id replaced, so that two responses can be compared. */
export function withoutIds(text: string): string {
  return text.replace(anyId, '$1_…')
}
