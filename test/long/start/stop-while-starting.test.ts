import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { waitUntil } from '../../support/wait-for.ts'

/** Data folder that all tests of this file share: each start continues where the previous start was interrupted. */
let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'commerce-interrupted-'))
  await chmod(folder, 0o711)
})
afterAll(() => rm(folder, { recursive: true, force: true }))

interface Started {
  readonly child: ChildProcess
  readonly output: () => string
  readonly ended: Promise<number | null>
}

/** Starts npm in its own process group, as terminals and most supervisors do. */
function start(...words: string[]): Started {
  const environment = { NODE_ENV: 'development', DATABASE_URL: '', DATA_DIR: folder, PORT: '0', LOG_LEVEL: 'warn' }
  const child = spawn('npm', words, {
    env: { ...process.env, ...environment },
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  child.stdout.on('data', (chunk) => (output += chunk))
  child.stderr.on('data', (chunk) => (output += chunk))
  return { child, output: () => output, ended: new Promise((resolve) => child.on('exit', resolve)) }
}

/** Returns the command lines that contain the data folder: those of the processes of initdb and PostgreSQL. */
function programsInFolder(): string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(commandLineOf)
    .filter((line) => line.includes(folder))
}

function commandLineOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')
  } catch {
    return ''
  }
}

/** Returns false while the database server is not running. */
async function finds(query: string, database: string): Promise<boolean> {
  try {
    const { port, superuserPassword } = JSON.parse(readFileSync(join(folder, 'postgres.json'), 'utf8'))
    const url = `postgresql://postgres:${superuserPassword}@127.0.0.1:${port}/${database}?sslmode=disable`
    const client = new pg.Client({ connectionString: url })
    client.on('error', () => undefined)
    try {
      await client.connect()
      return (await client.query(query)).rowCount !== 0
    } finally {
      await client.end().catch(() => undefined)
    }
  } catch {
    return false
  }
}

type Phase = [name: string, hasBegun: () => boolean | Promise<boolean>]

const phases: Phase[] = [
  ['the placement check', () => existsSync(join(folder, 'postgres.lock'))],
  ['initdb', () => readdirSync(folder).some((name) => name.startsWith('postgres.initialising-'))],
  ['the start of PostgreSQL', () => existsSync(join(folder, 'postgres', 'postmaster.pid'))],
  ['the migration', () => finds("select from pg_stat_activity where datname = 'commerce'", 'postgres')],
  ['the demo', () => finds('select from merchants', 'commerce')],
]

async function interrupt(started: Started, hasBegun: Phase[1]): Promise<void> {
  await waitUntil(hasBegun, { timeout: 120_000, interval: 1 })
  // A signal to the whole process group reaches both npm and the service, and npm forwards it, so the service gets the
  // signal twice.
  process.kill(-(started.child.pid ?? 0), 'SIGTERM')
  await started.ended
  await waitUntil(() => programsInFolder().length === 0)
}

// The tests that find the started processes in /proc run only on Linux.
const isLinux = process.platform === 'linux'

test.runIf(isLinux).each(phases)(
  'SIGTERM to the process group during %s stops all started processes',
  async (_, hasBegun) => {
    await interrupt(start('start'), hasBegun)
    expect(existsSync(join(folder, 'postgres.lock'))).toBe(false)
    expect(readdirSync(join(folder, 'postgres.users'))).toEqual([])
    expect(readdirSync(folder).filter((name) => name.startsWith('postgres.init'))).toEqual([])
  },
)

test.runIf(isLinux)(
  'a command that is interrupted while it starts the database leaves no database server running',
  async () => {
    const isStarting = () => existsSync(join(folder, 'postgres', 'postmaster.pid'))
    await interrupt(start('run', '-s', 'commerce', '--', 'merchant', 'list'), isStarting)
  },
)

test.runIf(isLinux)('the service starts after several interrupted starts, and stops on SIGHUP', async () => {
  const started = start('start')
  await waitUntil(() => started.output().includes('is listening'))
  process.kill(-(started.child.pid ?? 0), 'SIGHUP')
  await started.ended
  await waitUntil(() => programsInFolder().length === 0)
})
