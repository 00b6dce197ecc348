import pg from 'pg'
import { merchantArguments, type StoreStatement, storeStatements } from '../tenancy/store-statements.ts'

/** How a distributed database runs a statement of the store. */
export interface PlannedStatement {
  readonly label: string
  readonly effect: StoreStatement['effect']
  /**
   * Number of shards that the plan reads or writes, summed over its parts; 0 for a statement on the coordinator only.
   * Undefined if the database rejects the statement.
   */
  readonly tasks: number | undefined
  readonly fault?: string
}

/**
 * Explains every statement of the store, with arguments that fit their types, in transactions that are rolled back.
 * Nothing is executed.
 */
export async function explainStatements(connectionString: string): Promise<readonly PlannedStatement[]> {
  const client = new pg.Client({ connectionString })
  await client.connect()
  try {
    const merchantId = await anyMerchant(client)
    const planned: PlannedStatement[] = []
    for (const statement of await storeStatements()) planned.push(await explain(client, statement, merchantId))
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

async function explain(client: pg.Client, statement: StoreStatement, merchantId: string): Promise<PlannedStatement> {
  const { label, effect, text } = statement
  await client.query('begin')
  try {
    await client.query(`prepare explained as ${text}`)
    const call = callOf(await parameterTypes(client), statement, merchantId)
    const { rows } = await client.query<{ 'QUERY PLAN': string }>(`explain (costs off) execute explained${call}`)
    return { label, effect, tasks: tasksOf(rows.map((row) => row['QUERY PLAN'])) }
  } catch (error) {
    return { label, effect, tasks: undefined, fault: error instanceof Error ? error.message : String(error) }
  } finally {
    await client.query('rollback')
    await client.query('deallocate all')
  }
}

async function parameterTypes(client: pg.Client): Promise<readonly string[]> {
  const { rows } = await client.query<{ types: readonly string[] }>(
    `select to_json(parameter_types::text[]) as types from pg_prepared_statements where name = 'explained'`,
  )
  return rows[0]?.types ?? []
}

function tasksOf(plan: readonly string[]): number {
  return plan.reduce((sum, line) => sum + Number(/Task Count: (\d+)/.exec(line)?.[1] ?? 0), 0)
}

function callOf(types: readonly string[], { parameters }: StoreStatement, merchantId: string): string {
  if (types.length === 0) return ''
  const values = types.map((type, index) => {
    const name = parameters[index]
    if (name === 'reachable') return `array['${merchantId}']::text[]`
    if (name !== undefined && merchantArguments.includes(name)) return `'${merchantId}'`
    return exampleOf(type, merchantId)
  })
  return `(${values.join(', ')})`
}

/** A value of each type that statements have as a parameter. An unknown type gets null. */
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
