import { ConfigError, readConfig } from '../base/config.ts'
import { ListenError } from '../base/listen.ts'
import { VaultError } from '../base/vault.ts'
import { isDiskFull, isUnavailable } from '../store/core/faults.ts'
import { nameConnections } from '../store/core/server-client.ts'
import { EmbeddedPostgresError } from '../store/embedded/error.ts'
import { SchemaError } from '../store/server/schema-state.ts'
import { DatabaseError, diskFullLine } from '../store/server/usable.ts'
import { isApiProcess, onStopRequest, reportStarted } from './api-process.ts'
import { ApiProcessError } from './api-processes.ts'
import { collectGarbageWhenIdle } from './collect-garbage.ts'
import { settingsOf } from './command-line.ts'
import { type RunningProcess, startProcess } from './process.ts'
import { stopLimitMs } from './stops.ts'

/** Runs the service until Ctrl-C or SIGTERM: the API, the worker or both, as the variable RUN configures. */
const stopping = new AbortController()
let stopRequestedMs = 0
/**
 * Milliseconds between the time limit of a graceful stop and the exit of the process. Parts that have not stopped by
 * then end with the process. The `exit` event of the process stops the embedded PostgreSQL.
 */
const marginMs = 1_000
/**
 * Time limit of a graceful stop in milliseconds. This short value applies until the configuration, which determines the
 * limit, is read.
 */
let limitMs = marginMs
// SIGHUP, which is sent when the terminal is closed, also stops the service.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stopAtSignal(signal))
onStopRequest(stop)
// Without a handler for uncaught errors, Node.js would print the whole error, with the values in a database error, and
// abort requests in progress.
process.on('uncaughtException', (error) => void fail(error))

const starting = readAndStart()
starting.then(({ failed }) => failed).catch(fail)

async function readAndStart(): Promise<RunningProcess> {
  const config = readConfig(undefined, settingsOf(process.argv.slice(2)))
  limitMs = stopLimitMs(config) + marginMs
  nameConnections(config.role)
  const running = await startProcess(config, stopping.signal)
  if (isApiProcess && running.url !== undefined) reportStarted(running.url)
  collectGarbageWhenIdle(stopping.signal)
  return running
}

/**
 * Maximum number of milliseconds between two signals that are treated as one stop request. npm forwards a signal that
 * the process group also received, so the process gets the signal two times.
 */
const duplicateSignalMs = 1_000

function stopAtSignal(signal: string): void {
  // Terminals and supervisors send a signal to all processes of the service. The first process stops the API processes
  // that it started, so API processes ignore signals.
  if (isApiProcess) return
  const nowMs = performance.now()
  if (stopping.signal.aborted) {
    // A second signal ends the process at once. The `exit` event still stops the embedded PostgreSQL.
    if (nowMs - stopRequestedMs > duplicateSignalMs) process.exit(1)
    return
  }
  stopRequestedMs = nowMs
  console.log(`${signal}: shutting down gracefully. Send the signal again to stop at once.`)
  stop(false)
}

function stop(isProbed: boolean): void {
  setTimeout(() => process.exit(1), limitMs).unref()
  stopping.abort()
  starting.then((running) => running.stop(isProbed)).then(() => process.exit(0), fail)
}

let failing: Promise<never> | undefined

/**
 * Ends the process with an error. Only the first call has an effect, because one failure can reach this function
 * several times. An example is a signal that stops the process while the start of the process fails.
 */
function fail(error: unknown): Promise<never> {
  failing ??= endFailed(error)
  return failing
}

async function endFailed(error: unknown): Promise<never> {
  // The error is the stop request, which interrupted the start. All parts that had started are already stopped, so the
  // process exits without an error.
  if (stopping.signal.aborted && error === stopping.signal.reason) process.exit(0)
  console.error(lineOf(error))
  // If an uncaught error has interrupted the start, the promise `starting` may never settle. A timer therefore ends the
  // process.
  setTimeout(() => process.exit(1), limitMs)
  const running = await starting.catch(() => undefined)
  await running?.stop(false)
  process.exit(1)
}

/** Returns one line for an error that an operator can fix, and the stack for a bug in the service. */
function lineOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const kinds = [
    ApiProcessError,
    ConfigError,
    DatabaseError,
    EmbeddedPostgresError,
    ListenError,
    SchemaError,
    VaultError,
  ]
  if (kinds.some((kind) => error instanceof kind)) return error.message
  if (isDiskFull(error)) return diskFullLine(error)
  if (isUnavailable(error)) return `The database cannot be reached: ${error.message || error.name}. Check DATABASE_URL.`
  // The error comes from a failed system call, such as a write to a directory without permission.
  if ('syscall' in error)
    return `${error.message}. Check DATA_DIR and the file permissions of the account that runs this process.`
  return error.stack ?? error.message
}
