// The users of one embedded server: every openEmbedded() call registers a file in <dataDirectory>/postgres.users,
// named after its process. The last user to unregister stops the server. The functions are synchronous, because the
// `exit` event is the last opportunity to unregister.

import { chmodSync, chownSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { randomSecret } from '../../base/ids.ts'
import { codeOf } from './error.ts'
import { identityOf, isIdentityAlive } from './lock.ts'
import { findServer, type Server } from './server.ts'

export interface Registration {
  /** Folder of the database cluster. */
  readonly cluster: string
  /** The path of the file that registers this user of the embedded server. */
  readonly path: string
  /** Undefined until the server is found or started. */
  server: Server | undefined
}

/**
 * Registers a user of the server. Requires the lock file, so that the last user does not stop the server at the same
 * time.
 */
export function register(folder: string, cluster: string): Registration {
  makeFolder(folder)
  const identity = identityOf(process.pid) ?? String(process.pid)
  // The 9 random bytes in a file's name distinguish the registrations of one process.
  const path = join(folder, `${identity}.${randomSecret(9)}`)
  writeFileSync(path, '', { mode: 0o600 })
  const registration: Registration = { cluster, path, server: undefined }
  if (!isHooked) process.on('exit', unregisterAll)
  isHooked = true
  registrations.add(registration)
  return registration
}

export function unregister(registration: Registration): void {
  registrations.delete(registration)
  rmSync(registration.path, { force: true })
}

/**
 * Reports whether the embedded server has another registered user whose process is running. Removes the registration
 * files of ended processes.
 */
export function hasOtherUsers(registration: Registration): boolean {
  return namesIn(dirname(registration.path)).some((name) => {
    const path = join(dirname(registration.path), name)
    if (path === registration.path) return false
    if (isIdentityAlive(name.split('.')[0] ?? '')) return true
    rmSync(path, { force: true })
    return false
  })
}

/**
 * Returns the server of a registration. If another user of the cluster has restarted the server since the registration,
 * returns the restarted server.
 */
export function serverOf({ cluster, server }: Registration): Server | undefined {
  const found = findServer(cluster)
  return found === undefined || found.identity === server?.identity ? server : found
}

const registrations = new Set<Registration>()
let isHooked = false

/**
 * Unregisters all users of this process at its exit, so that an uncaught error or a second Ctrl-C does not leave a
 * server without users. This function takes no lock. If another process opens the data folder at the same time, that
 * process restarts the server.
 */
function unregisterAll(): void {
  for (const registration of [...registrations]) {
    unregister(registration)
    const server = serverOf(registration)
    if (server === undefined || !isIdentityAlive(server.identity) || hasOtherUsers(registration)) continue
    // SIGINT starts a fast shutdown, which PostgreSQL completes after this process has ended.
    process.kill(server.pid, 'SIGINT')
  }
}

function makeFolder(folder: string): void {
  if (mkdirSync(folder, { recursive: true, mode: 0o700 }) === undefined) return
  chmodSync(folder, 0o700)
  if (process.getuid?.() !== 0) return
  // If root runs the command, a new folder gets the owner of its parent folder. Otherwise, this owner could not
  // register server users afterwards.
  const owner = statSync(dirname(folder))
  chownSync(folder, owner.uid, owner.gid)
}

/** Empty if the data folder was deleted while the server runs. */
function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return []
    throw error
  }
}
