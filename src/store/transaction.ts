import type pg from 'pg'
import { type Channel, openChannel } from './channel.ts'
import type { WriteTrx } from './database.ts'
import type { Statement } from './statement.ts'

export interface Transaction {
  readonly trx: WriteTrx
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
  let gate: Promise<unknown> = channel.command('begin')
  const execute = async <Args, Row>(statement: Statement<Args, Row>, args: Args): Promise<readonly Row[]> => {
    const result = channel.run(statement, args)
    result.catch(() => undefined)
    await gate
    return result
  }
  const trx: WriteTrx = {
    read: execute,
    write: execute,
    queue: (statement, args) => {
      const result = channel.run(statement, args)
      result.catch(() => undefined)
      queued.push(result)
    },
  }
  if (guard !== undefined) {
    const begun = gate
    gate = guard(trx).then(() => begun)
    gate.catch(() => undefined)
  }
  return {
    trx,
    end: (how, last) => end(client, channel, how, [gate, ...queued, last]),
    abandon: async (error) => {
      await rollback(client, channel)
      const failed = (await Promise.allSettled([gate, ...queued])).find((outcome) => outcome.status === 'rejected')
      return failed?.reason ?? error
    },
  }
}

async function end(
  client: pg.PoolClient,
  channel: Channel,
  how: 'commit' | 'rollback',
  sent: readonly Promise<unknown>[],
): Promise<void> {
  const ended = channel.command(how)
  try {
    for (const promise of sent) await promise
    const { command } = await ended
    if (command !== how.toUpperCase()) throw new Error(`The server answered ${how} with ${command}.`)
  } catch (error) {
    await rollback(client, channel)
    throw error
  }
  client.release()
}

/** A connection that cannot even roll back is broken and must not be used again. */
async function rollback(client: pg.PoolClient, channel: Channel): Promise<void> {
  try {
    await channel.command('rollback')
    client.release()
  } catch (error) {
    client.release(error instanceof Error ? error : true)
  }
}
