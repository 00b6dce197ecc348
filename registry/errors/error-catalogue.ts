import { accessErrors } from './access.ts'
import { conflictErrors } from './conflict.ts'
import { idempotencyErrors } from './idempotency.ts'
import { missingErrors } from './missing.ts'
import { paymentErrors } from './payment.ts'
import { requestErrors } from './request.ts'
import { serviceErrors } from './service.ts'
import { shipmentErrors } from './shipment.ts'
import { stateErrors } from './state.ts'
import { testModeErrors } from './test-mode.ts'

/**
 * All error codes of the API, each with one status, its meaning and its fix. A schema violation is 400, a conflict with
 * the stored state is 409, and a record of another merchant is 404.
 */
export const catalogue = {
  ...requestErrors,
  ...accessErrors,
  ...missingErrors,
  ...stateErrors,
  ...testModeErrors,
  ...paymentErrors,
  ...shipmentErrors,
  ...conflictErrors,
  ...idempotencyErrors,
  ...serviceErrors,
} as const
