import type { Database } from './database.ts'
import { openKeyedQueue, type QueueLimits } from './keyed-queue.ts'
import type { Statement } from './statement.ts'

/**
 * The database as requests see it: each merchant has at most a share of the connections, so that others find some free
 * whatever one merchant does. A statement belongs to the merchant that its arguments name; one that names none belongs to
 * the service, such as the look-up of a token, which is quick and cached.
 *
 * Rejects with QueueRefused when the merchant's share stays busy for too long.
 */

/**
 * Of the pool's twenty connections. A merchant has two shares, of its live and its test side, which leave a fifth of the pool
 * to everybody else. A merchant alone loses little by it, because two cores serve fewer at once.
 */
const share = 8

/** As long as a request waits for a connection, and as many as end in that time on a busy machine. */
const shareLimits: QueueLimits = { atOnce: share, waitingMax: 1_000, waitMs: 5_000 }

/** A request is answered within five seconds of asking the database, also when the server is frozen. */
const answerMs = 5_000

export function shareDatabase(whole: Database): Database {
  const database = whole.within(answerMs)
  const shares = openKeyedQueue(shareLimits)

  const run = async <Args, Row>(statement: Statement<Args, Row>, args: Args): Promise<readonly Row[]> => {
    const merchantId: unknown = Reflect.get(Object(args), 'merchantId')
    if (typeof merchantId !== 'string') return database.run(statement, args)
    const endTurn = await shares.enter(merchantId)
    try {
      return await database.run(statement, args)
    } finally {
      endTurn()
    }
  }

  const connect: Database['connect'] = async (merchantId) => {
    if (merchantId === undefined) return database.connect()
    const endTurn = await shares.enter(merchantId)
    try {
      const client = await database.connect()
      const release = client.release.bind(client)
      // node-postgres gives every loan of a connection a release of its own, so this one ends with the loan.
      client.release = (error) => {
        endTurn()
        release(error)
      }
      return client
    } catch (error) {
      endTurn()
      throw error
    }
  }

  return { ...database, read: run, run, connect }
}
