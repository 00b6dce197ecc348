import { type SpawnSyncReturns, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chown, mkdir, mkdtemp, open, rm, rmdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import type { TemporaryPostgres } from '../../temporary-postgres.ts'

/**
 * A file system of limited size for the tables of PostgreSQL. It is mounted in a mount namespace, which needs no root
 * where users may create namespaces. The namespace ends with the command, even if the command crashes.
 */
export interface LimitedDisk {
  /** Fills the disk completely while the function `during` runs. */
  whileFull(during: () => Promise<unknown>): Promise<void>
}

/**
 * Name of the environment variable with the folder of the limited disk. The command starts itself again in a mount
 * namespace with this disk, and the new process reads the variable.
 */
const folderVariable = 'FAULTS_DISK'

/**
 * Size of the limited disk: ten times the size of the tables after 200 rounds. While a full disk is simulated, the
 * whole disk is in memory.
 */
const size = '512m'

/**
 * Only root can mount the file system of the limited disk, so the command is root in a first namespace. If the user is
 * not root, a second namespace restores the user's own account.
 */
const enter = `
  set -e
  folder=$1 uid=$2 gid=$3
  shift 3
  mount -t tmpfs -o "size=${size},mode=1777" tmpfs "$folder"
  [ "$uid" = 0 ] || set -- unshare --user --map-user="$uid" --map-group="$gid" "$@"
  exec "$@"`

/**
 * Runs this command again with a limited disk and returns its exit code. Returns undefined if the command already has a
 * limited disk, or cannot have one.
 */
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

export const hasLimitedDisk = process.env[folderVariable] !== undefined

/**
 * Moves the tables and the temporary files of PostgreSQL to the limited disk. PostgreSQL's write-ahead log stays on the
 * disk of the machine.
 */
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

/**
 * Interval at which free space is filled again while the disk must be full. Free space appears when PostgreSQL deletes
 * temporary files.
 */
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

/** Writes to the limited disk until no byte is free. */
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
