import pg from 'pg'

interface Plan {
  readonly 'Node Type': string
  readonly 'Relation Name'?: string
  readonly 'Index Name'?: string
  readonly 'Index Cond'?: string
  readonly Plans?: readonly Plan[]
}

export interface Query<Args> {
  readonly statement: { readonly text: string; bind(args: Args): unknown[] }
  readonly args: Args
}

export async function planOf<Args>(client: pg.Client, { statement, args }: Query<Args>): Promise<Plan[]> {
  const { rows } = await client.query(`explain (format json) ${statement.text}`, statement.bind(args))
  const empty = await emptyTables(client)
  return nodesOf(rows[0]['QUERY PLAN'][0].Plan).filter((node) => !empty.has(node['Relation Name'] ?? ''))
}

/**
 * Returns the names of the partitions that have no rows. The caller ignores the scans of these partitions, because they
 * read no rows.
 */
async function emptyTables(client: pg.Client): Promise<ReadonlySet<string>> {
  const { rows } = await client.query('select relname as name from pg_class where relispartition and relpages = 0')
  return new Set(rows.map(({ name }) => String(name)))
}

function nodesOf(plan: Plan): Plan[] {
  return [plan, ...(plan.Plans ?? []).flatMap(nodesOf)]
}

export function scannedTables(plan: readonly Plan[]): (string | undefined)[] {
  return plan.filter((node) => node['Node Type'] === 'Seq Scan').map((node) => node['Relation Name'])
}

export function indexesOf(plan: readonly Plan[]): (string | undefined)[] {
  return plan.flatMap((node) => (node['Index Name'] === undefined ? [] : [node['Index Name']]))
}

/** Executes a query and returns the buffers that it read, and the indexes and sequential scans in its plan. */
export async function buffersOf<Args>(client: pg.Client, { statement, args }: Query<Args>) {
  const values = statement.bind(args)
  const parameters = values.map((value) =>
    Array.isArray(value) ? 'text[]' : typeof value === 'number' ? 'int' : 'text',
  )
  await client.query('deallocate all')
  await client.query(`prepare measured (${parameters.join(', ')}) as ${statement.text}`)
  const { rows } = await client.query(
    `explain (analyze, buffers, format json) execute measured (${values.map(literalOf).join(', ')})`,
  )
  const [{ Plan: plan, 'Execution Time': ms }] = rows[0]['QUERY PLAN']
  const nodes = nodesOf(plan)
  return {
    buffers: Number(plan['Shared Hit Blocks']) + Number(plan['Shared Read Blocks']),
    ms: Number(ms),
    indexes: indexesOf(nodes),
    conditions: nodes.flatMap((node) => node['Index Cond'] ?? []),
    scanned: scannedTables(nodes),
  }
}

function literalOf(value: unknown): string {
  if (value === null || value === undefined) return 'null'
  if (Array.isArray(value)) return `array[${value.map(literalOf).join(', ')}]::text[]`
  return typeof value === 'number' ? String(value) : pg.escapeLiteral(String(value))
}
