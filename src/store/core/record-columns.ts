import { type RawBuilder, sql } from 'kysely'
import type { Tables } from '../tables/tables.ts'
import type { JsonRows } from './rows.ts'
import { type WriteStatement, writing } from './statement.ts'

/**
 * The statements that select, insert and update a record with many fields. Each column is listed once, so that none of
 * the three statements can omit it.
 */
export interface RecordStatements<Stored> {
  /** The select list of the record, with the names of the fields as aliases. */
  readonly selected: RawBuilder<unknown>
  /** The select list that reads the record as JSON, with timestamps formatted as when it is read as columns. */
  readonly selectedForJson: RawBuilder<unknown>
  readonly insert: WriteStatement<JsonRows, unknown>
  /** Updates the mutable columns of one or more records. */
  readonly update: WriteStatement<JsonRows, unknown>
  rows(records: readonly Stored[]): JsonRows
}

type ColumnsOf<Table extends keyof Tables> = Readonly<Record<string, keyof Tables[Table] & string>>

interface Names<Table extends keyof Tables> {
  readonly keys: ColumnsOf<Table>
  /** The columns that never change after a record is created. */
  readonly fixed: ColumnsOf<Table>
  readonly mutable: ColumnsOf<Table>
}

/** Causes a compile error when a field of the record has no column. */
type Complete<Stored, Named extends Names<never>> = [
  Exclude<keyof Stored, keyof Named['keys'] | keyof Named['fixed'] | keyof Named['mutable']>,
] extends [never]
  ? unknown
  : { readonly 'every field has a column': never }

export function recordStatements<Stored>() {
  return <Table extends keyof Tables & string, const Named extends Names<Table>>(
    table: Table,
    names: Named & Complete<Stored, Named>,
  ): RecordStatements<Stored> => {
    const all = { ...names.keys, ...names.fixed, ...names.mutable }
    const listed = sql.join(Object.values(all).map((column) => sql.ref(column)))
    const source = (rows: string) => sql`json_populate_recordset(null::${sql.table(table)}, ${rows}::json)`
    const sets = Object.values(names.mutable).map((column) => sql`${sql.ref(column)} = next.${sql.ref(column)}`)
    const matches = Object.values(names.keys).map(
      (column) => sql`${sql.table(table)}.${sql.ref(column)} = next.${sql.ref(column)}`,
    )
    return {
      selected: sql.join(
        Object.entries(all).map(([field, column]) => sql`${sql.ref(`${table}.${column}`)} as ${sql.ref(field)}`),
      ),
      selectedForJson: sql.join(
        Object.entries(all).map(([field, column]) => sql`${inJson(table, column)} as ${sql.ref(field)}`),
      ),
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
      rows: (records) => ({ rows: JSON.stringify(records.map((record) => columnsOf(all, Object(record)))) }),
    }
  }
}

/** The suffixes of the names of timestamp columns. */
const timestampColumn = /_(at|until|since|deadline)$/

function inJson(table: string, column: string): RawBuilder<unknown> {
  const name = sql.ref(`${table}.${column}`)
  return timestampColumn.test(column) ? sql`to_char(${name}, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')` : sql`${name}`
}

function columnsOf(names: Readonly<Record<string, string>>, record: object): object {
  return Object.fromEntries(Object.entries(names).map(([field, column]) => [column, Reflect.get(record, field)]))
}
