import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

/** The real command line, in a process of its own, on the database of the test. */

/** A shared database needs one; the merchants' secrets are sealed with it. */
const ENCRYPTION_KEY = Buffer.alloc(32, 6).toString('base64')

/** The tests' receivers are on this machine. Production refuses it, so commands in production are run with ''. */
const WEBHOOK_ALLOW_LOOPBACK = 'true'

const program = fileURLToPath(new URL('../../src/cli.ts', import.meta.url))

export interface Ended {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

export async function commerce(connectionString: string, ...words: string[]): Promise<Ended> {
  const child = start(connectionString, words)
  const output = { stdout: '', stderr: '' }
  child.stdout?.on('data', (data) => {
    output.stdout += data
  })
  child.stderr?.on('data', (data) => {
    output.stderr += data
  })
  const [code] = await once(child, 'close')
  return { code, ...output }
}

/** The one JSON value of a command that succeeds; anything beside it on standard output does not parse. */
export async function commerceJson(connectionString: string, ...words: string[]): Promise<unknown> {
  const { code, stdout, stderr } = await commerce(connectionString, ...words, '--json')
  if (code !== 0 || stderr !== '') throw new Error(`commerce ${words.join(' ')} ended with ${code}: ${stderr}`)
  return JSON.parse(stdout)
}

/** The same with a line on standard input, and settings of its own. */
export async function commerceWithInput(
  connectionString: string,
  { input, settings = {} }: { readonly input: string; readonly settings?: Readonly<Record<string, string>> },
  ...words: string[]
): Promise<Ended> {
  const env = {
    ...process.env,
    DATABASE_URL: connectionString,
    ENCRYPTION_KEY,
    NODE_ENV: 'test',
    WEBHOOK_ALLOW_LOOPBACK,
    ...settings,
  }
  const child = spawn(process.execPath, [program, ...words], { env, stdio: 'pipe' })
  const output = { stdout: '', stderr: '' }
  child.stdout.on('data', (data) => {
    output.stdout += data
  })
  child.stderr.on('data', (data) => {
    output.stderr += data
  })
  child.stdin.end(input)
  const [code] = await once(child, 'close')
  return { code, ...output }
}

export function start(connectionString: string, words: readonly string[]): ChildProcess {
  const env = {
    ...process.env,
    DATABASE_URL: connectionString,
    ENCRYPTION_KEY,
    NODE_ENV: 'test',
    WEBHOOK_ALLOW_LOOPBACK,
  }
  return spawn(process.execPath, [program, ...words], { env, stdio: ['ignore', 'pipe', 'pipe'] })
}
