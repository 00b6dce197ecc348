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

export function shareDatabase(whole: Database): Database {
  const database = whole.within(() => cappedStatementMs(answerMs))
  const shares = openConnectionShares({ connections: whole.pool.options.max, each: shareMax, waitingMax, waitMs })

  const run = async <Args, Row>(statement: Statement<Args, Row>, args: Args): Promise<readonly Row[]> => {
    const merchantId: unknown = Reflect.get(Object(args), 'merchantId')
    if (typeof merchantId !== 'string') return database.run(statement, args)
    const leave = await shares.enter(merchantId)
    try {
      return await database.run(statement, args)
    } finally {
      leave()
    }
  }

  const connect: Database['connect'] = async (merchantId) => {
    if (merchantId === undefined) return database.connect()
    const leave = await shares.enter(merchantId)
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

  return { ...database, read: run, run, connect }
}
