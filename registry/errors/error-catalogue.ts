import { accessErrors } from './access.ts'
import { conflictErrors } from './conflict.ts'
import { idempotencyErrors } from './idempotency.ts'
import { missingErrors } from './missing.ts'
import { requestErrors } from './request.ts'
import { serviceErrors } from './service.ts'
import { shipmentErrors } from './shipment.ts'
import { stateErrors } from './state.ts'

/**
 * The catalogue: every code this API can answer, with its one status, its meaning and its fix.
 * What the schema can judge is 400, what depends on stored state is 409, another merchant's record is a 404.
 */
export const catalogue = {
  ...requestErrors,
  ...accessErrors,
  ...missingErrors,
  ...stateErrors,
  ...shipmentErrors,
  ...conflictErrors,
  ...idempotencyErrors,
  ...serviceErrors,
} as const
