import { ConfigError, readConfig } from './config.ts'
import { ListenError, type RunningProcess, startProcess } from './process.ts'
import { EmbeddedPostgresError } from './store/embedded-error.ts'
import { isUnavailable } from './store/faults.ts'

/** `npm start`: the API and the worker in one process, stopped by Ctrl-C or SIGTERM. */
let isStopping = false
process.on('SIGINT', stop)
process.on('SIGTERM', stop)

const starting = readAndStart()
starting.then((running) => running.failed).catch(fail)

async function readAndStart(): Promise<RunningProcess> {
  return startProcess(readConfig())
}

/** A start under way is let through first: half of it could leave a database server behind. */
function stop(signal: string): void {
  // Asked twice, the person means it.
  if (isStopping) process.exit(1)
  isStopping = true
  console.log(`${signal}: finishing what is under way. Once more to stop at once.`)
  starting.then((running) => running.stop()).then(() => process.exit(0), fail)
}

function fail(error: unknown): never {
  console.error(lineOf(error))
  process.exit(1)
}

/** What a person can mend is told in one line; only a fault of ours deserves its stack. */
function lineOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const isPlain = [ConfigError, EmbeddedPostgresError, ListenError].some((kind) => error instanceof kind)
  if (isPlain) return error.message
  const code = 'code' in error ? error.code : undefined
  if (isUnavailable(error) || isRefusedLogin(code)) {
    return `The database cannot be reached: ${error.message || String(code)}. Check DATABASE_URL.`
  }
  return error.stack ?? error.message
}

/** Class 28 is a wrong role or password, 3D000 a database that does not exist. */
function isRefusedLogin(code: unknown): boolean {
  return typeof code === 'string' && (code.startsWith('28') || code === '3D000')
}
