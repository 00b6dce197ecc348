import { spawn } from 'node:child_process'
import { generousEnvironment } from '../../generous-limits.ts'
import { compileCache, endOf } from '../processes.ts'

export interface Service {
  readonly url: string
  kill(): void
  readonly ended: Promise<string | number | null>
  /** Returns what the service process has written to its error output. */
  readonly log: () => string
}

/** Starts the whole service in one process, as `npm start` does: the API, the worker and the simulated carriers. */
export async function startService(connectionString: string): Promise<Service> {
  const environment = {
    ...generousEnvironment,
    NODE_ENV: 'development',
    DATABASE_URL: connectionString,
    HOST: '127.0.0.1',
    PORT: '0',
    LOG_LEVEL: 'error',
    // Short simulation steps of the simulated carriers, so that deliveries finish soon.
    TEST_STEP_SECONDS: '1',
    NODE_COMPILE_CACHE: compileCache,
  }
  const child = spawn(process.execPath, ['src/main.ts'], {
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const ended = endOf(child)
  let log = ''
  const url = await new Promise<string>((resolve, reject) => {
    const read = (chunk: unknown) => {
      log += chunk
      const found = /listening on (\S+)\/api\/v1/.exec(log)?.[1]
      if (found !== undefined) resolve(found)
    }
    child.stdout.on('data', read)
    child.stderr.on('data', read)
    void ended.then(() => reject(new Error(`The service did not start: ${log}`)))
  })
  return { url, kill: () => void child.kill('SIGKILL'), ended, log: () => log }
}
