import { type Insertable, type InsertType, type RawBuilder, type SelectType, sql } from 'kysely'
import type { Tables } from '../tables/tables.ts'
import type { WriteTrx } from './database.ts'
import { columnOf } from './names.ts'
import { writing } from './statement.ts'

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

interface RowsOfMerchant {
  /** The merchant of the rows. Undefined for a table without a merchant. */
  readonly merchantId: unknown
  /**
   * JSON text of the written rows, without the column of the merchant. The merchant is a separate parameter of the
   * statement.
   */
  readonly rows: string
  /**
   * The ids of the rows, which the audit row of the change must contain. They are passed separately, so that the JSON
   * text in `rows` need not be parsed.
   */
  readonly ids: readonly string[]
}

/**
 * With this type, the compiler rejects a field without a column. TypeScript itself accepts additional fields of a row
 * that is built with the spread syntax.
 */
type OnlyColumns<Row, Inserted> = Row & { readonly [Name in Exclude<keyof Row, keyof Inserted>]: never }

export interface RowInsert<Inserted> {
  /**
   * Queues an insert of rows in the transaction. A constraint violation makes the commit fail. The audit row of the
   * change lists the ids in `ids`.
   */
  insert<Row extends Inserted>(
    trx: WriteTrx,
    rows: readonly OnlyColumns<Row, Inserted>[],
    ids?: readonly string[],
  ): void
}

export type RowOf<Source> = Source extends RowInsert<infer Inserted> ? Inserted : never

/**
 * Returns a function that inserts one row of a table. The fields of the row determine the columns. Each set of columns
 * has its own prepared statement, in which every value is a parameter. A constraint violation makes the commit fail.
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
 * Returns a function that inserts any number of rows of a table from JSON, which PostgreSQL expands with the row type
 * of the table. The fields of the rows determine the columns, and each set of columns has its own prepared statement. A
 * column whose field only some of the rows have is null in the other rows.
 */
export function insertingRows<Table extends keyof Tables & string>(
  table: Table,
  conflict: RawBuilder<unknown> = sql``,
): RowInsert<NewRow<Table>> {
  const statementFor = onceForEach((fields) =>
    writing<RowsOfMerchant>()(
      `insert_${table}`,
      (p) => sql`
        insert into ${sql.table(table)} (${namesOf(fields)})
        select ${sql.join(fields.map((field) => (field === merchant ? p.merchantId : sql.ref(field))))}
        from ${recordsOf(table, p)} ${conflict}`,
    ),
  )
  return {
    insert: (trx, rows, ids = []) => {
      const fields = [...new Set(rows.flatMap((row) => Object.keys(row)))]
      for (const args of byMerchant(rows, { fields, ids })) trx.queue(statementFor(fields), args)
    },
  }
}

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
 * The field with the id of the merchant. A statement writes the rows of one merchant, whose id is an argument of the
 * statement. The statement finds each row of a tenant table by this id, so it cannot change the rows of another
 * merchant.
 */
const merchant = 'merchantId'

function byMerchant(
  rows: readonly object[],
  { fields, ids }: { readonly fields: readonly string[]; readonly ids: readonly string[] },
): readonly RowsOfMerchant[] {
  const columns = fields.filter((field) => field !== merchant).map((field) => [field, columnOf(field)] as const)
  const columnsOf = (row: object) =>
    Object.fromEntries(columns.map(([field, column]): [string, unknown] => [column, Reflect.get(row, field)]))
  const merchants = Map.groupBy(rows, (row): unknown => Reflect.get(row, merchant))
  return [...merchants].map(([merchantId, ofMerchant]) => {
    return { merchantId, rows: JSON.stringify(ofMerchant.map(columnsOf)), ids }
  })
}

function recordsOf(table: string, p: RowsOfMerchant): RawBuilder<unknown> {
  return sql`json_populate_recordset(null::${sql.table(table)}, ${p.rows}::json)`
}

export interface RowUpdate<Updated> {
  /** A constraint violation makes the commit fail. */
  update(trx: WriteTrx, rows: readonly Updated[], ids?: readonly string[]): void
}

type UpdatedRow<Table extends keyof Tables, Column extends keyof Tables[Table]> = {
  readonly [Name in Column]: Value<Tables[Table][Name]>
}

/** Declares an update of any number of rows of a table. PostgreSQL gets the rows, with their keys, as JSON. */
export function updatingRows<
  Table extends keyof Tables & string,
  Key extends keyof Tables[Table] & string,
  Column extends keyof Tables[Table] & string,
>(table: Table, keys: readonly Key[], columns: readonly Column[]): RowUpdate<UpdatedRow<Table, Key | Column>> {
  return updatingRecords(table, keys, columns)
}

/** Like updatingRows(), but for records whose type is not derived from the columns of the table. */
export function updatingRecords(table: string, keys: readonly string[], columns: readonly string[]): RowUpdate<object> {
  const fields = [...keys, ...columns]
  const sets = columns.map((column) => sql`${sql.ref(column)} = next.${sql.ref(column)}`)
  const statement = writing<RowsOfMerchant>()(`update_${table}`, (p) => {
    const matches = keys.map((key) => {
      const value = key === merchant ? sql`${p.merchantId}` : sql`next.${sql.ref(key)}`
      return sql`${sql.table(table)}.${sql.ref(key)} = ${value}`
    })
    return sql`
      update ${sql.table(table)}
      set ${sql.join(sets)}
      from ${recordsOf(table, p)} as next
      where ${sql.join(matches, sql` and `)}`
  })
  return {
    update: (trx, rows, ids = []) => {
      for (const args of byMerchant(rows, { fields, ids })) trx.queue(statement, args)
    },
  }
}
