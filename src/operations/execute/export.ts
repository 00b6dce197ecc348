import { z } from 'zod'
import { csvWriterOf } from '../../../registry/kit/csv.ts'
import { type ExportFormat, exportFormatNames, exportFormats } from '../../../registry/kit/export-format.ts'
import { serializerOf } from '../../../registry/kit/serializer.ts'
import { exportBatchSize } from '../../../registry/values/limits.ts'
import type { Instant, Timestamp } from '../../../registry/values/vocabulary.ts'
import { toTimestamp } from '../../base/clock.ts'
import type { Position } from '../../store/core/page.ts'
import type { OperationContext, Reply, ValidCall } from './call.ts'
import { actorOf } from './caller.ts'
import { type ExportWriter, exportParts } from './export-parts.ts'
import type { Batch } from './implement.ts'
import type { Operation } from './operation.ts'
import { refuse } from './refusal.ts'
import { timeRangeOf } from './time-range.ts'

/** Runs an export operation, which returns all records that were created in a time range, newest first. */
export async function exportRecords(context: OperationContext, operation: Operation, call: ValidCall): Promise<Reply> {
  const { format, createdFrom: _from, createdTo: _to, ...filters } = Query.parse(call.query)
  const { createdFrom, createdTo } = timeRangeOf(
    call.query as { readonly createdFrom?: Instant; readonly createdTo?: Instant },
  )
  const now = toTimestamp(context.context.clock.nowMs())
  const range = { createdFrom: createdFrom ?? null, createdTo: createdTo ?? now }
  // The export starts at a position with the end time of the range and an empty id. An empty id sorts before all ids,
  // so the export contains only records created before that time.
  const start = { createdAt: range.createdTo, id: '' }
  const parts = await exportParts(context, {
    tenant: call.caller,
    actor: actorOf(call),
    requestId: call.requestId,
    onDisconnect: call.onDisconnect,
    isHead: call.isHead,
    name: { operation: operation.endpoint.id },
    selection: { format, ...range, ...filters },
    writer: writerOf(operation, format),
    read: (after = start) => readBatch(context, operation, call, { createdFrom, filters, after }),
  })
  const name = operation.endpoint.path.replace('/exports/', '')
  const { mediaType, extension } = exportFormats[format]
  return { is: 'stream', mediaType, fileName: `${name}-${now.slice(0, 10)}.${extension}`, parts }
}

const Query = z.looseObject({ format: z.enum(exportFormatNames) })

function writerOf({ endpoint: { item, isImported } }: Operation, format: ExportFormat): ExportWriter<unknown> {
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

interface BatchOptions {
  readonly createdFrom: Timestamp | undefined
  /** The query parameters that only this kind of export has, such as the ids of an export of orders. */
  readonly filters: Readonly<Record<string, unknown>>
  readonly after: Position
}

async function readBatch(
  { readDb }: OperationContext,
  { handle }: Operation,
  { caller }: ValidCall,
  { createdFrom, filters, after }: BatchOptions,
): Promise<Batch<object>> {
  const db = await readDb(caller.merchantId)
  // The result is cast, because the common type of all export handlers does not state the type of a handler's batches.
  return (await handle({
    caller,
    db,
    createdFrom,
    filters,
    page: { limit: exportBatchSize, after },
    refuse,
  })) as Batch<object>
}
