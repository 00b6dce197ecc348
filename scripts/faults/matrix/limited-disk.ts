import { type SpawnSyncReturns, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chown, mkdir, mkdtemp, open, rm, rmdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import type { TemporaryPostgres } from '../../temporary-postgres.ts'

/**
 * A file system of limited size for the tables of PostgreSQL. It is mounted in a mount namespace, which needs no root where
 * users may create namespaces, and ends with the command however that ends.
 */
export interface LimitedDisk {
  /** Leaves no free byte on the disk for as long as this takes. */
  whileFull(during: () => Promise<unknown>): Promise<void>
}

/** The folder of the mounted file system, for the command that runs in the namespace. */
const folderVariable = 'FAULTS_DISK'

/** Ten times the tables of 200 rounds. A full disk is in memory while the fault lasts. */
const size = '512m'

/** As another user, a second namespace returns the user’s own account, because mounting needs the root of the first one. */
const enter = `
  set -e
  folder=$1 uid=$2 gid=$3
  shift 3
  mount -t tmpfs -o "size=${size},mode=1777" tmpfs "$folder"
  [ "$uid" = 0 ] || set -- unshare --user --map-user="$uid" --map-group="$gid" "$@"
  exec "$@"`

/** Runs this command again with a limited disk, and returns its exit code. Undefined if it has one, or cannot have one. */
export async function rerunWithDisk(): Promise<number | undefined> {
  const { uid, gid } = accountOf()
  if (uid === undefined || process.env[folderVariable] !== undefined) return undefined
  const folder = await mkdtemp(join(tmpdir(), 'commerce-faults-disk-'))
  const user = uid === 0 ? [] : ['--user', '--map-root-user']
  const wordsOf = (command: readonly string[]) => [
    ...user,
    ...['--mount', 'sh', '-c', enter, 'sh', folder, String(uid), String(gid), ...command],
  ]
  try {
    if (!hasSucceeded(spawnSync('unshare', wordsOf(['true'])))) return undefined
    const env = { ...process.env, [folderVariable]: folder }
    const child = spawn('unshare', wordsOf(process.argv), { stdio: 'inherit', env })
    const forward = (signal: NodeJS.Signals) => void child.kill(signal)
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, forward)
    const [code] = await once(child, 'exit')
    return code ?? 1
  } finally {
    await rmdir(folder)
  }
}

function accountOf() {
  return process.platform === 'linux' ? { uid: process.getuid?.(), gid: process.getgid?.() } : {}
}

function hasSucceeded({ status }: SpawnSyncReturns<Buffer>): boolean {
  return status === 0
}

/** Whether this command runs with a limited disk. */
export const hasLimitedDisk = process.env[folderVariable] !== undefined

/** Moves the tables and the temporary files of the service to the limited disk. Its log stays on the disk of the machine. */
export async function openLimitedDisk({ place, adminConnectionString }: TemporaryPostgres): Promise<LimitedDisk> {
  const folder = process.env[folderVariable]
  if (folder === undefined) throw new Error('This command has no limited disk.')
  const tables = join(folder, 'tables')
  await mkdir(tables)
  if (place.account !== undefined) await chown(tables, place.account.uid, place.account.gid)
  const client = new pg.Client({ connectionString: adminConnectionString })
  await client.connect()
  try {
    await client.query(`create tablespace limited location ${client.escapeLiteral(tables)}`)
    await client.query('alter database commerce set tablespace limited')
  } finally {
    await client.end()
  }
  return { whileFull: (during) => fillWhile(join(folder, 'ballast'), during) }
}

const chunk = Buffer.alloc(1024 * 1024)

/** PostgreSQL deletes temporary files meanwhile. */
const fillEveryMs = 20

async function fillWhile(path: string, during: () => Promise<unknown>): Promise<void> {
  const file = await open(path, 'w')
  let isOver = false
  const filling = (async () => {
    while (!isOver) {
      await fill(file)
      await wait(fillEveryMs)
    }
  })()
  try {
    await during()
  } finally {
    isOver = true
    await filling
    await file.close()
    await rm(path)
  }
}

/** Writes until no byte is free. */
async function fill(file: Awaited<ReturnType<typeof open>>): Promise<void> {
  for (;;) {
    try {
      await file.write(chunk)
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'ENOSPC') return
      throw error
    }
  }
}
