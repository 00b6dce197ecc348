import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { generousEnvironment } from '../generous-limits.ts'

/** Output of the service at its first start with demo data. */
interface FirstStart {
  /** The one-time link that signs the owner in to the dashboard. */
  readonly signInLink: string
  /** An API token of test mode, with all scopes. */
  readonly testToken: string
}

export interface RunningDemo extends FirstStart {
  /** The origin of the started service. */
  readonly url: string
  /** The data folder of the embedded PostgreSQL. */
  readonly dataDirectory: string
  readonly stop: () => Promise<void>
}

/** Starts the service with an embedded PostgreSQL and demo data in a new folder, as `npm start` does. */
export async function startDemo(settings: Readonly<Record<string, string>> = {}): Promise<RunningDemo> {
  const folder = await mkdtemp(join(tmpdir(), 'commerce-dashboard-'))
  // When the script runs as root, PostgreSQL runs as another user, who needs access to the data folder.
  await chmod(folder, 0o711)
  const dataDirectory = join(folder, 'data')
  const environment = {
    ...generousEnvironment,
    NODE_ENV: 'development',
    DATA_DIR: dataDirectory,
    PORT: '0',
    LOG_LEVEL: 'warn',
    ...settings,
  }
  const service = spawn(process.execPath, ['src/main.ts'], {
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const printed = await firstStartOf(service)
  return {
    ...printed,
    url: new URL(printed.signInLink).origin,
    dataDirectory,
    stop: async () => {
      const ended = once(service, 'exit')
      service.kill('SIGINT')
      await ended
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/**
 * Resolves with the sign-in link and the token when the service has printed both. Rejects if the service ends before it
 * has printed them.
 */
function firstStartOf(service: ChildProcess): Promise<FirstStart> {
  return new Promise((resolve, reject) => {
    if (service.stdout === null) throw new Error('The output of the service must be piped.')
    let signInLink: string | undefined
    createInterface(service.stdout).on('line', (line) => {
      const text = line.trim()
      if (URL.canParse(text) && new URL(text).pathname.startsWith('/dashboard/sign-in/link/')) signInLink = text
      const testToken = /^export COMMERCE_TOKEN=(\S+)$/.exec(text)?.[1]
      if (signInLink !== undefined && testToken !== undefined) resolve({ signInLink, testToken })
    })
    service.once('exit', (code) =>
      reject(new Error(`The service ended with ${code} before it printed a sign-in link and a token.`)),
    )
  })
}
