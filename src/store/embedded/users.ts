// The users of one embedded server: every opening has a file in <dataDirectory>/postgres.users, named after its process.
// The last user to leave stops the server. The calls are synchronous because the last chance to leave is the event `exit`.

import { chmodSync, chownSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { randomSecret } from '../../base/ids.ts'
import { codeOf } from './error.ts'
import { identityOf, isIdentityAlive } from './lock.ts'
import { findServer, type Server } from './server.ts'

export interface Stay {
  /** Whose server it is. */
  readonly cluster: string
  /** This opening's file. */
  readonly path: string
  /** The server this opening uses; undefined until one is found or started. */
  server: Server | undefined
}

/** Registers an opening. It must hold the lock, so that the last user does not stop the server at the same moment. */
export function register(folder: string, cluster: string): Stay {
  makeFolder(folder)
  const identity = identityOf(process.pid) ?? String(process.pid)
  // 9 bytes tell apart the openings of one process.
  const path = join(folder, `${identity}.${randomSecret(9)}`)
  writeFileSync(path, '', { mode: 0o600 })
  const stay: Stay = { cluster, path, server: undefined }
  if (!isHooked) process.on('exit', leaveAll)
  isHooked = true
  stays.add(stay)
  return stay
}

export function unregister(stay: Stay): void {
  stays.delete(stay)
  rmSync(stay.path, { force: true })
}

/** Whether a living process beside this opening uses the server. Files of dead ones are removed. */
export function hasOtherUsers(stay: Stay): boolean {
  return namesIn(dirname(stay.path)).some((name) => {
    const path = join(dirname(stay.path), name)
    if (path === stay.path) return false
    if (isIdentityAlive(name.split('.')[0] ?? '')) return true
    rmSync(path, { force: true })
    return false
  })
}

/** The running server: this opening's own, or the one another user has restarted since. */
export function serverOf({ cluster, server }: Stay): Server | undefined {
  const found = findServer(cluster)
  return found === undefined || found.identity === server?.identity ? server : found
}

const stays = new Set<Stay>()
let isHooked = false

/**
 * A process that ends without stop(), by an uncaught error or a second Ctrl-C, must not leave a server without users. A
 * process that opens the folder at this moment, unseen because this takes no lock, starts the server again.
 */
function leaveAll(): void {
  for (const stay of [...stays]) {
    unregister(stay)
    const server = serverOf(stay)
    if (server === undefined || !isIdentityAlive(server.identity) || hasOtherUsers(stay)) continue
    // A fast shutdown, which PostgreSQL finishes by itself.
    process.kill(server.pid, 'SIGINT')
  }
}

function makeFolder(folder: string): void {
  if (mkdirSync(folder, { recursive: true, mode: 0o700 }) === undefined) return
  chmodSync(folder, 0o700)
  if (process.getuid?.() !== 0) return
  // Root may run once in an ordinary user's data folder, where that user registers afterwards.
  const owner = statSync(dirname(folder))
  chownSync(folder, owner.uid, owner.gid)
}

/** The data folder may have been deleted under a running server, which then has no other users. */
function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return []
    throw error
  }
}
