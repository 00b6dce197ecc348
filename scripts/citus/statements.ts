import pg from 'pg'
import { merchantArguments, type StoreStatement, storeStatements } from '../tenancy/store-statements.ts'

/** How a distributed database runs a statement of the store. */
export interface PlannedStatement {
  readonly label: string
  readonly effect: StoreStatement['effect']
  /**
   * Maximum number of shards that a part of the plan reads or writes. 0 for a statement that only the coordinator
   * executes. In a statement of one merchant, each part uses one shard, and this shard is on the node of the merchant.
   * Undefined if the database rejects the statement.
   */
  readonly tasks: number | undefined
  readonly fault?: string
}

/**
 * Explains every statement of the store, with arguments that fit their types, in transactions that are rolled back. Some
 * statements are executed too, without a lasting effect.
 */
export async function explainStatements(connectionString: string): Promise<readonly PlannedStatement[]> {
  const client = new pg.Client({ connectionString })
  await client.connect()
  try {
    const merchantId = await anyMerchant(client)
    const planned: PlannedStatement[] = []
    const statements = await storeStatements()
    const given = { merchantId, temporaryTables: statements.flatMap(temporaryTableOf) }
    for (const statement of statements) planned.push(await explain(client, statement, given))
    return planned
  } finally {
    await client.end()
  }
}

async function anyMerchant(client: pg.Client): Promise<string> {
  const { rows } = await client.query<{ id: string }>('select id from merchants limit 1')
  const [row] = rows
  if (row === undefined) throw new Error('The database has no merchant. Create one with `commerce merchant create`.')
  return row.id
}

interface TemporaryTable {
  readonly name: string
  readonly text: string
}

function temporaryTableOf({ text }: StoreStatement): readonly TemporaryTable[] {
  const name = /^\s*create temporary table (\w+)/.exec(text)?.[1]
  return name === undefined ? [] : [{ name, text }]
}

interface Given {
  readonly merchantId: string
  readonly temporaryTables: readonly TemporaryTable[]
}

async function explain(
  client: pg.Client,
  statement: StoreStatement,
  { merchantId, temporaryTables }: Given,
): Promise<PlannedStatement> {
  const { label, effect, text } = statement
  await client.query('begin')
  try {
    for (const { name, text: creation } of temporaryTables) if (text.includes(name)) await client.query(creation)
    return { label, effect, tasks: await countTasks(client, statement, merchantId) }
  } catch (error) {
    return { label, effect, tasks: undefined, fault: error instanceof Error ? error.message : String(error) }
  } finally {
    await client.query('rollback')
    await client.query('deallocate all')
  }
}

async function countTasks(client: pg.Client, statement: StoreStatement, merchantId: string): Promise<number> {
  const { text } = statement
  if (temporaryTableOf(statement).length > 0) return 0
  // PostgreSQL prepares no statements that define or analyze tables.
  if (/^\s*(create|analyze)/.test(text)) {
    await client.query(text)
    return 0
  }
  await client.query(`prepare explained as ${text}`)
  const execution = `execute explained${callOf(await parameterTypes(client), statement, merchantId)}`
  await client.query('savepoint before_explain')
  try {
    const { rows } = await client.query<{ 'QUERY PLAN': string }>(`explain (costs off) ${execution}`)
    return tasksOf(rows.map((row) => row['QUERY PLAN']))
  } catch (error) {
    // EXPLAIN plans the query of an insert a second time, without the arguments. The second planning finds no node and
    // fails.
    if (!(error instanceof Error) || error.message !== 'could not create distributed plan') throw error
    await client.query('rollback to before_explain')
    await requirePlan(client, execution)
    return 1
  }
}

/**
 * Executes a statement. Throws if it cannot be planned. Violated constraints are ignored, because example arguments may
 * violate them.
 */
async function requirePlan(client: pg.Client, execution: string): Promise<void> {
  try {
    await client.query(execution)
  } catch (error) {
    if (!(error instanceof Error) || !/violates|^null value/.test(error.message)) throw error
  }
}

async function parameterTypes(client: pg.Client): Promise<readonly string[]> {
  const { rows } = await client.query<{ types: readonly string[] }>(
    `select to_json(parameter_types::text[]) as types from pg_prepared_statements where name = 'explained'`,
  )
  return rows[0]?.types ?? []
}

function tasksOf(plan: readonly string[]): number {
  return Math.max(0, ...plan.map((line) => Number(/Task Count: (\d+)/.exec(line)?.[1] ?? 0)))
}

function callOf(types: readonly string[], { parameters }: StoreStatement, merchantId: string): string {
  if (types.length === 0) return ''
  const values = types.map((type, index) => {
    const name = parameters[index]
    if (name === 'reachable') return `array['${merchantId}']::text[]`
    if (name !== undefined && merchantArguments.includes(name))
      return type.endsWith('[]') ? `array['${merchantId}']` : `'${merchantId}'`
    return exampleOf(type, merchantId)
  })
  return `(${values.join(', ')})`
}

/** An example value for each type of a statement's parameters. A parameter of an unknown type gets null. */
const examples: Readonly<Record<string, string>> = {
  'double precision': '1',
  'timestamp with time zone': `'2026-01-01T00:00:00Z'`,
  bigint: '1',
  boolean: 'false',
  bytea: `'\\x00'`,
  character: `'x'`,
  'character varying': `'x'`,
  date: `'2026-01-01'`,
  inet: `'127.0.0.1'`,
  integer: '1',
  interval: `'1 second'`,
  jsonb: `'{}'`,
  jsonb_record: `'{}'`,
  numeric: '1',
  smallint: '1',
  text: `'x'`,
}

function exampleOf(type: string, merchantId: string): string {
  if (type === 'json') return `'[{"merchant_id":"${merchantId}"}]'::json`
  if (type.endsWith('[]')) return `array[${examples[type.slice(0, -2)] ?? 'null'}]::${type}`
  return `${examples[type] ?? 'null'}::${type}`
}
