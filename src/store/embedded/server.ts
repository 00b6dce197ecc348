// Starts and stops the process of the embedded PostgreSQL server, and waits for its start. All operations identify the
// process by its pid. They therefore also work if another process of the service started the server. The output of such
// a server is not available.

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
import type { ClusterLocation } from './location.ts'
import { identityOf, isIdentityAlive } from './lock.ts'

export interface Server {
  readonly pid: number
  /** The identity of the postmaster process (pid and start time), see identityOf(). */
  readonly identity: string
  /** The data folder of the server’s database cluster. */
  readonly cluster: string
  /** Returns the last line of the server's output, for error messages. Empty if another process started the server. */
  readonly lastLine: () => string
  /**
   * Reports whether the start failed because another program uses the port. Starting on another port may then succeed.
   */
  readonly isPortTaken: () => boolean
  readonly outputEnded: Promise<void>
  /**
   * Stops reading the output of the server process, so that this process can exit while the server continues to run for
   * its other users.
   */
  readonly release: () => void
}

export interface ServerOptions {
  readonly binaries: Binaries
  readonly place: ClusterLocation
  readonly port: number
  readonly isThrowaway: boolean
  /** Additional settings of the database server, which override the usual ones. */
  readonly settings?: readonly string[]
  readonly onLog: (line: string) => void
}

