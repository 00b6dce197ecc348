// The files of the embedded PostgreSQL cluster: the data folder, which initdb creates once, and postgres.json beside
// it, which contains the passwords of the database roles.

import { spawn } from 'node:child_process'
import { chown, mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { randomSecret } from '../../base/ids.ts'
import type { Binaries } from './binaries.ts'
import { EmbeddedPostgresError, explainingFolder, unlessMissing } from './error.ts'
import type { ClusterLocation } from './location.ts'

export interface ClusterRecord {
  readonly superuserPassword: string
  /** The password of the database role that owns the tables. */
  readonly commercePassword: string
  /** The password of the service's database role. Empty in a record from a release that did not have this role. */
  readonly servicePassword: string
  /** The port that the server used at its last start. 0 before the first start. */
  readonly port: number
  /**
   * Whether the server was a throwaway server at its last start: a faster server that may lose data when the machine
   * crashes. If the server is restarted while it is in use, it stays in this mode.
   */
  readonly isThrowaway: boolean
}

/**
 * Creates a missing cluster. Throws EmbeddedPostgresError if only the record is missing, or the PostgreSQL versions
 * differ.
 */
export async function openCluster(
  recordPath: string,
  place: ClusterLocation,
  { binaries, isThrowaway, signal }: { binaries: Binaries; isThrowaway: boolean; signal?: AbortSignal | undefined },
): Promise<ClusterRecord> {
  await removeLeftovers(place.cluster)
  const known = await readRecord(recordPath)
  const clusterMajor = await readMajor(place.cluster)
  const binariesMajor = binaries.version.split('.')[0]
  if (clusterMajor === undefined) {
    const record = known ?? freshRecord()
    await writeRecord(recordPath, record)
    await explainingFolder(dirname(place.cluster), () =>
      createCluster(place, { binaries, record, isThrowaway, signal }),
    )
    return record
  }
  if (clusterMajor !== binariesMajor) {
    throw new EmbeddedPostgresError(
      `${place.cluster} was created by PostgreSQL ${clusterMajor}, but version ${binariesMajor} is installed. Dump it with the old version or remove the folder.`,
    )
  }
  if (known === undefined) {
    throw new EmbeddedPostgresError(
      `The passwords of ${place.cluster} are lost: ${recordPath} is missing. Restore that file or remove the folder.`,
    )
  }
  if (known.servicePassword !== '') return known
  const record = { ...known, servicePassword: randomSecret(passwordBytes) }
  await writeRecord(recordPath, record)
  return record
}

/** Writes the record of the cluster atomically, so that a killed process cannot leave a partial record. */
export async function writeRecord(path: string, record: ClusterRecord): Promise<void> {
  const partial = `${path}.partial`
  await writeFile(partial, `${JSON.stringify(record, null, 2)}\n`, { mode: 0o600 })
  if (process.getuid?.() === 0) {
    // If root runs the command, the partial file belongs to root. The owner of the folder must be able to read the
    // passwords afterwards, so the file is given to this owner.
    const owner = await stat(dirname(path))
    await chown(partial, owner.uid, owner.gid)
  }
  await rename(partial, path)
}

export async function readRecord(path: string): Promise<ClusterRecord | undefined> {
  const text = await unlessMissing(readFile(path, 'utf8'))
  if (text === undefined) return undefined
  const record = parsed(text)
  if (isClusterRecord(record)) return { ...emptyRecord, ...record }
  throw new EmbeddedPostgresError(
    `${path} is damaged: the passwords of the embedded PostgreSQL cannot be read from it. Restore it from a backup, or remove its folder to start with an empty database.`,
  )
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function isClusterRecord(value: unknown): value is ClusterRecord {
  if (typeof value !== 'object' || value === null) return false
  const { superuserPassword, commercePassword, port } = { ...emptyRecord, ...value }
  const texts: unknown[] = [superuserPassword, commercePassword]
  return texts.every((text) => typeof text === 'string' && text !== '') && Number.isInteger(port)
}

const emptyRecord: ClusterRecord = {
  superuserPassword: '',
  commercePassword: '',
  servicePassword: '',
  port: 0,
  isThrowaway: false,
}

/** Bytes of a password: 24 bytes are 32 characters of base64url without padding, and cannot be guessed. */
const passwordBytes = 24

export function freshRecord(): ClusterRecord {
  return {
    ...emptyRecord,
    superuserPassword: randomSecret(passwordBytes),
    commercePassword: randomSecret(passwordBytes),
    servicePassword: randomSecret(passwordBytes),
  }
}

async function readMajor(cluster: string): Promise<string | undefined> {
  const text = await explainingFolder(cluster, () => unlessMissing(readFile(join(cluster, 'PG_VERSION'), 'utf8')))
  return text?.trim()
}

interface Creation {
  readonly binaries: Binaries
  readonly record: ClusterRecord
  readonly isThrowaway: boolean
  /** Aborts initdb. */
  readonly signal: AbortSignal | undefined
}

/**
 * Runs initdb in a temporary folder and then renames the folder, so that a cluster under its final name is always
 * complete.
 */
async function createCluster(
  { cluster, account }: ClusterLocation,
  { binaries, record, isThrowaway, signal }: Creation,
): Promise<void> {
  const partial = `${cluster}.initialising-${randomSecret(6)}`
  const passwordFile = `${partial}.password`
  try {
    await mkdir(partial, { mode: 0o700 })
    await writeFile(passwordFile, record.superuserPassword, { mode: 0o600 })
    if (account !== undefined) {
      await chown(partial, account.uid, account.gid)
      await chown(passwordFile, account.uid, account.gid)
    }
    const options = [
      '--username=postgres',
      `--pwfile=${passwordFile}`,
      '--auth-local=trust',
      '--auth-host=scram-sha-256',
    ]
    const durability = isThrowaway ? ['--no-sync'] : []
    const argumentList = [
      '-D',
      partial,
      '--encoding=UTF8',
      '--locale=C',
      '--no-instructions',
      ...options,
      ...durability,
    ]
    await runInitdb(binaries.initdb, argumentList, { account, signal })
    await rename(partial, cluster)
  } finally {
    await rm(passwordFile, { force: true })
    await rm(partial, { recursive: true, force: true })
  }
}

/** Removes the temporary folders that processes left behind because they were killed during initdb. */
async function removeLeftovers(cluster: string): Promise<void> {
  const prefix = `${basename(cluster)}.initialising-`
  const names = await readdir(dirname(cluster))
  for (const name of names.filter((each) => each.startsWith(prefix))) {
    const leftover = join(dirname(cluster), name)
    // An orphaned initdb may still be writing to the folder. The next start removes the remaining files.
    await rm(leftover, { recursive: true, force: true }).catch(() => {})
  }
}

/**
 * Runs initdb. If initdb ends, the server processes that it has started end too, because they read their commands from
 * initdb.
 */
function runInitdb(
  initdb: string,
  argumentList: string[],
  { account, signal }: { account: ClusterLocation['account']; signal: AbortSignal | undefined },
): Promise<void> {
  signal?.throwIfAborted()
  return new Promise((fulfil, reject) => {
    // No environment is passed: PGDATA and similar variables would affect initdb. initdb runs in its own session, so it
    // does not receive the terminal's Ctrl-C and only the service ends it.
    const options = { cwd: '/', env: { LC_ALL: 'C' }, detached: true, ...account }
    const child = spawn(initdb, argumentList, { ...options, stdio: ['ignore', 'ignore', 'pipe'] })
    const end = () => child.kill('SIGTERM')
    signal?.addEventListener('abort', end)
    process.on('exit', end)
    child.on('close', () => {
      signal?.removeEventListener('abort', end)
      process.off('exit', end)
    })
    let errorOutput = ''
    child.stderr.on('data', (chunk) => {
      errorOutput += chunk
    })
    child.on('error', (error) => reject(new EmbeddedPostgresError(`initdb could not be run: ${error.message}.`)))
    child.on('close', (code, signal) => {
      if (code === 0) return fulfil()
      const lastLines = errorOutput.trim().split('\n').slice(-3).join(' ')
      reject(new EmbeddedPostgresError(`initdb failed (${signal ?? code}): ${lastLines}`))
    })
  })
}
