import { createHash } from 'node:crypto'
import {
  CamelCasePlugin,
  type Compilable,
  type CompiledQuery,
  DummyDriver,
  isOperationNodeSource,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type RawBuilder,
  type SqlBool,
  sql,
} from 'kysely'
import type { MerchantId } from '../../../registry/values/vocabulary.ts'
import type { Tables } from '../tables/tables.ts'

/**
 * A Kysely query that is compiled once and sent to PostgreSQL as a named prepared statement. Compiling a query on every
 * request would cost more than the rest of the request's work in this process. The statement has a name, because
 * PostgreSQL would plan an unnamed statement every time. The query is typed by the generated tables, so a dropped
 * column is a compile error.
 */
export interface Statement<Args, Row> {
  readonly name: string
  readonly text: string
  readonly effect: 'reads' | 'searches' | 'locks' | 'writes'
  /** Whether the statement always takes about a millisecond, so that it may share a pipeline with other reads. */
  readonly isShort?: true
  readonly bind: (args: Args) => unknown[]
  /** This property is never set; its type only tells the compiler the type of the statement's rows. */
  readonly row?: Row
}

export interface ReadStatement<Args, Row> extends Statement<Args, Row> {
  readonly effect: 'reads'
}

/** A statement that reads rows of all merchants. */
export interface SearchStatement<Args, Row> extends Statement<Args, Row> {
  readonly effect: 'searches'
  readonly amongReachable: Statement<Args & Reachable, Row>
}

interface Reachable {
  readonly reachable: readonly MerchantId[]
}

/** A statement that locks rows or an advisory key until the transaction ends, and changes nothing. */
export interface LockStatement<Args, Row> extends Statement<Args, Row> {
  readonly effect: 'locks'
}

export interface WriteStatement<Args, Row> extends Statement<Args, Row> {
  readonly effect: 'writes'
  /** Whether the statement ends in a `returning` clause, for example to return the ids of the changed records. */
  readonly returnsRows: boolean
}

/**
 * Kysely instance that builds queries and never runs them. Queries name a column by its field: `paymentId` for
 * `payment_id`. batch.ts names the columns of results in the same way.
 */
export const build = new Kysely<Tables>({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
  plugins: [new CamelCasePlugin()],
})

interface Select<Row> extends Compilable<Row> {
  readonly isSelectQueryBuilder: true
}

/** The query of a statement that reads or locks. */
export type Query<Args, Row> = (args: Args) => Select<Row> | RawBuilder<Row>

export type SearchQuery<Args, Row> = (args: Args, isReachable: MerchantCondition) => Select<Row> | RawBuilder<Row>

/**
 * Returns an SQL condition: the row belongs to one of the merchants to which the statement is limited. The argument is
 * the column with the merchant of the row.
 */
export type MerchantCondition = (merchantColumn: string) => RawBuilder<SqlBool>

export function isOf(merchantId: string): MerchantCondition {
  return (column) => sql`${sql.ref(column)} = ${merchantId}`
}

/** Function that builds the query of a writing statement from its arguments. */
export type Change<Args, Row> = (args: Args) => Compilable<Row> | RawBuilder<Row>

/** Calls `query` once, with placeholders for the arguments. Throws if the SQL locks or writes. */
export function reading<Args extends object>() {
  return <Row>(label: string, query: Query<Args, Row>): ReadStatement<Args, Row> => {
    const statement = declare(label, 'reads', query)
    requireReading(label, statement)
    return statement
  }
}

function requireReading(label: string, { text }: Pick<Statement<object, unknown>, 'text'>): void {
  if (writingPattern.test(text) || lockingPattern.test(text)) throw new Error(`${label} does more than read.`)
}

/**
 * Declares a search over all merchants, in two forms. The second form is restricted to the reachable merchants, so that
 * on a distributed database it reads only the nodes that respond. `query` gets a function. For a column with the id of
 * a merchant, this function returns the condition that the merchant is reachable. `query` must add this condition for
 * each table, because a join with a restricted table does not always restrict the nodes on which the statement runs. A
 * search neither locks nor changes rows: separate statements, one for each merchant, change or claim them.
 */
