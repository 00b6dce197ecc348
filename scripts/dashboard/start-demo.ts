import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { generousEnvironment } from '../generous-limits.ts'

export interface RunningDemo {
  /** The origin of the service. */
  readonly url: string
  /** The one-time link that signs the owner in. */
  readonly signInLink: string
  /** The folder of the embedded PostgreSQL. */
  readonly dataDirectory: string
  readonly stop: () => Promise<void>
}

/** Starts the service with an embedded PostgreSQL and demo data in a new folder, as `npm start` does. */
export async function startDemo(settings: Readonly<Record<string, string>> = {}): Promise<RunningDemo> {
  const folder = await mkdtemp(join(tmpdir(), 'commerce-dashboard-'))
  // Under root, PostgreSQL runs as another user, who must have access to its data.
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
  const signInLink = await linkOf(service)
  return {
    url: new URL(signInLink).origin,
    signInLink,
    dataDirectory,
    stop: async () => {
      const ended = once(service, 'exit')
      service.kill('SIGINT')
      await ended
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** Returns the link that the first start prints. Rejects when the service ends before. */
function linkOf(service: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    if (service.stdout === null) throw new Error('The output of the service must be piped.')
    createInterface(service.stdout).on('line', (line) => {
      const link = line.trim()
      if (URL.canParse(link) && new URL(link).pathname.startsWith('/dashboard/sign-in/link/')) resolve(link)
    })
    service.once('exit', (code) =>
      reject(new Error(`The service ended with ${code} before it printed a sign-in link.`)),
    )
  })
}
