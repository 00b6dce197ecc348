// Restarts the embedded server when it ends while in use, for example killed because memory ran out.

import { setTimeout } from 'node:timers/promises'
import { EmbeddedPostgresError } from './error.ts'
import { isIdentityAlive } from './lock.ts'
import type { Server } from './server.ts'

export interface Supervisor {
  /** Rejects when the embedded server has ended and cannot be restarted. */
  readonly failed: Promise<never>
  /** False from the time at which the end of the server is noticed until the server is restarted. */
  isRunning(): boolean
  /** Waits for a restart in progress. */
  stop(): Promise<void>
}

interface Supervised {
  readonly server: Server
  /** Restarts the server, or returns the server that another process has restarted. */
  restart(): Promise<Server>
  readonly onProblem: (line: string) => void
}

export function superviseServer(supervised: Supervised): Supervisor {
  const stopping = new AbortController()
  const state = { isRunning: true }
  const supervising = supervise(supervised, state, stopping.signal)
  const failed = supervising.then(() => new Promise<never>(() => undefined))
  // If no caller awaits `failed`, its rejection would be an unhandled rejection and end the process. This handler
  // prevents that.
  failed.catch(() => undefined)
  return {
    failed,
    isRunning: () => state.isRunning,
    stop: async () => {
      stopping.abort()
      await supervising.catch(() => undefined)
    },
  }
}

const POLL_MS = 100 // Poll interval in milliseconds of the check that the embedded server runs, short compared to a start of 500 ms. Each check reads one file.
const RESTART_ATTEMPTS = 10 // Maximum number of attempts to restart the server. With the delays between the attempts, they take about 20 s, enough for the remaining processes of a killed server to end.
const FIRST_DELAY_MS = 100 // The processes of a killed server need about 100 ms to exit and free its memory.
const LONGEST_DELAY_MS = 5000 // The longest delay before a restart: a server that crashes repeatedly must not keep a processor busy.
const SHORT_LIFE_MS = 10_000 // A server that ends within 10 s of its start counts as crashing.

async function supervise(
  { server, restart, onProblem }: Supervised,
  state: { isRunning: boolean },
  stopping: AbortSignal,
): Promise<void> {
  let crashes = 0
  for (let current = server; ; ) {
    const startedMs = performance.now()
    if (!(await hasEnded(current, stopping))) return
    state.isRunning = false
    onProblem(`The embedded PostgreSQL (pid ${current.pid}) ended while in use and will be restarted.`)
    crashes = performance.now() - startedMs < SHORT_LIFE_MS ? crashes + 1 : 0
    const next = await restartWithBackoff({ restart, onProblem, stopping, crashes })
    if (next === undefined) return
    onProblem(`The embedded PostgreSQL was restarted (pid ${next.pid}).`)
    state.isRunning = true
    current = next
  }
}

/** Polls until the embedded server has ended. Returns false when the supervision is stopped first. */
async function hasEnded(server: Server, stopping: AbortSignal): Promise<boolean> {
  while (!stopping.aborted) {
    if (!isIdentityAlive(server.identity)) return true
    await delay(POLL_MS, stopping)
  }
  return false
}

interface Restart extends Pick<Supervised, 'restart' | 'onProblem'> {
  readonly stopping: AbortSignal
  /** The number of times in a row that the server has ended shortly after its start. */
  readonly crashes: number
}

async function restartWithBackoff({ restart, onProblem, stopping, crashes }: Restart): Promise<Server | undefined> {
  let last = ''
  for (let attempt = 1; attempt <= RESTART_ATTEMPTS; attempt += 1) {
    await delay(delayMs(crashes + attempt), stopping)
    if (stopping.aborted) return undefined
    try {
      return await restart()
    } catch (error) {
      last = error instanceof Error ? error.message : String(error)
      onProblem(`Restart ${attempt} of ${RESTART_ATTEMPTS} of the embedded PostgreSQL failed: ${last}`)
    }
  }
  throw new EmbeddedPostgresError(`The embedded PostgreSQL could not be restarted: ${last}`)
}

function delayMs(attempt: number): number {
  return attempt <= 1 ? 0 : Math.min(FIRST_DELAY_MS * 2 ** (attempt - 2), LONGEST_DELAY_MS)
}

/** The timer does not prevent the process from ending. */
async function delay(durationMs: number, signal: AbortSignal): Promise<void> {
  await setTimeout(durationMs, undefined, { ref: false, signal }).catch(() => undefined)
}
