import { performance } from 'node:perf_hooks'
import { sql } from 'kysely'
import type { MerchantId } from '../../../registry/values/vocabulary.ts'
import type { Clock } from '../../base/clock.ts'
import { databaseUrlOf } from '../../base/database-url.ts'
import { lowestIdAt } from '../../base/ids.ts'
import type { Log } from '../../base/log.ts'
import { type RecurringWork, recurringWorkOf } from '../../base/recurring-work.ts'
import { type Database, type DatabaseOptions, openDatabase, type ReadDb } from '../core/database.ts'
import { isCancelled, isUnavailable } from '../core/faults.ts'
import { QueueRefused } from '../core/keyed-queue.ts'
import { shareDatabase } from '../core/shared-database.ts'
import { reading } from '../core/statement.ts'
import { databaseIdentity } from './database-identity.ts'
import { isAfter, openStandby, type Standby, type StandbyProblem, type WalMark } from './standby.ts'

/**
 * Sends reads to standbys. A standby serves a read of a merchant only after it has replayed all writes of this merchant
 * that any process acknowledged before the read arrived. Each write adds an audit row with the number of its
 * transaction. With one short statement at a time, the primary checks all merchants with waiting reads. It returns the
 * merchants that have an audit row which the standby has not replayed. The primary serves the read if no standby has
 * replayed these writes, or if the standby is lost.
 */
export interface StandbyReads {
  databaseFor(merchantId: MerchantId, primary: ReadDb): Promise<ReadDb>
  close(): Promise<void>
}

export interface StandbyReadsOptions {
  /** The value of DATABASE_READ_URL, which lists standbys in any order. */
  readonly url: string
  /** Maximum lag of a standby that serves reads, in milliseconds. */
  readonly lagMs: number
  readonly primary: Pick<DatabaseOptions, 'connectionString' | 'directConnectionString'>
  readonly clock: Clock
  readonly log: Log
}

/**
 * Interval of the measurements of the standbys. After a write of a merchant, the primary serves the merchant for up to
 * this interval. Two measurements a second cost little.
 */
const measureEveryMs = 500

/**
 * Number of connections to the primary for monitoring the standbys: one measures the lag, the other one checks which
 * standby has a merchant's writes.
 */
export const monitorConnections = 2

/**
 * Maximum time in milliseconds for a response of the primary to a statement that monitors standbys. The primary
 * normally responds within milliseconds, and a waiting read must not be delayed for long.
 */
const answerMs = 1_000

/**
 * Maximum age of a transaction. The time limits of requests and statements end every transaction before this age. The
 * id of an audit row contains the start time of its transaction, so the row is committed at most this long after the
 * time in its id.
 */
const transactionMaxMs = 60_000

/**
 * Maximum number of merchants for which one statement checks whether they have writes that the standby may lack. Reads
 * of more merchants at the same moment are rare; the next statement then checks the remaining merchants.
 */
const batchMax = 500

/**
 * Maximum number of reads that wait until a standby is checked. The maximum exceeds the number of reads that a process
 * serves at the same time. Further reads use the primary without a check.
 */
const waitingMax = 2_000

const readPosition = reading<object>()(
  'read_wal_position',
  () => sql<{ lsn: string; identity: string }>`
    select pg_current_wal_insert_lsn()::text as lsn, ${databaseIdentity} as identity`,
)

const withNewerWrites = reading<{ merchantIds: readonly MerchantId[]; sinceId: string; xmin: string }>()(
  'merchants_with_newer_writes',
  (p) => sql<{ merchantId: MerchantId }>`
    select asked.id as merchant_id
    from unnest(${p.merchantIds}::text[]) as asked (id)
    cross join lateral (
      select from audit_log
      where audit_log.merchant_id = asked.id and audit_log.id >= ${p.sinceId} and recorded_xid >= ${p.xmin}::bigint
      limit 1
    ) as newer`,
)

export function openStandbyReads({ url, lagMs, primary, clock, log }: StandbyReadsOptions): StandbyReads {
  const { connectionString, directConnectionString } = primary
  const own = openDatabase({ connectionString, directConnectionString, maxConnections: monitorConnections })
  const monitor = own.within(answerMs)
  const standbys = databaseUrlOf(url).hosts.map((host) => openStandby(host, { lagMs, onChange: reportTo(log, host) }))
  const readers = new Map(standbys.map((standby) => [standby, shareDatabase(standby.database)]))
  const work = recurringWorkOf(log)
  const measuring = measureRegularly({ monitor, work }, standbys, lagMs)
  let turn = 0
  const nextStandby = () => {
    turn += 1
    const usable = standbys.filter((standby) => standby.missingFrom() !== undefined)
    return usable[turn % usable.length]
  }
  const check = openChecks({ monitor, work }, () => lowestIdAt('aud', clock.nowMs() - lagMs - transactionMaxMs))
  return {
    databaseFor: async (merchantId, primaryDb) => {
      const standby = await check(merchantId, nextStandby)
      const reader = standby && readers.get(standby)
      return standby === undefined || reader === undefined ? primaryDb : withFallback(standby, reader, primaryDb)
    },
    close: async () => {
      await measuring.stop()
      await Promise.all([own.close(), ...standbys.map((standby) => standby.close())])
    },
  }
}

