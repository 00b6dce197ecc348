import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { chooseLocation } from '../../src/store/embedded/location.ts'
import { findServer, type Server, stopServer, waitUntilReady } from '../../src/store/embedded/server.ts'

/** Faults of a running embedded PostgreSQL server in this data folder. */
export interface Tormentor {
  /** Stops the server gracefully and waits until the service has restarted it. */
  restart(): Promise<void>
  /** Terminates every connection. */
  cut(): Promise<void>
  /** Kills all server processes, like a crash, and waits until the service has restarted the server. */
  crash(): Promise<void>
  /** Suspends all processes of the server for as long as this takes; connections stay open, and new ones hang. */
  freeze(during: () => Promise<unknown>): Promise<void>
}

export async function openTormentor(dataDirectory: string, adminConnectionString: string): Promise<Tormentor> {
  const place = await chooseLocation(dataDirectory, () => undefined)
  const running = (): Server => {
    const server = findServer(place.cluster)
    if (server === undefined) throw new Error('The server is not running.')
    return server
  }
  /** Waits at least 75 s, because the service may take a minute on a busy machine to restart the server. */
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
 * Suspends the postmaster, so that no further process serves a new connection, and returns it with its child processes.
 * The signal takes effect a moment after it was sent, and until then the postmaster may start another process.
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

/** Whether the process is neither suspended nor gone. False on systems without /proc. */
function isRunning(pid: number): boolean {
  try {
    // The name of the program is in parentheses and may contain spaces; the state follows it.
    return !/\) [TZX] [^)]*$/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch {
    return false
  }
}

/** Returns the child processes. Empty on systems without /proc. */
function childrenOf(pid: number): number[] {
  if (!existsSync(`/proc/${pid}/task`)) return []
  return readdirSync(`/proc/${pid}/task`)
    .flatMap((task) => readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').split(' '))
    .filter((text) => text !== '')
    .map(Number)
}

/** Sends a signal. Ignores a process that has already ended. */
function signal(pid: number, name: 'SIGSTOP' | 'SIGCONT' | 'SIGKILL'): void {
  try {
    process.kill(pid, name)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error
  }
}
