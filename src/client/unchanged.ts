import type { Client, ClientPathsWithMethod, FetchResponse, MaybeOptionalInit } from 'openapi-fetch'
import type { paths } from '../../generated/api.d.ts'

/** A 304: neither a record nor a refusal, because what the caller has is still so. */
export interface Unchanged {
  readonly data?: never
  readonly error?: never
  readonly response: Response
}

type ReadPath = ClientPathsWithMethod<Client<paths>, 'get'>

/** `GET` of openapi-fetch, which does not know that a read can be answered 304 where it is asked with `If-None-Match`. */
export type Get = <Path extends ReadPath, Init extends MaybeOptionalInit<paths[Path], 'get'>>(
  path: Path,
  ...init: Record<never, never> extends Init ? [(Init & Extra)?] : [Init & Extra]
) => Promise<FetchResponse<paths[Path]['get'], Init, 'application/json'> | UnchangedFor<paths[Path]['get'], Init>>

/** What openapi-fetch takes beside its own options. */
interface Extra {
  readonly [name: string]: unknown
}

type UnchangedFor<Operation, Init> = Operation extends { responses: { 304: unknown } }
  ? MayAsk<Init> extends true
    ? Unchanged
    : never
  : never

/** Headers that are given by themselves may hold the condition too. */
type MayAsk<Init> = Init extends { headers: unknown }
  ? true
  : Init extends { params: { header?: infer Header } }
    ? 'If-None-Match' extends NameIn<Header>
      ? true
      : false
    : false

/** Of each of several, too. */
type NameIn<Record> = Record extends unknown ? keyof Record : never

/** The compiler cannot compare the two for all paths at once. They differ in the outcome alone that the types above add. */
export function knowingUnchanged(get: Client<paths>['GET']): Get {
  return get as unknown as Get
}
