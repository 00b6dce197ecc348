import { type Insertable, type InsertType, type RawBuilder, type SelectType, sql } from 'kysely'
import type { Tables } from '../tables/tables.ts'
import type { WriteTrx } from './database.ts'
import { columnOf } from './names.ts'
import { type WriteStatement, writing } from './statement.ts'

/** The type of a column's value in a row. Lists may be read-only. */
type Value<Column> =
  SelectType<Column> extends infer Type ? (Type extends (infer Item)[] ? readonly Item[] : Type) : never

/** The names of the columns that an insert may set: all but the generated columns. */
type Settable<Table extends keyof Tables> = {
  [Name in keyof Tables[Table] & string]: [InsertType<Tables[Table][Name]>] extends [never] ? never : Name
}[keyof Tables[Table] & string]

/** The names of the columns that an insert may omit, because they have a default or may be null. */
type Omittable<Table extends keyof Tables> = {
  [Name in Settable<Table>]: undefined extends InsertType<Tables[Table][Name]>
    ? Name
    : null extends SelectType<Tables[Table][Name]>
      ? Name
      : never
}[Settable<Table>]

/** A row to insert. A column that the row omits gets its default, or null if it has no default. */
export type NewRow<Table extends keyof Tables> = {
  readonly [Name in Exclude<Settable<Table>, Omittable<Table>>]: Value<Tables[Table][Name]>
} & { readonly [Name in Omittable<Table>]?: Value<Tables[Table][Name]> } & {
  readonly [Name in Exclude<keyof Tables[Table] & string, Settable<Table>>]?: never
}

/** The arguments of a statement that writes rows. */
export interface JsonRows {
  /** The rows to write, as JSON text. */
  readonly rows: string
  /** The ids of those rows that the audit row of the change must list. They are not read from the JSON text. */
  readonly ids?: readonly string[]
}

/**
 * Makes a field without a column a compile error. TypeScript itself does not check the additional fields of a row that
 * is made by spreading.
 */
type OnlyColumns<Row, Inserted> = Row & { readonly [Name in Exclude<keyof Row, keyof Inserted>]: never }

export interface RowInsert<Inserted> {
  /** Returns the statement that inserts the rows, and its arguments. */
  bound<Row extends Inserted>(
    rows: readonly OnlyColumns<Row, Inserted>[],
  ): readonly [WriteStatement<JsonRows, unknown>, JsonRows]
  /**
   * Queues the insert of rows in the transaction. A constraint violation makes the commit fail. The audit row of the
   * change lists the given ids.
   */
  insert<Row extends Inserted>(
    trx: WriteTrx,
    rows: readonly OnlyColumns<Row, Inserted>[],
    ids?: readonly string[],
  ): void
}

export type RowOf<Source> = Source extends RowInsert<infer Inserted> ? Inserted : never

/**
 * Returns a function that inserts one row of a table. The row names the columns: each set of columns has its own
 * statement, in which every value is a parameter. A constraint violation makes the commit fail.
 */
export function inserting<Table extends keyof Tables & string>(
  table: Table,
): <Row extends Insertable<Tables[Table]>>(trx: WriteTrx, row: OnlyColumns<Row, Insertable<Tables[Table]>>) => void {
  const statementFor = onceForEach((fields) =>
    writing<Readonly<Record<string, unknown>>>()(
      `insert_${table}`,
      (p) => sql`
        insert into ${sql.table(table)} (${namesOf(fields)})
        values (${sql.join(fields.map((field) => p[field]))})`,
    ),
  )
  return (trx, row) => trx.queue(statementFor(Object.keys(row)), row)
}

/**
 * Returns a function that inserts any number of rows of a table from JSON, which PostgreSQL expands with the row type of
 * the table. The rows name the columns: each set of columns has its own statement. A column that only some of the rows
 * name is null in the others.
 */
export function insertingRows<Table extends keyof Tables & string>(
  table: Table,
  conflict: RawBuilder<unknown> = sql``,
): RowInsert<NewRow<Table>> {
  const insertOf = onceForEach((fields) => {
    const names = namesOf(fields)
    const statement: WriteStatement<JsonRows, unknown> = writing<JsonRows>()(
      `insert_${table}`,
      (p) => sql`
        insert into ${sql.table(table)} (${names})
        select ${names} from json_populate_recordset(null::${sql.table(table)}, ${p.rows}::json) ${conflict}`,
    )
    return { statement, argsOf: jsonRowsOf(fields) }
  })
  const bound = (rows: readonly NewRow<Table>[]) => {
    const { statement, argsOf } = insertOf([...new Set(rows.flatMap((row) => Object.keys(row)))])
    return [statement, argsOf(rows)] as const
  }
  return {
    bound,
    insert: (trx, rows, ids = []) => {
      if (rows.length === 0) return
      const [statement, args] = bound(rows)
      trx.queue(statement, { ...args, ids })
    },
  }
}

/** Returns a function that calls `make` once for each list of fields. */
function onceForEach<Made>(make: (fields: readonly string[]) => Made): (fields: readonly string[]) => Made {
  const made = new Map<string, Made>()
  return (fields) => {
    const key = fields.join()
    const known = made.get(key) ?? make(fields)
    made.set(key, known)
    return known
  }
}

function namesOf(fields: readonly string[]): RawBuilder<unknown> {
  return sql.join(fields.map((field) => sql.ref(field)))
}

/**
 * Returns a function that writes rows as the arguments of a statement, with the given fields by the names of their
 * columns.
 */
export function jsonRowsOf(fields: readonly string[]): (rows: readonly object[]) => JsonRows {
  const columns = fields.map((field) => [field, columnOf(field)] as const)
  const columnsOf = (row: object) =>
    Object.fromEntries(columns.map(([field, column]): [string, unknown] => [column, Reflect.get(row, field)]))
  return (rows) => ({ rows: JSON.stringify(rows.map(columnsOf)) })
}

export interface RowUpdate<Updated> {
  /** Queues the update of rows in the transaction. A constraint violation makes the commit fail. */
  update(trx: WriteTrx, rows: readonly Updated[], ids?: readonly string[]): void
}

/** Some columns of a table's row. */
type UpdatedRow<Table extends keyof Tables, Column extends keyof Tables[Table]> = {
  readonly [Name in Column]: Value<Tables[Table][Name]>
}

/** Returns a statement that updates any number of rows of a table from JSON, found by their keys. */
export function updatingRows<
  Table extends keyof Tables & string,
  Key extends keyof Tables[Table] & string,
  Column extends keyof Tables[Table] & string,
>(table: Table, keys: readonly Key[], columns: readonly Column[]): RowUpdate<UpdatedRow<Table, Key | Column>> {
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
    update: (trx, rows, ids = []) => {
      if (rows.length > 0) trx.queue(statement, { ...args(rows), ids })
    },
  }
}
