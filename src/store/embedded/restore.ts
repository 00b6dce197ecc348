// Restores the cluster from a base backup and the archived log. Everything happens in a copy beside the cluster, which
// takes its place only when the whole restore has succeeded:
//
//   lock -> base backup -> verify and copy its files -> recover to the time -> reconcile -> stop -> replace the cluster

import { chown, mkdir, open, readdir, rm } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { randomSecret } from '../../base/ids.ts'
import type { Signer } from '../../base/signer.ts'
import { clusterName, findBase, walName } from './base-backup.ts'
import { findBinaries, placeBinaries } from './binaries.ts'
import { type ClusterRecord, freshRecord, readRecord, writeRecord } from './cluster.ts'
import { loginsOf } from './connection-strings.ts'
import { EmbeddedPostgresError, explainingFolder, unlessMissing } from './error.ts'
import { copyHashed, forEach, syncFiles } from './hashed-copy.ts'
import { type ClusterLocation, canAccess, chooseLocation } from './location.ts'
import { withLock } from './lock.ts'
import { damaged, type Manifest, requireSigned } from './manifest.ts'
import { type Recovered, withRecovered } from './recovery.ts'
import { exists, finishReplacement, replaceCluster } from './replacement.ts'
import { findServer, freePort, stopServer } from './server.ts'

export interface RestoreRequest<Reconciled> {
  readonly dataDirectory: string
  /** Folder of the base backups and the archived write-ahead log. */
  readonly folder: string
  /** The time to which the cluster is restored. If undefined, the whole write-ahead log is applied. */
  readonly to: string | undefined
  readonly signer: Signer
  /** The place where the encryption keys are configured, for use in error messages. */
  readonly keyPlace: string
  /** Reconciles the restored data. It runs on the recovered server, before any other process can use the server. */
  reconcile(server: RecoveredServer): Promise<Reconciled>
  readonly onLog?: (line: string) => void
  readonly signal?: AbortSignal | undefined
}

export interface RecoveredServer {
  readonly connectionString: string
  readonly ownerConnectionString: string
  readonly restoredTo: string
}

export interface Restored<Reconciled> {
  readonly restoredTo: string
  readonly base: string
  /** The folder to which the replaced cluster was moved. Undefined if there was none. */
  readonly replaced: string | undefined
  readonly reconciled: Reconciled
}

/** If the restore fails, throws EmbeddedPostgresError and leaves the cluster unchanged. */
export function restore<Reconciled>(request: RestoreRequest<Reconciled>): Promise<Restored<Reconciled>> {
  const dataDirectory = resolve(request.dataDirectory)
  return explainingFolder(dataDirectory, async () => {
    await mkdir(dataDirectory, { recursive: true })
    const folder = resolve(request.folder)
    const lockPath = join(dataDirectory, 'postgres.lock')
    return withLock(lockPath, () => restoreLocked({ ...request, dataDirectory, folder }), request.signal)
  })
}

async function restoreLocked<Reconciled>(request: RestoreRequest<Reconciled>): Promise<Restored<Reconciled>> {
  const { dataDirectory, folder, to, signer, keyPlace, onLog = () => undefined } = request
  const place = await chooseLocation(dataDirectory, onLog)
  await finishReplacement(dataDirectory, place.cluster)
  if (findServer(place.cluster) !== undefined) {
    throw new EmbeddedPostgresError(`The database in ${dataDirectory} is in use. Stop the service, then restore again.`)
  }
  await removeLeftovers(place.cluster)
  const { base, manifest } = await findBase(folder, to)
  await requireSigned(base, signer, keyPlace)
  const binaries = await placeBinaries(await findBinaries(), place.account, { onLog })
  if (manifest.major !== binaries.version.split('.')[0]) {
    throw new EmbeddedPostgresError(
      `The backup needs PostgreSQL ${manifest.major}, but version ${binaries.version} is installed. Restore the backup with the release that made it.`,
    )
  }
  const copy = { ...place, cluster: `${place.cluster}${leftoverMark}${randomSecret(6)}` }
  try {
    await copyVerified(base, manifest, copy)
    const record = await openRecord(dataDirectory)
    const logFolders = await findLog(folder, place, manifest)
    const port = await freePort()
    const recovery = { to, signal: request.signal, binaries, place: copy, port, record, logFolders }
    const result = await withRecovered(recovery, async (recovered) => {
      await requireWholeLog(join(folder, walName), recovered, to)
      const restoredTo = to ?? recovered.lastChangeAt ?? manifest.endedAt
      return { restoredTo, reconciled: await request.reconcile({ ...loginsOf({ ...record, port }), restoredTo }) }
    })
    request.signal?.throwIfAborted()
    const replaced = (await exists(place.cluster))
      ? `${place.cluster}.replaced-${basename(copy.cluster).slice(-8)}`
      : undefined
    await replaceCluster(dataDirectory, place.cluster, { restored: copy.cluster, replaced: replaced ?? '' })
    return { ...result, base, replaced }
  } finally {
    await rm(copy.cluster, { recursive: true, force: true })
  }
}

