import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { findBinaries, placeBinaries } from '../../src/store/embedded-binaries.ts'
import { choosePlace } from '../../src/store/embedded-place.ts'
import { findServer, type Server, startServer, stopServer, waitUntilReady } from '../../src/store/embedded-server.ts'

/** Things done to a PostgreSQL server that is at work. It must be one of our own, in this data folder. */
export interface Tormentor {
  /** Stops it as an operator does and starts it again on the same port. */
  restart(): Promise<void>
  /** Ends every connection at once. */
  cut(): Promise<void>
  /** Ends all its processes at once, as a crash of it does, and starts it again on the same port. */
  crash(): Promise<void>
  /** Its processes stand still for so long; nobody is told anything. */
  freeze(ms: number): Promise<void>
}

export async function openTormentor(
  dataDirectory: string,
  adminConnectionString: string,
  { isThrowaway = true } = {},
): Promise<Tormentor> {
  const place = await choosePlace(dataDirectory, () => undefined)
  const binaries = await placeBinaries(await findBinaries(), place.account, { onLog: () => undefined })
  const port = Number(new URL(adminConnectionString).port)
  const running = (): Server => {
    const server = findServer(place.cluster)
    if (server === undefined) throw new Error('The server does not run.')
    return server
  }
  const startAgain = async () => {
    const server = startServer({ binaries, place, port, isThrowaway, onLog: () => undefined })
    const outcome = await waitUntilReady(server, adminConnectionString)
    if (outcome !== 'ready') throw new Error(`The server is not back: ${outcome}. ${server.lastLine()}`)
  }
  return {
    restart: async () => {
      await stopServer(running())
      await startAgain()
    },
    crash: async () => {
      const { pid } = running()
      // So that it makes no more of them meanwhile.
      signal(pid, 'SIGSTOP')
      const children = childrenOf(pid)
      for (const each of [pid, ...children]) signal(each, 'SIGKILL')
      // Whoever is left would keep the new one from the memory they share, and it asks for the one that led them by its number.
      while (existsSync(`/proc/${pid}`) || children.some(isAlive)) await wait(10)
      await startAgain()
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

/** One that has ended is not, even if nobody has asked how. */
function isAlive(pid: number): boolean {
  try {
    return !/^\d+ \(.*\) Z/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch {
    return false
  }
}

/** A server process may have ended by itself meanwhile. */
function signal(pid: number, name: 'SIGSTOP' | 'SIGCONT' | 'SIGKILL'): void {
  try {
    process.kill(pid, name)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error
  }
}
