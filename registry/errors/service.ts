import { z } from 'zod'
import type { ErrorDeclaration } from '../values/error.ts'

/** Errors that the service causes, not the request. */
export const serviceErrors = {
  internal_error: {
    status: 500,
    type: 'api_error',
    meaning:
      'The service failed because of an unexpected error. The request changed nothing, unless its operation calls a carrier. Such an operation is safe to repeat.',
    fix: 'Retry the request. If it fails again, report the `requestId`.',
    retryable: true,
  },
  outcome_unknown: {
    status: 503,
    type: 'api_error',
    meaning:
      'The database connection was lost during the commit, or the process ended before it responded, so the change may or may not be stored.',
    fix: 'Check whether the record exists, by its `externalReference` or `reference`, before you retry the request.',
  },
  payment_provider_unavailable: {
    status: 503,
    type: 'api_error',
    meaning: 'The payment provider did not respond, or its response was invalid. Nothing was recorded.',
    fix: 'Retry the request after the seconds in `Retry-After`. Repeating is safe: a payment is recorded only once for each reference, and a payment link gets a new reference.',
    retryable: true,
  },
  rate_limited: {
    status: 429,
    type: 'rate_limit_error',
    meaning:
      'Too many requests were sent with this token, for the merchant of the token, or from this source address. This request was rejected and changed nothing.',
    fix: 'Wait for the number of seconds in `Retry-After`, then send the same request again.',
    retryable: true,
    details: z.object({
      policy: z.string().meta({
        description: 'Name of the exceeded rate limit policy, as in the header `RateLimit-Policy`.',
        examples: ['read'],
      }),
    }),
  },
  service_unavailable: {
    status: 503,
    type: 'api_error',
    meaning: 'The service cannot reach its database, is overloaded, or is shutting down.',
    fix: 'Retry the request after the seconds in `Retry-After`.',
    retryable: true,
  },
} as const satisfies Record<string, ErrorDeclaration>