/** Starts a server and returns at once, before the server is ready. */
export function startServer({ binaries, place, port, isThrowaway, onLog, ...options }: ServerOptions): Server {
  const mode = isThrowaway ? THROWAWAY_SETTINGS : DURABLE_SETTINGS
  const settings = [...SETTINGS, ...mode, `port=${port}`, ...(options.settings ?? [])]
  const child = spawn(binaries.postgres, ['-D', place.cluster, ...settings.flatMap((setting) => ['-c', setting])], {
    cwd: '/',
    // No environment variables are passed to the server: the PG… variables are settings for clients.
    env: { LC_ALL: 'C' },
    ...place.account,
    // The server runs in its own session, so it does not receive the terminal's Ctrl-C. The service stops its database
    // last.
    detached: true,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const pid = child.pid ?? 0
  return { pid, identity: identityOf(pid) ?? '', cluster: place.cluster, ...followOutput(child, onLog) }
}

/** Returns the running server of a cluster, which any process may have started. */
export function findServer(cluster: string): Server | undefined {
  const pid = readPostmasterPid(cluster)
  const identity = pid === undefined ? undefined : identityOf(pid)
  if (pid === undefined || identity === undefined || !servesCluster(pid, cluster)) return undefined
  const outputEnded = Promise.resolve()
  return { pid, identity, cluster, lastLine: () => '', isPortTaken: () => false, outputEnded, release: () => {} }
}

/** Removes a pid file whose pid now belongs to another program. PostgreSQL would refuse to start with such a file. */
export function removeStalePidFile(cluster: string): void {
  const words = commandLineOf(readPostmasterPid(cluster) ?? 0)
  if (words !== undefined && !isPostgres(words)) rmSync(join(cluster, 'postmaster.pid'), { force: true })
}

/**
 * Polls until a connection to the server succeeds, the server ends, or a minute has passed. Throws an
 * EmbeddedPostgresError if the server rejects the password. During the start, another server may use the port and
 * respond instead. The server that is starting then ends, because it cannot bind the port.
 */
export async function waitUntilReady(
  server: Server,
  connectionString: string,
  signal?: AbortSignal,
): Promise<'ready' | 'ended' | 'late'> {
  for (let attempt = 0; attempt < READY_ATTEMPTS; attempt += 1) {
    signal?.throwIfAborted()
    if (!isIdentityAlive(server.identity)) return 'ended'
    const answer = await tryToConnect(connectionString)
    if (answer !== 'failed' && hasStarted(server)) {
      if (answer === 'connected') return 'ready'
      throw new EmbeddedPostgresError('The embedded PostgreSQL rejects the password in postgres.json.')
    }
    await setTimeout(POLL_MS)
  }
  return 'late'
}

/**
 * Stops a server with SIGINT, PostgreSQL's fast shutdown: the server disconnects its clients, writes a checkpoint and
 * exits.
 */
export async function stopServer(server: Server): Promise<void> {
  if (isIdentityAlive(server.identity)) process.kill(server.pid, 'SIGINT')
  for (let attempt = 0; attempt < STOP_ATTEMPTS; attempt += 1) {
    if (!isIdentityAlive(server.identity)) return server.outputEnded
    await setTimeout(POLL_MS)
  }
  throw new EmbeddedPostgresError(`The embedded PostgreSQL (pid ${server.pid}) did not stop within a minute.`)
}

/** Returns a port that is free now. Another program may take it before it is used. */
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

const POLL_MS = 50 // Poll interval in milliseconds while the embedded server starts or stops. A start takes half a second; faster polling would slow it down.
const READY_ATTEMPTS = 1200 // Maximum number of polls while the embedded server starts: one minute, enough for crash recovery on a slow disk.
const STOP_ATTEMPTS = 1200 // Maximum number of polls while the embedded server stops: one minute, enough for the checkpoint of a busy database.
const CONNECT_TIMEOUT_MS = 5000 // A connection attempt needs a time limit, because another program on the port may never respond.

const SETTINGS = [
  'listen_addresses=127.0.0.1',
  'unix_socket_directories=', // No Unix sockets: a data folder can exceed the limit for socket paths, 107 bytes.
  'max_connections=100', // PostgreSQL's default connection limit. A service with several processes sets a higher limit.
  'shared_buffers=128MB',
  'timezone=UTC',
  'log_timezone=UTC',
  'log_destination=stderr',
  'logging_collector=off',
  // The log omits parameters, failed statements and details such as "Key (phone)=(…) already exists", because they
  // contain personal data.
  'log_parameter_max_length=0',
  'log_parameter_max_length_on_error=0',
  'log_min_error_statement=panic',
  'log_error_verbosity=terse',
]

// Archiving is always enabled, because only a restart can enable it and a backup can begin at any time. See
// wal-archive.ts.
const DURABLE_SETTINGS = ['archive_mode=on']

const THROWAWAY_SETTINGS = ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off']

function followOutput(child: ChildProcessByStdio<null, null, Readable>, onLog: (line: string) => void) {
  let lastLine = ''
  let isPortTaken = false
  createInterface({ input: child.stderr }).on('line', (line) => {
    lastLine = line
    isPortTaken ||= line.includes('could not bind IPv4 address')
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
    // A program that cannot be started emits no `close` event, only `error`.
    child.once('error', () => fulfil())
  })
  const release = () => {
    child.unref()
    child.stderr.destroy()
  }
  return { lastLine: () => lastLine, isPortTaken: () => isPortTaken, outputEnded, release }
}

async function tryToConnect(connectionString: string): Promise<'connected' | 'password_rejected' | 'failed'> {
  const client = new Client({ connectionString, connectionTimeoutMillis: CONNECT_TIMEOUT_MS })
  // Without a listener, the `error` event of a broken connection would end the process.
  client.on('error', () => {})
  try {
    await client.connect()
    return 'connected'
  } catch (error) {
    return codeOf(error) === WRONG_PASSWORD ? 'password_rejected' : 'failed'
  } finally {
    await client.end().catch(() => {})
  }
}

const WRONG_PASSWORD = '28P01'

function readPostmasterPid(cluster: string): number | undefined {
  // The pid file starts with the pid, which is negative for a single-user backend.
  const pid = Number.parseInt(readPidFile(cluster), 10)
  return pid > 0 ? pid : undefined
}

/**
 * Reports whether the server accepts connections, and therefore listens on its port. The last line of the pid file says
 * so: `ready` for a primary, and `standby` for a standby.
 */
function hasStarted({ pid, cluster }: Server): boolean {
  const lines = readPidFile(cluster).trim().split('\n')
  return lines[0] === String(pid) && ['ready', 'standby'].includes(lines.at(-1)?.trim() ?? '')
}

/** Empty if the file does not exist. */
function readPidFile(cluster: string): string {
  try {
    return readFileSync(join(cluster, 'postmaster.pid'), 'utf8')
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return ''
    throw error
  }
}

/**
 * Reports whether the process is the postmaster of the cluster, by its command line. After a crash, the pid in a stale
 * pid file may be reused by another program.
 */
function servesCluster(pid: number, cluster: string): boolean {
  const words = commandLineOf(pid)
  if (words === undefined) return true
  const folder = words[words.indexOf('-D') + 1] ?? ''
  return isPostgres(words) && existsSync(folder) && realpathSync(folder) === realpathSync(cluster)
}

function isPostgres(words: readonly string[]): boolean {
  return basename(words[0] ?? '') === 'postgres'
}

/**
 * Returns the command line of a process. Undefined without /proc. The `cwd` link would be simpler, but root in a
 * container may not be allowed to read it.
 */
function commandLineOf(pid: number): string[] | undefined {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')
  } catch {
    return undefined
  }
}
