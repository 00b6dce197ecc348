import type { WriteTrx } from './database.ts'

/**
 * The ids of the records that a mutation changes, from the arguments and results of its locks and writes. They are
 * collected here, so that the audit row of every mutation lists all of them.
 */
export interface ChangedRecords {
  add(id: string): void
  /** Makes settled() wait for a queued write whose rows name changed records. */
  waitFor(write: Promise<unknown>): void
  /**
   * Waits until the ids in the rows of all queued writes are collected. Rejects if one of these writes failed. The wait
   * is an additional round trip only if no statement after such a write was awaited.
   */
  settled(): Promise<void>
  /** The ids of all records that the mutation changed, sorted. */
  all(): readonly string[]
}

export function openChangedRecords(): ChangedRecords {
  const ids = new Set<string>()
  const writes: Promise<unknown>[] = []
  return {
    add: (id) => ids.add(id),
    waitFor: (write) => {
      // The promise of a queued write is awaited by settled(). Until then, a rejection must not count as unhandled.
      write.catch(() => undefined)
      writes.push(write)
    },
    settled: async () => void (await Promise.all(writes)),
    all: () => [...ids].toSorted(),
  }
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

function collect(values: object, records: ChangedRecords): void {
  for (const value of Object.values(values)) {
    if (typeof value === 'string') collectText(value, records)
    else if (Array.isArray(value)) for (const each of value) if (typeof each === 'string') collectText(each, records)
  }
}

function collectText(text: string, records: ChangedRecords): void {
  if (text.length !== idLength) return
  const [, prefix] = idPattern.exec(text) ?? []
  if (prefix !== undefined && !besides.has(prefix)) records.add(text)
}

/** Returns a transaction that also adds the records of its locks and writes to `records`. */
export function recordChanges(trx: WriteTrx, records: ChangedRecords): WriteTrx {
  const noting = async <Row>(args: unknown, rows: Promise<readonly Row[]>): Promise<readonly Row[]> => {
    collect(Object(args), records)
    const found = await rows
    for (const row of found) collect(Object(row), records)
    return found
  }
  return {
    read: trx.read,
    lock: (statement, args) => noting(args, trx.lock(statement, args)),
    write: (statement, args) => noting(args, trx.write(statement, args)),
    queue: (statement, args) => {
      if (statement.effect === 'writes' && statement.returnsRows) {
        records.waitFor(noting(args, trx.write(statement, args)))
        return
      }
      collect(Object(args), records)
      trx.queue(statement, args)
    },
  }
}
