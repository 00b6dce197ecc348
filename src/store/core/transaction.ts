import { sql } from 'kysely'
import pg from 'pg'
import type { MerchantId } from '../../../registry/values/vocabulary.ts'
import { cappedStatementMs } from '../../base/deadline.ts'
import { type BatchResult, StatementSkipped } from './batch.ts'
import { awaitedLater, type Channel, openChannel } from './channel.ts'
import { lockTimeoutMs } from './connection-settings.ts'
import type { Database, WriteTrx } from './database.ts'
import { faultOf, hasStaleStatements, isCancelled, isNodeLost, isReadOnly, isServerShutdown } from './faults.ts'
import { searchingAmong } from './reachability.ts'
import { type Statement, writing } from './statement.ts'

export interface Transaction {
  readonly trx: WriteTrx
  /** Makes every later write of the transaction throw, because the transaction will be rolled back. */
  refuseWrites(): void
  /**
   * Ends the transaction and releases the connection. Rejects with the first error if the transaction failed and the
   * server has certainly rolled it back. Rejects with OutcomeUnknown if the outcome is not certain.
   */
  end(how: 'commit' | 'rollback', last: Promise<unknown>): Promise<void>
  /** Rolls back the transaction and returns the first error. Later errors only report skipped statements. */
  abandon(error: unknown): Promise<unknown>
}

export interface Opening {
  /** The connection of the transaction counts towards this merchant's connection share. */
  readonly merchantId?: MerchantId
  /** Statements that must succeed and have no result to check, such as a lock. */
  readonly first?: ((trx: WriteTrx) => Promise<void>) | undefined
  /**
   * Statements whose results decide whether the transaction may commit. The transaction waits until the promise of
   * `guard` has resolved. Only then does it return the results of its other statements and send the commit.
   */
  readonly guard?: ((trx: WriteTrx) => Promise<void>) | undefined
}

/**
 * Maximum share of the request's remaining time that a wait for a lock may take. The service cancels a statement after
 * nine tenths of the remaining time. The error of a cancelled statement does not say that the statement waited for a
 * lock, so the wait for a lock must end well before the cancellation.
 */
const lockShare = 0.75

const setLockTimeout = writing<{ lockTimeout: string }>()(
  'limit_lock_wait',
  (p) => sql`select set_config('lock_timeout', ${p.lockTimeout}, true) as lock_timeout`,
)

/**
 * Opens a transaction that pipelines independent statements: `begin` and the statements of the opening are sent with
 * the first statement, and `commit` with the last. If a statement fails, the server skips the rest of the pipeline,
 * including the commit. It is therefore safe to send a statement before the results of earlier statements have arrived.
 * A transaction without statements checks out no connection.
 */
export function openTransaction(
  { connect, reachability }: Pick<Database, 'connect' | 'reachability'>,
  { merchantId, first, guard }: Opening = {},
): Transaction {
  const channel = openChannel(() => connect(merchantId))
  const queued: Promise<unknown>[] = []
  let gate: Promise<unknown> | undefined
  let mayWrite = true
  /**
   * Returns a transaction that sends the statements of `begin` first, and then sends each statement immediately,
   * without waiting for the results of `begin`. The result of a statement is returned only after the promise of `begin`
   * has resolved.
   */
  const trxOf = (begin: () => Promise<unknown>): WriteTrx => {
    const send = async <Args, Row>(statement: Statement<Args, Row>, args: Args): Promise<readonly Row[]> => {
      if (!mayWrite && statement.effect === 'writes') throw new Aborted()
      const begun = begin()
      const result = awaitedLater(channel.run(statement, args))
      await begun
      return result
    }
    const queue: WriteTrx['queue'] = (statement, args) => {
      if (!mayWrite) throw new Aborted()
      void begin()
      queued.push(awaitedLater(channel.run(statement, args)))
    }
    return { read: send, search: searchingAmong(reachability, send), lock: send, write: send, queue }
  }
  /**
   * Sends `begin` and the first statements of the transaction on the first call. Every call returns the same promise.
   * The results of later statements may be used only after this promise has resolved.
   */
  const begin = () => {
    if (gate !== undefined) return gate
    const begun = channel.command('begin')
    queued.push(begun)
    const opening = trxOf(() => begun)
    const limit = lockTimeoutLeft()
    if (limit !== undefined) queued.push(awaitedLater(channel.run(setLockTimeout, limit)))
    if (first !== undefined) queued.push(awaitedLater(first(opening)))
    gate = guard === undefined ? begun : awaitedLater(guard(opening))
    return gate
  }
  return {
    trx: trxOf(begin),
    refuseWrites: () => {
      mayWrite = false
    },
    end: async (how, last) => {
      if (gate === undefined) return
      const sent = [...queued, last]
      const ending = { how, sent, isDistributed: reachability.isDistributed() }
      await endTransaction(channel, guard === undefined ? ending : { ...ending, gate })
    },
    abandon: async (error) => {
      if (gate === undefined) return error
      await rollBack(channel, error)
      const failed = (await Promise.allSettled([gate, ...queued])).find((outcome) => outcome.status === 'rejected')
      return faultOf(failed?.reason ?? error)
    },
  }
}

