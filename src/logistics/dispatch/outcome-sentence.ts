import type { RefusalCode, UnknownCause } from '../../partners/carriers/carrier.ts'
import type { subCarrierDownCode } from './next-offer.ts'

/**
 * Outcome codes of dispatch attempts whose message is quoted from the carrier. The messages of other codes are the
 * service’s own.
 */
type CarrierCode = RefusalCode | UnknownCause | typeof subCarrierDownCode | 'invalid' | 'unavailable'

const sentences: Readonly<Record<CarrierCode, string>> = {
  couriers_busy: 'The carrier has no free rider near the pickup.',
  out_of_area: 'The carrier does not serve the pickup or the dropoff.',
  wallet_insufficient: 'Your account with the carrier has insufficient funds.',
  account_blocked: 'The carrier blocks your account, or rejects its credentials.',
  quote_expired: 'The offer of the carrier had expired.',
  not_cancellable: 'The carrier rejected the cancellation.',
  not_found: 'The carrier does not find the order.',
  refused: 'The carrier rejected the shipment.',
  invalid: 'The carrier rejected the request as invalid.',
  unavailable: 'The carrier was not available.',
  sub_carrier_unavailable: 'The sub-carrier that the carrier would use was not available.',
  timeout: 'The carrier did not respond in time.',
  reset: 'The connection to the carrier was lost before its response.',
  bad_response: 'The carrier sent an unexpected response.',
  server_error: 'The carrier reported an internal error.',
}

/**
 * Returns the sentence that introduces the carrier's message about a dispatch attempt. Undefined for an outcome code of
 * the service itself, because the service then wrote the message too.
 */
export function outcomeSentence(code: string): string | undefined {
  return isOfCarrier(code) ? sentences[code] : undefined
}

function isOfCarrier(code: string): code is CarrierCode {
  return Object.hasOwn(sentences, code)
}
