import { parseArgs } from 'node:util'
import { prepareDatabase } from '../prepare-database.ts'
import { openTemporaryPostgres, type TemporaryPostgres } from '../temporary-postgres.ts'
import { benchApi } from './api.ts'
import { benchDashboard } from './dashboard.ts'
import { benchDelivery } from './delivery/delivery.ts'
import { benchExport } from './export.ts'
import { benchGrowth } from './growth/growth.ts'
import { benchNeighbours } from './neighbours.ts'
import { benchOverload } from './overload.ts'
import { benchProcesses } from './processes.ts'
import { benchSales } from './sales.ts'
import { benchSearch } from './search.ts'
import { benchStartup } from './startup.ts'
import { benchStatements } from './statements.ts'
import { benchSteady } from './steady.ts'

/**
 * `npm run bench` runs all benchmarks; `npm run bench -- api` runs one part. `--rows` sets the number of orders for
 * `dashboard`, `export`, `growth` and `sales`, and the number of records for `search`. `--seconds` sets the duration of the overload. A result outside its
 * limit is marked in the output and fails the run.
 */
const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { rows: { type: 'string' }, seconds: { type: 'string' } },
})

const parts: Readonly<Record<string, (postgres: TemporaryPostgres) => Promise<void>>> = {
  api: benchApi,
  dashboard: (postgres) => benchDashboard(postgres, values.rows === undefined ? undefined : Number(values.rows)),
  delivery: benchDelivery,
  export: (postgres) => benchExport(postgres, values.rows === undefined ? undefined : Number(values.rows)),
  growth: (postgres) => benchGrowth(postgres, values.rows === undefined ? undefined : Number(values.rows)),
  neighbours: benchNeighbours,
  overload: (postgres) => benchOverload(postgres, values.seconds === undefined ? undefined : Number(values.seconds)),
  processes: benchProcesses,
  sales: (postgres) => benchSales(postgres, values.rows === undefined ? undefined : Number(values.rows)),
  search: (postgres) => benchSearch(postgres, values.rows === undefined ? undefined : Number(values.rows)),
  startup: benchStartup,
  statements: benchStatements,
  steady: benchSteady,
}

const wanted = positionals.length === 0 ? Object.keys(parts) : positionals
const unknown = wanted.filter((name) => !Object.hasOwn(parts, name))
if (unknown.length > 0) {
  console.error(`Unknown part ${unknown.join(', ')}. Available parts: ${Object.keys(parts).join(', ')}.`)
  process.exit(1)
}
for (const [name, run] of Object.entries(parts)) if (wanted.includes(name)) await withPostgres(run)

/** Each part of the benchmark has its own PostgreSQL server, because the data of one part would slow the next. */
async function withPostgres(run: (postgres: TemporaryPostgres) => Promise<void>): Promise<void> {
  // The PostgreSQL data is inside the repository, because the system's temporary folder may be a RAM disk.
  const postgres = await openTemporaryPostgres({ name: 'bench', parent: '.bench' })
  try {
    await prepareDatabase(postgres)
    await run(postgres)
  } finally {
    await postgres.stop()
  }
}
