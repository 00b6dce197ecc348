import type pg from 'pg'
import { cappedStatementMs } from '../../base/deadline.ts'
import { openConnectionShares } from './connection-shares.ts'
import type { Database } from './database.ts'
import type { Statement } from './statement.ts'

/**
 * The database for requests, with shares of its connections per merchant, so that no merchant can use up the pool. A
 * statement counts towards the merchant in its arguments. A statement without a merchant, such as the cached lookup of a token,
 * is not limited: the shares always leave a connection for it.
 *
 * Rejects with QueueRefused when no connection of the merchant becomes free in time.
 */

/** The maximum number of connections of one merchant, when the others use few. Two cores run fewer statements at once. */
const shareMax = 8

/** A request waits for its share as long as it would wait for a connection of the pool. */
const waitMs = 5_000

/** More than the concurrent requests of a merchant, unless the operator has turned the limits off. */
const waitingMax = 1_000

/** A request gets its response within five seconds, also when the server is frozen, and earlier at its own deadline. */
const answerMs = 5_000

export interface SharedDatabase extends Database {
  /** The number of requests that wait because the pool is in use. */
  waitingForPool(): number
  /**
   * Returns the same database, in which everything counts towards one key instead of the merchants. It is for requests that name
   * their merchant without proof: each invented merchant would otherwise get a connection of the reserve.
   */
  inOneShare(key: string): Database
}

export function shareDatabase(whole: Database): SharedDatabase {
  const database = whole.within(() => cappedStatementMs(answerMs))
  const shares = openConnectionShares({ connections: whole.pool.options.max, each: shareMax, waitingMax, waitMs })

  const runIn = async <Args, Row>(
    key: string,
    statement: Statement<Args, Row>,
    args: Args,
  ): Promise<readonly Row[]> => {
    const leave = await shares.enter(key)
    try {
      return await database.run(statement, args)
    } finally {
      leave()
    }
  }

  const run = async <Args, Row>(statement: Statement<Args, Row>, args: Args): Promise<readonly Row[]> => {
    const merchantId: unknown = Reflect.get(Object(args), 'merchantId')
    return typeof merchantId === 'string' ? runIn(merchantId, statement, args) : database.run(statement, args)
  }

  const connectIn = async (key: string): Promise<pg.PoolClient> => {
    const leave = await shares.enter(key)
    try {
      const client = await database.connect()
      const release = client.release.bind(client)
      // node-postgres creates a release function for each checkout, so this one serves only the current checkout.
      client.release = (error) => {
        leave()
        release(error)
      }
      return client
    } catch (error) {
      leave()
      throw error
    }
  }

  const connect: Database['connect'] = (merchantId) =>
    merchantId === undefined ? database.connect() : connectIn(merchantId)

  const inOneShare = (key: string): Database => {
    const runInShare: Database['run'] = (statement, args) => runIn(key, statement, args)
    return { ...database, read: runInShare, run: runInShare, connect: () => connectIn(key) }
  }

  return { ...database, read: run, run, connect, inOneShare, waitingForPool: shares.waitingForPool }
}
