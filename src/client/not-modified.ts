import type { Client, ClientPathsWithMethod, FetchResponse, MaybeOptionalInit } from 'openapi-fetch'
import type { paths } from '../../generated/api.d.ts'

/** The outcome of a 304 response: neither a record nor an error, because the caller's copy of the record is current. */
export interface NotModified {
  readonly data?: never
  readonly error?: never
  readonly response: Response
}

type ReadPath = ClientPathsWithMethod<Client<paths>, 'get'>

/** `GET` of openapi-fetch with an additional outcome: a 304 response to `If-None-Match`. */
export type Get = <Path extends ReadPath, Init extends MaybeOptionalInit<paths[Path], 'get'>>(
  path: Path,
  ...init: Record<never, never> extends Init ? [(Init & Extra)?] : [Init & Extra]
) => Promise<FetchResponse<paths[Path]['get'], Init, 'application/json'> | NotModifiedFor<paths[Path]['get'], Init>>

/** The options of `fetch`, which openapi-fetch accepts in addition to its own options. */
interface Extra {
  readonly [name: string]: unknown
}

type NotModifiedFor<Operation, Init> = Operation extends { responses: { 304: unknown } }
  ? MaySendCondition<Init> extends true
    ? NotModified
    : never
  : never

/**
 * Whether a request may contain `If-None-Match`, and can therefore get a 304 response. Request `headers` have no type,
 * so they may contain it.
 */
type MaySendCondition<Init> = Init extends { headers: unknown }
  ? true
  : Init extends { params: { header?: infer Header } }
    ? 'If-None-Match' extends NameIn<Header>
      ? true
      : false
    : false

/**
 * Names of the fields of a type; for a union, of all its members. It is a conditional type, because only conditional
 * types distribute over the members of a union.
 */
type NameIn<Record> = Record extends unknown ? keyof Record : never

/**
 * Returns the same `GET` function with a type that includes the 304 outcome. The cast is needed, because the compiler
 * cannot compare the two types for all paths at once.
 */
export function withNotModified(get: Client<paths>['GET']): Get {
  return get as unknown as Get
}
