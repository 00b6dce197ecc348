import { type ChildProcess, spawn } from 'node:child_process'
import { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { run } from '../../src/cli/run.ts'
import { openKeyedQueue } from '../../src/store/core/keyed-queue.ts'

/** Runs the real command line on the database of the test. */

/** The key that encrypts the merchants' secrets. The commands require it together with DATABASE_URL. */
export const commandKey = Buffer.alloc(32, 6)
const ENCRYPTION_KEY = commandKey.toString('base64')

/** Webhook receivers of the tests have loopback addresses, because they run on this machine. */
const WEBHOOK_ALLOW_LOOPBACK = 'true'

type Settings = Readonly<Record<string, string>>

/**
 * Returns the environment variables of a command. They allow webhook receivers with loopback addresses, which
 * production forbids.
 */
function environmentOf(connectionString: string, settings: Settings = {}): Settings {
  const loopback = settings.NODE_ENV === 'production' ? {} : { WEBHOOK_ALLOW_LOOPBACK }
  return { DATABASE_URL: connectionString, ENCRYPTION_KEY, NODE_ENV: 'test', ...loopback, ...settings }
}

export interface Ended {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

export function commerce(connectionString: string, ...words: string[]): Promise<Ended> {
  return commerceWithInput(connectionString, { input: '' }, ...words)
}

/**
 * Runs a command with --json and returns its output. Throws if the command fails or prints anything other than one JSON
 * value.
 */
export async function commerceJson(connectionString: string, ...words: string[]): Promise<unknown> {
  const { code, stdout, stderr } = await commerce(connectionString, ...words, '--json')
  if (code !== 0 || stderr !== '') throw new Error(`commerce ${words.join(' ')} ended with ${code}: ${stderr}`)
  return JSON.parse(stdout)
}

/** The commands run in this process one at a time, because they share its environment variables and streams. */
const queue = openKeyedQueue({ atOnce: 1, waitingMax: 100, waitMs: 2 ** 31 - 1 })

/**
 * Runs a command with text on standard input and additional environment variables. The command runs in this process,
 * because a separate process takes half a second of processor time to import the service.
 */
export async function commerceWithInput(
  connectionString: string,
  { input, settings }: { readonly input: string; readonly settings?: Settings },
  ...words: string[]
): Promise<Ended> {
  const endTurn = await queue.enter('')
  const output = { stdout: '', stderr: '' }
  const restore = [
    ...(['stdout', 'stderr'] as const).map((name) => {
      const keep = (text: string) => {
        output[name] += text
        return true
      }
      return replace(process[name], { write: keep })
    }),
    replace(process, {
      stdin: Readable.from([Buffer.from(input)]),
      env: { ...process.env, ...environmentOf(connectionString, settings) },
    }),
  ]
  try {
    return { code: await run(words), ...output }
  } finally {
    for (const each of restore) each()
    endTurn()
  }
}

/** Replaces properties of an object. Returns a function that restores them. */
function replace(object: object, values: Readonly<Record<string, unknown>>): () => void {
  const before = Object.keys(values).map((name) => [name, Object.getOwnPropertyDescriptor(object, name)] as const)
  for (const [name, value] of Object.entries(values)) Object.defineProperty(object, name, { value, configurable: true })
  return () => {
    for (const [name, descriptor] of before) {
      if (descriptor === undefined) Reflect.deleteProperty(object, name)
      else Object.defineProperty(object, name, descriptor)
    }
  }
}

const program = fileURLToPath(new URL('../../src/cli.ts', import.meta.url))

/** Starts a command in a separate process, which a test later ends with a signal. */
export function start(connectionString: string, words: readonly string[]): ChildProcess {
  const env = { ...process.env, ...environmentOf(connectionString) }
  return spawn(process.execPath, [program, ...words], { env, stdio: ['ignore', 'pipe', 'pipe'] })
}
