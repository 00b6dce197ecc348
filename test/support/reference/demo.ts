import { spawn } from 'node:child_process'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** The demo: a process that `npm start` runs, with a database of its own. */
export interface RunningDemo {
  readonly url: string
  /** The API token that the demo printed as COMMERCE_TOKEN. */
  readonly token: string
  readonly dataFolder: string
  stop(): Promise<void>
}

export async function startDemo(): Promise<RunningDemo> {
  const folder = await mkdtemp(join(tmpdir(), 'commerce-demo-'))
  // When the test runs as root, PostgreSQL runs as another user, who must be able to read its data.
  await chmod(folder, 0o711)
  const { DATABASE_URL: _, ...inherited } = process.env
  const dataFolder = join(folder, 'data')
  const environment = {
    NODE_ENV: 'development',
    DATA_DIR: dataFolder,
    PORT: '0',
    LOG_LEVEL: 'warn',
    TEST_STEP_SECONDS: '3',
  }
  const child = spawn(process.execPath, ['src/main.ts'], {
    env: { ...inherited, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  const ended = new Promise<void>((resolve) => child.on('exit', () => resolve()))
  const [url, token] = await new Promise<readonly [string, string]>((resolve, reject) => {
    const read = (chunk: unknown) => {
      output += chunk
      const found = /listening on (\S+)\/api\/v1,[\s\S]*^export COMMERCE_TOKEN=(\w+)$/m.exec(output)
      if (found?.[1] !== undefined && found[2] !== undefined) resolve([found[1], found[2]])
    }
    child.stdout.on('data', read)
    child.stderr.on('data', read)
    void ended.then(() => reject(new Error(`The demo did not start: ${output}`)))
  })
  return {
    url,
    token,
    dataFolder,
    stop: async () => {
      child.kill('SIGTERM')
      await ended
      await rm(folder, { recursive: true, force: true })
    },
  }
}
