import { spawn } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { endOf } from '../../../scripts/faults/processes.ts'
import { waitUntil } from '../../support/wait-for.ts'

/**
 * Tests that the service ends within 30 seconds of SIGTERM while the embedded PostgreSQL does not respond. Supervisors
 * kill a process that takes longer.
 */

let folder: string
let service: ReturnType<typeof startService> | undefined

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'commerce-stop-frozen-'))
  await chmod(folder, 0o711)
})
afterEach(async () => {
  service?.kill('SIGKILL')
  const pid = postmaster()
  if (pid !== undefined) for (const each of [...childrenOf(pid), pid]) signal(each, 'SIGKILL')
  await rm(folder, { recursive: true, force: true })
})

function startService() {
  const child = spawn(process.execPath, ['src/main.ts'], {
    env: {
      ...process.env,
      NODE_ENV: 'development',
      RUN: 'all',
      PORT: '0',
      DATABASE_URL: '',
      DATA_DIR: folder,
      LOG_LEVEL: 'warn',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  child.stdout.on('data', (chunk) => (output += chunk))
  child.stderr.on('data', (chunk) => (output += chunk))
  return { ended: endOf(child), output: () => output, kill: (name: NodeJS.Signals) => child.kill(name) }
}

async function startedService() {
  const started = startService()
  service = started
  await waitUntil(() => started.output().includes('/track'), { timeout: 140_000 })
  const [, url = ''] = /(http:\/\/127\.0\.0\.1:\d+)/.exec(started.output()) ?? []
  const [, token = ''] = /Bearer (\S+?)['"]/.exec(started.output()) ?? []
  return { ...started, url, token }
}

/**
 * Returns the process id of the database server from its file. A starting server creates the file before it writes its
 * id, and initdb writes negative ids.
 */
function postmaster(): number | undefined {
  const path = join(folder, 'postgres', 'postmaster.pid')
  const pid = existsSync(path) ? Number.parseInt(readFileSync(path, 'utf8'), 10) : Number.NaN
  return pid > 0 ? pid : undefined
}

function childrenOf(pid: number): number[] {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  return pids.map(Number).filter((each) => parentOf(each) === pid)
}

function parentOf(pid: number): number | undefined {
  try {
    const status = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return Number(status.slice(status.lastIndexOf(')') + 2).split(' ')[1])
  } catch {
    return undefined
  }
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error
  }
}

/**
 * Sends signals to PostgreSQL's main process and its child processes. The main process is stopped first, so that it
 * cannot start a child process that the signals would miss.
 */
function signalServer(...names: NodeJS.Signals[]): void {
  const pid = postmaster() ?? expect.fail('The server does not run.')
  signal(pid, 'SIGSTOP')
  const all = [...childrenOf(pid), pid]
  for (const name of names) for (const each of all) signal(each, name)
}

/**
 * Locks a table and queues a job that needs the table. Resolves when the job waits for the lock, which is released only
 * when the server is killed.
 */
async function untilJobWaits(): Promise<void> {
  const { port, superuserPassword } = JSON.parse(readFileSync(join(folder, 'postgres.json'), 'utf8'))
  const pool = new pg.Pool({
    host: '127.0.0.1',
    port,
    user: 'postgres',
    password: superuserPassword,
    database: 'commerce',
  })
  pool.on('error', () => undefined)
  const holder = await pool.connect()
  holder.on('error', () => undefined)
  await holder.query('begin')
  await holder.query('lock table audit_chain in access exclusive mode')
  await pool.query(`select graphile_worker.add_job('seal_audit')`)
  const waiting = 'select from pg_locks where not granted'
  await waitUntil(async () => (await pool.query(waiting)).rows.length > 0, { timeout: 140_000 })
}

/** Sends a request. Resolves when the service has started processing the request. */
function sendUnderWay({ url, token }: { readonly url: string; readonly token: string }) {
  const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json', Expect: '100-continue' }
  const outgoing = request(`${url}/api/v1/customers`, { method: 'POST', headers })
  const status = new Promise<number | string | undefined>((resolve) => {
    outgoing.on('response', (response) => resolve(response.resume().statusCode))
    outgoing.on('error', (error) => resolve(error.message))
  })
  return new Promise<{ readonly status: typeof status }>((resolve) => {
    outgoing.on('continue', () => {
      outgoing.end(JSON.stringify({ name: 'Adaeze', email: 'adaeze@example.com' }))
      resolve({ status })
    })
    outgoing.flushHeaders()
  })
}

/** Expects a stop in time after SIGTERM. After a late stop, the service would exit with code 1. */
async function endsInTime({ ended, output, kill }: ReturnType<typeof startService>): Promise<void> {
  kill('SIGTERM')
  expect(await ended, output()).toBe(0)
}

// The test finds the processes in /proc, so it is skipped on systems without /proc.
const isLinux = process.platform === 'linux'

test.runIf(isLinux)(
  'SIGTERM ends the service within 30 s while PostgreSQL is frozen during a request and a job',
  async () => {
    const started = await startedService()
    await untilJobWaits()
    signalServer('SIGSTOP')
    const requests = await Promise.all(Array.from({ length: 5 }, () => sendUnderWay(started)))
    await endsInTime(started)
    expect(await Promise.all(requests.map(({ status }) => status))).toEqual(requests.map(() => 503))
  },
  240_000,
)

test.runIf(isLinux)(
  'SIGTERM ends the service within 30 s when PostgreSQL was killed',
  async () => {
    const started = await startedService()
    signalServer('SIGKILL')
    await endsInTime(started)
  },
  240_000,
)

test.runIf(isLinux)(
  'SIGTERM during the start ends the service within 30 s while PostgreSQL is frozen',
  async () => {
    service = startService()
    await waitUntil(() => postmaster() !== undefined, { timeout: 140_000, interval: 1 })
    signalServer('SIGSTOP')
    const signalledMs = performance.now()
    service.kill('SIGTERM')
    await service.ended
    expect(performance.now() - signalledMs, service.output()).toBeLessThan(30_000)
  },
  240_000,
)
