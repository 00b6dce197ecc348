import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { choosePlace } from '../../src/store/embedded/location.ts'
import { findServer, type Server, stopServer, waitUntilReady } from '../../src/store/embedded/server.ts'

/** Things done to a PostgreSQL server that is at work. It must be one of our own, in this data folder. */
export interface Tormentor {
  /** Stops it as an operator does and waits until its users have restarted it. */
  restart(): Promise<void>
  /** Ends every connection at once. */
  cut(): Promise<void>
  /** Ends all its processes at once, as a crash of it does, and waits until its users have restarted it. */
  crash(): Promise<void>
  /** Its processes stand still for so long; nobody is told anything. */
  freeze(ms: number): Promise<void>
}

export async function openTormentor(dataDirectory: string, adminConnectionString: string): Promise<Tormentor> {
  const place = await choosePlace(dataDirectory, () => undefined)
  const running = (): Server => {
    const server = findServer(place.cluster)
    if (server === undefined) throw new Error('The server does not run.')
    return server
  }
  /** A minute and more, on a busy machine: whoever opened the server restarts it. */
  const untilRestarted = async (ended: string) => {
    for (let look = 0; look < 1_500; look++) {
      const server = findServer(place.cluster)
      const isNew = server !== undefined && server.identity !== ended
      if (isNew && (await waitUntilReady(server, adminConnectionString)) === 'ready') return
      await wait(50)
    }
    throw new Error('The server is not back.')
  }
  return {
    restart: async () => {
      const server = running()
      await stopServer(server)
      await untilRestarted(server.identity)
    },
    crash: async () => {
      const { pid, identity } = running()
      // So that it makes no more of them meanwhile.
      signal(pid, 'SIGSTOP')
      const children = childrenOf(pid)
      for (const each of [pid, ...children]) signal(each, 'SIGKILL')
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
    freeze: async (ms) => {
      const pids = childrenOf(running().pid)
      for (const pid of pids) signal(pid, 'SIGSTOP')
      await wait(ms)
      for (const pid of pids) signal(pid, 'SIGCONT')
    },
  }
}

/** Where the system does not tell, nothing is frozen. */
function childrenOf(pid: number): number[] {
  if (!existsSync(`/proc/${pid}/task`)) return []
  return readdirSync(`/proc/${pid}/task`)
    .flatMap((task) => readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').split(' '))
    .filter((text) => text !== '')
    .map(Number)
}

/** A server process may have ended by itself meanwhile. */
function signal(pid: number, name: 'SIGSTOP' | 'SIGCONT' | 'SIGKILL'): void {
  try {
    process.kill(pid, name)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error
  }
}
