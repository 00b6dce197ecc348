import { z } from 'zod'
import type { ErrorCode } from '../errors/index.ts'
import type { AuditAction } from '../values/audit-actions.ts'
import type { Deprecation } from '../values/deprecation.ts'
import { type BodyLimits, bodyLimits, pageSize } from '../values/limits.ts'
import { impersonalText } from '../values/privacy.ts'
import type { RateClass } from '../values/rate-limits.ts'
import type { Access, Scope } from '../values/scopes.ts'
import { named, nullable } from '../values/vocabulary.ts'
import type { EventKind } from './event.ts'
import { exportParameters } from './export-format.ts'
import { pageParameters } from './query.ts'
import type { SerializedRecord } from './serialized-record.ts'

/**
 * The four shapes of an operation: read(), list(), exporting() and write(). A declaration is plain data, from which the
 * OpenAPI document, the reference, the router and the tests are derived.
 */

/** Root of every operation path. The version is part of the path (spec 9). */
export const apiRoot = '/api/v1'

export type PlaceholderOf<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | PlaceholderOf<Rest>
  : never

/** Requires `params` to describe exactly the placeholders of the path, and forbids `params` for a path without any. */
type ParamsFor<Path extends string> = [PlaceholderOf<Path>] extends [never]
  ? { readonly params?: never }
  : { readonly params: z.ZodObject<Record<PlaceholderOf<Path>, z.ZodType<string>>> }

interface Described {
  readonly id: string
  readonly path: string
  readonly tag: string
  readonly summary: string
  readonly description: string
  /**
   * Error codes of this operation, in addition to the codes that all operations of its shape (read, list or write)
   * have.
   */
  readonly refusals?: readonly ErrorCode[]
  /** Stability of the operation, such as beta. An operation without this field is stable (spec 9). */
  readonly stability?: 'beta'
  readonly deprecated?: Deprecation
  /** Rate limit class of the operation. By default, `read` for reads and lists, and `write` for writes. */
  readonly rateClass?: RateClass
  /** `high`: when the service is overloaded, it rejects requests of this operation last. */
  readonly priority?: 'high'
}

interface ReadDeclaration extends Described {
  readonly access: Access
  /** HTTP method. A read uses POST when its input is too large for a query; it still changes nothing. */
  readonly method?: 'GET' | 'POST'
  readonly query?: z.ZodObject
  readonly body?: Body
  /**
   * Time in seconds for which the caller may cache the response. Shared caches must not store the response, because it
   * is for one token only.
   */
  readonly cacheSeconds?: number
  readonly reply: { readonly body: z.ZodType; readonly meaning: string; readonly example: unknown }
  readonly stateMachine?: StateMachine
  /**
   * Response fields from which the ETag is computed, for responses that can change while the `version` of the record
   * stays the same.
   */
  readonly etagFields?: readonly string[]
}

/** The allowed transitions of a status field in the response. The OpenAPI document publishes these transitions. */
interface StateMachine {
  readonly field: string
  readonly transitions: Readonly<Record<string, readonly string[]>>
}

interface Body {
  readonly schema: z.ZodObject
  readonly example: unknown
  /** Defaults to `bodyLimits`. */
  readonly limits?: BodyLimits
}

interface ListDeclaration extends Described {
  readonly access: Scope
  readonly filters: z.ZodObject
  readonly item: z.ZodObject | (z.ZodType & SerializedRecord)
  /** Name that the OpenAPI document gives to the schema of one page of the list. */
  readonly pageName: string
  /**
   * Set if an advance of the test clock does not move the times of the records. A cursor issued before the advance then
   * still has the same position in the list.
   */
  readonly hasFixedTimes?: true
  readonly example: unknown
}

interface ExportDeclaration extends Described {
  readonly access: Scope
  /** Query parameters of this export, in addition to those that all exports have. */
  readonly filters?: z.ZodObject
  readonly item: z.ZodObject
  /** Name of the schema of a JSON export in the OpenAPI document. */
  readonly exportName: string
  /**
   * Whether an import can read the exported files. The spreadsheet format then contains lists as JSON, which the import
   * needs.
   */
  readonly isImported?: true
  readonly example: unknown
}

interface WriteDeclaration extends Described {
  readonly access: Scope
  readonly method?: 'POST' | 'PATCH' | 'DELETE'
  /** Request body; left out when the path contains the whole input. */
  readonly body?: Body
  /**
   * Schema of the response, which contains the record that the operation wrote. The `id` of the record is also the
   * resource id in the audit log.
   */
  readonly reply: {
    readonly status: 200 | 201
    readonly body: z.ZodObject<{ id: z.ZodType<string> } & z.core.$ZodLooseShape>
    readonly meaning: string
    readonly example: unknown
    /**
     * Further success statuses of the operation. Responses with these statuses have the same body schema as those with
     * `status`.
     */
    readonly further?: readonly FurtherStatus[]
    /**
     * Path of the created record or of its parent, for the `Location` header. Names in braces are fields of the
     * response.
     */
    readonly location?: `/${string}`
  }
  readonly emits: readonly EventKind[]
  /**
   * Whether `Idempotency-Key` is honoured. Only `POST /refunds` honours the header; other writes ignore it (spec 4.7).
   */
  readonly idempotency?: 'honoured'
  readonly ifMatch?: 'honoured'
  readonly audits: { readonly action: AuditAction; readonly resourceType: string }
  /**
   * Whether the operation calls a carrier or a payment provider. Such a call must not run inside a transaction, so the
   * operation commits its intent in one transaction, makes the call, and stores the outcome in another.
   */
  readonly callsPartners?: true
}

