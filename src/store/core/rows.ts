import { type InsertType, type RawBuilder, type SelectType, sql } from 'kysely'
import type { Tables } from '../tables/tables.ts'
import type { WriteTrx } from './database.ts'
import { columnOf } from './names.ts'
import { type WriteStatement, writing } from './statement.ts'

/** The columns of a table that an insert may set: all but the generated columns. */
type Insertable<Table extends keyof Tables> = {
  [Name in keyof Tables[Table] & string]: [InsertType<Tables[Table][Name]>] extends [never] ? never : Name
}[keyof Tables[Table] & string]

/** Some columns of a table's row, with the types that a select returns for them. */
type Row<Table extends keyof Tables, Column extends keyof Tables[Table]> = {
  readonly [Name in Column]: SelectType<Tables[Table][Name]>
}

/** The arguments of a statement that writes rows. */
export interface JsonRows {
  /** The rows to write, as JSON text. */
  readonly rows: string
  /** The ids of those rows that the audit row of the change must list. They are not read from the JSON text. */
  readonly ids?: readonly string[]
}

export interface RowInsert<Inserted> {
  readonly statement: WriteStatement<JsonRows, unknown>
  args(rows: readonly Inserted[]): JsonRows
  /** Queues the insert or update of rows in the transaction. A constraint violation makes the commit fail. */
  insert(trx: WriteTrx, rows: readonly Inserted[]): void
}

export type RowOf<Source> = Source extends RowInsert<infer Inserted> ? Inserted : never

/** A row of an insert. A value for a column that the insert does not set would be lost, so it does not compile. */
type InsertedRow<Table extends keyof Tables, Column extends Insertable<Table>> = Row<Table, Column> & {
  readonly [Name in Exclude<Insertable<Table>, Column>]?: never
}

/** Requires that no column of the table is missing. The compile error names the missing columns. */
type Complete<Missing> = [Missing] extends [never] ? unknown : { readonly neitherListedNorInWithDefaults: Missing }

interface InsertOptions<Defaulted> {
  /**
   * The columns that the insert omits. They get their default, or null if they have no default. Only the compiler reads
   * this list.
   */
  readonly withDefaults?: readonly Defaulted[]
  /** The `on conflict` clause of the insert. */
  readonly conflict?: RawBuilder<unknown>
}

/**
 * Returns a statement that inserts any number of rows of a table from JSON, which PostgreSQL expands with the row type
 * of the table. Each column of the table, except the generated columns, is in `columns` or in `withDefaults`. A new
 * column is therefore a compile error until every insert of the table lists it; otherwise its values could be lost
 * silently.
 */
export function insertingRows<
  Table extends keyof Tables & string,
  Column extends Insertable<Table>,
  Defaulted extends Exclude<Insertable<Table>, Column> = never,
>(
  table: Table,
  columns: readonly Column[] & Complete<Exclude<Insertable<Table>, Column | Defaulted>>,
  { conflict = sql`` }: InsertOptions<Defaulted> = {},
): RowInsert<InsertedRow<Table, Column>> {
  const names = sql.join(columns.map((column) => sql.ref(column)))
  const statement: WriteStatement<JsonRows, unknown> = writing<JsonRows>()(
    `insert_${table}`,
    (p) => sql`
      insert into ${sql.table(table)} (${names})
      select ${names} from json_populate_recordset(null::${sql.table(table)}, ${p.rows}::json) ${conflict}`,
  )
  const args = jsonRowsOf(columns)
  return {
    statement,
    args,
    insert: (trx, rows) => {
      if (rows.length > 0) trx.queue(statement, args(rows))
    },
  }
}

/** Returns a function that writes rows as the arguments of a statement, with the given fields by the names of their columns. */
export function jsonRowsOf(fields: readonly string[]): (rows: readonly object[]) => JsonRows {
  const columns = fields.map((field) => [field, columnOf(field)] as const)
  const columnsOf = (row: object) =>
    Object.fromEntries(columns.map(([field, column]): [string, unknown] => [column, Reflect.get(row, field)]))
  return (rows) => ({ rows: JSON.stringify(rows.map(columnsOf)) })
}

export interface RowUpdate<Updated> {
  /** Queues the insert or update of rows in the transaction. A constraint violation makes the commit fail. */
  update(trx: WriteTrx, rows: readonly Updated[]): void
}

/** Returns a statement that updates any number of rows of a table from JSON, found by their keys. */
export function updatingRows<
  Table extends keyof Tables & string,
  Key extends keyof Tables[Table] & string,
  Column extends keyof Tables[Table] & string,
>(table: Table, keys: readonly Key[], columns: readonly Column[]): RowUpdate<Row<Table, Key | Column>> {
  const sets = columns.map((column) => sql`${sql.ref(column)} = next.${sql.ref(column)}`)
  const matches = keys.map((key) => sql`${sql.table(table)}.${sql.ref(key)} = next.${sql.ref(key)}`)
  const statement = writing<JsonRows>()(
    `update_${table}`,
    (p) => sql`
      update ${sql.table(table)}
      set ${sql.join(sets)}
      from json_populate_recordset(null::${sql.table(table)}, ${p.rows}::json) as next
      where ${sql.join(matches, sql` and `)}`,
  )
  const args = jsonRowsOf([...keys, ...columns])
  return {
    update: (trx, rows) => {
      if (rows.length > 0) trx.queue(statement, args(rows))
    },
  }
}
