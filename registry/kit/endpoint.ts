import { z } from 'zod'
import type { ErrorCode } from '../errors/index.ts'
import type { Deprecation } from '../values/deprecation.ts'
import { type BodyLimits, bodyLimits, pageSize } from '../values/limits.ts'
import { impersonalText } from '../values/privacy.ts'
import type { Access, Scope } from '../values/scopes.ts'
import { named, nullable } from '../values/vocabulary.ts'
import type { EventKind } from './event.ts'
import type { SerializedRecord } from './serialized-record.ts'

/**
 * The three shapes an operation can have: read(), list() and write(). They are plain data; everything a client
 * or the service needs to know of an operation is derived from them.
 */

/** Spec 9: the version is part of the path. Every path of an operation is relative to this. */
export const apiRoot = '/api/v1'

/** The names between braces in a path. */
type PlaceholderOf<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | PlaceholderOf<Rest>
  : never

/** A path with placeholders must describe exactly those; a path without must not have params. */
type ParamsFor<Path extends string> = [PlaceholderOf<Path>] extends [never]
  ? { readonly params?: never }
  : { readonly params: z.ZodObject<Record<PlaceholderOf<Path>, z.ZodType<string>>> }

interface Described {
  readonly id: string
  readonly path: string
  readonly tag: string
  readonly summary: string
  readonly description: string
  /** What can go wrong beyond what follows from the operation's shape. */
  readonly refusals?: readonly ErrorCode[]
  /** Spec 9: an operation can be marked beta. */
  readonly stability?: 'beta'
  readonly deprecated?: Deprecation
}

interface ReadDeclaration extends Described {
  readonly access: Access
  /** A question too long for a query is posted; it is a read all the same and changes nothing. */
  readonly method?: 'GET' | 'POST'
  readonly query?: z.ZodObject
  readonly body?: Body
  /** How long the caller may keep the answer; nothing is said where it is left out. Never for others: each has a token. */
  readonly cacheSeconds?: number
  readonly reply: { readonly body: z.ZodType; readonly meaning: string; readonly example: unknown }
  readonly stateMachine?: StateMachine
  /** The fields of the reply that make its ETag, where the version alone does not tell two states of it apart. */
  readonly taggedBy?: readonly string[]
}

/** The moves a field of the reply can make; the document publishes them. */
interface StateMachine {
  readonly field: string
  readonly transitions: Readonly<Record<string, readonly string[]>>
}

interface Body {
  readonly schema: z.ZodObject
  readonly example: unknown
  /** Where the schema allows more than the limits of most bodies. */
  readonly limits?: BodyLimits
}

interface ListDeclaration extends Described {
  readonly access: Scope
  readonly filters: z.ZodObject
  readonly item: z.ZodObject | (z.ZodType & SerializedRecord)
  /** The name of the page in the document. */
  readonly pageName: string
  readonly example: unknown
}

interface WriteDeclaration extends Described {
  readonly access: Scope
  readonly method?: 'POST' | 'PATCH' | 'DELETE'
  /** None where the path says it all. */
  readonly body?: Body
  /** A write answers with the record it wrote, whose `id` also names it in the audit log. */
  readonly reply: {
    readonly status: 200 | 201
    readonly body: z.ZodObject<{ id: z.ZodType<string> } & z.core.$ZodLooseShape>
    readonly meaning: string
    readonly example: unknown
    /** With what other statuses the same body is answered. */
    readonly further?: readonly FurtherStatus[]
    /** Where the record, or what it belongs to, can be read; braces name fields of the reply. */
    readonly location?: `/${string}`
  }
  readonly emits: readonly EventKind[]
  /** Spec 4.7: ignored everywhere but on POST /refunds. */
  readonly idempotency?: 'honoured'
  /** Whether the caller can hold the write to the version of the record it has seen. */
  readonly ifMatch?: 'honoured'
  readonly audits: { readonly action: string; readonly resourceType: string }
  /**
   * Whether it speaks with companies outside. That must not happen in a transaction, so such an operation has several:
   * what is asked is written down before it is asked, and what came of it afterwards.
   */
  readonly asksPartners?: true
}

export interface FurtherStatus {
  readonly status: 200 | 202
  readonly meaning: string
}

export function read<const D extends ReadDeclaration>(declaration: D & ParamsFor<D['path']>) {
  return { ...declaration, kind: 'read' as const, method: declaration.method ?? ('GET' as const) }
}

export function list<const D extends ListDeclaration>(declaration: D & ParamsFor<D['path']>) {
  return {
    ...declaration,
    kind: 'list' as const,
    method: 'GET' as const,
    query: z.strictObject({ ...declaration.filters.shape, ...pageParameters }),
    reply: {
      body: named(declaration.pageName, pageOf<D['item']>(declaration.item)),
      meaning: 'One page, newest first.',
    },
  }
}

export function write<const D extends WriteDeclaration>(declaration: D & ParamsFor<D['path']>) {
  return { ...declaration, kind: 'write' as const, method: declaration.method ?? ('POST' as const) }
}

/** Spec 2: the pagination object in every list response. */
const Pagination = named(
  'Pagination',
  z
    .object({
      cursor: nullable(impersonalText()).meta({ description: 'Opaque token for the next page; null on the last one.' }),
      limit: z
        .int()
        .min(1)
        .max(pageSize.max)
        .meta({ description: 'Page size applied.', examples: [25] }),
      hasMore: z.boolean().meta({ description: 'True while further pages exist.', examples: [true] }),
    })
    .meta({ description: 'Where this page is in the list.' }),
)

