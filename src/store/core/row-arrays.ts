import { type RawBuilder, sql } from 'kysely'
import { encodeArray } from './array-parameter.ts'
import type { ArgumentTypes } from './set-based.ts'

/**
 * Rows as parameters of a statement: one binary array for each column. PostgreSQL reads them in a third of the time of the same
 * rows in JSON.
 */
export type Arrays<Row> = { readonly [Name in keyof Row]: Buffer }

/** Returns the parameters of a statement that contain the given rows. */
export function arraysOf<Row>(types: ArgumentTypes<Row>, rows: readonly Row[]): Arrays<Row> {
  const arrays = namesOf(types).map((name) => {
    const values = rows.map((row) => row[name])
    return [name, encodeArray(types[name], values)]
  })
  return Object.fromEntries(arrays) as Arrays<Row>
}

/** Returns the rows as an item of a `from` clause. Times are text, which the query casts. */
export function rowsOf<Row>(types: ArgumentTypes<Row>, arrays: Arrays<Row>): RawBuilder<unknown> {
  const names = namesOf(types)
  const columns = names.map((name) => sql`${arrays[name]}::${sql.raw(types[name])}[]`)
  return sql`unnest(${sql.join(columns)}) as argument (${sql.join(names.map((name) => sql.ref(name)))})`
}

function namesOf<Row>(types: ArgumentTypes<Row>): (keyof Row & string)[] {
  return Object.keys(types) as (keyof Row & string)[]
}
