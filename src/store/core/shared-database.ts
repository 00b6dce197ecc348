import { cappedStatementMs } from '../../base/deadline.ts'
import { openConnectionShares } from './connection-shares.ts'
import type { Database } from './database.ts'

/**
 * The database for requests, with shares of its connections per merchant, so that no merchant can use up the pool. A
 * statement counts towards the connection share of the merchant whose id its arguments contain. A statement without a
 * merchant, such as the cached lookup of a token, is not limited: the shares always leave a connection for it.
 *
 * Rejects with QueueRefused when no connection of the merchant becomes free in time.
 */

/**
 * Maximum number of connections of one merchant, even while other connections are free. A database server with two
 * cores runs fewer statements at once than this number.
 */
const shareMax = 8

/**
 * Maximum time that a request waits while its merchant uses its maximum number of connections. A request waits equally
 * long for a connection of the pool.
 */
const waitMs = 5_000

/**
 * Maximum number of requests of a merchant that wait for a connection. The limit on concurrent requests is lower,
 * unless the operator has turned it off.
 */
const waitingMax = 1_000

/**
 * Time limit in milliseconds for a response of the database server. An API request therefore gets its response within
 * five seconds, even if the database server is frozen. A request with an earlier deadline gets its response at that
 * deadline.
 */
const answerMs = 5_000

export interface SharedDatabase extends Database {
  /**
   * The number of requests that wait because all connections of the pool are in use. Requests that wait because their
   * merchant has used up its connection share are not counted.
   */
  waitingForPool(): number
  /**
   * Returns the same database with one connection share, that of `key`, for all statements. It is for requests whose
   * merchant id is not authenticated. With a share for each merchant, each invented merchant id would get a reserved
   * connection.
   */
  inOneShare(key: string): Database
}

export function shareDatabase(whole: Database): SharedDatabase {
  const shares = openConnectionShares({ connections: whole.pool.options.max, each: shareMax, waitingMax, waitMs })
  const inShare = (key?: string) => whole.within(() => cappedStatementMs(answerMs), { shares, key })
  return { ...inShare(), inOneShare: inShare, waitingForPool: shares.waitingForPool }
}
