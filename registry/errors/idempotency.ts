import type { ErrorDeclaration } from '../values/error.ts'

export const idempotencyErrors = {
  invalid_idempotency_key: {
    status: 400,
    type: 'idempotency_error',
    meaning: 'The `Idempotency-Key` is empty, longer than 255 characters, or not printable ASCII.',
    fix: 'Send a key of 1 to 255 printable ASCII characters, and a new key for each intended refund.',
  },
  idempotency_conflict: {
    status: 409,
    type: 'idempotency_error',
    meaning: 'The `Idempotency-Key` was used within the last 24 hours with a different body.',
    fix: 'Send a new key for a new refund. Send the same key again only with the same body.',
  },
  idempotency_in_progress: {
    status: 409,
    type: 'idempotency_error',
    meaning: 'A request with the same `Idempotency-Key` is still in progress.',
    fix: 'Retry the same request after the seconds in `Retry-After`.',
    retryable: true,
  },
} as const satisfies Record<string, ErrorDeclaration>
