import cluster, { type Worker } from 'node:cluster'
import { once } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Config } from '../base/config.ts'
import { requireFreePort } from '../base/listen.ts'
import type { Log } from '../base/log.ts'
import type { Health } from '../management/health.ts'
import type { Report, Request } from './api-process.ts'
import type { Stop } from './stops.ts'

/**
 * The API processes, whose number the variable PROCESSES sets. All of them listen on the same port, and the kernel
 * divides the connections among them. The first process starts them, and restarts an API process that ends.
 */
export interface ApiProcesses {
  readonly url: string
  /** Returns the number of API processes that serve requests. */
  serving(): number
}

/** Error when an API process ended before it served requests. The API process itself has printed the reason. */
export class ApiProcessError extends Error {}

interface Supervisor {
  readonly log: Log
  readonly health: Health
  readonly addStop: (stop: Stop) => void
}

interface ApiProcess {
  readonly worker: Worker
  readonly startedMs: number
  /**
   * Resolves with the URL when the API process serves requests. Rejects with an ApiProcessError if the process ends
   * before that.
   */
  readonly started: Promise<string>
  /**
   * Resolves when the API process has ended, with its exit code and signal, or with the error code if it could not be
   * started.
   */
  readonly ended: Promise<unknown[]>
}

/** Resolves when all API processes serve requests. Throws an ApiProcessError. */
export async function startApiProcesses(config: Config, { log, health, addStop }: Supervisor): Promise<ApiProcesses> {
  const running = new Set<ApiProcess>()
  const serving = new Set<ApiProcess>()
  const stopping = new AbortController()
  const stopRequest = (): Request => ({ is: 'stop', isProbed: health.isProbed() })
  // API processes start without the command-line arguments of this process. They run the program of the same release as
  // this process. They do not use the symbolic link with which this process was started, because it may point to
  // another release by now.
  cluster.setupPrimary({ args: [], exec: fileURLToPath(new URL('../main.ts', import.meta.url)) })
  addStop(async () => {
    stopping.abort()
    await Promise.all([...running].map((each) => stopProcess(each, stopRequest())))
  })
  const listening = new Set<ApiProcess>()
  const stopListening = (each: ApiProcess) => {
    if (!listening.delete(each) || !stopping.signal.aborted || listening.size > 0) return
    for (const { worker } of running) sendTo(worker, { is: 'close_connections' })
  }
  const start = (number: number, port: number) => {
    const each: ApiProcess = startApiProcess(environmentOf(config, number, port), (report) => {
      if (report.is === 'probed') health.noteProbe()
      if (report.is === 'stopped_listening') stopListening(each)
    })
    running.add(each)
    each.started.then(
      () => {
        // The process may have missed a stop request during its start, so the request is sent again.
        if (stopping.signal.aborted) sendTo(each.worker, stopRequest())
        serving.add(each)
        listening.add(each)
        log.info({ number, pid: each.worker.process.pid }, 'An API process serves requests.')
      },
      () => undefined,
    )
    void each.ended.then(() => {
      running.delete(each)
      serving.delete(each)
      stopListening(each)
    })
    return each
  }
  const keepRunning = async (number: number, port: number, first: ApiProcess) => {
    let current = first
    let failures = 0
    for (;;) {
      const [code, signal] = await current.ended
      if (stopping.signal.aborted) return
      failures = performance.now() - current.startedMs < stableMs ? failures + 1 : 0
      log.error({ number, code, signal }, 'An API process has ended and is started again.')
      await wait(restartDelayMs(failures), undefined, { signal: stopping.signal }).catch(() => undefined)
      if (stopping.signal.aborted) return
      current = start(number, port)
    }
  }
  const { host, port: configuredPort } = config
  await requireFreePort({ host, port: configuredPort, settings: { host: 'HOST', port: 'PORT' } })
  // The first API process chooses the port that all API processes share, unless the port is configured.
  const first = start(1, config.port)
  const url = await first.started
  const port = Number(new URL(url).port)
  const others = Array.from({ length: config.processes - 1 }, (_, index) => start(index + 2, port))
  await Promise.all(others.map(({ started }) => started))
  for (const [index, each] of [first, ...others].entries()) void keepRunning(index + 1, port, each)
  return { url, serving: () => serving.size }
}

function startApiProcess(
  environment: Readonly<Record<string, string>>,
  onReport: (report: Report) => void,
): ApiProcess {
  const worker = cluster.fork(environment)
  const { promise: started, resolve, reject } = Promise.withResolvers<string>()
  // If the API process could not be started, its cluster worker emits the event `error` instead of the event `exit`.
  const ended = once(worker, 'exit').catch((error: NodeJS.ErrnoException) => [error.code, null])
  void ended.then(() => reject(new ApiProcessError('An API process ended during its start.')))
  worker.on('message', (report: Report) => {
    if (report.is === 'started') resolve(report.url)
    onReport(report)
  })
  return { worker, startedMs: performance.now(), started, ended }
}

/**
 * Returns the environment of an API process. The management port of an API process is the configured management port
 * plus the number of the API process. If the configured management port is 0, every process uses any free port.
 */
function environmentOf({ managementPort }: Config, number: number, port: number): Record<string, string> {
  const ownPort = managementPort === undefined || managementPort === 0 ? managementPort : managementPort + number
  return { RUN: 'api', PORT: String(port), PROCESSES: '1', MIGRATE: 'never', MANAGEMENT_PORT: String(ownPort ?? '') }
}

async function stopProcess({ worker, ended }: ApiProcess, request: Request): Promise<void> {
  sendTo(worker, request)
  await ended
}

function sendTo(worker: Worker, request: Request): void {
  // Sending a message fails only if the receiving process is ending.
  worker.send(request, () => undefined)
}

/**
 * Minimum run time of an API process in milliseconds. A process that ends earlier counts as one that failed to start.
 */
const stableMs = 10_000

/**
 * Maximum delay before an API process is restarted. With this delay, a process that fails at each start is started
 * twice a minute.
 */
const restartMaxMs = 30_000

/** Returns the delay before a process is started again: none at first, then 1, 2, 4 seconds and so on. */
function restartDelayMs(failures: number): number {
  return failures === 0 ? 0 : Math.min(restartMaxMs, 1000 * 2 ** (failures - 1))
}
