// Determines where the cluster of the embedded server is stored, and which operating system account owns it.  By
// default, the cluster is in <dataDirectory>/postgres and belongs to the current user. PostgreSQL refuses to run as
// root, so root runs it as an unprivileged account. If that account cannot access the folder, for example below /root,
// the cluster is in /var/lib/commerce-service, and <dataDirectory>/postgres is a symbolic link to it. Deleting the data
// folder still resets the database.

import { chmod, mkdir, readFile, readlink, realpath, stat, symlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { randomSecret } from '../../base/ids.ts'
import { EmbeddedPostgresError, explainingFolder, unlessMissing } from './error.ts'

export interface Account {
  readonly uid: number
  readonly gid: number
}

export interface ClusterLocation {
  /** The folder of the database cluster, which may not exist yet. */
  readonly cluster: string
  /** The operating system account that runs PostgreSQL. Undefined for the current user. */
  readonly account: Account | undefined
}

/** The folder for files that root shares with the unprivileged account. It persists over restarts, unlike /tmp. */
export const SHARED_FOLDER = '/var/lib/commerce-service'

export async function chooseLocation(dataDirectory: string, onLog: (line: string) => void): Promise<ClusterLocation> {
  const wanted = join(dataDirectory, 'postgres')
  if (process.getuid?.() !== 0) return { cluster: wanted, account: undefined }
  const linked = await linkTarget(wanted)
  const account = (await ownerOf(linked ?? wanted)) ?? (await unprivilegedAccount())
  if (linked !== undefined) return { cluster: linked, account }
  if (await canAccess(account, dataDirectory)) return { cluster: wanted, account }
  if ((await unlessMissing(stat(wanted))) !== undefined) {
    throw new EmbeddedPostgresError(
      `PostgreSQL does not run as root, and account ${account.uid} cannot access ${wanted}. Run chmod o+x on its parent folders.`,
    )
  }
  const cluster = join(await makeSharedFolder(), `data-${randomSecret(9)}`)
  await symlink(cluster, wanted)
  onLog(`Running as root, and account ${account.uid} cannot access ${wanted}: the data is in ${cluster}.`)
  return { cluster, account }
}

/** Reports whether the operating system account has execute permission on the path and all its parent folders. */
export async function canAccess(account: Account, path: string): Promise<boolean> {
  const resolved = await realpath(path)
  const { mode, uid } = await stat(resolved)
  const needed = uid === account.uid ? 0o100 : 0o001
  if ((mode & needed) === 0) return false
  return resolved === dirname(resolved) || canAccess(account, dirname(resolved))
}

export async function makeSharedFolder(folder = SHARED_FOLDER): Promise<string> {
  return explainingFolder(folder, async () => {
    const created = await mkdir(folder, { recursive: true })
    // The mode of the folder is set explicitly: root's umask may be 077, but the unprivileged account needs access.
    if (created !== undefined) await chmod(folder, 0o755)
    return folder
  })
}

async function linkTarget(path: string): Promise<string | undefined> {
  return readlink(path).catch(() => undefined)
}

/**
 * Returns the owner of an existing cluster, so that a process of root can run the cluster under this account. Undefined
 * if root owns the cluster, or if no cluster exists.
 */
async function ownerOf(cluster: string): Promise<Account | undefined> {
  const owner = await unlessMissing(stat(cluster))
  return owner === undefined || owner.uid === 0 ? undefined : { uid: owner.uid, gid: owner.gid }
}

/** Returns the account `postgres`, or else `nobody`. initdb requires an account that is in /etc/passwd. */
async function unprivilegedAccount(): Promise<Account> {
  const lines = (await readFile('/etc/passwd', 'utf8')).split('\n').map((line) => line.split(':'))
  for (const wanted of ['postgres', 'nobody']) {
    const [, , uid, gid] = lines.find(([name]) => name === wanted) ?? []
    if (uid !== undefined && gid !== undefined) return { uid: Number(uid), gid: Number(gid) }
  }
  throw new EmbeddedPostgresError(
    'PostgreSQL does not run as root, and /etc/passwd has neither postgres nor nobody. Run as an ordinary user or set DATABASE_URL.',
  )
}
