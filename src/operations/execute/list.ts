import { z } from 'zod'
import type { Endpoint } from '../../../registry/kit/endpoint.ts'
import { toTimestamp } from '../../base/clock.ts'
import type { Position } from '../../store/core/page.ts'
import type { OperationContext, Reply, ValidCall } from './call.ts'
import type { Operation } from './operation.ts'
import { pageOf, startOf } from './page.ts'
import { refuse } from './refusal.ts'
import { validate } from './validate.ts'

export async function list(
  { context: { clock }, cursorKeys, readDb, logistics }: OperationContext,
  operation: Operation,
  call: ValidCall,
): Promise<Reply> {
  const { endpoint } = operation
  const { params, caller, queryValues } = call
  const { limit } = LimitOnly.parse(call.query)
  const nowMs = clock.nowMs()
  const paging = { keys: cursorKeys, list: listNameOf(endpoint, params), caller, nowMs }
  const start = startOf(paging, queryValues)
  const rows = await operation.handle({
    params,
    caller,
    now: toTimestamp(nowMs),
    db: await readDb(caller.merchantId),
    filters: filtersOf(endpoint, start.filters),
    page: { limit: limit + 1, after: start.after },
    carriers: logistics?.carriers,
    refuse,
  })
  if (!Array.isArray(rows)) throw new Error(`${endpoint.id} must return an array of records.`)
  const record = pageOf(paging, start, rows, limit, positionOf)
  return { is: 'record', status: 200, record, location: null, idempotencyKey: undefined }
}

const LimitOnly = z.object({ limit: z.number() })

/**
 * Returns the name of a list for its cursors. The name includes the parent record, so that a cursor is valid for the
 * list of one parent only.
 */
function listNameOf(endpoint: Endpoint, params: unknown): string {
  return params === undefined ? endpoint.id : `${endpoint.id} ${JSON.stringify(params)}`
}

/** Validates the filters of a list, also those of a cursor, because a newer release may restrict them. */
function filtersOf(endpoint: Endpoint, values: Readonly<Record<string, string>>): unknown {
  const [filters] = validate([{ root: 'query', schema: endpoint.filters, input: values }])
  return filters
}

/** Returns the position of a record in its list. All lists are sorted by creation time and id. */
function positionOf(record: Position): Position {
  return { createdAt: record.createdAt, id: record.id }
}
