import { type RawBuilder, sql } from 'kysely'
import type { Tables } from '../tables/tables.ts'
import { fieldName } from './json.ts'
import { insertingRows, type RowInsert, type RowUpdate, updatingRecords } from './rows.ts'

/**
 * Statements that select, insert and update a record with many fields. Each column is listed only once, so that none of
 * the statements can omit a column. The update writes only the mutable columns.
 */
export interface RecordStatements<Stored> extends RowInsert<Stored>, RowUpdate<Stored> {
  /** The columns of the record, for the select list of a query. */
  readonly selected: RawBuilder<unknown>
  /**
   * The select list that reads the record as JSON. The timestamps in the JSON have the same format as in a record that
   * is read as columns.
   */
  readonly selectedForJson: RawBuilder<unknown>
}

interface Names<Table extends keyof Tables> {
  readonly keys: readonly (keyof Tables[Table] & string)[]
  readonly fixed: readonly (keyof Tables[Table] & string)[]
  readonly mutable: readonly (keyof Tables[Table] & string)[]
}

/** Causes a compile error when a field of the record has no column. */
type Complete<Stored, Named extends Names<never>> = [
  Exclude<keyof Stored, Named['keys'][number] | Named['fixed'][number] | Named['mutable'][number]>,
] extends [never]
  ? unknown
  : { readonly 'every field has a column': never }

export function recordStatements<Stored extends object>() {
  return <Table extends keyof Tables & string, const Named extends Names<Table>>(
    table: Table,
    { keys, fixed, mutable }: Named & Complete<Stored, Named>,
  ): RecordStatements<Stored> => {
    const all = [...keys, ...fixed, ...mutable]
    return {
      selected: sql.join(all.map((column) => sql.ref(`${table}.${column}`))),
      selectedForJson: sql.join(all.map((column) => sql`${inJson(table, column)} as ${fieldName(column)}`)),
      ...insertingRows(table),
      ...updatingRecords(table, keys, mutable),
    }
  }
}

const timestampColumn = /(At|Until|Since|Deadline)$/

function inJson(table: string, column: string): RawBuilder<unknown> {
  const name = sql.ref(`${table}.${column}`)
  return timestampColumn.test(column) ? sql`to_char(${name}, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')` : sql`${name}`
}
