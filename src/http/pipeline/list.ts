import { z } from 'zod'
import { cacheControlOf, type Endpoint } from '../../../registry/kit/endpoint.ts'
import { toTimestamp } from '../../base/clock.ts'
import type { Position } from '../../store/core/page.ts'
import type { Operation } from './operation.ts'
import { pageOf, startOf } from './page.ts'
import { refuse } from './refusal.ts'
import type { Answer, Service, ValidRequest } from './request.ts'
import { validate } from './validate.ts'

export async function answerList(service: Service, operation: Operation, request: ValidRequest): Promise<Answer> {
  const { endpoint } = operation
  const { params, caller, queryValues } = request
  const { limit } = LimitOnly.parse(request.query)
  const nowMs = service.context.clock.nowMs()
  const paging = { keys: service.cursorKeys, list: listNameOf(endpoint, params), caller, nowMs }
  const start = startOf(paging, queryValues)
  const rows = await operation.handle({
    params,
    caller,
    now: toTimestamp(nowMs),
    db: await service.readDb(caller.merchantId),
    filters: filtersOf(endpoint, start.filters),
    page: { limit: limit + 1, after: start.after },
    carriers: service.logistics?.carriers,
    refuse,
  })
  if (!Array.isArray(rows)) throw new Error(`${endpoint.id} must return an array of records.`)
  const body = operation.serialize(pageOf(paging, start, rows, limit, positionOf))
  return { status: 200, body, headers: { 'Cache-Control': cacheControlOf(endpoint) } }
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
