import { parseArgs } from 'node:util'
import { prepareDatabase } from '../prepare-database.ts'
import { openTemporaryPostgres } from '../temporary-postgres.ts'
import { benchApi } from './api.ts'
import { benchDelivery } from './delivery/delivery.ts'

/**
 * `npm run bench`, or one part of it: `npm run bench -- api`, `npm run bench -- delivery`. The floors are those the project
 * promises; a figure under one is printed as such and makes the run fail.
 */
const parts: Readonly<Record<string, (connectionString: string) => Promise<void>>> = {
  api: benchApi,
  delivery: benchDelivery,
}

const { positionals } = parseArgs({ allowPositionals: true })
const wanted = positionals.length === 0 ? Object.keys(parts) : positionals
const unknown = wanted.filter((name) => !Object.hasOwn(parts, name))
if (unknown.length > 0) {
  console.error(`There is no part ${unknown.join(', ')}. The parts are ${Object.keys(parts).join(' and ')}.`)
  process.exit(1)
}
for (const [name, run] of Object.entries(parts)) if (wanted.includes(name)) await withPostgres(run)

/** Each part has a server of its own: what one leaves behind would slow the next. */
async function withPostgres(run: (connectionString: string) => Promise<void>): Promise<void> {
  // Beside the sources, because the system's folder for temporary files may be memory.
  const postgres = await openTemporaryPostgres({ name: 'bench', parent: '.bench' })
  try {
    await prepareDatabase(postgres.connectionString)
    await run(postgres.connectionString)
  } finally {
    await postgres.stop()
  }
}
