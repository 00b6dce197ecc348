import { CommerceError, type ErrorBody } from './error.ts'

export type Result<Data> =
  | { readonly data: Data; readonly error?: never }
  | { readonly data?: never; readonly error: ErrorBody | undefined }

/** The record itself, where a refusal should be thrown: `answered(await commerce.GET('/orders/{id}', …))`. */
export function answered<Data>(result: Result<Data>): NonNullable<Data> {
  const { data } = result
  // Every answer is an object. Without `exactOptionalPropertyTypes` the compiler counts the refusal's missing one among them.
  if (data !== undefined && data !== null) return data
  // What is no error of the API, such as a page of a proxy in between, has no body of one.
  if (!isErrorBody(result.error)) throw new Error('Something other than the API answered.', { cause: result.error })
  throw new CommerceError(result.error)
}

function isErrorBody(body: unknown): body is ErrorBody {
  if (typeof body !== 'object' || body === null || !('error' in body)) return false
  const { error } = body
  return typeof error === 'object' && error !== null && 'code' in error && typeof error.code === 'string'
}
