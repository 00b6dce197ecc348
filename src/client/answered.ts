import { CommerceError, type ErrorBody } from './error.ts'
import type { Unchanged } from './unchanged.ts'

export type Result<Data> =
  | { readonly data: Data; readonly error?: never; readonly response?: Response }
  | { readonly data?: never; readonly error: ErrorBody; readonly response?: Response }

/** Each outcome by itself, so that it is the same to compilers that know `exactOptionalPropertyTypes` and to others. */
type RecordOf<Outcome> = Outcome extends { readonly data?: never; readonly error?: never }
  ? undefined
  : Outcome extends { readonly data: infer Data }
    ? NonNullable<Data>
    : never

/**
 * The record itself, where a refusal should be thrown: `answered(await commerce.GET('/orders/{id}', …))`. Nothing where
 * `If-None-Match` was sent, and what the caller has is still so.
 */
export function answered<Outcome extends Result<unknown> | Unchanged>(result: Outcome): RecordOf<Outcome>
export function answered({ data, error, response }: Result<unknown> | Unchanged): unknown {
  if (error !== undefined) throw new CommerceError(error, response?.headers.get('Idempotency-Key') ?? undefined)
  return data
}
