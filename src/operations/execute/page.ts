import type { SigningKey } from '../../base/signed-text.ts'
import type { Position } from '../../store/core/page.ts'
import type { Caller } from './caller.ts'
import { readCursor, writeCursor } from './cursor.ts'
import { Refusal } from './refusal.ts'

export interface Paging {
  readonly keys: readonly SigningKey[]
  readonly list: string
  readonly caller: Pick<Caller, 'merchantId'>
  readonly nowMs: number
  /**
   * Returns by how much the test clock of the merchant has been advanced, which is 0 in live mode. Only cursors need
   * this time, so it is not read for a list that fits on one page.
   */
  advancedMs(): Promise<number>
  /** Whether the times of the records stay the same when the test clock advances. */
  readonly hasFixedTimes: boolean
}

export interface Start {
  readonly after: Position | undefined
  /** The list filters as strings: those of the cursor if there is one, otherwise those of the query. */
  readonly filters: Readonly<Record<string, string>>
}

/**
 * A cursor contains the filters of the list. Filters in the query of the request must be equal to the filters in the
 * cursor.
 */
export async function startOf(paging: Paging, values: Readonly<Record<string, string>>): Promise<Start> {
  const { cursor, limit: _limit, ...filters } = values
  if (cursor === undefined) return { after: undefined, filters }
  const { keys, list, caller, nowMs, hasFixedTimes } = paging
  const expected = { list, merchantId: caller.merchantId, nowMs, advancedMs: await paging.advancedMs(), hasFixedTimes }
  const read = readCursor(keys, cursor, expected)
  if (Object.keys(filters).length > 0 && !areSame(filters, read.filters)) {
    throw new Refusal(
      'cursor_filter_mismatch',
      'The filters differ from those of the first page. Send the cursor without filters, or start again.',
    )
  }
  return { after: read.position, filters: read.filters }
}

function areSame(sent: Readonly<Record<string, string>>, ofCursor: Readonly<Record<string, string>>): boolean {
  const names = Object.keys(sent)
  return names.length === Object.keys(ofCursor).length && names.every((name) => sent[name] === ofCursor[name])
}

export interface Page<Item> {
  readonly data: readonly Item[]
  readonly pagination: { readonly cursor: string | null; readonly limit: number; readonly hasMore: boolean }
}

/**
 * Builds a page of a list from up to `limit + 1` rows, which are sorted by creation time and id. The extra row only
 * shows that there is a next page.
 */
export async function pageOf<Item extends Position>(
  paging: Paging,
  start: Start,
  rows: readonly Item[],
  limit: number,
): Promise<Page<Item>> {
  const hasMore = rows.length > limit
  const data = hasMore ? rows.slice(0, limit) : rows
  const last = data.at(-1)
  const cursor =
    hasMore && last !== undefined
      ? writeCursor(paging.keys, {
          list: paging.list,
          merchantId: paging.caller.merchantId,
          position: { createdAt: last.createdAt, id: last.id },
          filters: start.filters,
          issuedAtMs: paging.nowMs,
          advancedMs: await paging.advancedMs(),
        })
      : null
  return { data, pagination: { cursor, limit, hasMore } }
}
