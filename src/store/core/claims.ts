import { type RawBuilder, sql } from 'kysely'
import type { MerchantId, Timestamp } from '../../../registry/values/vocabulary.ts'

/**
 * Claims due rows of all merchants. A read without locks finds the keys of due rows, and a statement for each merchant
 * locks and claims the rows of this merchant. The statement skips a row that another worker has claimed since the
 * search. A row that was found but not claimed stays due.
 */

interface RowKey {
  readonly merchantId: MerchantId
}

export interface FoundRows<Key extends RowKey> {
  readonly merchantId: MerchantId
  readonly keys: readonly Key[]
  readonly now: Timestamp
}

interface Claims<Key extends RowKey, Claimed> {
  readonly find: (now: Timestamp) => Promise<readonly Key[]>
  /** Claims the rows of a merchant that are still due and not locked. */
  readonly claim: (found: FoundRows<Key>) => Promise<readonly Claimed[]>
}

/**
 * Number of the oldest due rows that are read to choose the rows to claim. One row of each merchant is chosen in turn,
 * so that a merchant with hundreds of due rows does not delay the others. Reading this many rows by an index takes a
 * few milliseconds.
 */
const oldestMax = 1000

/** Maximum number of keys of due rows that one read returns: enough for several seconds of claims. */
const foundMax = 200

/**
 * Returns the query for the keys of due rows. The query takes one row of each merchant in turn, so that no merchant
 * delays the others. `due` selects the columns of the key and the due time as `due_at`.
 */
export function inTurn<Key extends RowKey>(columns: readonly string[], due: RawBuilder<unknown>): RawBuilder<Key> {
  const key = sql.join(columns.map((column) => sql.ref(column)))
  return sql<Key>`
    select merchant_id, ${key}
    from (
      select merchant_id, ${key}, due_at, row_number() over (partition by merchant_id order by due_at) as turn
      from (${due} order by due_at limit ${sql.lit(oldestMax)}) as oldest
    ) as queued
    order by turn, due_at
    limit ${sql.lit(foundMax)}`
}

/**
 * Returns a function that claims up to `limit` due rows. If a call finds more keys than it may claim, the function
 * stores the other keys for its next calls. Each call searches at most once, so that a call also ends if rows stay
 * locked.
 */
export function openClaims<Key extends RowKey, Claimed>({ find, claim }: Claims<Key, Claimed>) {
  let found: readonly Key[] = []
  return async ({ now, limit }: { readonly now: Timestamp; readonly limit: number }): Promise<readonly Claimed[]> => {
    const claimed: Claimed[] = []
    let hasSearched = false
    while (claimed.length < limit && !(found.length === 0 && hasSearched)) {
      if (found.length === 0) {
        hasSearched = true
        found = await find(now)
      }
      const next = found.slice(0, limit - claimed.length)
      found = found.slice(next.length)
      for (const [merchantId, keys] of Map.groupBy(next, (key) => key.merchantId))
        claimed.push(...(await claim({ merchantId, keys, now })))
    }
    return claimed
  }
}
