import { createHash } from 'node:crypto'
import {
  type Compilable,
  type CompiledQuery,
  DummyDriver,
  isOperationNodeSource,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type RawBuilder,
} from 'kysely'
import type { Tables } from '../tables/tables.ts'

/**
 * A statement is a Kysely query that was compiled once and is sent to PostgreSQL as a named, prepared one. Building and
 * compiling a query on every request would cost more than the rest of a request's work in this process, and an
 * unnamed statement would be planned anew every time. Kysely keeps what it is good at: the query is typed by the
 * generated tables, so a column that is gone is a compile error.
 */
export interface Statement<Args, Row> {
  readonly name: string
  readonly text: string
  bind(args: Args): unknown[]
  /** Never set; it carries the row's type. */
  readonly row?: Row
}

/** Changes nothing and holds nothing. */
export interface ReadStatement<Args, Row> extends Statement<Args, Row> {
  readonly effect: 'reads'
}

/** Changes nothing and holds rows, or a key, until its transaction ends. */
export interface LockStatement<Args, Row> extends Statement<Args, Row> {
  readonly effect: 'locks'
}

export interface WriteStatement<Args, Row> extends Statement<Args, Row> {
  readonly effect: 'writes'
}

/** Builds queries and never runs them. */
export const build = new Kysely<Tables>({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
})

/** A select built by Kysely. */
interface Select<Row> extends Compilable<Row> {
  readonly isSelectQueryBuilder: true
}

/** Declares a read. `query` is called once, with stand-ins for the arguments. Throws if its text is no plain read. */
export function reading<Args extends object>() {
  return <Row>(label: string, query: (args: Args) => Select<Row> | RawBuilder<Row>): ReadStatement<Args, Row> => {
    const statement = prepare<Args, Row>(label, compile(query(placeholders<Args>())))
    if (changing.test(statement.text) || holding.test(statement.text)) throw new Error(`${label} does more than read.`)
    return { ...statement, effect: 'reads' }
  }
}

/** Declares a select that locks. Throws if its text changes anything. */
export function locking<Args extends object>() {
  return <Row>(label: string, query: (args: Args) => Select<Row> | RawBuilder<Row>): LockStatement<Args, Row> => {
    const statement = prepare<Args, Row>(label, compile(query(placeholders<Args>())))
    if (changing.test(statement.text) || !holding.test(statement.text)) throw new Error(`${label} does not only lock.`)
    return { ...statement, effect: 'locks' }
  }
}

/** Declares a write. */
export function writing<Args extends object>() {
  return <Row>(label: string, query: (args: Args) => Compilable<Row> | RawBuilder<Row>): WriteStatement<Args, Row> => ({
    ...prepare<Args, Row>(label, compile(query(placeholders<Args>()))),
    effect: 'writes',
  })
}

/**
 * The text of a statement written as SQL is outside the type system, so each one is tested once, when its module loads:
 * a statement that changes something under the name of a read or a lock would escape the audit log.
 */
const changing =
  /\b(?:insert\s+into|delete\s+from|merge\s+into|nextval|set_config|pg_notify|graphile_worker)\b|\bupdate\s+[\w."]+\s+(?:(?:as\s+)?\w+\s+)?set\b/i
const holding = /\bfor\s+(?:no\s+key\s+)?(?:key\s+)?(?:update|share)\b|\bpg_(?:try_)?advisory/i

function compile<Row>(query: Compilable<Row> | RawBuilder<Row>): CompiledQuery<Row> {
  return isRaw(query) ? query.compile(build) : query.compile()
}

function isRaw<Row>(query: Compilable<Row> | RawBuilder<Row>): query is RawBuilder<Row> {
  return isOperationNodeSource(query) && 'isRawBuilder' in query
}

/** PostgreSQL cuts names at 63 bytes; the hash keeps two versions of one statement apart during a deployment. */
const hashLength = 12

function prepare<Args, Row>(label: string, compiled: CompiledQuery<Row>): Statement<Args, Row> {
  const text = compiled.sql
  const name = `${label.slice(0, 48)}_${createHash('sha256').update(text).digest('hex').slice(0, hashLength)}`
  const parameters = [...compiled.parameters]
  return {
    name,
    text,
    bind: (args) => parameters.map((parameter) => (parameter instanceof Placeholder ? parameter.of(args) : parameter)),
  }
}

/** Stands for an argument until the statement is run. */
class Placeholder {
  readonly key: string
  constructor(key: string) {
    this.key = key
  }
  of(args: unknown): unknown {
    return Reflect.get(Object(args), this.key)
  }
}

/**
 * Every property of the result is the stand-in of that name. It is typed as the arguments themselves so that Kysely
 * checks them against the columns they meet; it is only ever seen by Kysely, which passes values through untouched.
 */
function placeholders<Args extends object>(): Args {
  return new Proxy({}, { get: (_, key) => new Placeholder(String(key)) }) as Args
}
