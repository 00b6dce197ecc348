import { errors } from 'undici'

/** Reason why an outbound request got no response, in words for merchants. */
export type FetchErrorCode =
  | 'timeout'
  | 'dns'
  | 'resolver_down'
  | 'connection'
  | 'tls'
  | 'destination_refused'
  | 'invalid_response'
  | 'too_many_informational_responses'
  | 'response_head_too_large'
  | 'local_fault'
  | 'stopped'

/** An error that this service raises for an attempt. fetchErrorCode classifies all other errors. */
export class FetchError extends Error {
  readonly errorCode: FetchErrorCode

  constructor(errorCode: FetchErrorCode, message: string) {
    super(message)
    this.errorCode = errorCode
  }
}

/** Faults of this service or its environment, which are not failures of the receiver. */
const ownFaults = ['resolver_down', 'local_fault', 'stopped'] as const

export function isOwnFault(errorCode: FetchErrorCode): errorCode is (typeof ownFaults)[number] {
  return ownFaults.some((fault) => fault === errorCode)
}

/** System error codes which show that this process has no free file handles or no free memory. */
const localFaults = /^(EMFILE|ENFILE|ENOBUFS|ENOMEM)$/

/** Error codes of TLS and of certificate verification, listed because they have no common prefix. */
const tlsFaults = /^(ERR_TLS_|ERR_SSL_|EPROTO|CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|HOSTNAME_MISMATCH|INVALID_CA)/

/** Error codes of an invalid response head. */
const responseFaults = /^(UND_ERR_RES|UND_ERR_INFO)/

export function fetchErrorCode(error: unknown): FetchErrorCode {
  if (error instanceof FetchError) return error.errorCode
  // If a host has several addresses and the connections to all of them failed, Node reports all errors. The first error
  // decides the error code.
  if (error instanceof AggregateError && error.errors.length > 0) return fetchErrorCode(error.errors[0])
  const code = errorCodeOf(error)
  // ETIMEDOUT reports the connection timeout of the kernel. If the deadline of the attempt passes first, the error is a
  // FetchError.
  if (code === 'ETIMEDOUT') return 'timeout'
  if (localFaults.test(code)) return 'local_fault'
  if (tlsFaults.test(code)) return 'tls'
  // Code of undici for a response whose headers exceed undici's limit of 16 KiB.
  if (code === 'UND_ERR_HEADERS_OVERFLOW') return 'response_head_too_large'
  // If the response is not HTTP, undici throws an HTTPParserError, which may have no error code.
  if (error instanceof errors.HTTPParserError || responseFaults.test(code)) return 'invalid_response'
  return 'connection'
}

/** Returns the code of an error of Node or undici; an empty text if it has none. */
export function errorCodeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}
