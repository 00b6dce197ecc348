import { randomUUID } from 'node:crypto'
import { realpath, rm } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { openEmbedded } from '../../src/store/embedded.ts'
import { prepareDatabase } from '../prepare-database.ts'
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
  const folder = `.bench/${randomUUID()}`
  const postgres = await openEmbedded({ dataDirectory: folder })
  try {
    await prepareDatabase(postgres.connectionString)
    await run(postgres.connectionString)
  } finally {
    await postgres.stop()
    // A million orders are most of a gigabyte; under root they may lie behind a link.
    await rm(await realpath(`${folder}/postgres`), { recursive: true, force: true })
    await rm(folder, { recursive: true, force: true })
  }
}
