// Recovers a restored copy of a cluster: PostgreSQL applies the archived log up to a time and begins a new timeline.
// The server accepts connections only at the end. The superuser connects through a socket in a private folder, because
// the copy still has the passwords of the backed-up service.

import { chown, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { Client } from 'pg'
import type { Binaries } from './binaries.ts'
import type { ClusterRecord } from './cluster.ts'
import { EmbeddedPostgresError } from './error.ts'
import type { ClusterLocation } from './location.ts'
import { isIdentityAlive } from './lock.ts'
import { timeBefore } from './log-time.ts'
import { type Server, startServer, stopServer } from './server.ts'
import { stopArchiving } from './wal-archive.ts'

export interface Recovery {
  readonly binaries: Binaries
  readonly place: ClusterLocation
  readonly port: number
  /** After the recovery, the restored copy gets the passwords in this record. */
  readonly record: ClusterRecord
  /** Folders with segments of the write-ahead log, in the order in which they are searched. */
  readonly logFolders: readonly string[]
  /** The time to which the write-ahead log is applied. If undefined, the log is applied to its end. */
  readonly to: string | undefined
  readonly signal: AbortSignal | undefined
}

export interface Recovered {
  /** The time of the last change that the recovery applied. Undefined if no change was applied. */
  readonly lastChangeAt: string | undefined
  readonly endLsn: bigint
  readonly segmentBytes: number
}

export async function withRecovered<Result>(
  recovery: Recovery,
  work: (recovered: Recovered) => Promise<Result>,
): Promise<Result> {
  const { place } = recovery
  const sockets = await mkdtemp(join(tmpdir(), 'commerce-'))
  let server: Server | undefined
  try {
    for (const path of [sockets, join(place.cluster, 'recovery.signal')]) {
      if (path !== sockets) await writeFile(path, '', { mode: 0o600 })
      if (place.account !== undefined) await chown(path, place.account.uid, place.account.gid)
    }
    const output = openOutput()
    const settings = [`unix_socket_directories=${sockets}`, ...settingsOf(recovery)]
    server = startServer({ ...recovery, isThrowaway: false, settings, onLog: output.add })
    const client = await connectAtEnd(server, { ...recovery, sockets, output })
    const recovered = await prepare(client, recovery.record).finally(() => client.end())
    output.requireIntact()
    return await work(recovered)
  } finally {
    if (server !== undefined) await stopServer(server)
    await rm(sockets, { recursive: true, force: true })
  }
}

function settingsOf({ logFolders, to }: Recovery): readonly string[] {
  const copies = logFolders.map((folder) => `cp ${quoted(join(folder, '%f'), folder)} "%p" 2>/dev/null`)
  // The setting recovery_target_time accepts time zones only as numbers.
  const time = to?.replace(/Z$/, '+00')
  const target = time === undefined ? [] : [`recovery_target_time=${time}`, 'recovery_target_action=promote']
  return [
    `restore_command=${copies.join(' || ')}`,
    // The recovery uses only the current timeline, because the backup folder has one history of the database.
    'recovery_target_timeline=current',
    // The recovering server refuses connections until the end of the recovery.
    'hot_standby=off',
    'archive_mode=off',
    ...target,
  ]
}

/**
 * Quotes a path for the shell. Per cent signs in the folder are doubled, because PostgreSQL interprets them in archive
 * commands.
 */
function quoted(path: string, folder: string): string {
  const escaped = `${folder.replaceAll('%', '%%')}${path.slice(folder.length)}`
  return `'${escaped.replaceAll("'", "'\\''")}'`
}

/**
 * Interval in milliseconds between two checks whether a recovery has ended. The interval is long, because a recovery
 * takes seconds.
 */
const pollMs = 100

/**
 * Maximum number of polls for the end of a recovery, equal to six hours. A recovery applies the write-ahead log of
 * several days within minutes.
 */
const pollsMax = (6 * 3_600_000) / pollMs

interface Waiting extends Recovery {
  readonly sockets: string
  readonly output: Output
}

async function connectAtEnd(server: Server, { sockets, port, signal, output, to }: Waiting): Promise<Client> {
  for (let poll = 0; poll < pollsMax; poll += 1) {
    signal?.throwIfAborted()
    if (!isIdentityAlive(server.identity)) {
      await server.outputEnded
      throw output.failure(to)
    }
    const client = new Client({ host: sockets, port, user: 'postgres', database: 'postgres' })
    client.on('error', () => undefined)
    try {
      await client.connect()
      return client
    } catch {
      await client.end().catch(() => undefined)
      await setTimeout(pollMs)
    }
  }
  throw new EmbeddedPostgresError('The recovery did not end within six hours. Restore from a newer backup.')
}

/**
 * Sets the passwords of this data folder in the recovered copy of the cluster. Stops archiving, because the copy begins
 * a new timeline and cannot continue the archive of the original cluster.
 */
async function prepare(client: Client, record: ClusterRecord): Promise<Recovered> {
  const passwords = {
    postgres: record.superuserPassword,
    commerce: record.commercePassword,
    commerce_service: record.servicePassword,
  }
  const { rows: roles } = await client.query<{ rolname: string }>('select rolname from pg_roles')
  for (const [role, password] of Object.entries(passwords)) {
    if (!roles.some(({ rolname }) => rolname === role)) continue
    await client.query(`alter role ${role} password ${client.escapeLiteral(password)}`)
  }
  await stopArchiving(client)
  const { rows } = await client.query<{ lastChangeAt: string | null; endLsn: string; segmentBytes: number }>(
    `select
       to_char(pg_last_xact_replay_timestamp() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "lastChangeAt",
       (coalesce(pg_last_wal_replay_lsn(), '0/0') - '0/0'::pg_lsn)::text as "endLsn",
       pg_size_bytes(current_setting('wal_segment_size'))::int as "segmentBytes"`,
  )
  const [found] = rows
  if (found === undefined) throw new Error('The recovered database server returned no log position.')
  return { ...found, lastChangeAt: found.lastChangeAt ?? undefined, endLsn: BigInt(found.endLsn) }
}

type Output = ReturnType<typeof openOutput>

/** Reads the log output of the recovering server. The log is in English, because the server gets the locale C. */
export function openOutput() {
  /** The latest time to which the write-ahead log can restore the database. */
  let restorable: string | undefined
  let damage: string | undefined
  let fatal: string | undefined
  return {
    add: (line: string) => {
      restorable = timeBefore(/last completed transaction was at log time (.+)$/.exec(line)?.[1] ?? '') ?? restorable
      damage = /(incorrect resource manager data checksum in record at \S+)/.exec(line)?.[1] ?? damage
      // While the server starts, recovers or stops, it also logs a FATAL error for each connection that it rejects.
      // These errors are ignored, because they are no failure of the recovery.
      fatal = /FATAL: {2}(?!the database system is )(.+)$/.exec(line)?.[1] ?? fatal
    },
    requireIntact: () => {
      if (damage !== undefined) throw damagedLog(damage, restorable)
    },
    failure: (to: string | undefined): EmbeddedPostgresError => {
      if (damage !== undefined) return damagedLog(damage, restorable)
      if (fatal?.startsWith('recovery ended before configured recovery target') !== true || to === undefined)
        return new EmbeddedPostgresError(`The recovery failed: ${fatal ?? 'PostgreSQL ended'}.`)
      const end = restorable === undefined ? '' : ` Changes until ${restorable} can be restored with --to.`
      return new EmbeddedPostgresError(
        `The backup has no change after ${to}.${end} To restore the last change, leave out --to.`,
      )
    },
  }
}

function damagedLog(damage: string, restorable: string | undefined): EmbeddedPostgresError {
  const end = restorable === undefined ? '' : ` Changes until ${restorable} can be restored with --to.`
  return new EmbeddedPostgresError(`The archived log is damaged (${damage}).${end}`)
}
