import { parseArgs } from 'node:util'
import { createToken } from '../../../src/access/create-token.ts'
import { openDatabase } from '../../../src/store/core/database.ts'
import { prepareDatabase } from '../../prepare-database.ts'
import { openTemporaryPostgres } from '../../temporary-postgres.ts'
import { contextOf, openMerchant, operator } from '../merchants.ts'
import { type Fleet, startFleet } from './fleet.ts'
import { findHaproxy, type Haproxy, startHaproxy } from './haproxy.ts'
import { startLoad } from './load.ts'

/**
 * `npm run rolling-restart`: two API processes behind HAProxy are restarted in turn under keep-alive load, ten times or
 * `-- --restarts N`. One more client is connected without the proxy. HAProxy repeats no request; a request that fails ends
 * the run with 1.
 */

const { values } = parseArgs({ options: { restarts: { type: 'string', default: '10' } } })
const restarts = Number(values.restarts)

/** Enough to keep two cores busy, and fewer than a process rejects requests for when it alone has all of them. */
const clients = 8

const program = findHaproxy()
if (program === undefined) exit('HAProxy is missing. Install the Debian package: apt-get install haproxy')
if (!Number.isSafeInteger(restarts) || restarts < 1) exit('--restarts must be a whole number of at least 1.')
process.exitCode = (await run(program)) ? 0 : 1

function exit(line: string): never {
  console.error(line)
  process.exit(2)
}

/** Returns whether every request succeeded. */
async function run(haproxyProgram: string): Promise<boolean> {
  const postgres = await openTemporaryPostgres({ name: 'rolling', durability: 'throwaway' })
  try {
    await prepareDatabase(postgres)
    const { connectionString } = postgres
    const token = await openToken(connectionString)
    const fleet = await startFleet({ connectionString, size: 2 })
    try {
      const haproxy = await startHaproxy(haproxyProgram, fleet.urls)
      try {
        return await restartUnderLoad(fleet, haproxy, token)
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

async function openToken(connectionString: string): Promise<string> {
  const database = openDatabase({ connectionString, maxConnections: 2 })
  try {
    const tenant = await openMerchant(database)
    const request = {
      name: 'rolling restart',
      scopes: ['customers:read' as const, 'customers:write' as const],
      expiresAt: null,
      ipAllowlist: [],
    }
    const created = await createToken(contextOf(database), operator, tenant, request)
    if (created.is !== 'created') throw new Error(`No token: ${created.is}.`)
    return created.token
  } finally {
    await database.close()
  }
}

async function restartUnderLoad(fleet: Fleet, haproxy: Haproxy, token: string): Promise<boolean> {
  for (const url of fleet.urls) await haproxy.untilUp(url)
  const [first = ''] = fleet.urls
  const loads = [
    startLoad({ url: haproxy.url, token, clients }),
    startLoad({ url: first, token, clients: 1, waitsForListener: true }),
  ]
  for (let restart = 0; restart < restarts; restart++) {
    const index = restart % fleet.urls.length
    const startedMs = performance.now()
    await fleet.restart(index)
    await haproxy.untilUp(fleet.urls[index] ?? '')
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
