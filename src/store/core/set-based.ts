import { type RawBuilder, sql } from 'kysely'
import { encodeArray } from './array-parameter.ts'

/**
 * Set-based forms of statements: one execution with the arguments of several executions, which it reads as rows of the
 * relation `argument`. PostgreSQL needs more time to start a statement than to process one more row.
 */
export interface SetBased<Args, Row> {
  readonly name: string
  readonly text: string
  /** Returns the parameters of one execution with the arguments of several executions. */
  bind(executions: readonly Args[]): unknown[]
  /**
   * This property is never set; its type only tells the compiler the row type. `execution` is the number, from 1, of
   * the set of arguments to which the row belongs.
   */
  readonly row?: Row & { readonly execution: number }
}

/** The PostgreSQL type of each argument. Times and documents are text, which the query casts. */
export type ArgumentTypes<Args> = { readonly [Name in keyof Args]-?: TypeOf<NonNullable<Args[Name]>> }

/**
 * The PostgreSQL types that can hold a value. With any other type, the set-based statement would fail in every
 * transaction group, and each mutation of the group would run again alone.
 */
type TypeOf<Value> = Value extends Buffer
  ? 'bytea'
  : Value extends number
    ? 'bigint' | 'integer'
    : Value extends boolean
      ? 'boolean'
      : 'text'

/** The parameters of a set-based form: an array of the values of each argument, and their number. */
export type Executions<Args> = { readonly [Name in keyof Args]: Buffer } & { readonly executionCount: number }

/** Returns the relation `argument` as a common table expression, for a query that reads it several times. */
export function argumentTable<Args>(types: ArgumentTypes<Args>, executions: Executions<Args>): RawBuilder<unknown> {
  return sql`argument as materialized (${recordsOf(types, executions)})`
}

/** A `from` clause with which a query selects one row for each set of arguments. */
export const fromArgument = sql`from argument`

/** Returns a query that runs the given query once for each set of arguments. */
export function forEachExecution<Args, Row>(
  types: ArgumentTypes<Args>,
  executions: Executions<Args>,
  { query, effect }: { readonly query: (args: Args) => RawBuilder<Row>; readonly effect: 'reads' | 'locks' },
): RawBuilder<Row & { execution: number }> {
  const names = sql.join(namesOf(types).map((name) => sql.ref(name)))
  // Rows are locked in the order of their arguments, so that two concurrent statements do not deadlock.
  const order = effect === 'locks' ? sql`order by ${names}` : sql``
  return sql`
    select argument.execution, result.*
    from (${recordsOf(types, executions)} ${order}) as argument
    cross join lateral (${query(argumentsOf(types))}) as result`
}

/**
 * Returns references to the columns of a relation, which take the place of the arguments in a query. Only Kysely reads
 * them.
 */
export function argumentsOf<Args>(types: ArgumentTypes<Args>, relation = 'argument'): Args {
  const references = namesOf(types).map((name) => [name, sql.ref(`${relation}.${name}`)])
  return Object.fromEntries(references) as Args
}

/**
 * Selects, for each execution, one element of each array. `unnest` would take more time, because it makes a set of rows
 * of each array.
 */
function recordsOf<Args>(types: ArgumentTypes<Args>, executions: Executions<Args>): RawBuilder<unknown> {
  const columns = namesOf(types).map(
    (name) => sql`(${executions[name]}::${sql.raw(types[name])}[])[execution] as ${sql.ref(name)}`,
  )
  return sql`
    select execution, ${sql.join(columns)}
    from generate_series(1, ${executions.executionCount}::integer) as execution`
}

function namesOf<Args>(types: ArgumentTypes<Args>): (keyof Args & string)[] {
  return Object.keys(types) as (keyof Args & string)[]
}

/** Returns the parameters of a set-based statement for the given sets of arguments. */
export function executionsOf<Args>(types: ArgumentTypes<Args>, executions: readonly Args[]): Executions<Args> {
  const arrayOf = (name: keyof Args & string) => executions.map((args) => args[name])
  const arrays = namesOf(types).map((name) => [name, encodeArray(types[name], arrayOf(name))])
  return { ...Object.fromEntries(arrays), executionCount: executions.length }
}
