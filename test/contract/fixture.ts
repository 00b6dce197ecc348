import type { ErrorCode } from '../../registry/errors/index.ts'
import { newId } from '../../src/base/ids.ts'
import type { TestApi } from '../support/api.ts'
import type { Shop } from '../support/shop.ts'

export interface Arranged {
  readonly method: string
  readonly path: string
  readonly body?: object
}

export interface Fixture {
  /** Makes what the operation needs in a shop, and the request that then succeeds. */
  readonly arrange: (api: TestApi, shop: Shop) => Promise<Arranged>
  /** How the operation says that a record its request names is not the merchant's; none where it names no record. */
  readonly notFound?: ErrorCode
  /** Whether it lists what is the service’s own, the same for every merchant. */
  readonly isShared?: true
  /** A filter of a list that has no `createdFrom`. */
  readonly filter?: string
}

const anyId = /\b([a-z]{3})_[0-7][0-9a-hjkmnp-tv-z]{25}\b/g

/** The same request for records that do not exist anywhere. */
export function elsewhere(arranged: Arranged, nowMs: number): Arranged {
  return JSON.parse(JSON.stringify(arranged).replace(anyId, (_, prefix: string) => newId(prefix, nowMs)))
}

/** A text in which every id looks the same, so that two answers can be compared. */
export function withoutIds(text: string): string {
  return text.replace(anyId, '$1_…')
}
