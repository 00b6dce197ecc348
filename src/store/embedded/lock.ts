// Process identities, and the lock file of a data folder.
//
// A process is identified by its pid and, where /proc is available, its start time in ticks. A pid alone may be reused,
// especially in containers, where every restart assigns the same small pids.

import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import { codeOf, EmbeddedPostgresError } from './error.ts'

/** Runs an action under a lock file, which excludes other processes and other calls in this process. */
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

/** Returns the identity of a running process. Undefined when it has ended or is a zombie. */
export function identityOf(pid: number): string | undefined {
  // A signal to pid 0 goes to the process group of this process, not to a single process.
  if (!(pid > 0) || !isSignalable(pid)) return undefined
  const fields = statusFieldsOf(pid)
  if (fields === undefined) return String(pid)
  return fields.state === 'Z' || fields.state === 'X' ? undefined : `${pid}:${fields.startedAtTick}`
}

export function isIdentityAlive(identity: string): boolean {
  return identityOf(Number.parseInt(identity, 10)) === identity
}

const POLL_MS = 50 // Milliseconds between two attempts to get the lock: a short time compared to the half second that a server start takes.
const LOCK_ATTEMPTS = 2400 // Attempts to get the lock take two minutes, enough for initdb and a start on a slow disk.

async function takeLock(path: string, signal?: AbortSignal): Promise<void> {
  for (let attempt = 0; attempt < LOCK_ATTEMPTS; attempt += 1) {
    signal?.throwIfAborted()
    if (createExclusively(path)) return
    const holder = readHolder(path)
    if (holder !== undefined && !isIdentityAlive(holder)) breakLock(path, holder)
    await setTimeout(POLL_MS)
  }
  throw new EmbeddedPostgresError(
    `Another process (${readHolder(path) ?? 'unknown'}) has held the lock file ${path} for two minutes. Remove the file if that process no longer exists.`,
  )
}

/**
 * Removes the lock file of an ended process. A second lock guards the removal: two waiters may find the same ended
 * process, and the slower one must not remove the new lock of the faster one. The second lock exists only during
 * synchronous code, so a stale one is unlikely and is not handled.
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

/**
 * Returns the identity of the process that has the lock. Undefined when there is no lock, or the process has not
 * written its identity yet.
 */
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
    // The error code EPERM means that the process exists and runs under another account.
    return codeOf(error) === 'EPERM'
  }
}

/** Reads /proc, which only exists on Linux. Elsewhere only the pid identifies a process. */
function statusFieldsOf(pid: number): { state: string | undefined; startedAtTick: string | undefined } | undefined {
  try {
    const status = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The second field of a process's stat file is the command's name in parentheses. The name itself may contain
    // spaces and parentheses, so the later fields are counted from the last closing parenthesis.
    const fields = status.slice(status.lastIndexOf(')') + 2).split(' ')
    return { state: fields[0], startedAtTick: fields[19] }
  } catch {
    return undefined
  }
}
