import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { chooseLocation } from '../../src/store/embedded/location.ts'
import { findServer, type Server, stopServer, waitUntilReady } from '../../src/store/embedded/server.ts'

/** Causes faults of a running embedded PostgreSQL server, whose processes are found by its data folder. */
export interface Tormentor {
  /** Stops the PostgreSQL server gracefully and waits until the service has restarted it. */
  restart(): Promise<void>
  /** Terminates every connection to the PostgreSQL server. */
  cut(): Promise<void>
  /** Kills all processes of the PostgreSQL server, as a crash does, and waits until the service has restarted it. */
  crash(): Promise<void>
  /**
   * Suspends all processes of the PostgreSQL server while the function `during` runs. Open connections stay open, and
   * new ones hang.
   */
  freeze(during: () => Promise<unknown>): Promise<void>
}

export async function openTormentor(dataDirectory: string, adminConnectionString: string): Promise<Tormentor> {
  const place = await chooseLocation(dataDirectory, () => undefined)
  const running = (): Server => {
    const server = findServer(place.cluster)
    if (server === undefined) throw new Error('The server is not running.')
    return server
  }
  /**
   * Waits until the PostgreSQL server has restarted, and fails only after 75 s: on a busy machine, the service may take
   * a minute to restart it.
   */
  const untilRestarted = async (ended: string) => {
    for (let checks = 0; checks < 1_500; checks++) {
      const server = findServer(place.cluster)
      const isNew = server !== undefined && server.identity !== ended
      if (isNew && (await waitUntilReady(server, adminConnectionString)) === 'ready') return
      await wait(50)
    }
    throw new Error('The server was not restarted in time.')
  }
  return {
    restart: async () => {
      const server = running()
      await stopServer(server)
      await untilRestarted(server.identity)
    },
    crash: async () => {
      const { pid, identity } = running()
      for (const each of await suspend(pid)) signal(each, 'SIGKILL')
      await untilRestarted(identity)
    },
    cut: async () => {
      const client = new pg.Client({ connectionString: adminConnectionString })
      await client.connect()
      try {
        await client.query(`
          select pg_terminate_backend(pid) from pg_stat_activity
          where backend_type = 'client backend' and pid <> pg_backend_pid()`)
      } finally {
        await client.end()
      }
    },
    freeze: async (during) => {
      const pids = await suspend(running().pid)
      for (const pid of pids) signal(pid, 'SIGSTOP')
      try {
        await during()
      } finally {
        for (const pid of pids) signal(pid, 'SIGCONT')
      }
    },
  }
}

/**
 * Suspends PostgreSQL's main process, so that it starts no further process for a new connection. Returns the main
 * process and its child processes. The signal takes effect a moment after it was sent. Until then, the main process may
 * still start a child process.
 */
async function suspend(postmaster: number): Promise<number[]> {
  signal(postmaster, 'SIGSTOP')
  while (isRunning(postmaster)) await wait(1)
  try {
    return [postmaster, ...childrenOf(postmaster)]
  } catch (error) {
    signal(postmaster, 'SIGCONT')
    throw error
  }
}

/** Reports whether the process is running, neither suspended nor ended. False on systems without /proc. */
function isRunning(pid: number): boolean {
  try {
    // In `/proc/<pid>/stat`, the name of the program is in parentheses and may contain spaces. The state of the process
    // follows the name.
    return !/\) [TZX] [^)]*$/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch {
    return false
  }
}

/** Empty on systems without /proc. */
function childrenOf(pid: number): number[] {
  if (!existsSync(`/proc/${pid}/task`)) return []
  return readdirSync(`/proc/${pid}/task`)
    .flatMap((task) => readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').split(' '))
    .filter((text) => text !== '')
    .map(Number)
}

/** Ignores a process that has already ended. */
function signal(pid: number, name: 'SIGSTOP' | 'SIGCONT' | 'SIGKILL'): void {
  try {
    process.kill(pid, name)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error
  }
}
