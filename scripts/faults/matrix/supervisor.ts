import { setTimeout as wait } from 'node:timers/promises'
import { type ServiceProcess, startServiceProcess } from '../service-process.ts'

/** Restarts a process of the service on the same port after it ends, as systemd or Kubernetes does. */
export interface Supervisor {
  /** Returns the currently running process. After a restart, the returned process is another one. */
  readonly current: () => ServiceProcess
  /** Kills the process. Resolves when the process that replaces it has started. */
  kill(): Promise<void>
  /** Suspends the process while the function `during` runs. */
  freeze(during: () => Promise<unknown>): Promise<void>
  /** Restarts the process with a graceful stop. */
  restart(): Promise<void>
  stop(): Promise<void>
}

export type Settings = Readonly<Record<string, string>>

const retryMs = 300

export async function supervise(connectionString: string, settings: Settings): Promise<Supervisor> {
  let isStopping = false
  let current = await startServiceProcess(connectionString, settings)
  const { url, managementUrl } = current
  const ports = { ...portOf('PORT', url), ...portOf('MANAGEMENT_PORT', managementUrl) }
  let started = Promise.withResolvers<void>()
  const restartWhenEnded = async () => {
    for (;;) {
      await current.ended
      if (isStopping) return
      current = await startAgain()
      started.resolve()
      started = Promise.withResolvers()
    }
  }
  const startAgain = async (): Promise<ServiceProcess> => {
    for (;;) {
      try {
        return await startServiceProcess(connectionString, { ...settings, ...ports })
      } catch (error) {
        // A process cannot start while its database is unavailable, so the supervisor repeats the start.
        if (isStopping) throw error
        await wait(retryMs)
      }
    }
  }
  const running = restartWhenEnded().catch((error: unknown) => {
    if (!isStopping) throw error
  })
  const end = (signal: NodeJS.Signals) => {
    const { promise } = started
    current.kill(signal)
    return promise
  }
  return {
    current: () => current,
    kill: () => end('SIGKILL'),
    freeze: async (during) => {
      const frozen = current
      frozen.kill('SIGSTOP')
      try {
        await during()
      } finally {
        frozen.kill('SIGCONT')
      }
    },
    restart: () => end('SIGTERM'),
    stop: async () => {
      isStopping = true
      current.kill('SIGKILL')
      await running
    },
  }
}

/** Returns the setting with which the next process uses the same port. Empty if the process has no such port. */
function portOf(name: string, url: string): Settings {
  return url === '' ? {} : { [name]: new URL(url).port }
}
