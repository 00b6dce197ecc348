import { exportAudits } from '../../../registry/kit/endpoint.ts'
import { exportsMax } from '../../../registry/values/limits.ts'
import { withinBounds } from '../../base/deadline.ts'
import type { Actor } from '../../store/core/audit.ts'
import { QueueRefused, type Release } from '../../store/core/keyed-queue.ts'
import { mutate, type Tenant } from '../../store/core/mutation.ts'
import type { Position } from '../../store/core/page.ts'
import type { Call, OperationContext } from './call.ts'
import { batchWaitMs } from './export-queues.ts'
import type { Batch } from './implement.ts'
import { Refusal } from './refusal.ts'
import { detachedBounds } from './request-limits.ts'

export interface ExportWriter<Item> {
  readonly start: string
  readonly textOf: (record: Item, isFirst: boolean) => string
  readonly end: string
}

export interface Exported<Item> {
  readonly tenant: Tenant
  readonly actor: Actor
  readonly requestId: string
  readonly onDisconnect: Call['onDisconnect']
  /** Whether the request has the method HEAD. A HEAD request reads no record and is not an export. */
  readonly isHead: boolean
  /**
   * The fields that name the exported operation or file. Both audit entries of the export, at its start and at its end,
   * contain these fields.
   */
  readonly name: Readonly<Record<string, string>>
  /** The selection of the records and the format of the export, as they are written into the first audit entry. */
  readonly selection: Readonly<Record<string, unknown>>
  readonly writer: ExportWriter<Item>
  /** Reads the records after a position, or the first records if the position is undefined. */
  readonly read: (after?: Position) => Promise<Batch<Item>>
}

/**
 * Returns the text of an export in parts, which the consumer must read to their end or end with `return`. An export is a
 * walk over records, one statement for each batch. Between the statements an export has neither a database connection
 * nor a transaction, so a slow client costs the database nothing. Each batch is read as of its own moment. No record
 * occurs twice, because the creation time of a record never changes, unless a test clock makes a step between two batches.
 *
 *   read a batch ─ audit "started" ─┬─ send the batch ──────┬─ … ─ audit "complete" or "aborted"
 *                                   └─ read the next batch ─┘
 *
 * Throws a Refusal if the maximum number of exports of the merchant is running.
 */
export async function exportParts<Item>(
  context: OperationContext,
  exported: Exported<Item>,
): Promise<AsyncIterableIterator<string>> {
  if (exported.isHead) return noParts()
  const place = await context.exports.places.enter(exported.tenant.merchantId).catch(rejectAbove)
  const walk = walkOf(context, exported, place)
  // The first batch is read before the response starts, so that a failure to read it can still be reported by an error
  // response.
  const first = await walk.next()
  return resumed(first, walk)
}

/** Returns no parts, because the response to a HEAD request has no body. */
async function* noParts(): AsyncGenerator<string, void, undefined> {}

/**
 * `Retry-After` in seconds of the response that rejects an export because too many exports of the merchant are running.
 * A retry usually succeeds, because most exports of a shop take only seconds.
 */
const retrySeconds = 10

function rejectAbove(error: unknown): never {
  if (!(error instanceof QueueRefused)) throw error
  const message = `${exportsMax} exports of this merchant are already running. Wait until one of them is complete.`
  throw new Refusal('rate_limited', message, {
    details: { policy: 'concurrency-export' },
    headers: { 'Retry-After': String(retrySeconds) },
    isOverLimit: true,
  })
}

/** Yields one text per batch. The first text may be empty. */
async function* walkOf<Item>(
  context: OperationContext,
  exported: Exported<Item>,
  place: Release,
): AsyncGenerator<string, void, undefined> {
  const { start, textOf, end } = exported.writer
  let records = 0
  let outcome: 'aborted' | 'complete' = 'aborted'
  let isStarted = false
  try {
    // The time limits of the request apply only to the first batch, not to the later batches.
    let reading = afterOthers(context, () => exported.read())
    let text = start
    while (true) {
      const batch = await reading
      // The next batch is read while this one is sent. If reading it fails, the error is thrown only when the next
      // batch is needed.
      if (batch.last !== undefined) {
        reading = waitAndRead(context, exported, batch.last)
        reading.catch(() => undefined)
      }
      if (!isStarted)
        await recordExport(context, exported, { status: [null, 'started'], ...created(exported.selection) })
      isStarted = true
      for (const record of batch.records) {
        text += textOf(record, records === 0)
        records += 1
      }
      yield batch.last === undefined ? text + end : text
      if (batch.last === undefined) break
      text = ''
    }
    outcome = 'complete'
  } finally {
    place()
    if (isStarted)
      await recordExport(context, exported, { status: ['started', outcome], records: [null, records] }).catch(
        (error: unknown) =>
          context.log.error(
            { err: error, requestId: exported.requestId, records },
            'The end of an export was not audited.',
          ),
      )
  }
}

/**
 * Reads a batch of an export after the first one. The batch may wait in the queue for longer than the time limit of a
 * request. The time limit applies only to the statement that reads the batch.
 */
function waitAndRead<Item>(
  context: OperationContext,
  { onDisconnect, read }: Exported<Item>,
  after: Position,
): Promise<Batch<Item>> {
  return withinBounds({ queuedMs: batchWaitMs, totalMs: batchWaitMs, onDisconnect }, () =>
    afterOthers(context, () => withinBounds({ ...context.requestLimits, onDisconnect }, () => read(after))),
  )
}

/** Waits until no other export of the process is reading a batch of records, then calls `run`, which reads a batch. */
async function afterOthers<Result>(
  { exports: { batches } }: OperationContext,
  run: () => Promise<Result>,
): Promise<Result> {
  const release = await batches.enter('exports')
  try {
    return await run()
  } finally {
    release()
  }
}

/**
 * An export adds one audit entry at its start and another at its end. One entry at the end would not suffice, because a
 * process that is killed during the export could not add it.
 */
function recordExport(
  { context, requestLimits }: OperationContext,
  { tenant, actor, requestId, name }: Omit<Exported<never>, 'read' | 'writer'>,
  changes: object,
): Promise<string> {
  const mutation = { tenant, actor, ...exportAudits, resourceId: () => requestId }
  return withinBounds(detachedBounds(requestLimits), () =>
    mutate(context, mutation, async (work) => {
      work.note({ ...created(name), ...changes })
      return requestId
    }),
  )
}

/** Returns the values as the audit log states the values of a new record: each with null as its previous value. */
function created(values: Readonly<Record<string, unknown>>): Readonly<Record<string, readonly [null, unknown]>> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, [null, value]]))
}

/**
 * Returns an iterator that yields the first result of a generator, which the caller has already read, and then the
 * remaining results. The caller must read the first result, because this starts the generator. Only a generator that
 * was started runs its cleanup when it is ended early.
 */
function resumed(
  first: IteratorResult<string, void>,
  rest: AsyncGenerator<string, void, undefined>,
): AsyncIterableIterator<string> {
  let read: IteratorResult<string, void> | undefined = first
  const parts: AsyncIterableIterator<string> = {
    next: async () => {
      const result = read ?? (await rest.next())
      read = undefined
      return result
    },
    return: () => rest.return(),
    [Symbol.asyncIterator]: () => parts,
  }
  return parts
}
