import { type RawBuilder, sql } from 'kysely'
import type { Tables } from '../tables/tables.ts'
import { type WriteStatement, writing } from './statement.ts'

/**
 * Records of many fields that are written whole: each field’s column is named once, for reading, for inserting and for
 * updating, so that none can be forgotten in one of the three.
 */
export interface RecordCache<Kept> {
  /** The columns under the names of their fields. */
  readonly selected: RawBuilder<unknown>
  /** The same for inside of JSON, where moments would have another form. */
  readonly selectedForJson: RawBuilder<unknown>
  readonly insert: WriteStatement<{ rows: string }, unknown>
  /** Brings what may change of a record to what the record says. */
  readonly update: WriteStatement<{ rows: string }, unknown>
  rows(records: readonly Kept[]): { rows: string }
}

type ColumnsOf<Table extends keyof Tables> = Readonly<Record<string, keyof Tables[Table] & string>>

interface Names<Table extends keyof Tables> {
  readonly keys: ColumnsOf<Table>
  /** What never changes once a record is made. */
  readonly settled: ColumnsOf<Table>
  readonly moving: ColumnsOf<Table>
}

/** A field without a column does not compile. */
type Complete<Kept, Named extends Names<never>> = [
  Exclude<keyof Kept, keyof Named['keys'] | keyof Named['settled'] | keyof Named['moving']>,
] extends [never]
  ? unknown
  : { readonly 'every field has a column': never }

export function openRecordCache<Kept>() {
  return <Table extends keyof Tables & string, const Named extends Names<Table>>(
    table: Table,
    names: Named & Complete<Kept, Named>,
  ): RecordCache<Kept> => {
    const all = { ...names.keys, ...names.settled, ...names.moving }
    const listed = sql.join(Object.values(all).map((column) => sql.ref(column)))
    const source = (rows: string) => sql`json_populate_recordset(null::${sql.table(table)}, ${rows}::json)`
    const sets = Object.values(names.moving).map((column) => sql`${sql.ref(column)} = next.${sql.ref(column)}`)
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
      insert: writing<{ rows: string }>()(
        `keep_${table}`,
        (p) => sql`insert into ${sql.table(table)} (${listed}) select ${listed} from ${source(p.rows)}`,
      ),
      update: writing<{ rows: string }>()(
        `rewrite_${table}`,
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

/** Columns are named for what they hold: those that end so are moments. */
const moment = /_(at|until|since|deadline)$/

function inJson(table: string, column: string): RawBuilder<unknown> {
  const name = sql.ref(`${table}.${column}`)
  return moment.test(column) ? sql`to_char(${name}, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')` : sql`${name}`
}

function columnsOf(names: Readonly<Record<string, string>>, record: object): object {
  return Object.fromEntries(Object.entries(names).map(([field, column]) => [column, Reflect.get(record, field)]))
}
