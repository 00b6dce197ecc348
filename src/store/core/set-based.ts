import { type RawBuilder, sql } from 'kysely'

/**
 * Set-based forms of statements: one execution with the arguments of several executions, which it reads as rows of the relation
 * `argument`. PostgreSQL needs more time to start a statement than to process one more row.
 */
export interface SetBased<Args, Row> {
  readonly name: string
  readonly text: string
  /** Returns the parameters of an execution with these arguments. */
  bind(executions: readonly Args[]): unknown[]
  /** Never set. Carries the row type; `execution` is the index of the arguments that the row is for. */
  readonly row?: Row & { readonly execution: number }
}

type ArgumentType = 'bigint' | 'bytea' | 'integer' | 'text'

/** The PostgreSQL type of each argument. Times and documents are text, which the query casts. */
export type ArgumentTypes<Args> = { readonly [Name in keyof Args]-?: ArgumentType }

/** The name of the only parameter of a set-based form. */
export interface Executions {
  readonly executions: string
}

/** Returns the relation `argument` as a common table expression, for a query that reads it several times. */
export function argumentTable<Args>(types: ArgumentTypes<Args>, { executions }: Executions): RawBuilder<unknown> {
  return sql`argument as materialized (select * from ${recordsOf(types, executions)})`
}

/** Makes a query select one row for each execution. */
export const fromArgument = sql`from argument`

/**
 * Returns a query that runs another one for each execution. The executions are sorted by their arguments, so that two concurrent
 * statements lock rows in the same order.
 */
export function forEachExecution<Args, Row>(
  types: ArgumentTypes<Args>,
  { executions }: Executions,
  query: (args: Args) => RawBuilder<Row>,
): RawBuilder<Row & { execution: number }> {
  const sorted = sql.join(namesOf(types).map((name) => sql.ref(name)))
  return sql`
    select argument.execution, result.*
    from (select * from ${recordsOf(types, executions)} order by ${sorted}) as argument
    cross join lateral (${query(argumentsOf(types))}) as result`
}

/** Returns references to the columns of a relation in place of the arguments. Only Kysely reads them. */
export function argumentsOf<Args>(types: ArgumentTypes<Args>, relation = 'argument'): Args {
  const references = namesOf(types).map((name) => [name, sql.ref(`${relation}.${name}`)])
  return Object.fromEntries(references) as Args
}

function recordsOf<Args>(types: ArgumentTypes<Args>, executions: string): RawBuilder<unknown> {
  const columns = namesOf(types).map((name) => sql`${sql.ref(name)} ${sql.raw(types[name])}`)
  return sql`json_to_recordset(${executions}::json) as argument (execution integer, ${sql.join(columns)})`
}

function namesOf<Args>(types: ArgumentTypes<Args>): (keyof Args & string)[] {
  return Object.keys(types) as (keyof Args & string)[]
}

/** Returns the executions as JSON, with binary arguments in PostgreSQL's hexadecimal format. */
export function executionsJson<Args>(types: ArgumentTypes<Args>, executions: readonly Args[]): string {
  const binary = namesOf(types).filter((name) => types[name] === 'bytea')
  return JSON.stringify(
    executions.map((args, execution) => {
      const record: Record<string, unknown> = { ...args, execution }
      for (const name of binary) record[name] = hexOf(args[name])
      return record
    }),
  )
}

function hexOf(value: unknown): string | null {
  return Buffer.isBuffer(value) ? `\\x${value.toString('hex')}` : null
}
