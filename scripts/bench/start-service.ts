import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { freePort } from '../../src/store/embedded/server.ts'
import { generousEnvironment } from '../generous-limits.ts'
import { startCommand } from '../start-command.ts'
import type { TemporaryPostgres } from '../temporary-postgres.ts'

export interface StartedService {
  readonly child: ChildProcess
  readonly url: string
  /** Milliseconds from the start of the process to its first response. */
  readonly firstMs: number
}

/** Starts the service as `npm start` does, with the given environment variables, and waits for its first response. */
export async function startService(
  { connectionString }: Pick<TemporaryPostgres, 'connectionString'>,
  settings: Readonly<Record<string, string>>,
): Promise<StartedService> {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const startedMs = performance.now()
  const child = spawn(startCommand.command, startCommand.words, {
    env: {
      ...process.env,
      ...generousEnvironment,
      DATABASE_URL: connectionString,
      ENCRYPTION_KEY: Buffer.alloc(32, 1).toString('base64'),
      PORT: String(port),
      LOG_LEVEL: 'warn',
      ...settings,
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  while (!(await responds(url))) {
    if (hasEnded(child)) throw new Error(`The service ended with ${child.exitCode ?? child.signalCode}.`)
    await wait(pollMs)
  }
  return { child, url, firstMs: performance.now() - startedMs }
}

/**
 * Interval between the attempts to get a first response. The interval is short compared with the start, which takes
 * about a second.
 */
const pollMs = 5

function responds(url: string): Promise<boolean> {
  return fetch(`${url}/api/v1/orders`).then(
    async (response) => {
      await response.text()
      return true
    },
    () => false,
  )
}

export async function stopService(child: ChildProcess): Promise<void> {
  child.kill()
  if (!hasEnded(child)) await once(child, 'exit')
}

function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null
}

/** Returns the resident memory of a process in MiB, as `top` shows it. */
export function residentMebibytes({ pid = 0 }: ChildProcess): number {
  const [, kibibytes] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return Number(kibibytes) / 1024
}
