import { ListenError, type RunningProcess, startProcess } from './app/process.ts'
import { ConfigError, readConfig } from './base/config.ts'
import { VaultError } from './base/vault.ts'
import { isUnavailable } from './store/core/faults.ts'
import { SchemaError } from './store/core/migrate.ts'
import { DatabaseError } from './store/core/usable.ts'
import { EmbeddedPostgresError } from './store/embedded/error.ts'

/** `npm start`: the API and the worker in one process, stopped by Ctrl-C or SIGTERM. */
const stopping = new AbortController()
let stopAskedMs = 0
// A terminal that closes sends SIGHUP.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stop)

const starting = readAndStart()
starting.then(({ failed }) => failed).catch(fail)

async function readAndStart(): Promise<RunningProcess> {
  return startProcess(readConfig(), stopping.signal)
}

/** Supervisors kill after 30 seconds. What is left then ends with us, the embedded PostgreSQL by the event `exit`. */
const stopLimitMs = 29_000

/** npm passes a signal on that the process group has received too: within this time it is the same request. */
const sameRequestMs = 1_000

function stop(signal: string): void {
  const nowMs = performance.now()
  if (stopping.signal.aborted) {
    // Asked twice, the person means it. The embedded PostgreSQL still ends with us, by the event `exit`.
    if (nowMs - stopAskedMs > sameRequestMs) process.exit(1)
    return
  }
  stopAskedMs = nowMs
  console.log(`${signal}: finishing what is under way. Once more to stop at once.`)
  setTimeout(() => process.exit(1), stopLimitMs).unref()
  stopping.abort()
  starting.then((running) => running.stop()).then(() => process.exit(0), fail)
}

let failing: Promise<never> | undefined

/** A start that fails while it is stopped is told once. */
function fail(error: unknown): Promise<never> {
  failing ??= endFailed(error)
  return failing
}

async function endFailed(error: unknown): Promise<never> {
  // A start that was interrupted has stopped all it had started.
  if (stopping.signal.aborted && error === stopping.signal.reason) process.exit(0)
  console.error(lineOf(error))
  const running = await starting.catch(() => undefined)
  await running?.stop()
  process.exit(1)
}

/** What a person can mend is told in one line; only a fault of ours deserves its stack. */
function lineOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const kinds = [ConfigError, DatabaseError, EmbeddedPostgresError, ListenError, SchemaError, VaultError]
  if (kinds.some((kind) => error instanceof kind)) return error.message
  if (isUnavailable(error)) return `The database cannot be reached: ${error.message || error.name}. Check DATABASE_URL.`
  // A call of the operating system, such as one on a folder this account may not write in.
  if ('syscall' in error) return `${error.message}. Check DATA_DIR and the rights of this account.`
  return error.stack ?? error.message
}
