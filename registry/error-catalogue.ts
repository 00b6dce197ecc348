import { accessErrors } from './errors/access.ts'
import { conflictErrors } from './errors/conflict.ts'
import { idempotencyErrors } from './errors/idempotency.ts'
import { missingErrors } from './errors/missing.ts'
import { requestErrors } from './errors/request.ts'
import { serviceErrors } from './errors/service.ts'
import { shipmentErrors } from './errors/shipment.ts'
import { stateErrors } from './errors/state.ts'

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
