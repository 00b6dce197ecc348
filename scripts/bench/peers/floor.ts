import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import type { TemporaryPostgres } from '../../temporary-postgres.ts'
import { median } from '../compare.ts'
import { cpuMsOf, postmasterOf } from '../cpu-time.ts'

/**
 * The minimum cost of a refund in PostgreSQL: pgbench writes the rows that a refund of the service writes, with one
 * prepared statement and without any check. A service cannot write these rows for less.
 */

const run = promisify(execFile)

const connections = 8
const seconds = 4
const rounds = 5

/** A table to which a refund adds one row, and the column that is the key of the row. */
const written = [
  { table: 'refunds', key: 'id', prefix: 'rfd_' },
  { table: 'audit_log', key: 'id', prefix: 'aud_' },
  { table: 'webhook_events', key: 'id', prefix: 'evt_' },
  { table: 'idempotency_keys', key: 'key', prefix: '' },
] as const

interface FloorMerchant {
  readonly merchantId: string
  readonly orderIds: readonly string[]
}

/** Requires that pgbench is installed, and that the service has created refunds. */
export async function measureFloor(postgres: TemporaryPostgres, merchants: readonly FloorMerchant[]): Promise<void> {
  // pgbench connects as the owner, because the role of the service may write only some columns of the audit log.
  const { ownerConnectionString: connectionString, dataDirectory } = postgres
  const script = join(dataDirectory, 'floor.sql')
  await writeFile(script, await scriptOf(connectionString, merchants))
  const postmaster = postmasterOf(dataDirectory)
  if (!(await hasPgbench())) {
    console.log('Minimum cost of a refund: not measured, because pgbench is not installed.')
    return
  }
  const results: { readonly perSecond: number; readonly cpuMs: number }[] = []
  for (let round = 0; round <= rounds; round++) {
    const before = cpuMsOf([postmaster])
    const options = ['-n', '-M', 'prepared', '-c', String(connections), '-j', '2', '-T', String(seconds), '-f', script]
    const { stdout } = await run('pgbench', [...options, connectionString])
    const count = Number(/transactions actually processed: (\d+)/.exec(stdout)?.[1])
    // Round 0 is a warm-up.
    if (round > 0) results.push({ perSecond: count / seconds, cpuMs: (cpuMsOf([postmaster]) - before) / count })
  }
  const rate = median(results.map(({ perSecond }) => perSecond))
  const cpu = median(results.map(({ cpuMs }) => cpuMs))
  console.log(
    `Minimum cost of a refund, pgbench, ${connections} connections: ${rate.toFixed(0)}/s, PostgreSQL ${cpu.toFixed(3)} ms`,
  )
}

async function hasPgbench(): Promise<boolean> {
  return run('pgbench', ['--version']).then(
    () => true,
    () => false,
  )
}

/** Returns the script for pgbench. It refunds a random order by inserting copies of the rows of an existing refund. */
async function scriptOf(connectionString: string, merchants: readonly FloorMerchant[]): Promise<string> {
  const client = new pg.Client({ connectionString, types: { getTypeParser: () => String } })
  await client.connect()
  try {
    const examples = await exampleRows(client)
    const inserts: string[] = []
    for (const target of written) inserts.push(insertOf(target, await columnsOf(client, target.table), examples))
    const ids = merchants.map(({ merchantId }) => `'${merchantId}'`).join(', ')
    const ordersOfEach = merchants[0]?.orderIds.length ?? 0
    const statement = `
      with made as materialized (
        select '01' || lpad(to_hex((extract(epoch from clock_timestamp()) * 1000000)::bigint), 14, '0')
          || substr(md5(random()::text), 1, 10) as suffix
      ), paid as (
        update orders
        set refunded_kobo = refunded_kobo + 1, version = version + 1, updated_at = now()
        where merchant_id = (array[${ids}])[:shop::int]
          and id = 'ord_01' || lpad(to_hex(:number::bigint), 10, '0') || substr(md5(:number::text), 1, 14)
        returning merchant_id, id
      ), ${inserts.join(', ')}
      select 1;`
    return [
      `\\set shop random(1, ${merchants.length})`,
      // The number of an order of the chosen merchant, as makeOrders() assigns it.
      `\\set number random(1, ${ordersOfEach - 1}) * ${merchants.length} + :shop - 1`,
      // pgbench requires each statement on one line.
      statement.replaceAll('\n', ' '),
    ].join('\n')
  } finally {
    await client.end()
  }
}

type Row = Readonly<Record<string, string | null>>

type Target = (typeof written)[number]

/** Returns, by table, the rows that the service wrote for one refund. */
async function exampleRows(client: pg.Client): Promise<Readonly<Record<Target['table'], Row>>> {
  const find = async (text: string, values: readonly unknown[] = []): Promise<Row> => {
    const [row] = (await client.query<Row>(text, [...values])).rows
    if (row === undefined) throw new Error(`No row: ${text}`)
    return row
  }
  // The join excludes the refunds of the compared servers, which write no audit rows.
  const refunds = await find(
    `select refund.*
    from refunds refund
    join audit_log entry on entry.merchant_id = refund.merchant_id and entry.resource_id = refund.id
    order by refund.id desc
    limit 1`,
  )
  const key = [refunds.merchant_id, refunds.id]
  const named = [refunds.merchant_id, `%${refunds.id}%`]
  return {
    refunds,
    audit_log: await find('select * from audit_log where merchant_id = $1 and resource_id = $2', key),
    webhook_events: await find('select * from webhook_events where merchant_id = $1 and body like $2', named),
    idempotency_keys: await find(
      'select * from idempotency_keys where merchant_id = $1 and response_body like $2',
      named,
    ),
  }
}

/** Returns those columns of a table that an insert statement sets. */
async function columnsOf(client: pg.Client, table: string): Promise<readonly string[]> {
  const { rows } = await client.query<{ column_name: string }>(
    `select column_name
    from information_schema.columns
    where table_name = $1 and is_generated = 'NEVER' and is_identity = 'NO'`,
    [table],
  )
  return rows.map((row) => row.column_name)
}

function insertOf(
  { table, key, prefix }: Target,
  columns: readonly string[],
  examples: Readonly<Record<Target['table'], Row>>,
): string {
  const values = columns.map((column) => {
    if (column === 'merchant_id') return 'paid.merchant_id'
    if (column === key) return `'${prefix}' || made.suffix`
    if (column === 'order_id') return 'paid.id'
    const value = examples[table][column] ?? null
    return value === null ? 'null' : literalOf(value)
  })
  return `new_${table} as (insert into ${table} (${columns.join(', ')}) select ${values.join(', ')} from paid, made)`
}

/** Returns a string literal of SQL without a colon, because pgbench replaces `:name` also within literals. */
function literalOf(value: string): string {
  return `E'${value.replaceAll('\\', '\\\\').replaceAll("'", "''").replaceAll(':', '\\x3a')}'`
}
