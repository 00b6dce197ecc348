import type { ErrorDeclaration } from '../values/error.ts'

/** What is the service’s own fault. */
export const serviceErrors = {
  internal_error: {
    status: 500,
    type: 'api_error',
    meaning: 'The service failed. Nothing was changed.',
    fix: 'Send the request again; if it keeps failing, report its `requestId`.',
    retryable: true,
  },
  outcome_unknown: {
    status: 503,
    type: 'api_error',
    meaning: 'The database went away in the very moment of keeping the change: it may or may not have been made.',
    fix: 'Look whether the record is there, by its `externalReference` or `reference`, before sending the request again.',
  },
  payment_provider_unavailable: {
    status: 503,
    type: 'api_error',
    meaning: 'The payment provider did not answer, or its answer could not be read. Nothing was recorded.',
    fix: 'Wait as long as `Retry-After` says and send the request again: a reference is recorded once.',
    retryable: true,
  },
  service_unavailable: {
    status: 503,
    type: 'api_error',
    meaning: 'The service cannot reach its database, has too much to do at once, or is shutting down.',
    fix: 'Wait as long as `Retry-After` says and send the request again.',
    retryable: true,
  },
} as const satisfies Record<string, ErrorDeclaration>
