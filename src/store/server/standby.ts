import { performance } from 'node:perf_hooks'
import { sql } from 'kysely'
import { type Database, openDatabase } from '../core/database.ts'
import { reading } from '../core/statement.ts'
import { databaseIdentity } from './database-identity.ts'

/**
 * A standby of DATABASE_READ_URL and how far it has replayed the WAL. Its lag is measured without comparing clocks. The
 * WAL position of the primary is read at a known time, and a standby that has replayed this position has the data of
 * that time.
 */
export interface Standby {
  readonly database: Database
  /**
   * Returns the lowest number of a transaction that the standby has possibly not replayed yet. Undefined while the
   * standby lags too far behind or is lost.
   */
  missingFrom(): string | undefined
  /** Never rejects. */
  measure(primary: Primary): Promise<void>
  /** Excludes the standby from reads until its lag is measured again. */
  markLost(): void
  close(): Promise<void>
}

/** A WAL position of the primary that includes every transaction committed before the position was read. */
export interface WalMark {
  /** When the WAL position was measured, by the monotonic clock of this process. */
  readonly atMs: number
  readonly lsn: string
}

export interface Primary {
  readonly marks: readonly WalMark[]
  /** Undefined until the state of the primary has been read for the first time. */
  readonly identity: string | undefined
}

/** Reason, other than a replication lag, why a server of DATABASE_READ_URL serves no reads. */
export type StandbyProblem =
  | 'not a standby'
  | 'a standby of another database'
  /** The server has writes that the primary lacks: it was the primary, or followed it, until a failover lost them. */
  | 'ahead of the primary'
  | 'not reachable'

interface Replay {
  readonly isStandby: boolean
  readonly identity: string
  /** How many of the given WAL positions the standby has already replayed. */
  readonly replayed: number
  /** Null if the server is not a standby. */
  readonly lsn: string | null
  readonly xmin: string
}

/**
 * On a standby, pg_current_snapshot() lists no running transactions. Only the xmin of the snapshot can be used: every
 * transaction before xmin has ended and is replayed.
 */
const readReplay = reading<{ lsns: readonly string[] }>()(
  'read_replay',
  (p) => sql<Replay>`
    with replayed as materialized (select pg_last_wal_replay_lsn() as lsn)
    select
      pg_is_in_recovery() as is_standby, ${databaseIdentity} as identity,
      (select count(*) from replayed, unnest(${p.lsns}::text[]) as mark where mark::pg_lsn <= replayed.lsn)::int as replayed,
      (select lsn::text from replayed) as lsn,
      pg_snapshot_xmin(pg_current_snapshot())::text as xmin`,
)

/**
 * Time limit for the response to the statement that measures the lag of a standby. A standby that takes longer is
 * overloaded or unreachable.
 */
const answerMs = 1_000

interface StandbyOptions {
  readonly lagMs: number
  /**
   * Called with the problem of the standby when this problem changes. Called with undefined when the standby has no
   * problem any more.
   */
  readonly onChange: (problem: StandbyProblem | undefined, error?: unknown) => void
}

export function openStandby(connectionString: string, { lagMs, onChange }: StandbyOptions): Standby {
  const database = openDatabase({ connectionString })
  // The monitoring of the standby has a connection of its own, because a busy pool must not delay its measurements.
  const own = openDatabase({ connectionString, maxConnections: 1 })
  const monitor = own.within(answerMs)
  const ancestry = openAncestry()
  let asOfMs = Number.NEGATIVE_INFINITY
  let xmin: string | undefined
  let problem: StandbyProblem | undefined
  const note = (found: StandbyProblem | undefined, error?: unknown) => {
    if (found !== problem) onChange(found, error)
    problem = found
  }
  const markLost = () => {
    xmin = undefined
    ancestry.reset()
  }
  return {
    database,
    missingFrom: () => (performance.now() - asOfMs <= lagMs ? xmin : undefined),
    measure: async ({ marks, identity }) => {
      try {
        const [replay] = await monitor.read(readReplay, { lsns: marks.map(({ lsn }) => lsn) })
        const newest = marks[(replay?.replayed ?? 0) - 1]
        const descent = ancestry.compare(replay?.lsn ?? undefined, marks.at(-1))
        // Only a standby that descends from the primary has replayed the positions of the primary.
        if (descent === 'behind' && newest !== undefined && newest.atMs > ancestry.aheadMs()) asOfMs = newest.atMs
        if (descent === 'ahead') asOfMs = Number.NEGATIVE_INFINITY
        const found =
          replay && (problemOf(replay, identity) ?? (descent === 'ahead' ? 'ahead of the primary' : undefined))
        xmin = found === undefined && descent === 'behind' ? replay?.xmin : undefined
        note(found)
      } catch (error) {
        markLost()
        note('not reachable', error)
      }
    },
    markLost,
    close: async () => {
      await Promise.all([database.close(), own.close()])
    },
  }
}

/**
 * The identity of the primary is undefined until the primary is first reached, and is not compared until then. In this
 * time, no standby serves reads anyway, because the WAL position of the primary is unknown.
 */
function problemOf(replay: Replay, identity: string | undefined): StandbyProblem | undefined {
  if (!replay.isStandby) return 'not a standby'
  return identity === undefined || identity === replay.identity ? undefined : 'a standby of another database'
}

/**
 * Detects a standby that is ahead of its primary. After a failover that lost writes, the former primary, or a standby
 * that had received these writes, has them and lacks the writes of the new primary. Its WAL positions are useless then,
 * because the two servers use the same positions for different writes.
 */
interface Ancestry {
  /**
   * Compares the position that the previous call was given with a position of the primary that was read later. A standby
   * of the primary cannot be ahead of the later position. `unknown` until two positions were compared.
   */
  compare(lsn: string | undefined, position: WalMark | undefined): 'behind' | 'ahead' | 'unknown'
  /**
   * Returns when the latest position of the primary was read that the standby was ahead of. Positions that were read
   * earlier prove nothing.
   */
  aheadMs(): number
  /** Resets the comparison: another server may respond at the address of the standby from now on. */
  reset(): void
}

function openAncestry(): Ancestry {
  let seen: WalMark | undefined
  let descent: 'behind' | 'ahead' | 'unknown' = 'unknown'
  let aheadMs = Number.NEGATIVE_INFINITY
  return {
    compare: (lsn, position) => {
      // While the primary does not respond, its last known position may be older than the last position of the standby.
      if (seen !== undefined && position !== undefined && position.atMs >= seen.atMs) {
        descent = isAfter(seen.lsn, position.lsn) ? 'ahead' : 'behind'
        if (descent === 'ahead') aheadMs = position.atMs
      }
      seen = lsn === undefined ? undefined : { lsn, atMs: performance.now() }
      return descent
    },
    aheadMs: () => aheadMs,
    reset: () => {
      seen = undefined
      descent = 'unknown'
    },
  }
}

/** Reports whether the WAL position `one` is after `other`. */
export function isAfter(one: string, other: string): boolean {
  return positionOf(one) > positionOf(other)
}

/** Parses a WAL position of PostgreSQL such as `16/B374D848`. */
function positionOf(lsn: string): bigint {
  const [high = '0', low = '0'] = lsn.split('/')
  return BigInt(`0x${high}`) * 2n ** 32n + BigInt(`0x${low}`)
}
