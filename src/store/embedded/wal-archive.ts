// The continuous archive of the write-ahead log. PostgreSQL's own module `basic_archive` copies each finished segment
// to the folder of the backups. A segment gets its final name only when it is complete and on disk, and never
// overwrites another segment.

import { realpath } from 'node:fs/promises'
import type { Client } from 'pg'
import { unlessMissing } from './error.ts'

/**
 * PostgreSQL can enable archiving only at a restart, so every durable server starts with archiving enabled. If a server
 * has no archive folder, the archive command `true` discards the WAL segments: with an empty archive command, they
 * would fill the disk.
 */
const discardCommand = 'true'

export async function discardUnarchived(client: Client): Promise<void> {
  const { rows } = await client.query<{ isUndecided: boolean }>(
    `select current_setting('archive_command') = '' and current_setting('archive_library') = '' as "isUndecided"`,
  )
  if (rows[0]?.isUndecided === true) await stopArchiving(client)
}

export async function stopArchiving(client: Client): Promise<void> {
  await configure(client, { archive_library: null, [folderSetting]: null, archive_timeout: null })
  await configure(client, { archive_command: discardCommand })
  await client.query('select pg_reload_conf()')
}

/**
 * Starts archiving to a folder. Each segment of the write-ahead log is archived no later than `seconds` after its
 * start.
 */
export async function startArchiving(
  client: Client,
  { folder, seconds }: { readonly folder: string; readonly seconds: number },
): Promise<void> {
  await configure(client, {
    archive_command: '',
    archive_library: 'basic_archive',
    [folderSetting]: folder,
    archive_timeout: `${seconds}s`,
  })
  await client.query('select pg_reload_conf()')
}

export async function isArchivingTo(client: Client, folder: string): Promise<boolean> {
  const { rows } = await client.query<{ folder: string | null }>(
    `select setting as folder from pg_file_settings where name = '${folderSetting}' order by seqno desc limit 1`,
  )
  const current = rows[0]?.folder ?? ''
  if (current === '') return false
  const [one, other] = await Promise.all([current, folder].map((path) => unlessMissing(realpath(path))))
  return one !== undefined && one === other
}

const folderSetting = 'basic_archive.archive_directory'

/**
 * Changes settings of the server; null resets a setting. The changes take effect when the server reloads its settings.
 */
async function configure(client: Client, settings: Readonly<Record<string, string | null>>): Promise<void> {
  for (const [name, value] of Object.entries(settings)) {
    const statement = value === null ? 'reset' : 'set'
    const assigned = value === null ? '' : ` to ${client.escapeLiteral(value)}`
    await client.query(`alter system ${statement} ${name}${assigned}`)
  }
}
