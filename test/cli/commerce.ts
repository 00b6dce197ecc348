import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

/** Runs the real command line in a child process on the database of the test. */

/** Required with DATABASE_URL: the key that encrypts the merchants' secrets. */
const ENCRYPTION_KEY = Buffer.alloc(32, 6).toString('base64')

/** The receivers of the tests are on this machine. */
const WEBHOOK_ALLOW_LOOPBACK = 'true'

/** Returns the loopback variable, which production does not allow. */
function loopbackOf({ NODE_ENV }: Readonly<Record<string, string>>) {
  return NODE_ENV === 'production' ? {} : { WEBHOOK_ALLOW_LOOPBACK }
}

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

/** Runs a command with --json and returns its output. Throws if it fails or prints anything beside one JSON value. */
export async function commerceJson(connectionString: string, ...words: string[]): Promise<unknown> {
  const { code, stdout, stderr } = await commerce(connectionString, ...words, '--json')
  if (code !== 0 || stderr !== '') throw new Error(`commerce ${words.join(' ')} ended with ${code}: ${stderr}`)
  return JSON.parse(stdout)
}

/** Runs a command with text on standard input and further environment variables. */
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
    ...loopbackOf(settings),
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
