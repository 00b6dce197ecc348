import type { ErrorCode } from '../errors/index.ts'
import type { Endpoint } from './endpoint.ts'

/**
 * Returns the error codes of one operation: those that follow from its shape (read, list or write), then the codes that
 * it declares. The OpenAPI document, the reference and the tests use this list, so that an operation documents exactly
 * the errors it can return.
 */
export function refusalsOf(endpoint: Endpoint): readonly ErrorCode[] {
  const codes: ErrorCode[] = [
    ...transportRefusals,
    ...(endpoint.access === 'public' ? [] : authenticationRefusals),
    // An operation that declares no parameters rejects every query parameter as unknown.
    ...(endpoint.access === 'public' ? [] : (['unknown_parameter'] as const)),
    ...(endpoint.kind === 'list' ? (['invalid_cursor', 'cursor_expired', 'cursor_filter_mismatch'] as const) : []),
    // A write operation without a request body still rejects a body that cannot be parsed, instead of ignoring it.
    ...(endpoint.body !== undefined || endpoint.kind === 'write' ? bodyRefusals : []),
    ...(endpoint.kind === 'write' || (endpoint.params ?? endpoint.query ?? endpoint.body) !== undefined
      ? (['validation_failed'] as const)
      : []),
    ...(endpoint.idempotency === 'honoured' ? idempotencyRefusals : []),
    ...(endpoint.ifMatch === 'honoured' ? (['version_conflict'] as const) : []),
    ...(endpoint.refusals ?? []),
    ...(endpoint.kind === 'write' ? (['concurrent_update', 'outcome_unknown'] as const) : []),
    ...(endpoint.access === 'public' ? [] : (['rate_limited', 'internal_error', 'service_unavailable'] as const)),
  ]
  return [...new Set(codes)]
}

/** Errors of the HTTP request itself, which every operation can return. */
const transportRefusals = [
  'malformed_request',
  'request_timeout',
  'headers_too_large',
  'transfer_coding_unsupported',
  'http_version_unsupported',
] as const satisfies readonly ErrorCode[]

const authenticationRefusals = [
  'missing_token',
  'invalid_token',
  'token_expired',
  'token_revoked',
  'ip_not_allowed',
  'merchant_suspended',
  'insufficient_scope',
] as const satisfies readonly ErrorCode[]

const bodyRefusals = [
  'unsupported_media_type',
  'body_too_large',
  'invalid_json',
] as const satisfies readonly ErrorCode[]

const idempotencyRefusals = [
  'invalid_idempotency_key',
  'idempotency_conflict',
  'idempotency_in_progress',
] as const satisfies readonly ErrorCode[]
