import { z } from 'zod'
import { csvWriterOf } from '../../../registry/kit/csv.ts'
import { type ExportFormat, exportFormatNames, exportFormats } from '../../../registry/kit/export-format.ts'
import { serializerOf } from '../../../registry/kit/serializer.ts'
import { exportBatchSize, exportsMax } from '../../../registry/values/limits.ts'
import type { Instant, Timestamp } from '../../../registry/values/vocabulary.ts'
import { toTimestamp } from '../../base/clock.ts'
import { withinBounds } from '../../base/deadline.ts'
import { QueueRefused, type Release } from '../../store/core/keyed-queue.ts'
import { mutate } from '../../store/core/mutation.ts'
import type { Position } from '../../store/core/page.ts'
import type { OperationContext, Reply, ValidCall } from './call.ts'
import { actorOf } from './caller.ts'
import { batchWaitMs } from './export-queues.ts'
import type { Batch } from './implement.ts'
import type { Operation } from './operation.ts'
import { Refusal, refuse } from './refusal.ts'
import { detachedBounds } from './request-limits.ts'
import { timeRangeOf } from './time-range.ts'

/**
 * Runs an export: a walk over all records of a time range, newest first, one statement for each batch. Between the
 * statements an export has neither a database connection nor a transaction, so a slow client costs the database nothing.
 * Each batch is read as of its own moment. No record occurs twice, because the creation time of a record never changes.
 *
 *   read a batch ─ audit "started" ─┬─ send the batch ──────┬─ … ─ audit "complete" or "aborted"
 *                                   └─ read the next batch ─┘
 */
export async function exportRecords(context: OperationContext, operation: Operation, call: ValidCall): Promise<Reply> {
  const { format, createdFrom: _from, createdTo: _to, ...filters } = Query.parse(call.query)
  const range = timeRangeOf(call.query as { readonly createdFrom?: Instant; readonly createdTo?: Instant })
  const name = operation.endpoint.path.replace('/exports/', '')
  const reply = {
    is: 'stream' as const,
    mediaType: exportFormats[format].mediaType,
    fileName: `${name}-${toTimestamp(context.context.clock.nowMs()).slice(0, 10)}.${exportFormats[format].extension}`,
  }
  if (call.isHead) return { ...reply, parts: noParts() }
  const place = await context.exports.places.enter(call.caller.merchantId).catch(rejectAbove)
  const walk = walkOf(context, operation, { call, place, format, filters, ...range })
  // The first batch is read before the response starts, so that a failure is an error response.
  const first = await walk.next()
  return { ...reply, parts: resumed(first, walk) }
}

/** Returns the parts of the response to a HEAD request, which reads no record and is not an export. */
async function* noParts(): AsyncGenerator<string, void, undefined> {}

const Query = z.looseObject({ format: z.enum(exportFormatNames) })

/** `Retry-After` in seconds for too many exports. Most exports of a shop take seconds. */
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

interface Export {
  readonly call: ValidCall
  readonly place: Release
  readonly format: ExportFormat
  /** The query parameters that only this kind of export has, such as the ids of an export of orders. */
  readonly filters: Readonly<Record<string, unknown>>
  readonly createdFrom: Timestamp | undefined
  readonly createdTo: Timestamp | undefined
}

