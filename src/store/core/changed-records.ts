import { awaitedLater } from './channel.ts'
import type { WriteTrx } from './database.ts'

/**
 * The ids of the records that a mutation changes, from the arguments and results of its locks and writes. They are
 * collected here, so that the audit row of every mutation lists all of them.
 */
export interface ChangedRecords {
  readonly ids: Set<string>
  /**
   * The transaction of the mutation. When a statement of the transaction locks or writes records, their ids are added
   * to `ids`.
   */
  readonly trx: WriteTrx
  /**
   * Waits until the queued writes have returned their rows and the ids in these rows are collected. Rejects if one of
   * these writes failed. If the caller has already awaited a later statement, the writes have ended too, so the wait
   * takes no additional round trip.
   */
  settled(): Promise<unknown>
}

/** Format of a record id: a prefix of three letters, and 26 characters. */
const idPattern = /^([a-z]{3})_[0-9a-hjkmnp-tv-z]{26}$/

/**
 * Prefixes of ids that an audit row does not list as changed records: events, deliveries, notifications, callbacks and
 * audit rows; the request, session, form or worker that made the change; and the merchant, to which the whole log
 * belongs.
 */
const besides: ReadonlySet<string> = new Set([
  'evt',
  'dlv',
  'ntf',
  'clb',
  'ccb',
  'aud',
  'req',
  'ses',
  'frm',
  'wrk',
  'mer',
])

const idLength = 30

function collect(values: object, ids: Set<string>): void {
  for (const value of Object.values(values).flat()) {
    if (typeof value !== 'string' || value.length !== idLength) continue
    const [, prefix] = idPattern.exec(value) ?? []
    if (prefix !== undefined && !besides.has(prefix)) ids.add(value)
  }
}

export function recordChanges(trx: WriteTrx): ChangedRecords {
  const ids = new Set<string>()
  const writes: Promise<unknown>[] = []
  const noting = async <Row>(args: unknown, rows: Promise<readonly Row[]>): Promise<readonly Row[]> => {
    collect(Object(args), ids)
    const found = await rows
    for (const row of found) collect(Object(row), ids)
    return found
  }
  return {
    ids,
    trx: {
      read: trx.read,
      search: trx.search,
      lock: (statement, args) => noting(args, trx.lock(statement, args)),
      write: (statement, args) => noting(args, trx.write(statement, args)),
      queue: (statement, args) => {
        if (statement.effect === 'writes' && statement.returnsRows) {
          writes.push(awaitedLater(noting(args, trx.write(statement, args))))
          return
        }
        collect(Object(args), ids)
        trx.queue(statement, args)
      },
    },
    settled: () => Promise.all(writes),
  }
}
