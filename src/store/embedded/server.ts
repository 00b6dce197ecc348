// The server process: started, awaited, stopped. A server that another process of ours started is told from our own by
// nothing but its missing output, so all that can be done with a server is done by its pid.

import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { existsSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { basename, join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { setTimeout } from 'node:timers/promises'
import { Client } from 'pg'
import type { Binaries } from './binaries.ts'
import { codeOf, EmbeddedPostgresError } from './error.ts'
import type { Place } from './location.ts'
import { identityOf, isIdentityAlive } from './lock.ts'

export interface Server {
  readonly pid: number
  /** Of the postmaster; it ceases to be alive when the server has ended. */
  readonly identity: string
  /** What the server said last, for error messages; empty for a server that is not our child. */
  readonly lastLine: () => string
  /** Whether another program took the port first, which is worth another try on another port. */
  readonly lostItsPort: () => boolean
  /** Fulfilled when all the server's output has been read. */
  readonly outputEnded: Promise<void>
  /** Leaves the server to its other users: it no longer keeps this process alive, and its output is no longer read. */
  readonly release: () => void
}

export interface ServerOptions {
  readonly binaries: Binaries
  readonly place: Place
  readonly port: number
  readonly isThrowaway: boolean
  readonly onLog: (line: string) => void
}

/** Answers at once: the server is not ready yet. */
export function startServer({ binaries, place, port, isThrowaway, onLog }: ServerOptions): Server {
  const settings = [...SETTINGS, ...(isThrowaway ? THROWAWAY_SETTINGS : []), `port=${port}`]
  const child = spawn(binaries.postgres, ['-D', place.cluster, ...settings.flatMap((setting) => ['-c', setting])], {
    cwd: '/',
    // The environment is not passed on: the PG… variables of ours are meant for clients.
    env: { LC_ALL: 'C' },
    ...place.account,
    // A session of its own: Ctrl-C in the terminal goes to the service, which then stops its database last.
    detached: true,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  return { pid: child.pid ?? 0, identity: identityOf(child.pid ?? 0) ?? '', ...followOutput(child, onLog) }
}

/** The server that runs in this cluster, whoever started it. */
export function findServer(cluster: string): Server | undefined {
  const pid = readPostmasterPid(cluster)
  const identity = pid === undefined ? undefined : identityOf(pid)
  if (pid === undefined || identity === undefined || !servesCluster(pid, cluster)) return undefined
  const outputEnded = Promise.resolve()
  return { pid, identity, lastLine: () => '', lostItsPort: () => false, outputEnded, release: () => {} }
}

/** PostgreSQL would take a stranger that got the dead server's pid for that server, and refuse to start. */
export function removeStalePidFile(cluster: string): void {
  const words = commandLineOf(readPostmasterPid(cluster) ?? 0)
  if (words !== undefined && !isPostgres(words)) rmSync(join(cluster, 'postmaster.pid'), { force: true })
}

/** Tries to connect until it works, the server ends, or a minute has passed. */
export async function waitUntilReady(
  server: Server,
  connectionString: string,
  signal?: AbortSignal,
): Promise<'ready' | 'ended' | 'late'> {
  for (let attempt = 0; attempt < READY_ATTEMPTS; attempt += 1) {
    signal?.throwIfAborted()
    if (!isIdentityAlive(server.identity)) return 'ended'
    if (await answers(connectionString)) return 'ready'
    await setTimeout(POLL_MS)
  }
  return 'late'
}

/** SIGINT is PostgreSQL's fast shutdown: it rolls back and disconnects its clients, writes a checkpoint and exits. */
export async function stopServer(server: Server): Promise<void> {
  if (isIdentityAlive(server.identity)) process.kill(server.pid, 'SIGINT')
  for (let attempt = 0; attempt < STOP_ATTEMPTS; attempt += 1) {
    if (!isIdentityAlive(server.identity)) return server.outputEnded
    await setTimeout(POLL_MS)
  }
  throw new EmbeddedPostgresError(`The embedded PostgreSQL (pid ${server.pid}) did not stop within a minute.`)
}

/** The system's choice of a port that is free now; by the time it is used it may be taken. */
export function freePort(): Promise<number> {
  return new Promise((fulfil, reject) => {
    const probe = createServer()
    probe.once('error', reject)
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address()
      probe.close(() => fulfil(typeof address === 'object' && address !== null ? address.port : 0))
    })
  })
}

const POLL_MS = 50 // A start takes half a second: shorter would only burn the processor it needs.
const READY_ATTEMPTS = 1200 // A minute, for a recovery after a crash on a slow disk.
const STOP_ATTEMPTS = 1200 // A minute, for the checkpoint of a busy database.
const CONNECT_TIMEOUT_MS = 5000 // A stranger that took the port may accept and never answer.

const SETTINGS = [
  'listen_addresses=127.0.0.1',
  'unix_socket_directories=', // A socket's path may not pass 107 bytes, and data folders do.
  'max_connections=100',
  'shared_buffers=128MB',
  'timezone=UTC',
  'log_timezone=UTC',
  'log_destination=stderr',
  'logging_collector=off',
  // Privacy: parameters, failed statements and details such as "Key (phone)=(…) already exists" hold personal data.
  'log_parameter_max_length=0',
  'log_parameter_max_length_on_error=0',
  'log_min_error_statement=panic',
  'log_error_verbosity=terse',
]

const THROWAWAY_SETTINGS = ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off']

function followOutput(child: ChildProcessByStdio<null, null, Readable>, onLog: (line: string) => void) {
  let lastLine = ''
  let lostItsPort = false
  createInterface({ input: child.stderr }).on('line', (line) => {
    lastLine = line
    lostItsPort ||= line.includes('could not bind IPv4 address')
    onLog(line)
  })
  child.on('error', (error) => {
    lastLine = error.message
  })
  child.on('exit', (code, signal) => {
    if (code !== 0) onLog(`The embedded PostgreSQL ended (${signal ?? code}).`)
  })
  const outputEnded = new Promise<void>((fulfil) => {
    child.once('close', () => fulfil())
    // A program that could not be run at all never closes.
    child.once('error', () => fulfil())
  })
  const release = () => {
    child.unref()
    child.stderr.destroy()
  }
  return { lastLine: () => lastLine, lostItsPort: () => lostItsPort, outputEnded, release }
}

async function answers(connectionString: string): Promise<boolean> {
  const client = new Client({ connectionString, connectionTimeoutMillis: CONNECT_TIMEOUT_MS })
  // A connection that breaks between its messages says so by an event, which would end the process unheard.
  client.on('error', () => {})
  try {
    await client.connect()
    return true
  } catch (error) {
    if (codeOf(error) !== WRONG_PASSWORD) return false
    throw new EmbeddedPostgresError('The embedded PostgreSQL refuses the password kept in postgres.json.', {
      cause: error,
    })
  } finally {
    await client.end().catch(() => {})
  }
}

const WRONG_PASSWORD = '28P01'

function readPostmasterPid(cluster: string): number | undefined {
  try {
    // The file begins with the pid; a single-user backend writes it negative.
    const pid = Number.parseInt(readFileSync(join(cluster, 'postmaster.pid'), 'utf8'), 10)
    return pid > 0 ? pid : undefined
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined
    throw error
  }
}

/** A pid file outlives a crash, and its pid may go to a stranger: a postmaster's command line names its cluster. */
function servesCluster(pid: number, cluster: string): boolean {
  const words = commandLineOf(pid)
  if (words === undefined) return true
  const folder = words[words.indexOf('-D') + 1] ?? ''
  return isPostgres(words) && existsSync(folder) && realpathSync(folder) === realpathSync(cluster)
}

function isPostgres(words: readonly string[]): boolean {
  return basename(words[0] ?? '') === 'postgres'
}

/** Undefined where there is no /proc. Its cwd would be simpler, but root in a container may not read that of others. */
function commandLineOf(pid: number): string[] | undefined {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')
  } catch {
    return undefined
  }
}