function reportTo(log: Log, connectionString: string) {
  const { host } = new URL(connectionString)
  return (problem: StandbyProblem | undefined, err?: unknown) => {
    if (problem === undefined) log.info({ host }, 'A server of DATABASE_READ_URL is used again.')
    else log.warn({ host, problem, err }, 'A server of DATABASE_READ_URL is not used.')
  }
}

/**
 * Reads on the standby. If that fails, reads on the primary: the standby may be lost, or may have cancelled the
 * statement in order to continue replaying the write-ahead log. A read that failed because of its request's time limit
 * or its merchant's connection share is not repeated on the primary, because the repetition would only add load there.
 */
function withFallback(standby: Standby, reader: ReadDb, primary: ReadDb): ReadDb {
  return {
    read: async (statement, args) => {
      try {
        return await reader.read(statement, args)
      } catch (error) {
        if (error instanceof QueueRefused || isCancelled(error)) throw error
        if (isUnavailable(error)) standby.markLost()
        return primary.read(statement, args)
      }
    },
  }
}

interface Waiting {
  readonly merchantId: MerchantId
  readonly resolve: (standby: Standby | undefined) => void
}

interface Primary {
  readonly monitor: Database
  readonly work: RecurringWork
}

/**
 * Returns a function that finds a standby with all writes of a merchant. The returned function resolves with undefined
 * when no standby has all of these writes.
 */
function openChecks({ monitor, work }: Primary, sinceId: () => string) {
  let waiting: Waiting[] = []
  let isRunning = false

  const runBatch = async (standby: Standby, xmin: string): Promise<void> => {
    const batch = waiting.slice(0, batchMax)
    waiting = waiting.slice(batchMax)
    const merchantIds = [...new Set(batch.map(({ merchantId }) => merchantId))]
    const args = { merchantIds, sinceId: sinceId(), xmin }
    const found = await work.attempt('standby_reads.newer_writes', () => monitor.read(withNewerWrites, args))
    const newer = new Set(found?.map(({ merchantId }) => merchantId))
    for (const { merchantId, resolve } of batch)
      resolve(found === undefined || newer.has(merchantId) ? undefined : standby)
  }
  const run = async (next: () => Standby | undefined): Promise<void> => {
    while (waiting.length > 0) {
      const standby = next()
      const xmin = standby?.missingFrom()
      if (standby !== undefined && xmin !== undefined) await runBatch(standby, xmin)
      else for (const { resolve } of waiting.splice(0)) resolve(undefined)
    }
  }
  return (merchantId: MerchantId, next: () => Standby | undefined) =>
    new Promise<Standby | undefined>((resolve) => {
      if (waiting.length >= waitingMax) return resolve(undefined)
      waiting.push({ merchantId, resolve })
      if (isRunning) return
      isRunning = true
      void run(next).finally(() => {
        isRunning = false
      })
    })
}

function measureRegularly({ monitor, work }: Primary, standbys: readonly Standby[], lagMs: number) {
  let marks: WalMark[] = []
  let identity: string | undefined
  let timer: NodeJS.Timeout | undefined
  let isStopped = false
  const measure = async () => {
    const atMs = performance.now()
    const [position] = (await work.attempt('standby_reads.position', () => monitor.read(readPosition, {}))) ?? []
    if (position !== undefined) {
      // After a failover, the WAL of the new primary may be behind that of the previous one. Positions that were read
      // on the previous primary are then useless, because the new primary may never reach them.
      if (marks.some(({ lsn }) => isAfter(lsn, position.lsn))) {
        marks = []
        for (const standby of standbys) standby.markLost()
      }
      identity = position.identity
      marks = [...marks.filter((mark) => atMs - mark.atMs <= lagMs), { atMs, lsn: position.lsn }]
    }
    await Promise.all(standbys.map((standby) => standby.measure({ marks, identity })))
  }
  const loop = async () => {
    await measure()
    if (!isStopped) timer = setTimeout(start, measureEveryMs).unref()
  }
  let running = loop()
  function start() {
    running = loop()
  }
  return {
    stop: async () => {
      isStopped = true
      clearTimeout(timer)
      await running
    },
  }
}
