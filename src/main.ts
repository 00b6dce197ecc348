import { ConfigError, readConfig } from './config.ts'
import { startProcess } from './process.ts'
import { EmbeddedPostgresError } from './store/embedded-error.ts'
import { isUnavailable } from './store/faults.ts'

/** `npm start`: the API and the worker in one process, stopped by Ctrl-C or SIGTERM. */
try {
  const running = await startProcess(readConfig())
  let isStopping = false
  const stop = (signal: string) => {
    // Asked twice, the person means it.
    if (isStopping) process.exit(1)
    isStopping = true
    console.log(`${signal}: finishing what is under way. Once more to stop at once.`)
    running.stop().then(
      () => process.exit(0),
      (error: unknown) => fail(error),
    )
  }
  process.on('SIGINT', stop)
  process.on('SIGTERM', stop)
  running.failed.catch(fail)
} catch (error) {
  fail(error)
}

function fail(error: unknown): never {
  console.error(lineOf(error))
  process.exit(1)
}

/** What a person can mend is told in one line; only a fault of ours deserves its stack. */
function lineOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (error instanceof ConfigError || error instanceof EmbeddedPostgresError) return error.message
  const code = 'code' in error ? error.code : undefined
  if (code === 'EADDRINUSE') return 'The port is taken by another program. Set PORT to a free one.'
  if (code === 'EADDRNOTAVAIL') return 'HOST is not an address of this machine.'
  if (code === 'EACCES') return 'The port may not be used by this account. Set PORT to one above 1023.'
  if (isUnavailable(error) || isRefusedLogin(code)) {
    return `The database cannot be reached: ${error.message || String(code)}. Check DATABASE_URL.`
  }
  return error.stack ?? error.message
}

/** Class 28 is a wrong role or password, 3D000 a database that does not exist. */
function isRefusedLogin(code: unknown): boolean {
  return typeof code === 'string' && (code.startsWith('28') || code === '3D000')
}
