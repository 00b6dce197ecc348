// The cluster's files: its data folder, made once by initdb, and postgres.json beside it, which keeps its passwords.

import { spawn } from 'node:child_process'
import { chown, mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { randomSecret } from '../ids.ts'
import type { Binaries } from './embedded-binaries.ts'
import { EmbeddedPostgresError, explainingFolder, unlessMissing } from './embedded-error.ts'
import type { Place } from './embedded-place.ts'

export interface ClusterRecord {
  readonly superuserPassword: string
  readonly commercePassword: string
  /** Of the last start; 0 before the first. */
  readonly port: number
  /** The identity of the process that owns the running server and stops it; empty before the first start. */
  readonly owner: string
}

/** The record of the cluster in this place, both made if there are none yet. */
export async function openCluster(
  recordPath: string,
  place: Place,
  { binaries, isThrowaway }: { binaries: Binaries; isThrowaway: boolean },
): Promise<ClusterRecord> {
  await removeLeftovers(place.cluster)
  const known = await readRecord(recordPath)
  const clusterMajor = await readMajor(place.cluster)
  const binariesMajor = binaries.version.split('.')[0]
  if (clusterMajor === undefined) {
    const record = known ?? freshRecord()
    await writeRecord(recordPath, record)
    await explainingFolder(dirname(place.cluster), () => createCluster(place, { binaries, record, isThrowaway }))
    return record
  }
  if (clusterMajor !== binariesMajor) {
    throw new EmbeddedPostgresError(
      `${place.cluster} was made by PostgreSQL ${clusterMajor}, and the installed one is ${binariesMajor}. Dump it with the old version or remove the folder.`,
    )
  }
  if (known === undefined) {
    throw new EmbeddedPostgresError(
      `${place.cluster} is a cluster whose passwords are lost: ${recordPath} is missing. Restore that file or remove the folder.`,
    )
  }
  return known
}

/** Replaced in one step, so that a killed process never leaves half a record and a lost password. */
export async function writeRecord(path: string, record: ClusterRecord): Promise<void> {
  const partial = `${path}.partial`
  await writeFile(partial, `${JSON.stringify(record, null, 2)}\n`, { mode: 0o600 })
  if (process.getuid?.() === 0) {
    // Root may run once in an ordinary user's data folder, and that user must find the passwords readable afterwards.
    const owner = await stat(dirname(path))
    await chown(partial, owner.uid, owner.gid)
  }
  await rename(partial, path)
}

async function readRecord(path: string): Promise<ClusterRecord | undefined> {
  const text = await unlessMissing(readFile(path, 'utf8'))
  if (text === undefined) return undefined
  const record: unknown = JSON.parse(text)
  if (isClusterRecord(record)) return record
  throw new EmbeddedPostgresError(`${path} is not the record of an embedded PostgreSQL. Restore it.`)
}

function isClusterRecord(value: unknown): value is ClusterRecord {
  if (typeof value !== 'object' || value === null) return false
  const { superuserPassword, commercePassword, port, owner } = { ...emptyRecord, ...value }
  const texts: unknown[] = [superuserPassword, commercePassword, owner]
  return texts.every((text) => typeof text === 'string') && superuserPassword !== '' && Number.isInteger(port)
}

const emptyRecord: ClusterRecord = { superuserPassword: '', commercePassword: '', port: 0, owner: '' }

function freshRecord(): ClusterRecord {
  // 24 bytes: far beyond guessing, and 32 characters of base64url without padding.
  return { ...emptyRecord, superuserPassword: randomSecret(24), commercePassword: randomSecret(24) }
}

async function readMajor(cluster: string): Promise<string | undefined> {
  const text = await explainingFolder(cluster, () => unlessMissing(readFile(join(cluster, 'PG_VERSION'), 'utf8')))
  return text?.trim()
}

/** initdb works in a folder of another name, so that a cluster under its own name is always a whole one. */
async function createCluster(
  { cluster, account }: Place,
  { binaries, record, isThrowaway }: { binaries: Binaries; record: ClusterRecord; isThrowaway: boolean },
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
    await runInitdb(binaries.initdb, argumentList, account)
    await rename(partial, cluster)
  } finally {
    await rm(passwordFile, { force: true })
    await rm(partial, { recursive: true, force: true })
  }
}

/** A killed process leaves the folder it was initialising behind. */
async function removeLeftovers(cluster: string): Promise<void> {
  const prefix = `${basename(cluster)}.initialising-`
  const names = await readdir(dirname(cluster))
  for (const name of names.filter((each) => each.startsWith(prefix))) {
    const leftover = join(dirname(cluster), name)
    // An orphaned initdb may still be writing there: what it writes now is left for the next opening.
    await rm(leftover, { recursive: true, force: true }).catch(() => {})
  }
}

function runInitdb(initdb: string, argumentList: string[], account: Place['account']): Promise<void> {
  return new Promise((fulfil, reject) => {
    // The environment is not passed on: PGDATA and its kin would change what initdb does.
    const options = { cwd: '/', env: { LC_ALL: 'C' }, ...account }
    const child = spawn(initdb, argumentList, { ...options, stdio: ['ignore', 'ignore', 'pipe'] })
    let complaint = ''
    child.stderr.on('data', (chunk) => {
      complaint += chunk
    })
    child.on('error', (error) => reject(new EmbeddedPostgresError(`initdb could not be run: ${error.message}.`)))
    child.on('close', (code, signal) => {
      if (code === 0) return fulfil()
      const lastLines = complaint.trim().split('\n').slice(-3).join(' ')
      reject(new EmbeddedPostgresError(`initdb failed (${signal ?? code}): ${lastLines}`))
    })
  })
}
