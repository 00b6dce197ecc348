import { type ErrorCode, errorCodes } from '../../../registry/errors/index.ts'
import type { ErrorCase, ErrorCases } from './case.ts'
import { conflictCases } from './conflict-cases.ts'
import { missingCases } from './missing-cases.ts'
import { paymentCases } from './payment-cases.ts'
import { requestCases } from './request-cases.ts'
import { shipmentCases } from './shipment-cases.ts'
import { stateCases } from './state-cases.ts'

export const errorCases: ErrorCases = {
  ...requestCases,
  ...missingCases,
  ...stateCases,
  ...paymentCases,
  ...shipmentCases,
  ...conflictCases,
}

/** The error codes that a client cannot cause in test mode, with the reason. */
export const unreachableCodes = {
  merchant_suspended: 'Only the operator of the service suspends a merchant.',
  trigger_failed: 'The service can reject a request of a trigger only if the simulated carriers have random faults.',
  payment_provider_required: 'Test mode has one payment provider.',
  payment_link_outdated: 'The order must change while the provider creates the payment page.',
  payment_provider_unavailable: 'The simulated provider always responds.',
  carrier_wallet_insufficient: 'The simulated carriers charge nothing.',
  internal_error: 'The error reports a defect of the service.',
  outcome_unknown: 'The database connection must fail during a commit.',
  service_unavailable: 'The database must be unavailable, or the service overloaded.',
} as const satisfies Partial<Record<ErrorCode, string>>

/**
 * The error codes that a client can cause in test mode, but only with a slow request, with concurrent requests or with
 * many requests.
 */
export const rareCodes = {
  request_timeout: 'A connection must stop in the middle of a request for ten seconds.',
  test_clock_limit_reached: 'The client must advance the clock by ten years in total, in steps of at most 90 days.',
  concurrent_update: 'Another request must lock the same record for some seconds.',
  idempotency_in_progress: 'A request with the same key must still be in progress.',
} as const satisfies Partial<Record<ErrorCode, string>>

/** The error codes that have an error case, with their cases, in the order of the error catalogue. */
export const causedCodes: readonly (readonly [ErrorCode, ErrorCase])[] = errorCodes.flatMap((code) => {
  const found = errorCases[code]
  return found === undefined ? [] : [[code, found] as const]
})
