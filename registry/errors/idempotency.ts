import type { ErrorDeclaration } from '../values/error.ts'

/** What can be wrong with an Idempotency-Key. */
export const idempotencyErrors = {
  invalid_idempotency_key: {
    status: 400,
    type: 'idempotency_error',
    meaning: 'The Idempotency-Key is empty, longer than 255 characters, or not printable ASCII.',
    fix: 'Send 1 to 255 printable ASCII characters, one key for each refund you intend.',
  },
  idempotency_conflict: {
    status: 409,
    type: 'idempotency_error',
    meaning: 'The Idempotency-Key was used within the last 24 hours with a different body.',
    fix: 'Use a new key for a new refund; repeat a key only with the very same body.',
  },
  idempotency_in_progress: {
    status: 409,
    type: 'idempotency_error',
    meaning: 'A request with the same Idempotency-Key is still running.',
    fix: 'Wait as long as `Retry-After` says and send the same request again.',
    retryable: true,
  },
} as const satisfies Record<string, ErrorDeclaration>
