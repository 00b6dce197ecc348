import { setTimeout as wait } from 'node:timers/promises'
import { type ServiceProcess, startServiceProcess } from '../service-process.ts'

/** Keeps a process of the service running on the same port, as systemd or Kubernetes does. */
export interface Supervisor {
  /** The process that runs now. It changes at a restart. */
  readonly current: () => ServiceProcess
  /** Kills the process and resolves when its successor has started. */
  kill(): Promise<void>
  /** Suspends the process for as long as this takes. */
  freeze(during: () => Promise<unknown>): Promise<void>
  /** Restarts the process gracefully. */
  restart(): Promise<void>
  stop(): Promise<void>
}

export type Settings = Readonly<Record<string, string>>

/** Delay before the next start after a failed one. */
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
        // A process does not start while its database is away.
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

/** The setting that keeps a port. Empty for a process without it. */
function portOf(name: string, url: string): Settings {
  return url === '' ? {} : { [name]: new URL(url).port }
}
