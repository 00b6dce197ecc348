import { setTimeout as wait } from 'node:timers/promises'
import { type ServiceProcess, startServiceProcess } from '../service-process.ts'

/** API processes that are restarted one after another on the same ports, as a deployment does. */
export interface Fleet {
  readonly urls: readonly string[]
  /**
   * Restarts one process: sends SIGTERM, waits for its end, starts a new process with the given settings and waits
   * until the new process is ready. If the process was already killed, only starts the new one.
   */
  restart(index: number, changed?: Readonly<Record<string, string>>): Promise<void>
  /** Kills one process, or all of them, and waits for their end. */
  kill(index?: number): Promise<void>
}

export interface FleetOptions {
  readonly connectionString: string
  readonly size: number
  readonly settings?: Readonly<Record<string, string>>
}

export async function startFleet({ connectionString, size, settings = {} }: FleetOptions): Promise<Fleet> {
  const start = (port: string, changed = {}) =>
    startServiceProcess(connectionString, { RUN: 'api', ...settings, ...changed, PORT: port })
  const processes: ServiceProcess[] = await Promise.all(Array.from({ length: size }, () => start('0')))
  await Promise.all(processes.map(({ url }) => untilReady(url)))
  return {
    urls: processes.map(({ url }) => url),
    restart: async (index, changed) => {
      const stopped = processes[index]
      if (stopped === undefined) throw new Error(`There is no process ${index}.`)
      stopped.kill('SIGTERM')
      const ended = await stopped.ended
      // If kill() has already ended the process with SIGKILL, restart() only starts a new process in its place.
      if (ended !== 0 && ended !== 'SIGKILL') throw new Error(`The process ended with ${ended}: ${stopped.output()}`)
      const started = await start(new URL(stopped.url).port, changed)
      processes[index] = started
      await untilReady(started.url)
    },
    kill: async (index) => {
      const killed = processes.filter((_, each) => index === undefined || each === index)
      for (const each of killed) each.kill('SIGKILL')
      await Promise.all(killed.map(({ ended }) => ended))
    },
  }
}

const pollMs = 100

/** Maximum wait until a process is ready. Health checks pass within seconds. */
const readyMaxMs = 60_000

async function untilReady(url: string): Promise<void> {
  const deadlineMs = performance.now() + readyMaxMs
  while (performance.now() < deadlineMs) {
    const response = await fetch(`${url}/readyz`).catch(() => undefined)
    await response?.arrayBuffer()
    if (response?.status === 200) return
    await wait(pollMs)
  }
  throw new Error(`${url} did not become ready within ${readyMaxMs / 1000} s.`)
}
