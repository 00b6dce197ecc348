import { setTimeout as wait } from 'node:timers/promises'
import type { TemporaryPostgres } from '../temporary-postgres.ts'
import { median, requestsPerSecond } from './compare.ts'
import { createRefundTargets } from './refund-targets.ts'
import { residentMebibytes, startService, stopService } from './start-service.ts'
import { requireAtMost, requireMebibytesAtMost, requireMsAtMost } from './verdict.ts'

const firstResponseMaxMs = 1_000
const idleMaxMebibytes = 150
const loadedMaxMebibytes = 300

/** Maximum memory of the process after all requests, relative to its memory after half of the requests. */
const growthMax = 1.1

/** The process roles to measure, as values of the environment variable `RUN`. */
const roles = ['api', 'all'] as const

type Role = (typeof roles)[number]

const starts = 5

/**
 * Duration of the wait before memory is measured: long enough that the process has collected the garbage of its start.
 */
const idleMs = 10_000

const requests = Number(process.env.BENCH_REQUESTS ?? 1_000_000)

/**
 * Measures processes of the service on a migrated database: the time from the start to the first response, and the
 * memory.
 */
export async function benchStartup(postgres: TemporaryPostgres): Promise<void> {
  const { token } = await createRefundTargets(postgres, 1_000, ['orders:read'])
  for (const role of roles) await measureIdle(postgres, role)
  await measureLoaded(postgres, token)
}

async function measureIdle(postgres: TemporaryPostgres, role: Role): Promise<void> {
  const results: { readonly firstMs: number; readonly idleMebibytes: number }[] = []
  // The first start fills Node.js's compile cache, so its time is discarded.
  for (let count = 0; count <= starts; count++) {
    const { child, firstMs } = await startService(postgres, { RUN: role })
    try {
      await wait(idleMs)
      if (count > 0) results.push({ firstMs, idleMebibytes: residentMebibytes(child) })
    } finally {
      await stopService(child)
    }
  }
  const firstMs = median(results.map((result) => result.firstMs))
  requireMsAtMost(`RUN=${role}, first response after ${firstMs.toFixed(0)} ms`, firstMs, firstResponseMaxMs)
  const idleMebibytes = median(results.map((result) => result.idleMebibytes))
  requireMebibytesAtMost(`RUN=${role}, memory of an idle process`, idleMebibytes, idleMaxMebibytes)
}

async function measureLoaded(postgres: TemporaryPostgres, token: string): Promise<void> {
  const { child, url } = await startService(postgres, { RUN: 'api' })
  const load = { url: `${url}/api/v1/orders`, headers: { Authorization: `Bearer ${token}` }, amount: requests / 2 }
  try {
    await requestsPerSecond(load)
    const halfMebibytes = residentMebibytes(child)
    await requestsPerSecond(load)
    const wholeMebibytes = residentMebibytes(child)
    requireMebibytesAtMost(`Memory after ${requests.toLocaleString('en')} requests`, wholeMebibytes, loadedMaxMebibytes)
    requireAtMost('Memory growth in the second half of the requests', wholeMebibytes / halfMebibytes, growthMax)
  } finally {
    await stopService(child)
  }
}
