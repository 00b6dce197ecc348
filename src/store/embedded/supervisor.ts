// Restarts the embedded server when it ends although it is in use: killed, or out of memory.

import { setTimeout } from 'node:timers/promises'
import { EmbeddedPostgresError } from './error.ts'
import { isIdentityAlive } from './lock.ts'
import type { Server } from './server.ts'

export interface Supervisor {
  /** Rejects when the server cannot be restarted. */
  readonly failed: Promise<never>
  /** Ends the supervision and waits for a restart under way. */
  stop(): Promise<void>
}

interface Supervised {
  readonly server: Server
  /** The server that runs now: another process may have restarted it first. */
  restart(): Promise<Server>
  readonly onProblem: (line: string) => void
}

export function superviseServer(supervised: Supervised): Supervisor {
  const stopping = new AbortController()
  const supervising = supervise(supervised, stopping.signal)
  const failed = supervising.then(() => new Promise<never>(() => undefined))
  // Not every user waits for it, and an unheard rejection would end the process.
  failed.catch(() => undefined)
  return {
    failed,
    stop: async () => {
      stopping.abort()
      await supervising.catch(() => undefined)
    },
  }
}

const POLL_MS = 100 // Short against the half second a start takes; a look is one small read.
const RESTART_ATTEMPTS = 10 // With the pauses below some 20 seconds: longer than any of our statements outlives its server.
const FIRST_PAUSE_MS = 100 // The killed server's processes need about that long to notice and free its memory.
const LONGEST_PAUSE_MS = 5000 // A server that keeps crashing must not keep a processor busy.
const SHORT_LIFE_MS = 10_000 // A server that ended sooner than this after its start is crashing.

async function supervise({ server, restart, onProblem }: Supervised, stopping: AbortSignal): Promise<void> {
  let crashes = 0
  for (let current = server; ; ) {
    const startedMs = performance.now()
    if (!(await hasEnded(current, stopping))) return
    onProblem(`The embedded PostgreSQL (pid ${current.pid}) ended while it was in use. It is restarted.`)
    crashes = performance.now() - startedMs < SHORT_LIFE_MS ? crashes + 1 : 0
    const next = await restartPatiently({ restart, onProblem, stopping, crashes })
    if (next === undefined) return
    onProblem(`The embedded PostgreSQL runs again (pid ${next.pid}).`)
    current = next
  }
}

/** False when the supervision was stopped first. */
async function hasEnded(server: Server, stopping: AbortSignal): Promise<boolean> {
  while (!stopping.aborted) {
    if (!isIdentityAlive(server.identity)) return true
    await pause(POLL_MS, stopping)
  }
  return false
}

interface Restart extends Pick<Supervised, 'restart' | 'onProblem'> {
  readonly stopping: AbortSignal
  /** How often in a row the server ended shortly after its start. */
  readonly crashes: number
}

async function restartPatiently({ restart, onProblem, stopping, crashes }: Restart): Promise<Server | undefined> {
  let last = ''
  for (let attempt = 1; attempt <= RESTART_ATTEMPTS; attempt += 1) {
    await pause(pauseMs(crashes + attempt), stopping)
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

/** None before the first attempt, then twice as long each time. */
function pauseMs(attempt: number): number {
  return attempt <= 1 ? 0 : Math.min(FIRST_PAUSE_MS * 2 ** (attempt - 2), LONGEST_PAUSE_MS)
}

/** Without a reference: waiting for a server to end keeps no process alive. */
async function pause(durationMs: number, signal: AbortSignal): Promise<void> {
  await setTimeout(durationMs, undefined, { ref: false, signal }).catch(() => undefined)
}
