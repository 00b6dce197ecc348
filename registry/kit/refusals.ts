import type { ErrorCode } from '../errors/index.ts'
import type { Endpoint } from './endpoint.ts'

/**
 * The codes one operation can answer with: those that follow from its shape, then those it declares. The document,
 * the reference and the tests take them from here, so that no operation promises an error it cannot give.
 */
export function refusalsOf(endpoint: Endpoint): readonly ErrorCode[] {
  const codes: ErrorCode[] = [
    ...transportRefusals,
    ...(endpoint.access === 'public' ? [] : authenticationRefusals),
    // Also where an operation takes no parameter: any that is sent is then unknown.
    ...(endpoint.access === 'public' ? [] : (['unknown_parameter'] as const)),
    ...(endpoint.kind === 'list' ? (['invalid_cursor', 'cursor_expired', 'cursor_filter_mismatch'] as const) : []),
    // Also where a write takes no body: one that is sent all the same may have been meant for something.
    ...(endpoint.body !== undefined || endpoint.kind === 'write' ? bodyRefusals : []),
    ...(endpoint.kind === 'write' || (endpoint.params ?? endpoint.query ?? endpoint.body) !== undefined
      ? (['validation_failed'] as const)
      : []),
    ...(endpoint.idempotency === 'honoured' ? idempotencyRefusals : []),
    ...(endpoint.ifMatch === 'honoured' ? (['version_conflict'] as const) : []),
    ...(endpoint.refusals ?? []),
    ...(endpoint.kind === 'write' ? (['concurrent_update', 'outcome_unknown'] as const) : []),
    ...(endpoint.access === 'public' ? [] : (['internal_error', 'service_unavailable'] as const)),
  ]
  return [...new Set(codes)]
}

/** What is wrong with a request as HTTP, whatever it asks for. */
const transportRefusals = [
  'malformed_request',
  'request_timeout',
  'headers_too_large',
  'transfer_coding_unsupported',
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
