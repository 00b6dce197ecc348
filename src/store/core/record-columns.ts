import { type RawBuilder, sql } from 'kysely'
import type { Tables } from '../tables/tables.ts'
import { fieldName } from './json.ts'
import { type JsonRows, jsonRowsOf } from './rows.ts'
import { type WriteStatement, writing } from './statement.ts'

/**
 * The statements that select, insert and update a record with many fields. Each column is listed once, so that none of
 * the three statements can omit it.
 */
export interface RecordStatements<Stored> {
  /** The select list of the record. */
  readonly selected: RawBuilder<unknown>
  /** The select list that reads the record as JSON, with timestamps formatted as when it is read as columns. */
  readonly selectedForJson: RawBuilder<unknown>
  readonly insert: WriteStatement<JsonRows, unknown>
  /** Updates the mutable columns of one or more records. */
  readonly update: WriteStatement<JsonRows, unknown>
  rows(records: readonly Stored[]): JsonRows
}

interface Names<Table extends keyof Tables> {
  readonly keys: readonly (keyof Tables[Table] & string)[]
  /** The columns that never change after a record is created. */
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
    const listed = sql.join(all.map((column) => sql.ref(column)))
    const source = (rows: string) => sql`json_populate_recordset(null::${sql.table(table)}, ${rows}::json)`
    const sets = mutable.map((column) => sql`${sql.ref(column)} = next.${sql.ref(column)}`)
    const matches = keys.map((column) => sql`${sql.table(table)}.${sql.ref(column)} = next.${sql.ref(column)}`)
    return {
      selected: sql.join(all.map((column) => sql.ref(`${table}.${column}`))),
      selectedForJson: sql.join(all.map((column) => sql`${inJson(table, column)} as ${fieldName(column)}`)),
      insert: writing<JsonRows>()(
        `insert_${table}_records`,
        (p) => sql`insert into ${sql.table(table)} (${listed}) select ${listed} from ${source(p.rows)}`,
      ),
      update: writing<JsonRows>()(
        `update_${table}_records`,
        (p) => sql`
          update ${sql.table(table)}
          set ${sql.join(sets)}
          from ${source(p.rows)} as next
          where ${sql.join(matches, sql` and `)}`,
      ),
      rows: jsonRowsOf(all),
    }
  }
}

/** The suffixes of the names of timestamp columns. */
const timestampColumn = /(At|Until|Since|Deadline)$/

function inJson(table: string, column: string): RawBuilder<unknown> {
  const name = sql.ref(`${table}.${column}`)
  return timestampColumn.test(column) ? sql`to_char(${name}, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')` : sql`${name}`
}
