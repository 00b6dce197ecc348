import { z } from 'zod'
import type { Endpoint } from '../../../registry/kit/endpoint.ts'
import { type RequestBounds, withinBounds } from '../../base/deadline.ts'
import { dispatchResponseMs } from '../../logistics/shipments/leases.ts'
import type { Call, OperationContext, Reply, ValidCall } from './call.ts'
import { authorize } from './caller.ts'
import { exportRecords } from './export.ts'
import { list } from './list.ts'
import type { Operation } from './operation.ts'
import { withOtherMode } from './other-mode.ts'
import { read } from './read.ts'
import type { RequestLimits } from './request-limits.ts'
import { validate } from './validate.ts'
import { write } from './write.ts'

/**
 * Runs an operation for an authenticated caller, and throws a Refusal if the call is rejected:
 *
 * authorize -> validate -> [write: begin -> idempotency -> handler -> audit + events -> commit] -> reply
 *
 * HTTP requests and the pages of the dashboard run operations through this function only.
 */
export async function execute(context: OperationContext, operation: Operation, call: Call): Promise<Reply> {
  const { endpoint } = operation
  if (endpoint.access === 'public')
    throw new Error(`The operation ${endpoint.id} is public, so it has no authenticated caller.`)
  authorize(call.caller, endpoint.access)
  const valid = validCall(endpoint, call, (id, input) =>
    execute(context, context.operationOf(id), { ...call, ...alone, ...input }),
  )
  try {
    return await withinBounds(boundsOf(context.requestLimits, endpoint, valid), () =>
      runners[endpoint.kind](context, operation, valid),
    )
  } catch (error) {
    throw await withOtherMode(context, valid, error)
  }
}

/**
 * Default values for those parts of a call, such as the query and the idempotency keys, that do not apply when one
 * operation runs another operation.
 */
const alone = {
  ...{ query: {}, problems: [], idempotencyKeys: [], expectedVersion: undefined },
  ...{ isDryRun: false, isHead: false, spentMs: 0 },
}

const runners = { read, list, export: exportRecords, write }

/** Schemas of an empty query and an empty body, for operations without query parameters or without body fields. */
const noQuery = z.strictObject({})
const noFields = z.strictObject({})

/** Validates all parts of a call together, so that the validation error lists every problem. */
function validCall(endpoint: Endpoint, call: Call, run: ValidCall['run']): ValidCall {
  const { params, query, body, problems, expectedVersion, ...sent } = call
  const bodySchema = body === undefined ? undefined : (endpoint.body?.schema ?? noFields)
  const [validParams, validQuery, validBody] = validate(
    [
      { root: 'path', schema: endpoint.params, input: params },
      { root: 'query', schema: endpoint.query ?? noQuery, input: query },
      { root: 'body', schema: bodySchema, input: body },
    ],
    problems,
  )
  // If the operation does not support If-Match, the header is ignored.
  const values = { ...sent, run, expectedVersion: endpoint.ifMatch === 'honoured' ? expectedVersion : undefined }
  return { ...values, params: validParams, query: validQuery, queryValues: query, body: validBody, rawBody: body }
}

/**
 * Returns the time limits of a valid call: the usual limits, which are for SQL statements, and additional time. For an
 * operation that sends requests to carriers or payment providers, the additional time is the time limit of a dispatch.
 * For a long poll, it is the time of its `wait` parameter.
 */
export function boundsOf(
  limits: RequestLimits,
  { callsPartners }: Pick<Endpoint, 'callsPartners'>,
  { onDisconnect, queryValues, spentMs }: Pick<ValidCall, 'onDisconnect' | 'queryValues' | 'spentMs'>,
): RequestBounds {
  const waitsMs = callsPartners === true ? dispatchResponseMs : Number(queryValues.wait ?? 0) * 1000
  const extraMs = waitsMs - spentMs
  return { queuedMs: limits.queuedMs + extraMs, totalMs: limits.totalMs + extraMs, onDisconnect }
}
