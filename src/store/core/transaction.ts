import pg from 'pg'
import { type BatchResult, StatementSkipped } from './batch.ts'
import { type Channel, openChannel } from './channel.ts'
import type { WriteTrx } from './database.ts'
import { faultOf, hasStaleStatements, isUnavailable } from './faults.ts'
import type { Statement } from './statement.ts'

export interface Transaction {
  readonly trx: WriteTrx
  /** From here on every write throws: what it wrote would be rolled back under an outcome that does not say so. */
  refuseWrites(): void
  /** Ends it and gives the connection back. Rejects with the first failure, of which the server kept nothing. */
  end(how: 'commit' | 'rollback', last: Promise<unknown>): Promise<void>
  /** Undoes it and tells the failure that came first: later ones only say that they were not run. */
  abandon(error: unknown): Promise<unknown>
}

/**
 * Opens a transaction in which statements that do not wait for one another travel together: `begin` and the guard with
 * the first statement, `commit` with the last. If a statement fails, the server skips what came with it, the commit
 * too, so sending ahead is safe.
 */
export function openTransaction(
  client: pg.PoolClient,
  guard?: ((trx: WriteTrx) => Promise<void>) | undefined,
): Transaction {
  const channel = openChannel(client)
  const queued: Promise<unknown>[] = []
  const begun = channel.command('begin')
  const gate: Promise<unknown> = guard === undefined ? begun : guard(trxOf(channel, begun, queued)).then(() => begun)
  gate.catch(() => undefined)
  const trx = trxOf(channel, gate, queued)
  let mayWrite = true
  const requireOpen = () => {
    if (!mayWrite) throw new Error('The transaction was aborted and writes no more.')
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
    end: (how, last) => end(client, channel, { how, gate, sent: [...queued, last] }),
    abandon: async (error) => {
      await rollback(client, channel, error)
      const failed = (await Promise.allSettled([gate, ...queued])).find((outcome) => outcome.status === 'rejected')
      return faultOf(failed?.reason ?? error)
    },
  }
}

/** Statements are sent at once; their results are given out when the gate has opened. */
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

/** Thrown when the connection broke behind a commit that was sent: the server may have made the change or not. */
export class OutcomeUnknown extends Error {}

interface Ending {
  readonly how: 'commit' | 'rollback'
  readonly gate: Promise<unknown>
  readonly sent: readonly Promise<unknown>[]
}

async function end(client: pg.PoolClient, channel: Channel, { how, gate, sent }: Ending): Promise<void> {
  let ended: Promise<BatchResult> | undefined
  try {
    // A commit must not be on its way before the guard has let the mutation through.
    await gate
    if (channel.unsent() !== undefined) throw channel.unsent()
    ended = channel.command(how)
    for (const promise of sent) await promise
    const { command } = await ended
    if (command !== how.toUpperCase()) throw new Error(`The server answered ${how} with ${command}.`)
  } catch (thrown) {
    const error = faultOf(thrown)
    await rollback(client, channel, error)
    const isUnknown =
      how === 'commit' && ended !== undefined && isUnavailable(error) && !(await wasSkipped(ended, error))
    throw isUnknown ? new OutcomeUnknown('The connection broke in a commit.', { cause: error }) : error
  }
  client.release()
}

/** Whether the server itself said that a statement before the commit failed; a broken connection says nothing. */
async function wasSkipped(ended: Promise<BatchResult>, error: unknown): Promise<boolean> {
  const reason = await ended.then(
    () => undefined,
    (failure: unknown) => failure,
  )
  return reason instanceof StatementSkipped && error instanceof pg.DatabaseError
}

/** A connection that cannot roll back, or whose prepared statements are stale, must not be used again. */
async function rollback(client: pg.PoolClient, channel: Channel, cause: unknown): Promise<void> {
  try {
    await channel.command('rollback')
    client.release(hasStaleStatements(cause))
  } catch (error) {
    client.release(error instanceof Error ? error : true)
  }
}