export interface FurtherStatus {
  readonly status: 200 | 202
  readonly meaning: string
}

export function read<const D extends ReadDeclaration>(declaration: D & ParamsFor<D['path']>) {
  const rateClass: RateClass = declaration.rateClass ?? 'read'
  return { ...declaration, kind: 'read' as const, method: declaration.method ?? ('GET' as const), rateClass }
}

export function list<const D extends ListDeclaration>(declaration: D & ParamsFor<D['path']>) {
  return {
    ...declaration,
    kind: 'list' as const,
    method: 'GET' as const,
    rateClass: declaration.rateClass ?? ('read' as const),
    query: z.strictObject({ ...declaration.filters.shape, ...pageParameters }),
    reply: {
      body: named(declaration.pageName, pageOf<D['item']>(declaration.item)),
      meaning: 'Page of a list of records, newest first.',
    },
  }
}

/** An operation that returns all records of a time range as a stream, in the format that the caller chooses. */
export function exporting<const D extends ExportDeclaration>(declaration: D & ParamsFor<D['path']>) {
  return {
    ...declaration,
    kind: 'export' as const,
    method: 'GET' as const,
    rateClass: declaration.rateClass ?? ('read' as const),
    query: z.strictObject({ ...exportParameters.shape, ...declaration.filters?.shape }),
    refusals: ['invalid_time_range'] as const,
    reply: {
      body: named(declaration.exportName, exportOf<D['item']>(declaration.item)),
      meaning: 'The records of the time range, newest first.',
      example: { data: [declaration.example] },
    },
    audits: exportAudits,
  }
}

export const exportAudits = { action: 'export.create', resourceType: 'export' } as const

/** Returns the schema of an export as one JSON document. The number of records is not limited. */
function exportOf<Item extends z.ZodObject>(item: Item) {
  return z.object({ data: z.array(item).meta({ description: 'Records of the time range, newest first.' }) })
}

export function write<const D extends WriteDeclaration>(declaration: D & ParamsFor<D['path']>) {
  const rateClass: RateClass = declaration.rateClass ?? 'write'
  return { ...declaration, kind: 'write' as const, method: declaration.method ?? ('POST' as const), rateClass }
}

/** The pagination object of every list response (spec 2). */
const Pagination = named(
  'Pagination',
  z
    .object({
      cursor: nullable(impersonalText()).meta({
        description: 'Opaque cursor with which to request the next page. Null on the last page.',
      }),
      limit: z
        .int()
        .min(1)
        .max(pageSize.max)
        .meta({ description: 'Maximum number of records on this page.', examples: [25] }),
      hasMore: z.boolean().meta({ description: 'Whether the list has further pages.', examples: [true] }),
    })
    .meta({ description: 'Cursor of the next page, and size of this page.' }),
)

/** Returns the schema of the list response envelope (spec 2). */
function pageOf<Item extends ListDeclaration['item']>(item: Item) {
  return z.object({
    data: z.array(item).max(pageSize.max).meta({ description: 'Records of this page, newest first.' }),
    pagination: Pagination,
  })
}

/** An operation of any shape (read, list or write), for code that iterates over all operations. */
export interface Endpoint extends Described {
  readonly kind: 'read' | 'list' | 'export' | 'write'
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  readonly access: Access
  readonly rateClass: RateClass
  readonly params?: z.ZodObject
  readonly query?: z.ZodObject
  readonly filters?: z.ZodObject
  readonly item?: z.ZodType
  readonly isImported?: true
  readonly pageName?: string
  readonly hasFixedTimes?: true
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
  readonly callsPartners?: true
  readonly stateMachine?: StateMachine
  readonly etagFields?: readonly string[]
  readonly emits?: readonly EventKind[]
  readonly idempotency?: 'honoured'
  readonly ifMatch?: 'honoured'
  readonly audits?: { readonly action: AuditAction; readonly resourceType: string }
}

export function bodyLimitsOf(endpoint: Endpoint): BodyLimits {
  return endpoint.body?.limits ?? bodyLimits
}

/** Reports whether the response is a record with a `version`, which is then part of its ETag. */
export function hasVersion(endpoint: Endpoint): boolean {
  const { body } = endpoint.reply
  return body instanceof z.ZodObject && 'version' in body.shape
}

/**
 * Reports whether the response has an ETag: a record with a version, or a public document that only a release changes.
 */
export function isTagged(endpoint: Endpoint): boolean {
  return endpoint.access === 'public' || hasVersion(endpoint)
}

/** Reports whether the operation can respond with 304 Not Modified to `If-None-Match`. */
export function mayBeUnmodified(endpoint: Endpoint): boolean {
  return endpoint.kind === 'read' && endpoint.method === 'GET' && isTagged(endpoint)
}

/** Only public operations allow shared caches. */
export function cacheControlOf(endpoint: Endpoint): string {
  if (endpoint.access === 'public') return 'public, no-cache'
  if (endpoint.cacheSeconds !== undefined) return `private, max-age=${endpoint.cacheSeconds}`
  return mayBeUnmodified(endpoint) ? 'private, no-cache' : 'no-store'
}

/** Reports whether a response with this status has a `Location` header: 201 (created) and 202 (still in progress). */
export function hasLocation(endpoint: Endpoint, status: number): boolean {
  return endpoint.reply.location !== undefined && (status === 201 || status === 202)
}
