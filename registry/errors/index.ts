import type { z } from 'zod'
import type { ErrorDeclaration } from '../values/error.ts'
import { catalogue } from './error-catalogue.ts'

export type ErrorCode = keyof typeof catalogue

/** Type of the `details` field of an error body with the given error code. Undefined for most error codes. */
export type DetailsOf<Code extends ErrorCode> = (typeof catalogue)[Code] extends {
  details: infer Schema extends z.ZodType
}
  ? z.output<Schema>
  : undefined

export const errors: { readonly [Code in ErrorCode]: ErrorDeclaration } = catalogue

export const errorCodes = Object.keys(catalogue).filter(isErrorCode)

/**
 * Error codes that no operation documents: those of callbacks, and those of requests that reach no operation, such as
 * requests to an unknown route.
 */
export const transportCodes = [
  'route_not_found',
  'method_not_allowed',
  'invalid_signature',
] as const satisfies readonly ErrorCode[]

/** Codes of the entries in `errors` of a validation error. */
export const problemCodes = [
  'required',
  'invalid_type',
  'not_integer',
  'too_small',
  'too_big',
  'too_short',
  'too_long',
  'invalid_format',
  'invalid_enum_value',
  'invalid_text',
  'unknown_field',
  'unknown_parameter',
  'duplicate',
  'invalid_value',
] as const

export type ProblemCode = (typeof problemCodes)[number]

export function isErrorCode(value: string): value is ErrorCode {
  return Object.hasOwn(catalogue, value)
}
