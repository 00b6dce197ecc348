import { spawn } from 'node:child_process'
import { compileCache, endOf } from '../processes.ts'

export interface Service {
  readonly url: string
  kill(): void
  readonly ended: Promise<string | number | null>
  /** What it has written of faults. */
  readonly log: () => string
}

/** All of the service in one process, as `npm start` runs it: the API, the worker and the made-up carriers. */
export async function startService(connectionString: string): Promise<Service> {
  const environment = {
    NODE_ENV: 'development',
    DATABASE_URL: connectionString,
    HOST: '127.0.0.1',
    PORT: '0',
    LOG_LEVEL: 'error',
    // Riders hurry, so that there is an end to wait for.
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