/** Yields the text of an export, batch by batch. The first text may be empty. */
async function* walkOf(
  context: OperationContext,
  operation: Operation,
  { call, place, format, filters, createdFrom, createdTo }: Export,
): AsyncGenerator<string, void, undefined> {
  const now = toTimestamp(context.context.clock.nowMs())
  const { start, textOf, end } = writerOf(operation, format)
  const range = { createdFrom: createdFrom ?? null, createdTo: createdTo ?? now }
  const audit = (status: readonly [string | null, string], more: object) =>
    recordExport(context, operation, call, { status, ...more })
  let records = 0
  let outcome: 'aborted' | 'complete' = 'aborted'
  let isStarted = false
  try {
    const { requestLimits } = context
    const { onDisconnect } = call
    const readAfter = (after: Position) => readBatch(context, operation, call, { createdFrom, filters, after })
    // The batches after the first one may wait in the queue for longer than a request. The statement of each batch
    // still has the time limit of a request.
    const waitAndRead = (after: Position) =>
      withinBounds({ queuedMs: batchWaitMs, totalMs: batchWaitMs, onDisconnect }, () =>
        afterOthers(context, () => withinBounds({ ...requestLimits, onDisconnect }, () => readAfter(after))),
      )
    // The first batch is read within the time limits of the request. Its start position has an empty id, which sorts
    // before all ids, so that the export contains only records created before the end of the range.
    let reading = afterOthers(context, () => readAfter({ createdAt: range.createdTo, id: '' }))
    let text = start
    while (true) {
      const batch = await reading
      // The next batch is read while this one is sent. If reading it fails, the error is thrown only when the next
      // batch is needed.
      if (batch.last !== undefined) {
        reading = waitAndRead(batch.last)
        reading.catch(() => undefined)
      }
      if (!isStarted)
        await audit([null, 'started'], {
          format: [null, format],
          createdFrom: [null, range.createdFrom],
          createdTo: [null, range.createdTo],
          ...Object.fromEntries(Object.entries(filters).map(([name, value]) => [name, [null, value]])),
        })
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
      await audit(['started', outcome], { records: [null, records] }).catch((error: unknown) =>
        context.log.error({ err: error, requestId: call.requestId, records }, 'The end of an export was not audited.'),
      )
  }
}

interface Writer {
  readonly start: string
  readonly textOf: (record: unknown, isFirst: boolean) => string
  readonly end: string
}

function writerOf({ endpoint: { item, isImported } }: Operation, format: ExportFormat): Writer {
  if (item === undefined) throw new Error('An export declares its records.')
  if (format === 'csv' || format === 'spreadsheet') {
    const isJson = isImported === true && format === 'spreadsheet'
    const { header, line } = csvWriterOf(item, isJson ? 'importable_spreadsheet' : format)
    return { start: header, textOf: line, end: '' }
  }
  const serialize = serializerOf(item)
  if (format === 'ndjson') return { start: '', textOf: (record) => `${serialize(record)}\n`, end: '' }
  return {
    start: '{"data":[',
    textOf: (record, isFirst) => (isFirst ? serialize(record) : `,${serialize(record)}`),
    end: ']}',
  }
}

/** Reads a batch of records once no other export of the process is reading a batch. */
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

async function readBatch(
  { readDb }: OperationContext,
  { handle }: Operation,
  { caller }: ValidCall,
  { createdFrom, filters, after }: Pick<Export, 'createdFrom' | 'filters'> & { readonly after: Position },
): Promise<Batch<object>> {
  const db = await readDb(caller.merchantId)
  // The type of the batches is lost when the specific types of the handlers are removed, so the result is cast.
  return (await handle({
    caller,
    db,
    createdFrom,
    filters,
    page: { limit: exportBatchSize, after },
    refuse,
  })) as Batch<object>
}

/**
 * Adds an entry to the audit log. An export adds two entries, at its start and at its end, because a process that is
 * killed during the export can no longer add the second one.
 */
function recordExport(
  { context, requestLimits }: OperationContext,
  { endpoint }: Operation,
  call: ValidCall,
  changes: object,
): Promise<string> {
  const { action = '', resourceType = '' } = endpoint.audits ?? {}
  const { requestId } = call
  const mutation = { tenant: call.caller, actor: actorOf(call), action, resourceType, resourceId: () => requestId }
  return withinBounds(detachedBounds(requestLimits), () =>
    mutate(context, mutation, async (work) => {
      work.note({ operation: [null, endpoint.id], ...changes })
      return requestId
    }),
  )
}

/**
 * Returns a generator of which one result was already read, with this result in front. The caller reads the first
 * result to start the generator, because only a started generator can clean up.
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
