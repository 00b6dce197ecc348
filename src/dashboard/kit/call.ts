import type { z } from 'zod'
import type { EndpointId, Endpoints } from '../../../registry/index.ts'
import type { Caller } from '../../http/pipeline/caller.ts'
import type { Operation } from '../../http/pipeline/operation.ts'
import { answerInternal } from '../../http/pipeline/pipeline.ts'
import { Refusal } from '../../http/pipeline/refusal.ts'
import type { Service } from '../../http/pipeline/request.ts'
import type { RequestHead } from '../../http/pipeline/request-head.ts'

/**
 * Pages read and change records through the operations of the API, with the member as the caller. Validation, rules,
 * scopes, errors and audit entries are therefore the same as for a request with a token.
 */

export type ReplyOf<Id extends EndpointId> = Endpoints[Id] extends { reply: { body: infer Body extends z.ZodType } }
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
     * The version that the record must still have when the operation changes it. If left out, the operation changes any
     * version.
     */
    readonly version?: number | undefined
    readonly idempotencyKey?: string
    /** Whether the call is a dry run: the whole operation runs and is then rolled back. */
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
  readonly head: RequestHead
}

/** Returns the function that calls API operations for a member. */
export function createCall(
  service: Service,
  operations: ReadonlyMap<string, Operation>,
  { caller, requestId, head }: Sender,
): Call {
  return async (id, input) => {
    const operation = operations.get(id)
    if (operation === undefined) throw new Error(`There is no operation ${id}.`)
    const { params = {}, query = {}, body }: AnyInput = input
    const values = Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]))
    const request = { caller, requestId, head: headOf(head, input), params, query: Object.fromEntries(values), body }
    try {
      const { body: text } = await answerInternal(service, operation, request)
      return { is: 'answered', reply: replyOf(text.toString()) }
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      // A form that is shown again gets a new idempotency key. After an unknown outcome, a second submission could
      // therefore repeat the effect.
      if (error.isOutcomeUnknown) throw outcomeUnknown()
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

/**
 * Returns the headers of the API request that a page makes. Of the browser's headers, only the host and the user agent
 * are passed on.
 */
function headOf({ headers, socket }: RequestHead, { version, idempotencyKey, isDryRun }: AnyInput): RequestHead {
  return {
    socket,
    rawHeaders: [],
    headers: {
      ...(headers.host === undefined ? {} : { host: headers.host }),
      ...(headers['user-agent'] === undefined ? {} : { 'user-agent': headers['user-agent'] }),
      ...(version === undefined ? {} : { 'if-match': `"v${version}"` }),
      ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
      ...(isDryRun === true ? { 'service-dry-run': 'true' } : {}),
    },
  }
}

/**
 * Parses the response of an API operation and gives it the operation's type. The response was serialized with the same
 * schema.
 */
function replyOf<Id extends EndpointId>(text: string): ReplyOf<Id> {
  return JSON.parse(text) as ReplyOf<Id>
}
