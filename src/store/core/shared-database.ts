import type { Database } from './database.ts'
import { openKeyedQueue, type QueueLimits } from './keyed-queue.ts'
import type { Statement } from './statement.ts'

/**
 * The database with a connection limit per merchant, so that one merchant cannot use up the pool. A statement counts
 * towards the merchant in its arguments. A statement without a merchant, such as the cached lookup of a token, is not
 * limited.
 *
 * Rejects with QueueRefused when the merchant's connections stay in use for too long.
 */

/**
 * The maximum number of the pool's twenty connections for one merchant. Live and test mode count separately, which leaves
 * a fifth of the pool for all other merchants. A single merchant loses little, because two cores run fewer at once.
 */
const share = 8

/** A request waits for a share as long as it would wait for a connection of the pool, in a queue of the same length. */
const shareLimits: QueueLimits = { atOnce: share, waitingMax: 1_000, waitMs: 5_000 }

/** A request gets its response within five seconds, also when the server is frozen. */
const answerMs = 5_000

export function shareDatabase(whole: Database): Database {
  const database = whole.within(answerMs)
  const shares = openKeyedQueue(shareLimits)

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