const leftoverMark = '.restoring-'

/**
 * Removes the unfinished copies that killed restores have left beside the cluster, and stops the servers that run on
 * these copies.
 */
async function removeLeftovers(cluster: string): Promise<void> {
  const prefix = `${basename(cluster)}${leftoverMark}`
  const names = await readdir(dirname(cluster))
  for (const name of names.filter((each) => each.startsWith(prefix))) {
    const leftover = join(dirname(cluster), name)
    const server = findServer(leftover)
    if (server !== undefined) await stopServer(server)
    await rm(leftover, { recursive: true, force: true })
  }
}

/** Copies the files of a base backup. Throws at the first file that differs from the manifest. */
async function copyVerified(base: string, manifest: Manifest, { cluster, account }: ClusterLocation): Promise<void> {
  const own = async (path: string) => {
    await mkdir(path, { mode: 0o700 })
    if (account !== undefined) await chown(path, account.uid, account.gid)
  }
  await own(cluster)
  for (const path of manifest.folders) await own(join(cluster, path))
  await forEach(manifest.files, async ({ path, bytes, sha256 }) => {
    const source = join(base, clusterName, path)
    const copied = await copyHashed(source, join(cluster, path), account)
    if (copied?.bytes !== bytes || copied.sha256 !== sha256) damaged(source)
  })
  await syncFiles(manifest.files.map(({ path }) => join(cluster, path)))
}

/**
 * Returns the passwords that the restored database gets: those of the existing data folder, or new passwords for a new
 * data folder.
 */
async function openRecord(dataDirectory: string): Promise<ClusterRecord> {
  const path = join(dataDirectory, 'postgres.json')
  const known = await readRecord(path)
  if (known !== undefined && known.servicePassword !== '') return known
  const record = { ...freshRecord(), ...known, servicePassword: freshRecord().servicePassword }
  await writeRecord(path, record)
  return record
}

/**
 * Returns the folders with the write-ahead log: the archive, and the cluster that is replaced, which has the latest
 * changes.
 */
async function findLog(folder: string, { cluster, account }: ClusterLocation, manifest: Manifest): Promise<string[]> {
  const archive = join(folder, walName)
  if (account !== undefined && !(await canAccess(account, archive))) {
    throw new EmbeddedPostgresError(
      `Account ${account.uid}, which runs PostgreSQL, cannot access ${archive}. Run chmod o+x on its parent folders.`,
    )
  }
  const isSame = (await systemIdentifierOf(cluster)) === manifest.systemIdentifier
  return isSame ? [archive, join(cluster, 'pg_wal')] : [archive]
}

/** Reads the system identifier of a cluster, the first field of its control file. */
async function systemIdentifierOf(cluster: string): Promise<string | undefined> {
  const file = await unlessMissing(open(join(cluster, 'global', 'pg_control'), 'r'))
  if (file === undefined) return undefined
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(8), 0, 8, 0)
    // PostgreSQL writes the system identifier in the byte order of the processor. All platforms of the npm package are
    // little-endian.
    return bytesRead === 8 ? buffer.readBigUInt64LE().toString() : undefined
  } finally {
    await file.close()
  }
}

/**
 * If no time is given, requires that the whole write-ahead log was applied. Without this check, a damaged segment could
 * end the recovery early and unnoticed.
 */
async function requireWholeLog(archive: string, recovered: Recovered, to: string | undefined): Promise<void> {
  if (to !== undefined) return
  const names = (await readdir(archive)).filter((name) => /^[0-9A-F]{24}$/.test(name)).sort()
  const last = names.at(-1)
  if (last === undefined) return
  const start =
    (BigInt(`0x${last.slice(8, 16)}`) << 32n) + BigInt(`0x${last.slice(16)}`) * BigInt(recovered.segmentBytes)
  if (recovered.endLsn >= start) return
  const end =
    recovered.lastChangeAt === undefined ? '' : ` Changes until ${recovered.lastChangeAt} can be restored with --to.`
  throw new EmbeddedPostgresError(`The archived log in ${archive} is damaged or has a gap before ${last}.${end}`)
}
