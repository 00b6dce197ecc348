import { once } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import type { Database } from '../store/core/database.ts'
import {
  type LogPoint,
  listNewRequests,
  type RequestFilter,
  type RequestRow,
  readLogPoint,
} from '../store/requests/request-list.ts'
import { json } from './kit/output.ts'
import { untilSignal } from './kit/until-signal.ts'

/** Poll interval. A request is stored up to a second after its response, so faster polls would show little more. */
const pollMs = 1_000

/** Number of requests in one page. A page of this size has a few hundred kilobytes. */
const pageSize = 1_000

/** Prints each API request that is stored from now on exactly once, oldest first, until the user ends the command. */
export async function followRequests(
  database: Database,
  filter: RequestFilter,
  { wantsJson }: { readonly wantsJson: boolean },
): Promise<undefined> {
  const stopping = untilSignal()
  let after = await readLogPoint(database)
  // The message for the user goes to standard error, because standard output is for the requests.
  process.stderr.write('Waiting for new requests. Stop with Ctrl-C.\n')
  while (!stopping.aborted) {
    try {
      await wait(pollMs, undefined, { signal: stopping })
      const until = await readLogPoint(database)
      await printBetween(database, filter, { after, until, wantsJson, stopping })
      after = until
    } catch (error) {
      // The signal that ends the command also stops an embedded database server, so a running query fails. This failure
      // is ignored.
      if (!stopping.aborted) throw error
    }
  }
  return undefined
}

interface Printing {
  readonly after: LogPoint
  readonly until: LogPoint
  readonly wantsJson: boolean
  readonly stopping: AbortSignal
}

async function printBetween(
  database: Database,
  filter: RequestFilter,
  { after, until, wantsJson, stopping }: Printing,
): Promise<void> {
  for (let afterId: string | undefined; !stopping.aborted; ) {
    const rows = await listNewRequests(database, filter, { after, until, afterId, limit: pageSize })
    const lines = rows.map((row) => `${wantsJson ? json(row) : lineOf(row)}\n`).join('')
    // If a pager or another program reads the output slowly, the command waits for this program. The command does not
    // collect the lines in memory.
    if (!process.stdout.write(lines)) await once(process.stdout, 'drain', { signal: stopping })
    if (rows.length < pageSize) return
    afterId = rows.at(-1)?.id
  }
}

function lineOf({ occurredAt, id, operation, status, errorCode, durationMs, tokenId, sourceIp }: RequestRow): string {
  const result = errorCode === null ? [String(status)] : [String(status), errorCode]
  return [occurredAt, id, operation, ...result, `${durationMs} ms`, tokenId, sourceIp].join('  ')
}