/** Spec 2: the list envelope. */
function pageOf<Item extends ListDeclaration['item']>(item: Item) {
  return z.object({
    data: z.array(item).max(pageSize.max).meta({ description: 'The records of this page, newest first.' }),
    pagination: Pagination,
  })
}

/** Spec 8: `limit` is 1 to 100, 25 when left out. Anything else is refused rather than corrected. */
export const pageParameters = {
  // The generator leaves out the default of a schema whose type was said by hand, so it is said by hand too.
  limit: queryInteger({ min: 1, max: pageSize.max, description: 'Records per page.', example: 25 })
    .default(pageSize.default)
    .meta({ default: pageSize.default }),
  cursor: impersonalText()
    .min(1)
    .max(4096)
    .optional()
    .meta({ description: '`pagination.cursor` of the previous page. Do not build or change one.' }),
}

/**
 * A whole number in a query. `z.coerce.number()` would also take `0x10`, `1e1`, `+5` and `" 25 "`, so the digits are
 * checked first; the document says integer all the same.
 */
export function queryInteger(bounds: { min: number; max: number; description: string; example: number }) {
  return impersonalText()
    .regex(/^(0|[1-9]\d{0,15})$/, { error: 'Must be a whole number in plain digits.' })
    .transform(Number)
    .pipe(z.int().min(bounds.min).max(bounds.max))
    .meta({
      type: 'integer',
      minimum: bounds.min,
      maximum: bounds.max,
      description: bounds.description,
      examples: [bounds.example],
    })
}

/** Yes or no in a query, spelt out: any other word may have been meant either way. */
export function queryBoolean(description: string) {
  return z
    .enum(['true', 'false'])
    .transform((text) => text === 'true')
    .pipe(z.boolean())
    .meta({ type: 'boolean', description, examples: [true] })
}

/** Several values of one enum, separated by commas or each in a parameter of its own. */
export function queryChoices<const Values extends readonly [string, ...string[]]>(values: Values, description: string) {
  return (
    impersonalText()
      .transform((text) => text.split(','))
      // More would only repeat, and a cursor, which carries the filters, has to fit into a URL.
      .pipe(z.array(z.enum(values)).min(1).max(values.length))
      .meta({
        type: 'array',
        minItems: 1,
        maxItems: values.length,
        items: { type: 'string', enum: [...values] },
        param: { style: 'form', explode: false },
        description,
        examples: [[values[0]]],
      })
  )
}

/** Whether a parameter of the query takes several values. */
export function isListParameter({ query }: Endpoint, name: string): boolean {
  const schema = query?.shape[name]
  const inner = schema instanceof z.ZodOptional ? schema.unwrap() : schema
  return inner instanceof z.ZodType && inner.meta()?.type === 'array'
}

/** What all three have in common, for whoever loops over the registry. */
export interface Endpoint extends Described {
  readonly kind: 'read' | 'list' | 'write'
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  readonly access: Access
  readonly params?: z.ZodObject
  readonly query?: z.ZodObject
  readonly filters?: z.ZodObject
  readonly item?: z.ZodType
  readonly pageName?: string
  readonly example?: unknown
  readonly body?: Body
  readonly reply: {
    readonly status?: 200 | 201
    readonly body: z.ZodType
    readonly meaning: string
    readonly example?: unknown
    readonly further?: readonly FurtherStatus[]
    readonly location?: `/${string}`
  }
  readonly cacheSeconds?: number
  readonly asksPartners?: true
  readonly stateMachine?: StateMachine
  readonly taggedBy?: readonly string[]
  readonly emits?: readonly EventKind[]
  readonly idempotency?: 'honoured'
  readonly ifMatch?: 'honoured'
  readonly audits?: { readonly action: string; readonly resourceType: string }
}

/** What a body of the operation may amount to. */
export function bodyLimitsOf(endpoint: Endpoint): BodyLimits {
  return endpoint.body?.limits ?? bodyLimits
}

/** Whether an answer is one record with a version, which then travels as its ETag too. */
export function hasVersion(endpoint: Endpoint): boolean {
  const { body } = endpoint.reply
  return body instanceof z.ZodObject && 'version' in body.shape
}

/** Whether an answer has an ETag: a record with a version, and a document that only a release changes. */
export function isTagged(endpoint: Endpoint): boolean {
  return endpoint.access === 'public' || hasVersion(endpoint)
}

/** Whether a reader that sends the ETag it has can be spared the same answer again. */
export function mayBeUnmodified(endpoint: Endpoint): boolean {
  return endpoint.kind === 'read' && endpoint.method === 'GET' && isTagged(endpoint)
}

/** How long an answer of success may be kept, and by whom. Only what is open to everybody may be kept for others. */
export function cacheControlOf(endpoint: Endpoint): string {
  if (endpoint.access === 'public') return 'public, no-cache'
  if (endpoint.cacheSeconds !== undefined) return `private, max-age=${endpoint.cacheSeconds}`
  return mayBeUnmodified(endpoint) ? 'private, no-cache' : 'no-store'
}

/** Whether an answer with this status says where its record is: one that was made, and one that is still being made. */
export function hasLocation(endpoint: Endpoint, status: number): boolean {
  return endpoint.reply.location !== undefined && (status === 201 || status === 202)
}
