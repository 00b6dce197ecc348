import type { z } from 'zod'
import type { ErrorCode } from '../../../registry/errors/index.ts'
import type { EndpointId, Endpoints } from '../../../registry/index.ts'
import { isSerialized } from '../../../registry/kit/serialized-record.ts'
import type { OperationContext, Reply } from '../../operations/execute/call.ts'
import type { Caller } from '../../operations/execute/caller.ts'
import { execute } from '../../operations/execute/execute.ts'
import type { Operation } from '../../operations/execute/operation.ts'
import { Refusal } from '../../operations/execute/refusal.ts'
import { textProblems } from '../../operations/execute/validate.ts'
import type { StoredResponse } from '../../store/core/idempotency.ts'
import type { Browser } from './browser.ts'

/**
 * Pages read and change records through the operations of the API, with the member as the caller. Validation, rules,
 * scopes, errors and audit entries are therefore the same as for a request with a token.
 */

type Stream = Extract<Reply, { is: 'stream' }>

export type ReplyOf<Id extends EndpointId> = Endpoints[Id] extends { kind: 'export' }
  ? Stream
  : Endpoints[Id] extends { reply: { body: infer Body extends z.ZodType } }
    ? z.output<Body>
    : never

type BodyOf<Id extends EndpointId> = Endpoints[Id] extends { body: { schema: infer Body extends z.ZodType } }
  ? { readonly body: z.input<Body> }
  : object

type ParamsOf<Id extends EndpointId> = Endpoints[Id] extends { params: z.ZodObject<infer Shape> }
  ? { readonly params: { readonly [Name in keyof Shape]: string } }
  : object

/** The query parameters of a list operation: those for pagination, and the filters. */
type FilterOf<Id extends EndpointId> = Endpoints[Id] extends { filters: infer Filters extends z.ZodObject }
  ? keyof z.input<Filters>
  : never

type QueryOf<Id extends EndpointId> = Endpoints[Id] extends { query: infer Query extends z.ZodObject }
  ? { readonly query?: { readonly [Name in keyof z.input<Query> | FilterOf<Id>]?: string | undefined } }
  : object

export type CallInput<Id extends EndpointId> = BodyOf<Id> &
  ParamsOf<Id> &
  QueryOf<Id> & {
    /**
     * The version that the record must still have when the operation changes it. If undefined, the operation changes
     * the record regardless of its version.
     */
    readonly version?: number | undefined
    readonly idempotencyKey?: string
    readonly isDryRun?: boolean
  }

/**
 * The outcome of an API operation that a page called. If the outcome is unknown, the call throws an error instead, so
 * that the member cannot submit the form again.
 */
export type Called<Id extends EndpointId> =
  | { readonly is: 'answered'; readonly reply: ReplyOf<Id> }
  | { readonly is: 'refused'; readonly refusal: Refusal }

export type Call = <Id extends EndpointId>(id: Id, input: CallInput<Id>) => Promise<Called<Id>>

interface Sender {
  readonly caller: Caller
  readonly requestId: string
  readonly browser: Browser
}

export function createCall(
  context: OperationContext,
  operations: ReadonlyMap<string, Operation>,
  { caller, requestId, browser }: Sender,
): Call {
  return async (id, input) => {
    const operation = operations.get(id)
    if (operation === undefined) throw new Error(`There is no operation ${id}.`)
    const { params = {}, query: given = {}, body, version, idempotencyKey, isDryRun = false }: AnyInput = input
    const { userAgent, origin, onDisconnect, isHead } = browser
    const query: Record<string, string> = Object.fromEntries(
      Object.entries(given).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
    )
    const problems = [...textProblems('query', query), ...textProblems('body', body)]
    try {
      const slot = context.admitMember(caller, operation.endpoint)
      const called = execute(context, operation, {
        ...{
          caller,
          requestId,
          userAgent,
          params,
          query,
          body,
          problems,
          isDryRun,
          isHead,
          onDisconnect,
          slot,
          spentMs: 0,
        },
        idempotencyKeys: idempotencyKey === undefined ? [] : [idempotencyKey],
        expectedVersion: version,
        isUnmodified: () => false,
        origin: () => origin,
      })
      return calledOf(operation, await called.finally(slot.leave))
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      // If the outcome is unknown, the form must not be shown again: it would get a new idempotency key, so a second
      // submission could repeat the effect.
      if (error.more.isOutcomeUnknown === true) throw outcomeUnknown()
      return { is: 'refused', refusal: error }
    }
  }
}

function outcomeUnknown(): Refusal {
  const message = 'The change may or may not be stored. Check the record before you submit the form again.'
  return new Refusal('outcome_unknown', message, { isOutcomeUnknown: true })
}

interface AnyInput {
  readonly params?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string | undefined>>
  readonly body?: unknown
  readonly version?: number | undefined
  readonly idempotencyKey?: string
  readonly isDryRun?: boolean
}

/** Parses events, which are stored as JSON text, and the stored response to a repeated idempotency key. */
function calledOf<Id extends EndpointId>({ endpoint, serialize }: Operation, reply: Reply): Called<Id> {
  if (reply.is === 'stream') return { is: 'answered', reply: reply as ReplyOf<Id> }
  if (reply.is === 'replayed') return replayedCall(reply.stored)
  const { item, reply: declared } = endpoint
  const record = isSerialized(item ?? declared.body) ? JSON.parse(serialize(reply.record)) : reply.record
  return { is: 'answered', reply: record as ReplyOf<Id> }
}

function replayedCall<Id extends EndpointId>({ status, body }: StoredResponse): Called<Id> {
  const stored: unknown = JSON.parse(body)
  if (status < badRequest) return { is: 'answered', reply: stored as ReplyOf<Id> }
  const { code, message, details } = (stored as { readonly error: StoredError }).error
  return { is: 'refused', refusal: new Refusal(code, message, { details }) }
}

/** Lowest HTTP status of an error response. */
const badRequest = 400

interface StoredError {
  readonly code: ErrorCode
  readonly message: string
  readonly details: object
}