/**
 * Returns a shorter lock timeout than the default if the remaining time of the request requires one. Otherwise
 * undefined.
 */
function lockTimeoutLeft(): { readonly lockTimeout: string } | undefined {
  const lockMs = cappedStatementMs(lockTimeoutMs / lockShare) * lockShare
  return lockMs < lockTimeoutMs ? { lockTimeout: `${Math.round(lockMs)}ms` } : undefined
}

class Aborted extends Error {
  constructor() {
    super('The transaction was aborted and cannot write.')
  }
}

/** The connection broke after the commit was sent, so the server may or may not have committed. */
export class OutcomeUnknown extends Error {}

interface Ending {
  readonly how: 'commit' | 'rollback'
  /**
   * A promise that must resolve before the commit is sent. If undefined, the commit is sent together with the last
   * statements of the transaction.
   */
  readonly gate?: Promise<unknown>
  readonly sent: readonly Promise<unknown>[]
  /** Whether the database is distributed, so that the server may have to commit the transaction on another node too. */
  readonly isDistributed: boolean
}

/**
 * Ends a transaction and releases its connection. Rejects with the first error if the transaction was rolled back, and
 * with OutcomeUnknown if it is unknown whether the server has committed. After the commit is sent, only two things
 * prove a rollback: an error of the server that leaves the session open, or a shutdown of the server before the commit.
 * In a distributed database, a commit can fail because the connection to a node is lost. The commit can also be
 * cancelled while it waits for the node. Neither failure proves a rollback, because the node may have committed.
 */
async function endTransaction(channel: Channel, { how, gate, sent, isDistributed }: Ending): Promise<void> {
  let ended: Promise<BatchResult> | undefined
  let isOnlyCommitLeft = false
  try {
    if (gate !== undefined) await gate
    if (channel.unsent !== undefined) throw channel.unsent
    ended = channel.command(how)
    for (const promise of sent) await promise
    isOnlyCommitLeft = true
    const { command } = await ended
    if (command !== how.toUpperCase())
      throw new NotCommitted(`The database server responded to ${how} with ${command}.`)
  } catch (thrown) {
    const error = faultOf(thrown)
    const isOpen = await rollBack(channel, error)
    const isOfNode = isDistributed && isOnlyCommitLeft && (isNodeLost(error) || isCancelled(error))
    const isProof = isByServer(error) && !isOfNode
    const isKnown = error instanceof NotCommitted || (isOpen && isProof) || channel.connection === undefined
    const isUnknown = how === 'commit' && ended !== undefined && !isKnown && !(await wasSkipped(channel, ended, error))
    throw isUnknown ? new OutcomeUnknown('The outcome of the commit is unknown.', { cause: error }) : error
  }
  channel.connection?.release()
}

function isByServer(error: unknown): boolean {
  return error instanceof pg.DatabaseError || (error instanceof Error && error.cause instanceof pg.DatabaseError)
}

/** The server rolled back instead of committing the transaction. */
class NotCommitted extends Error {}

/**
 * Reports whether the server skipped the commit because it shut down at an earlier statement. The server sends the
 * results of the statements in order, so an error before the result of the commit shows that the commit did not run.
 * Always false behind a pooler: a pooler that loses the server may replace the result of the commit by an error of its
 * own.
 */
async function wasSkipped({ connection }: Channel, ended: Promise<BatchResult>, error: unknown): Promise<boolean> {
  if (connection?.isPooled === true || !isServerShutdown(error)) return false
  const reason = await ended.then(
    () => undefined,
    (failure: unknown) => failure,
  )
  return reason instanceof StatementSkipped
}

/**
 * Rolls back a transaction and releases its connection. Returns whether the server answered. A connection that cannot
 * roll back or write, or whose prepared statements are stale, must not be used again.
 */
async function rollBack(channel: Channel, cause: unknown): Promise<boolean> {
  try {
    await channel.command('rollback')
    channel.connection?.release(hasStaleStatements(cause) || isReadOnly(cause) || isCancelled(cause))
    return true
  } catch {
    channel.connection?.release(true)
    return false
  }
}
