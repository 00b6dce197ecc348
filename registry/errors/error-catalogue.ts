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
 * A schema violation is 400, a conflict with stored state is 409, and another merchant's record is 404.
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
