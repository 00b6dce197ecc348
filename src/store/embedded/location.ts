// Where the cluster lies and whose it is.
//
// An ordinary user owns it, in <dataDirectory>/postgres. PostgreSQL refuses to run as root, so under root it runs as an
// unprivileged account, and that account cannot enter a folder below, say, /root. Then the cluster lies in
// /var/lib/commerce-service and <dataDirectory>/postgres is a link to it: deleting the data folder still starts anew.

import { chmod, mkdir, readFile, readlink, realpath, stat, symlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { randomSecret } from '../../base/ids.ts'
import { EmbeddedPostgresError, explainingFolder, unlessMissing } from './error.ts'

export interface Account {
  readonly uid: number
  readonly gid: number
}

export interface Place {
  /** The folder of the cluster itself, which need not exist yet. */
  readonly cluster: string
  /** Whom to run as; undefined means as ourselves. */
  readonly account: Account | undefined
}

/** Outside every home folder, and kept over restarts, unlike the temporary folder. */
export const SHARED_FOLDER = '/var/lib/commerce-service'

export async function choosePlace(dataDirectory: string, onLog: (line: string) => void): Promise<Place> {
  const wanted = join(dataDirectory, 'postgres')
  if (process.getuid?.() !== 0) return { cluster: wanted, account: undefined }
  const linked = await linkTarget(wanted)
  const account = (await ownerOf(linked ?? wanted)) ?? (await unprivilegedAccount())
  if (linked !== undefined) return { cluster: linked, account }
  if (await mayReach(account, dataDirectory)) return { cluster: wanted, account }
  if ((await unlessMissing(stat(wanted))) !== undefined) {
    throw new EmbeddedPostgresError(
      `PostgreSQL does not run as root, and account ${account.uid} cannot reach ${wanted}. Allow passage with chmod o+x on the folders above it.`,
    )
  }
  const cluster = join(await makeSharedFolder(), `data-${randomSecret(9)}`)
  await symlink(cluster, wanted)
  onLog(`Running as root, and account ${account.uid} cannot reach ${wanted}: the data lies in ${cluster}.`)
  return { cluster, account }
}

/** Whether the account may pass every folder on the way and enter (or execute) the path itself. */
export async function mayReach(account: Account, path: string): Promise<boolean> {
  const resolved = await realpath(path)
  const { mode, uid } = await stat(resolved)
  const needed = uid === account.uid ? 0o100 : 0o001
  if ((mode & needed) === 0) return false
  return resolved === dirname(resolved) || mayReach(account, dirname(resolved))
}

export async function makeSharedFolder(folder = SHARED_FOLDER): Promise<string> {
  return explainingFolder(folder, async () => {
    const created = await mkdir(folder, { recursive: true })
    // Root's umask may be 077, and the unprivileged account has to pass here.
    if (created !== undefined) await chmod(folder, 0o755)
    return folder
  })
}

async function linkTarget(path: string): Promise<string | undefined> {
  return readlink(path).catch(() => undefined)
}

/** A cluster made by an ordinary user stays theirs when root runs the service once: it runs as that user then. */
async function ownerOf(cluster: string): Promise<Account | undefined> {
  const owner = await unlessMissing(stat(cluster))
  return owner === undefined || owner.uid === 0 ? undefined : { uid: owner.uid, gid: owner.gid }
}

/** initdb asks for an account that /etc/passwd knows; `postgres` is there to be used, `nobody` is there everywhere. */
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