export function searching<Args extends object>() {
  return <Row>(label: string, query: SearchQuery<Args, Row>): SearchStatement<Args, Row> => {
    const all = declare<Args, Row, 'searches'>(label, 'searches', (p) => query(p, () => sql`true`))
    const amongReachable = declare<Args & Reachable, Row, 'searches'>(`${label}_reachable`, 'searches', (p) =>
      query(p, (column) => sql`${sql.ref(column)} = any(${p.reachable})`),
    )
    requireReading(label, all)
    return { ...all, amongReachable }
  }
}

/**
 * Declares a statement that reads a few rows by an index. Reads of concurrent requests share pipelines, so a read that
 * may take long must not be declared as short.
 */
export function shortReading<Args extends object>() {
  return <Row>(label: string, query: Query<Args, Row>): ReadStatement<Args, Row> => {
    return { ...reading<Args>()(label, query), isShort: true }
  }
}

/** Throws if the SQL writes, or does not lock. */
export function locking<Args extends object>() {
  return <Row>(label: string, query: Query<Args, Row>): LockStatement<Args, Row> => {
    const statement = declare(label, 'locks', query)
    if (writingPattern.test(statement.text) || !lockingPattern.test(statement.text))
      throw new Error(`${label} does more than lock.`)
    return statement
  }
}

export function writing<Args extends object>() {
  return <Row>(label: string, query: Change<Args, Row>): WriteStatement<Args, Row> => {
    const statement = declare(label, 'writes', query)
    return { ...statement, returnsRows: returningPattern.test(statement.text) }
  }
}

/**
 * The type system cannot see into SQL text, so each statement is checked once, when its module loads. A write declared as
 * a read or a lock would bypass the audit log.
 */
const writingPattern =
  /\b(?:insert\s+into|delete\s+from|merge\s+into|nextval|set_config|pg_notify|graphile_worker)\b|\bupdate\s+[\w."]+\s+(?:(?:as\s+)?\w+\s+)?set\b/i
const lockingPattern = /\bfor\s+(?:no\s+key\s+)?(?:key\s+)?(?:update|share)\b|\bpg_(?:try_)?advisory/i
/**
 * Matches a `returning` clause of the statement itself. A `returning` clause within a common table expression does not
 * match, because a parenthesis follows it.
 */
const returningPattern = /\breturning\b[^()]*$/i

function compile<Row>(query: Compilable<Row> | RawBuilder<Row>): CompiledQuery<Row> {
  return isRaw(query) ? query.compile(build) : query.compile()
}

function isRaw<Row>(query: Compilable<Row> | RawBuilder<Row>): query is RawBuilder<Row> {
  return isOperationNodeSource(query) && 'isRawBuilder' in query
}

/**
 * The name of a prepared statement is its label and a hash of its SQL, so that two releases that run beside each other do
 * not share a name. PostgreSQL truncates names at 63 bytes, so the label is cut at 48 characters.
 */
const hashLength = 12

const declared = new Map<string, Statement<object, unknown>>()

/** For scripts that check the SQL of the statements. */
export function declaredStatements(): Iterable<Statement<object, unknown>> {
  return declared.values()
}

function declare<Args extends object, Row, Effect extends Statement<Args, Row>['effect']>(
  label: string,
  effect: Effect,
  query: Change<Args, Row>,
) {
  const { sql: text, parameters } = compile(query(placeholders<Args>()))
  const name = `${label.slice(0, 48)}_${createHash('sha256').update(text).digest('hex').slice(0, hashLength)}`
  const bind = (args: object) =>
    parameters.map((parameter) => (parameter instanceof Placeholder ? Reflect.get(args, parameter.key) : parameter))
  const statement = { name, text, effect, bind }
  declared.set(name, statement)
  return statement
}

class Placeholder {
  readonly key: string
  constructor(key: string) {
    this.key = key
  }
}

/**
 * Returns an object in which each property is a placeholder with the name of the property. The object has the type of
 * the arguments, so that Kysely checks the arguments against the columns. Only Kysely reads the object, and passes its
 * values through unchanged.
 */
function placeholders<Args extends object>(): Args {
  return new Proxy({}, { get: (_, key) => new Placeholder(String(key)) }) as Args
}
