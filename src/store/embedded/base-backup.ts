// A base backup of the running server: a copy of the files of the cluster between pg_backup_start() and pg_backup_stop(),
// which the archived log makes consistent. The npm package of PostgreSQL has no pg_basebackup.
//
//   FOLDER/wal/                      finished segments of the log, see wal-archive.ts
//   FOLDER/base-20270131T000000Z/    manifest.json, its signature, and the files in cluster/

import { chmod, chown, mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join, relative, resolve } from 'node:path'
import { Client } from 'pg'
import type { Signer } from '../../base/signer.ts'
import { codeOf, EmbeddedPostgresError, explainingFolder, unlessMissing } from './error.ts'
import { copyHashed, forEach, syncFiles } from './hashed-copy.ts'
import { type ClusterLocation, canAccess } from './location.ts'
import { type BackupFile, readManifest, writeManifest } from './manifest.ts'
import { isArchivingTo, startArchiving } from './wal-archive.ts'

export interface BackupRequest {
  readonly folder: string
  /** Maximum time in seconds from the start of a segment of the write-ahead log to its archiving. */
  readonly archiveSeconds: number
  readonly signer: Signer
}

export interface Backup {
  /** Folder of this base backup. */
  readonly folder: string
  readonly files: number
  readonly bytes: number
  /** The earliest time to which the base backup can be restored. */
  readonly endedAt: string
  /** The fingerprint of the encryption key that a restore of the backup needs. */
  readonly keyId: string
}

/**
 * Makes a base backup, and archives the write-ahead log to the same folder from then on. Throws EmbeddedPostgresError.
 */
export async function backUp(
  server: { readonly adminConnectionString: string; readonly place: ClusterLocation },
  request: BackupRequest,
): Promise<Backup> {
  const folder = resolve(request.folder)
  const client = new Client({ connectionString: server.adminConnectionString, statement_timeout: archiveWaitMs })
  client.on('error', () => undefined)
  await client.connect()
  try {
    await requireOnly(client)
    await explainingFolder(folder, () => prepareFolder(client, folder, server.place))
    await startArchiving(client, { folder: join(folder, walName), seconds: request.archiveSeconds })
    return await explainingFolder(folder, () => copyBase(client, { ...request, folder }, server.place.cluster))
  } finally {
    await client.end()
  }
}

export const walName = 'wal'
export const clusterName = 'cluster'

/** Returns the folders of the complete base backups in a backup folder, the newest first. */
export async function listBases(folder: string): Promise<readonly string[]> {
  const names = await readdir(folder)
  const bases = names.filter((name) => /^base-\d{8}T\d{6}Z$/.test(name))
  return bases
    .sort()
    .reverse()
    .map((name) => join(folder, name))
}

/**
 * Maximum time in milliseconds to wait until the last segment of the write-ahead log is archived, because the backup is
 * incomplete without it. Even a slow disk copies the 16 MB of a segment in seconds.
 */
const archiveWaitMs = 120_000

/** Number of the advisory lock that prevents two backups at the same time. The number is arbitrary. */
const lockNumber = 5_174_233

async function requireOnly(client: Client): Promise<void> {
  const { rows } = await client.query<{ isFree: boolean }>(`select pg_try_advisory_lock(${lockNumber}) as "isFree"`)
  if (rows[0]?.isFree !== true) throw new EmbeddedPostgresError('Another backup is running. Wait until it has ended.')
  const { rows: modes } = await client.query<{ mode: string }>("select current_setting('archive_mode') as mode")
  if (modes[0]?.mode === 'on') return
  throw new EmbeddedPostgresError(
    'The running embedded PostgreSQL was started by an older release, or as a throwaway server. Restart the service, then back up again.',
  )
}

/**
 * Creates the backup folder. A folder contains the backups of one history of the database. A restored database starts a
 * new history, and the log segments of two histories must not be mixed.
 */
async function prepareFolder(client: Client, folder: string, { cluster, account }: ClusterLocation): Promise<void> {
  if (!relative(cluster, folder).startsWith('..')) {
    throw new EmbeddedPostgresError(
      `${folder} is inside the data folder of the database. Choose a folder on another disk.`,
    )
  }
  const wal = join(folder, walName)
  // Missing parent folders of the backup folder are created with the default permissions, because PostgreSQL's account
  // must be able to traverse them.
  await mkdir(dirname(folder), { recursive: true })
  await mkdir(folder, { recursive: true, mode: 0o700 })
  if (!(await isArchivingTo(client, wal)) && (await readdir(folder)).length > 0) {
    throw new EmbeddedPostgresError(
      `${folder} contains other files, or backups from before the last restore of this database. Choose a new folder.`,
    )
  }
  // PostgreSQL archives the write-ahead log under its own account, which needs access to the backup folder. If the
  // account has no access, the command fails and leaves the folder empty, so that the command can be repeated with the
  // same folder.
  if (account !== undefined) await chown(folder, account.uid, account.gid)
  if (account !== undefined && !(await canAccess(account, folder))) {
    throw new EmbeddedPostgresError(
      `Account ${account.uid}, which runs PostgreSQL, cannot access ${folder}. Run chmod o+x on its parent folders, or choose another folder.`,
    )
  }
  await mkdir(wal, { recursive: true, mode: 0o700 })
  if (account !== undefined) await chown(wal, account.uid, account.gid)
}

