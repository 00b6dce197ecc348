import { parseArgs } from 'node:util'
import { prepareDatabase } from '../../prepare-database.ts'
import { openTemporaryPostgres } from '../../temporary-postgres.ts'
import { type Haproxy, requireHaproxy, startHaproxy } from '../haproxy.ts'
import { openCustomersToken } from '../merchants.ts'
import { type Fleet, startFleet } from './fleet.ts'
import { startLoad } from './load.ts'
import { rotateUnderLoad } from './rotate-key.ts'

/**
 * `npm run rolling-restart`: restarts two API processes behind HAProxy in turn under keep-alive load, ten times by
 * default (`-- --restarts N`). One more client is connected to a process directly. HAProxy runs with the shipped
 * configuration, but repeats no request. If a request fails, the exit code is 1. `npm run rolling-restart --
 * --rotate-key`: three processes, each with an API and a worker, rotate the encryption key as the Operations guide
 * describes, under the same load and with webhook deliveries.
 */

const { values } = parseArgs({
  options: { restarts: { type: 'string', default: '10' }, 'rotate-key': { type: 'boolean', default: false } },
})
const restarts = Number(values.restarts)

/**
 * Number of clients: enough to keep two processor cores busy, and so few that a single process accepts all their
 * requests.
 */
const clients = 8

const program = requireHaproxy()
if (!Number.isSafeInteger(restarts) || restarts < 1) exit('--restarts must be a whole number of at least 1.')
process.exitCode = (await run(program)) ? 0 : 1

function exit(line: string): never {
  console.error(line)
  process.exit(2)
}

/** Restarts the API processes one after another. Returns whether every request succeeded. */
async function run(haproxyProgram: string): Promise<boolean> {
  const postgres = await openTemporaryPostgres({ name: 'rolling', durability: 'throwaway' })
  try {
    await prepareDatabase(postgres)
    const { connectionString } = postgres
    const token = await openCustomersToken(connectionString)
    const isRotation = values['rotate-key']
    const settings = isRotation ? { RUN: 'all', WEBHOOK_ALLOW_LOOPBACK: 'true' } : {}
    const fleet = await startFleet({ connectionString, size: isRotation ? 3 : 2, settings })
    try {
      const haproxy = await startHaproxy(haproxyProgram, { urls: fleet.urls, repeats: false })
      try {
        return isRotation
          ? await rotateUnderLoad({ fleet, haproxy, token, connectionString, clients })
          : await restartUnderLoad(fleet, haproxy, token)
      } finally {
        await haproxy.stop()
      }
    } finally {
      await fleet.kill()
    }
  } finally {
    await postgres.stop()
  }
}

async function restartUnderLoad(fleet: Fleet, haproxy: Haproxy, token: string): Promise<boolean> {
  for (const index of fleet.urls.keys()) await haproxy.until(index, 'UP')
  const [first = ''] = fleet.urls
  const loads = [
    startLoad({ url: haproxy.url, token, clients }),
    startLoad({ url: first, token, clients: 1, waitsForListener: true }),
  ]
  for (let restart = 0; restart < restarts; restart++) {
    const index = restart % fleet.urls.length
    const startedMs = performance.now()
    await fleet.restart(index)
    await haproxy.until(index, 'UP')
    const seconds = ((performance.now() - startedMs) / 1000).toFixed(1)
    console.log(`restart ${restart + 1} of ${restarts}: ${seconds} s, ${completedOf(loads)} requests so far`)
  }
  const failures = (await Promise.all(loads.map((load) => load.stop()))).flat()
  for (const failure of failures) console.error(failure)
  console.log(`restarts: ${restarts} requests: ${completedOf(loads)} failed: ${failures.length}`)
  return failures.length === 0
}

function completedOf(loads: readonly ReturnType<typeof startLoad>[]): number {
  return loads.reduce((sum, load) => sum + load.completed(), 0)
}
