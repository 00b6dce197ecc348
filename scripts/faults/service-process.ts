import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { generousEnvironment } from '../generous-limits.ts'
import { encryptionKey } from './merchants.ts'
import { endOf } from './processes.ts'

/** The service in a separate process, which runs src/main.ts. */
export interface ServiceProcess {
  /** The URL of the API, without a path. Empty if the process runs only a worker. */
  readonly url: string
  readonly managementUrl: string
  readonly pid: number | undefined
  readonly output: () => string
  /** Resolves with the signal or the exit code when the process ends. */
  readonly ended: Promise<string | number | null>
  kill(signal: NodeJS.Signals): void
}

interface ServiceOptions {
  /** Callback that gets each line of the process's output, including those of the start. */
  readonly onLine?: (line: string) => void
  /** The folder of the release to start. Undefined starts the current release. */
  readonly folder?: string
}

/**
 * Uses free ports by default. Resolves when the service has started. Rejects if the process ends before it has started
 * the service.
 */
export async function startServiceProcess(
  connectionString: string,
  settings: Readonly<Record<string, string>> = {},
  { onLine = () => undefined, folder = process.cwd() }: ServiceOptions = {},
): Promise<ServiceProcess> {
  const child = spawn(process.execPath, ['src/main.ts'], {
    cwd: folder,
    env: {
      ...process.env,
      NODE_ENV: 'development',
      PORT: '0',
      MANAGEMENT_PORT: '0',
      DATABASE_URL: connectionString,
      LOG_LEVEL: 'warn',
      ENCRYPTION_KEY: encryptionKey.toString('base64'),
      ...generousEnvironment,
      ...settings,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const lines: string[] = []
  const started = Promise.withResolvers<void>()
  for (const stream of [child.stdout, child.stderr]) {
    createInterface({ input: stream }).on('line', (line) => {
      lines.push(line)
      onLine(line)
      if (/^Commerce Service is /.test(line)) started.resolve()
    })
  }
  const output = () => lines.join('\n')
  const ended = endOf(child)
  once(child, 'close').then(() => started.reject(new Error(`The service ended: ${output()}`)))
  await started.promise
  const [, url = ''] = /listening on (http:\/\/[^/]+)/.exec(output()) ?? []
  const [, managementUrl = ''] = /management port is (http:\/\/\S+)\.$/m.exec(output()) ?? []
  return { url, managementUrl, pid: child.pid, output, ended, kill: (signal) => void child.kill(signal) }
}
