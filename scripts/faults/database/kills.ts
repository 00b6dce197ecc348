import { spawn } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { generousEnvironment } from '../../generous-limits.ts'
import { compileCache, endOf } from '../processes.ts'
import { type Journal, startWriters } from './writers.ts'

export interface KillReport {
  readonly recoveriesMs: readonly number[]
  readonly acknowledged: number
  /** Ids of records that the service acknowledged but that are missing after the run. */
  readonly lost: readonly string[]
  /** Number of stored refunds minus the number of acknowledged refunds. It must be 0. */
  readonly surplusRefunds: number
  readonly failed: number
  readonly slowestMs: number
  readonly unexpected: readonly string[]
  readonly logBytes: number
  readonly exitCode: string | number | null
  /** Whether the database server was still running after the service had stopped. Must be false. */
  readonly isServerLeft: boolean
}

/**
 * Time between a recovery of the service and the next kill of the database, so that each kill hits a recovered service.
 */
const calmMs = 1_500

/** Maximum time until the service has recovered from a kill, far above the usual time. */
const recoveryMaxMs = 60_000

/**
 * Runs the whole service with its embedded PostgreSQL under load and repeatedly kills the postmaster, the main process
 * of PostgreSQL.
 */
export async function killDatabase(folder: string, kills: number): Promise<KillReport> {
  const service = await startService(folder)
  try {
    const { url, token } = service
    const orderIds = await listIds({ url, token }, '/orders?paymentStatus=paid&limit=100')
    const writers = startWriters({ url, token, orderIds: orderIds.slice(0, 5) })
    const recoveriesMs: number[] = []
    for (let kill = 0; kill < kills; kill++) {
      await wait(calmMs)
      const pid = await serverPid(folder)
      process.kill(pid, 'SIGKILL')
      const killedMs = performance.now()
      await untilReplaced(folder, pid)
      recoveriesMs.push(Math.round((await recovery(performance.now(), writers.acknowledgedAfter)) - killedMs))
    }
    const journal = await writers.stop()
    const outcome = { ...(await compare({ url, token }, journal)), recoveriesMs, logBytes: service.logBytes() }
    const pid = await serverPid(folder)
    service.child.kill('SIGTERM')
    const exitCode = await service.ended
    const { failed, slowestMs, unexpected } = journal
    return { ...outcome, failed, slowestMs, unexpected, exitCode, isServerLeft: isRunning(pid) }
  } finally {
    if (service.child.exitCode === null) service.child.kill('SIGTERM')
    await service.ended
  }
}

/**
 * Waits until another postmaster runs. The child processes of the killed postmaster may still execute statements for a
 * moment, so a write that was sent just after the kill may be acknowledged without a recovery.
 */
async function untilReplaced(folder: string, killed: number): Promise<void> {
  const deadlineMs = performance.now() + recoveryMaxMs
  while (performance.now() < deadlineMs) {
    // The file with the process id is missing while PostgreSQL starts again.
    const pid = await serverPid(folder).catch(() => killed)
    if (Number.isInteger(pid) && pid !== killed) return
    await wait(5)
  }
  throw new Error(`PostgreSQL did not start again within ${recoveryMaxMs} ms of the kill.`)
}

/**
 * Waits until the service acknowledges a write that was sent after the given time. Returns the time of the
 * acknowledgement.
 */
async function recovery(afterMs: number, acknowledgedAfter: (moment: number) => number | undefined): Promise<number> {
  while (performance.now() - afterMs < recoveryMaxMs) {
    const atMs = acknowledgedAfter(afterMs)
    if (atMs !== undefined) return atMs
    await wait(5)
  }
  throw new Error(`No write was acknowledged within ${recoveryMaxMs} ms of the start of PostgreSQL.`)
}

interface Access {
  readonly url: string
  readonly token: string
}

async function compare(access: Access, { customerIds, refundIds }: Journal) {
  const stored = new Set(await listIds(access, '/refunds?limit=100'))
  const customers = new Set(await listIds(access, '/customers?limit=100'))
  const acknowledged = [...refundIds.values()]
  const lost = [...acknowledged.filter((id) => !stored.has(id)), ...customerIds.filter((id) => !customers.has(id))]
  return {
    lost,
    acknowledged: acknowledged.length + customerIds.length,
    surplusRefunds: stored.size - new Set(acknowledged).size,
  }
}

async function listIds({ url, token }: Access, path: string): Promise<string[]> {
  const ids: string[] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const address = `${url}/api/v1${path}${cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`}`
    const response = await fetch(address, { headers: { Authorization: `Bearer ${token}` } })
    if (!response.ok) throw new Error(`GET ${path} returned ${response.status}: ${await response.text()}`)
    const page: { data: { id: string }[]; pagination: { cursor: string | null; hasMore: boolean } } = JSON.parse(
      await response.text(),
    )
    ids.push(...page.data.map(({ id }) => id))
    cursor = page.pagination.hasMore ? page.pagination.cursor : null
  }
  return ids
}

/**
 * Starts the service as `npm start` does on an empty data folder, and returns it with the merchant and the token of the
 * demo data.
 */
async function startService(folder: string) {
  const environment = {
    ...generousEnvironment,
    NODE_ENV: 'development',
    DATABASE_URL: '',
    DATA_DIR: folder,
    HOST: '127.0.0.1',
    PORT: '0',
    LOG_LEVEL: 'warn',
    NODE_COMPILE_CACHE: compileCache,
  }
  const child = spawn(process.execPath, ['src/main.ts'], {
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const ended = endOf(child)
  let output = ''
  let logBytes = 0
  child.stderr.on('data', (chunk: Buffer) => (logBytes += chunk.length))
  const [url = '', token = ''] = await new Promise<string[]>((resolve, reject) => {
    child.stdout.on('data', (chunk) => {
      output += chunk
      const [, address] = /listening on (http:\/\/[^/]+)\/api\/v1/.exec(output) ?? []
      const [liveToken] = /svc_live_\w+/.exec(output) ?? []
      if (address !== undefined && liveToken !== undefined && output.includes('demo-refund-1'))
        resolve([address, liveToken])
    })
    void ended.then((code) => reject(new Error(`The service exited with ${code} during its start: ${output}`)))
  })
  return { child, ended, url, token, logBytes: () => logBytes }
}

async function serverPid(folder: string): Promise<number> {
  return Number.parseInt(await readFile(join(folder, 'postgres', 'postmaster.pid'), 'utf8'), 10)
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
