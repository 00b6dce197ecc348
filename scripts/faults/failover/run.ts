import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { requireProgram } from '../../outside/require-program.ts'
import { openCustomersToken } from '../merchants.ts'
import { type ServiceProcess, startServiceProcess } from '../service-process.ts'
import { makeFolder } from './folder.ts'
import { type PatroniCluster, startPatroniCluster } from './patroni.ts'
import { startWriters, type Writers } from './writers.ts'

/**
 * `npm run failover`: runs a service on three PostgreSQL servers that Patroni manages, and kills the primary ten times
 * under load, or `-- --kills N` times. Exits with 1 if an acknowledged write is lost, if a response is unexpected, or
 * if writes are not accepted within ten seconds of a promotion. Exits with 2 if a program is missing.
 */

const { values } = parseArgs({ options: { kills: { type: 'string', default: '10' } } })
const kills = Number(values.kills)
if (!Number.isSafeInteger(kills) || kills < 1) {
  console.error('--kills must be a whole number of at least 1.')
  process.exit(2)
}

const postgres = requireProgram('pg_rewind', 'postgresql', ['/usr/lib/postgresql/15/bin', '/usr/lib/postgresql/17/bin'])
const programs = {
  etcd: requireProgram('etcd', 'etcd-server'),
  patroni: requireProgram('patroni', 'patroni'),
  postgres: join(postgres, '..'),
}

/**
 * Maximum time from the promotion of a standby to the first acknowledged write. The service usually needs less than a
 * second.
 */
const acceptedMaxMs = 10_000

/** Time under load before each kill of the primary server, so that each kill hits a busy server. */
const calmMs = 2_000

/** Interval at which the journal of the clients is read until it contains the first acknowledgement after a kill. */
const pollMs = 10

/**
 * Maximum wait for the recovery of the service: far above the allowed time, so that a late recovery is reported instead
 * of ending the run.
 */
const recoveryMaxMs = 60_000

const folder = await makeFolder('failover')
try {
  const cluster = await startPatroniCluster(folder.path, programs)
  try {
    process.exitCode = (await failOver(cluster)) ? 0 : 1
  } finally {
    await cluster.stop()
  }
} finally {
  await folder.remove()
}

/** Kills the primary server repeatedly. Returns whether the service met every expectation of the check. */
async function failOver(cluster: PatroniCluster): Promise<boolean> {
  const settings = { DATABASE_OWNER_URL: cluster.ownerUrl, MIGRATE: 'always', RATE_LIMITS: 'off' }
  const service = await startServiceProcess(cluster.serviceUrl, settings)
  try {
    const path = join(folder.path, 'journal')
    const writers = await startWriters({ url: service.url, token: await openCustomersToken(cluster.serviceUrl), path })
    const acceptedMs: number[] = []
    for (let kill = 1; kill <= kills; kill++) {
      await wait(calmMs)
      const killedMs = performance.now()
      const promotedMs = await cluster.killPrimary()
      const atMs = await firstAcknowledgement(writers, promotedMs)
      acceptedMs.push(Math.round(atMs - promotedMs))
      const seconds = ((promotedMs - killedMs) / 1000).toFixed(1)
      console.log(
        `kill ${kill} of ${kills}: promoted after ${seconds} s, writes accepted ${acceptedMs.at(-1)} ms later`,
      )
      await cluster.untilHealthy()
    }
    return await report(cluster, writers, { acceptedMs, path, service })
  } finally {
    service.kill('SIGTERM')
    await service.ended
  }
}

async function firstAcknowledgement(writers: Writers, promotedMs: number): Promise<number> {
  while (performance.now() - promotedMs < recoveryMaxMs) {
    const atMs = writers.acknowledgedAfter(promotedMs)
    if (atMs !== undefined) return atMs
    await wait(pollMs)
  }
  throw new Error(`No write was accepted within ${recoveryMaxMs / 1000} s of the promotion.`)
}

interface Outcome {
  readonly acceptedMs: readonly number[]
  readonly path: string
  readonly service: ServiceProcess
}

async function report(
  cluster: PatroniCluster,
  writers: Writers,
  { acceptedMs, path, service }: Outcome,
): Promise<boolean> {
  const { refused, slowestMs, unexpected } = await writers.stop()
  const acknowledged = (await readFile(path, 'utf8')).trim().split('\n')
  const stored = new Set((await cluster.query('select id from customers')).map(({ id }) => id))
  const lost = acknowledged.filter((id) => !stored.has(id))
  for (const id of lost) console.error(`${id} was acknowledged and is lost.`)
  for (const response of unexpected) console.error(`Unexpected response: ${response}`)
  if (unexpected.length > 0) console.error(service.output())
  const slowest = Math.max(...acceptedMs)
  console.log(`${refused} writes were refused; the slowest response took ${Math.round(slowestMs)} ms.`)
  console.log(
    `kills: ${acceptedMs.length} acknowledged: ${acknowledged.length} lost: ${lost.length} ` +
      `accepted again after at most: ${slowest} ms unexpected: ${unexpected.length}`,
  )
  return lost.length === 0 && unexpected.length === 0 && slowest <= acceptedMaxMs
}
