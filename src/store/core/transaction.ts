import { sql } from 'kysely'
import pg from 'pg'
import { cappedStatementMs } from '../../base/deadline.ts'
import { type BatchResult, StatementSkipped } from './batch.ts'
import { type Channel, openChannel } from './channel.ts'
import { lockTimeoutMs } from './connection-settings.ts'
import type { WriteTrx } from './database.ts'
import { faultOf, hasStaleStatements, isCancelled, isReadOnly, isServerShutdown } from './faults.ts'
import { type Statement, writing } from './statement.ts'

export interface Transaction {
  readonly trx: WriteTrx
  /** Makes every later write of the transaction throw, because the transaction will be rolled back. */
  refuseWrites(): void
  /**
   * Ends the transaction and releases the connection. Rejects with the first error if the server has rolled back,
   * otherwise with OutcomeUnknown.
   */
  end(how: 'commit' | 'rollback', last: Promise<unknown>): Promise<void>
  /** Rolls back the transaction and returns the first error. Later errors only report skipped statements. */
  abandon(error: unknown): Promise<unknown>
}

/** Statements of a transaction that must succeed before results of its other statements are used. */
type Guard = ((trx: WriteTrx) => Promise<void>) | undefined

/**
 * Maximum share of the request's remaining time that a wait for a lock may take. The service cancels a statement after
 * nine tenths of that time, and a cancelled statement does not say that it waited for a lock, so the wait must end well
 * before.
 */
const lockShare = 0.75

const limitLockWait = writing<{ lockTimeout: string }>()(
  'limit_lock_wait',
  (p) => sql`select set_config('lock_timeout', ${p.lockTimeout}, true) as lock_timeout`,
)

/** The database connection that a transaction uses. */
interface Session {
  readonly channel: Channel
  /** Returns the connection to the pool. If called with an error or `true`, it closes the connection instead. */
  release(error?: Error | boolean): void
}

/**
 * Opens the session of a checked-out connection. node-postgres sets `release` anew at each checkout. The function of
 * this session throws when it is called twice, while `client.release` would then release the checkout of another
 * request.
 */
function openSession(client: pg.PoolClient): Session {
  return { channel: openChannel(client), release: client.release.bind(client) }
}

/**
 * Opens a transaction that pipelines independent statements: `begin` and the guard are sent with the first statement,
 * and `commit` with the last. If a statement fails, the server skips the rest of the pipeline, including the commit, so it
 * is safe to send statements before the results of earlier ones.
 */
export function openTransaction(client: pg.PoolClient, guard?: Guard): Transaction {
  const session = openSession(client)
  const lockMs = cappedStatementMs(lockTimeoutMs / lockShare) * lockShare
  const { channel } = session
  const queued: Promise<unknown>[] = []
  const begun = channel.command('begin')
  if (lockMs < lockTimeoutMs) {
    const limited = channel.run(limitLockWait, { lockTimeout: `${Math.round(lockMs)}ms` })
    // The promise of the lock timeout's statement is awaited at the end of the transaction. Until then, a rejection
    // must not count as unhandled.
    limited.catch(() => undefined)
    queued.push(limited)
  }
  const gate: Promise<unknown> = guard === undefined ? begun : guard(trxOf(channel, begun, queued)).then(() => begun)
  gate.catch(() => undefined)
  const trx = trxOf(channel, gate, queued)
  let mayWrite = true
  const requireOpen = () => {
    if (!mayWrite) throw new Error('The transaction was aborted and cannot write.')
  }
  return {
    trx: {
      ...trx,
      write: async (statement, args) => {
        requireOpen()
        return trx.write(statement, args)
      },
      queue: (statement, args) => {
        requireOpen()
        trx.queue(statement, args)
      },
    },
    refuseWrites: () => {
      mayWrite = false
    },
    end: (how, last) => {
      const sent = [begun, ...queued, last]
      return endTransaction(session, guard === undefined ? { how, sent } : { how, gate, sent })
    },
    abandon: async (error) => {
      await rollBack(session, error)
      const failed = (await Promise.allSettled([gate, ...queued])).find((outcome) => outcome.status === 'rejected')
      return faultOf(failed?.reason ?? error)
    },
  }
}

/** Returns a transaction that sends statements at once, and returns their results once the promise `gate` resolves. */
function trxOf(channel: Channel, gate: Promise<unknown>, queued: Promise<unknown>[]): WriteTrx {
  const execute = async <Args, Row>(statement: Statement<Args, Row>, args: Args): Promise<readonly Row[]> => {
    const result = channel.run(statement, args)
    result.catch(() => undefined)
    await gate
    return result
  }
  return {
    read: execute,
    lock: execute,
    write: execute,
    queue: (statement, args) => {
      const result = channel.run(statement, args)
      result.catch(() => undefined)
      queued.push(result)
    },
  }
}

/** The connection broke after the commit was sent, so the server may or may not have committed. */
export class OutcomeUnknown extends Error {}

interface Ending {
  readonly how: 'commit' | 'rollback'
  /**
   * A promise that must resolve before the commit is sent. Without it, the commit is sent together with the last
   * statements.
   */
  readonly gate?: Promise<unknown>
  readonly sent: readonly Promise<unknown>[]
}

/**
 * Ends a transaction and releases its connection. Rejects with the first error if the transaction was rolled back, and
 * with OutcomeUnknown if it is unknown whether the server has committed. After the commit is sent, only two things
 * prove a rollback: an error of the server that leaves the session open, or a shutdown of the server before the commit.
 */
async function endTransaction(session: Session, { how, gate, sent }: Ending): Promise<void> {
  const { channel } = session
  let ended: Promise<BatchResult> | undefined
  try {
    if (gate !== undefined) await gate
    if (channel.unsent() !== undefined) throw channel.unsent()
    ended = channel.command(how)
    for (const promise of sent) await promise
    const { command } = await ended
    if (command !== how.toUpperCase())
      throw new NotCommitted(`The database server responded to ${how} with ${command}.`)
  } catch (thrown) {
    const error = faultOf(thrown)
    const isOpen = await rollBack(session, error)
    const isKnown = error instanceof NotCommitted || (error instanceof pg.DatabaseError && isOpen)
    const isUnknown = how === 'commit' && ended !== undefined && !isKnown && !(await wasSkipped(session, ended, error))
    throw isUnknown ? new OutcomeUnknown('The outcome of the commit is unknown.', { cause: error }) : error
  }
  session.release()
}

/** The server rolled back instead of committing the transaction. */
class NotCommitted extends Error {}

/**
 * Reports whether the server skipped the commit because it shut down at an earlier statement. The server sends the
 * results of the statements in order, before the error. A pooler that loses the server sends an error of its own in
 * place of the results that it did not forward, perhaps also in place of the commit's result.
 */
async function wasSkipped({ channel }: Session, ended: Promise<BatchResult>, error: unknown): Promise<boolean> {
  if (channel.isPooled || !isServerShutdown(error)) return false
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
async function rollBack({ channel, release }: Session, cause: unknown): Promise<boolean> {
  try {
    await channel.command('rollback')
    release(hasStaleStatements(cause) || isReadOnly(cause) || isCancelled(cause))
    return true
  } catch (error) {
    release(error instanceof Error ? error : true)
    return false
  }
}