async function copyBase(client: Client, { folder, signer }: BackupRequest, cluster: string): Promise<Backup> {
  const { rows: started } = await client.query<{ name: string; major: string; systemIdentifier: string }>(
    `select to_char(clock_timestamp() at time zone 'UTC', '"base-"YYYYMMDD"T"HH24MISS"Z"') as name,
       (current_setting('server_version_num')::int / 10000)::text as major,
       (pg_control_system()).system_identifier::text as "systemIdentifier",
       pg_backup_start('commerce backup', fast => true)`,
  )
  const [about] = started
  if (about === undefined) throw new Error('pg_backup_start() returned no row.')
  const final = join(folder, about.name)
  const partial = `${final}.partial`
  try {
    await mkdir(join(partial, clusterName), { recursive: true, mode: 0o700 })
    const { folders, files } = await copyFiles(cluster, join(partial, clusterName))
    const { label, endedAt } = await stopBackup(client, folder)
    // The backup label tells PostgreSQL where the recovery starts.
    await writeFile(join(partial, labelName), label, { mode: 0o600 })
    const all = [...files, await addedFile(partial)]
    await syncFiles(all.map(({ path }) => join(partial, clusterName, path)))
    const { major, systemIdentifier } = about
    const manifest = { major, systemIdentifier, endedAt, folders, files: all }
    const keyId = await writeManifest(partial, manifest, signer)
    await chmod(partial, 0o700)
    await rename(partial, final)
    const bytes = all.reduce((sum, file) => sum + file.bytes, 0)
    return { folder: final, files: all.length, bytes, endedAt, keyId }
  } finally {
    await rm(partial, { recursive: true, force: true })
  }
}

const labelName = 'backup_label'

/** Moves the backup label into the copied cluster, and returns the checksum of the label. */
async function addedFile(partial: string): Promise<BackupFile> {
  const checksum = await copyHashed(join(partial, labelName), join(partial, clusterName, labelName))
  if (checksum === undefined) throw new Error('The label of the backup is missing.')
  await rm(join(partial, labelName))
  return { path: labelName, ...checksum }
}

async function stopBackup(client: Client, folder: string): Promise<{ label: string; endedAt: string }> {
  try {
    const { rows } = await client.query<{ label: string }>(
      'select labelfile as label from pg_backup_stop(wait_for_archive => true)',
    )
    const [stopped] = rows
    if (stopped === undefined) throw new Error('pg_backup_stop() returned no row.')
    // The end time of the backup is rounded up, because a recovery to an earlier time fails.
    const { rows: times } = await client.query<{ endedAt: string }>(
      `select to_char(clock_timestamp() at time zone 'UTC' + '1 ms', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "endedAt"`,
    )
    return { label: stopped.label, endedAt: times[0]?.endedAt ?? '' }
  } catch (error) {
    if (codeOf(error) !== statementTimeout) throw error
    throw new EmbeddedPostgresError(
      `The write-ahead log could not be archived to ${join(folder, walName)} within two minutes. Check that the disk is not full.`,
      { cause: error },
    )
  }
}

const statementTimeout = '57014'

/** Folders whose contents belong only to the running server. They are restored empty. */
const emptied = new Set([
  'pg_wal',
  'pg_replslot',
  'pg_dynshmem',
  'pg_notify',
  'pg_serial',
  'pg_snapshots',
  'pg_stat_tmp',
  'pg_subtrans',
])

const skipped =
  /^(?:postmaster\.(?:pid|opts)|backup_label(?:\.old)?|tablespace_map(?:\.old)?|pg_internal\.init|pgsql_tmp.*)$/

async function copyFiles(
  from: string,
  to: string,
): Promise<{ readonly folders: readonly string[]; readonly files: readonly BackupFile[] }> {
  const { folders, paths } = await listFiles(from, '')
  for (const path of folders) await mkdir(join(to, path), { mode: 0o700 })
  const files: BackupFile[] = []
  await forEach(paths, async (path) => {
    const checksum = await copyHashed(join(from, path), join(to, path))
    // A file that no longer exists belongs to a table that was dropped since the start of the backup. A recovery
    // repeats the drop.
    if (checksum !== undefined) files.push({ path, ...checksum })
  })
  return { folders, files: files.sort((one, other) => (one.path < other.path ? -1 : 1)) }
}

async function listFiles(root: string, inside: string): Promise<{ folders: string[]; paths: string[] }> {
  const folders: string[] = []
  const paths: string[] = []
  // A folder may be missing, because it belonged to a database that was dropped since the start of the backup.
  const entries = (await unlessMissing(readdir(join(root, inside), { withFileTypes: true }))) ?? []
  for (const entry of entries) {
    if (skipped.test(entry.name)) continue
    const path = inside === '' ? entry.name : `${inside}/${entry.name}`
    if (entry.isSymbolicLink()) {
      throw new EmbeddedPostgresError(
        `${join(root, path)} is a link, which a backup cannot contain. Move its files back.`,
      )
    }
    if (!entry.isDirectory()) paths.push(path)
    else {
      folders.push(path)
      if (emptied.has(path)) continue
      const nested = await listFiles(root, path)
      folders.push(...nested.folders)
      paths.push(...nested.paths)
    }
  }
  return { folders, paths }
}

/**
 * Returns the newest base backup that was complete at the given time. Without a time, returns the newest complete base
 * backup.
 */
export async function findBase(folder: string, to: string | undefined) {
  let earliest: string | undefined
  for (const base of await explainingFolder(folder, () => listBases(folder))) {
    const manifest = await readManifest(base)
    if (manifest === undefined) continue
    if (to === undefined || Date.parse(manifest.endedAt) <= Date.parse(to)) return { base, manifest }
    earliest = manifest.endedAt
  }
  throw new EmbeddedPostgresError(
    earliest === undefined
      ? `${folder} has no complete backup. Name the folder that commerce backup wrote to.`
      : `The earliest time that ${folder} can be restored to is ${earliest}.`,
  )
}
