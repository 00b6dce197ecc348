import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { freePort } from '../../src/store/embedded/server.ts'
import { generousEnvironment } from '../generous-limits.ts'
import type { TemporaryPostgres } from '../temporary-postgres.ts'
import { median, requestsPerSecond } from './compare.ts'
import { createRefundTargets } from './refund-targets.ts'
import { startCommand } from './start-command.ts'
import { requireAtMost, requireMbAtMost, requireMsAtMost } from './verdict.ts'

/** Measures processes on a migrated database: the time to the first response, and the memory. */
const firstResponseMaxMs = 1_000
const idleMaxMb = 150
const loadedMaxMb = 300

/** Memory after a million requests may differ by a tenth from memory after the first half of them. */
const growthMax = 1.1

/** The roles of the measured processes, as in `RUN`. */
const roles = ['api', 'all'] as const

type Role = (typeof roles)[number]

const starts = 5

/** Long enough that the garbage of the start has been collected, if the process collects it by itself. */
const idleMs = 10_000

const requests = Number(process.env.BENCH_REQUESTS ?? 1_000_000)

export async function benchStartup(postgres: TemporaryPostgres): Promise<void> {
  const { token } = await createRefundTargets(postgres, 1_000, ['orders:read'])
  for (const role of roles) await measureIdle(postgres, role)
  await measureLoaded(postgres, token)
}

async function measureIdle(postgres: TemporaryPostgres, role: Role): Promise<void> {
  const results: { readonly firstMs: number; readonly idleMb: number }[] = []
  // The first start fills the compile cache.
  for (let count = 0; count <= starts; count++) {
    const { child, firstMs } = await startService(postgres, role)
    try {
      await wait(idleMs)
      if (count > 0) results.push({ firstMs, idleMb: residentMb(child) })
    } finally {
      await stop(child)
    }
  }
  const firstMs = median(results.map((result) => result.firstMs))
  requireMsAtMost(`RUN=${role}, first response after ${firstMs.toFixed(0)} ms`, firstMs, firstResponseMaxMs)
  const idleMb = median(results.map((result) => result.idleMb))
  requireMbAtMost(`RUN=${role}, memory of an idle process`, idleMb, idleMaxMb)
}

async function measureLoaded(postgres: TemporaryPostgres, token: string): Promise<void> {
  const { child, url } = await startService(postgres, 'api')
  const load = { url: `${url}/api/v1/orders`, headers: { Authorization: `Bearer ${token}` }, amount: requests / 2 }
  try {
    await requestsPerSecond(load)
    const halfMb = residentMb(child)
    await requestsPerSecond(load)
    const wholeMb = residentMb(child)
    requireMbAtMost(`Memory after ${requests.toLocaleString('en')} requests`, wholeMb, loadedMaxMb)
    requireAtMost('Growth of the memory in their second half', wholeMb / halfMb, growthMax)
  } finally {
    await stop(child)
  }
}

async function startService(postgres: TemporaryPostgres, role: Role) {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const startedMs = performance.now()
  const child = spawn(startCommand.command, startCommand.words, {
    env: {
      ...process.env,
      ...generousEnvironment,
      DATABASE_URL: postgres.connectionString,
      ENCRYPTION_KEY: Buffer.alloc(32, 1).toString('base64'),
      PORT: String(port),
      RUN: role,
      LOG_LEVEL: 'warn',
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  while (!(await responds(url))) {
    if (hasEnded(child)) throw new Error(`The service ended with ${child.exitCode ?? child.signalCode}.`)
    await wait(pollMs)
  }
  return { child, url, firstMs: performance.now() - startedMs }
}

/** Short enough not to matter in a second. */
const pollMs = 5

function responds(url: string): Promise<boolean> {
  return fetch(`${url}/api/v1/orders`).then(
    async (response) => {
      await response.text()
      return true
    },
    () => false,
  )
}

/** Returns the resident memory of a process in megabytes. */
function residentMb({ pid = 0 }: ChildProcess): number {
  const [, kilobytes] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return Number(kilobytes) / 1000
}

async function stop(child: ChildProcess): Promise<void> {
  child.kill()
  if (!hasEnded(child)) await once(child, 'exit')
}

function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null
}
