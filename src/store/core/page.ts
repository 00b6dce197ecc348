import { type RawBuilder, sql } from 'kysely'
import type { Timestamp } from '../../../registry/values/vocabulary.ts'

/**
 * The list position that a pagination cursor stands for. In a list with the newest records first, the page starts after
 * the record with this creation time and id.
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

export interface PageArgs {
  readonly limit: number
  readonly afterCreatedAt: Timestamp | undefined
  readonly afterId: string | undefined
}

export function pageArgs({ limit, after }: PageRequest): PageArgs {
  return { limit, afterCreatedAt: after?.createdAt, afterId: after?.id }
}

export interface CreatedRange {
  readonly createdFrom?: Timestamp | undefined
  readonly createdTo?: Timestamp | undefined
}

/** A filter without a value matches every row. */
export function ifGiven(value: unknown, condition: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql<boolean>`(${value}::text is null or ${condition})`
}

export function createdWithin(table: string, p: CreatedRange): RawBuilder<boolean> {
  const createdAt = sql.ref(`${table}.createdAt`)
  return sql<boolean>`${ifGiven(p.createdFrom, sql`${createdAt} >= ${p.createdFrom}::timestamptz`)}
    and ${ifGiven(p.createdTo, sql`${createdAt} < ${p.createdTo}::timestamptz`)}`
}

/** Lists have the newest records first, so the rows of the next page have lower positions. */
export function isAfter(table: string, p: PageArgs): RawBuilder<boolean> {
  const position = sql`(${sql.ref(`${table}.createdAt`)}, ${sql.ref(`${table}.id`)})`
  return sql<boolean>`${position} < (${p.afterCreatedAt}::timestamptz, ${p.afterId})`
}

/**
 * The condition that selects the rows of a page, for a statement that serves all pages of a list. The first page has no
 * position, so the condition is then true for every row.
 */
export function onPage(table: string, p: PageArgs): RawBuilder<boolean> {
  return ifGiven(p.afterId, isAfter(table, p))
}
