// Who is alive, and who may start the server of one data folder.
//
// A process is named by its pid and, where the kernel tells, by the tick it started at. Pids alone are reused, above all
// in containers, where the same few small pids come back after every restart and a dead starter would look alive.

import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import { codeOf, EmbeddedPostgresError } from './error.ts'

/** Runs an action while no other process (nor another call in this one) runs one under the same lock file. */
export async function withLock<Result>(
  path: string,
  action: () => Promise<Result>,
  signal?: AbortSignal,
): Promise<Result> {
  await takeLock(path, signal)
  try {
    return await action()
  } finally {
    rmSync(path, { force: true })
  }
}

/** The name of a living process; undefined when it is dead, or a zombie that its parent has not yet collected. */
export function identityOf(pid: number): string | undefined {
  // Signals to pid 0 go to our own process group: it stands for no process.
  if (!(pid > 0) || !isSignalable(pid)) return undefined
  const fields = statusFieldsOf(pid)
  if (fields === undefined) return String(pid)
  return fields.state === 'Z' || fields.state === 'X' ? undefined : `${pid}:${fields.startedAtTick}`
}

export function isIdentityAlive(identity: string): boolean {
  return identityOf(Number.parseInt(identity, 10)) === identity
}

const POLL_MS = 50 // Short against the half second a start takes.
const LOCK_ATTEMPTS = 2400 // Two minutes: initdb on a slow disk and the minute a start may take.

async function takeLock(path: string, signal?: AbortSignal): Promise<void> {
  for (let attempt = 0; attempt < LOCK_ATTEMPTS; attempt += 1) {
    signal?.throwIfAborted()
    if (createExclusively(path)) return
    const holder = readHolder(path)
    if (holder !== undefined && !isIdentityAlive(holder)) breakLock(path, holder)
    await setTimeout(POLL_MS)
  }
  throw new EmbeddedPostgresError(
    `Another process (${readHolder(path) ?? 'unknown'}) has held ${path} for two minutes. Remove that file if no such process runs.`,
  )
}

/**
 * Two waiters may find the same dead holder, and the slower must not remove the lock the faster has just taken. So
 * removal has a lock of its own; it is held within one turn of the event loop, too briefly to be worth breaking in turn.
 */
function breakLock(path: string, deadHolder: string): void {
  const guard = `${path}.break`
  if (!createExclusively(guard)) return
  try {
    if (readHolder(path) === deadHolder) rmSync(path, { force: true })
  } finally {
    rmSync(guard, { force: true })
  }
}

function createExclusively(path: string): boolean {
  try {
    writeFileSync(path, identityOf(process.pid) ?? '', { flag: 'wx', mode: 0o600 })
    return true
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false
    throw error
  }
}

/** Undefined also while the holder has created the file and not yet written its name. */
function readHolder(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8') || undefined
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined
    throw error
  }
}

function isSignalable(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    // EPERM is the answer about a living process of another account.
    return codeOf(error) === 'EPERM'
  }
}

/** Linux only: elsewhere there is no /proc and the pid has to do. */
function statusFieldsOf(pid: number): { state: string | undefined; startedAtTick: string | undefined } | undefined {
  try {
    const status = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The second field is the command's name, which may itself hold spaces and parentheses: count from its end.
    const fields = status.slice(status.lastIndexOf(')') + 2).split(' ')
    return { state: fields[0], startedAtTick: fields[19] }
  } catch {
    return undefined
  }
}
