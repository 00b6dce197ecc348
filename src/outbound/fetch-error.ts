import { errors } from 'undici'

/** Why no answer came, in words a merchant can act on. */
export type FetchErrorCode =
  | 'timeout'
  | 'dns'
  | 'resolver_down'
  | 'connection'
  | 'tls'
  | 'destination_refused'
  | 'invalid_response'
  | 'local_fault'
  | 'stopped'

/** What this service itself decides about an attempt; everything else is recognised by what was thrown. */
export class FetchError extends Error {
  readonly errorCode: FetchErrorCode

  constructor(errorCode: FetchErrorCode, message: string) {
    super(message)
    this.errorCode = errorCode
  }
}

/** Faults of this service or of its own surroundings. They say nothing about the receiver. */
const ownFaults = ['resolver_down', 'local_fault', 'stopped'] as const

export function isOwnFault(errorCode: FetchErrorCode): errorCode is (typeof ownFaults)[number] {
  return ownFaults.some((fault) => fault === errorCode)
}

/** This process has no file handles or memory left for another socket. */
const localFaults = /^(EMFILE|ENFILE|ENOBUFS|ENOMEM)$/

/** OpenSSL's verdicts on a certificate have no prefix in common. */
const tlsFaults = /^(ERR_TLS_|ERR_SSL_|EPROTO|CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|HOSTNAME_MISMATCH|INVALID_CA)/

/** A head that is too large, or one that contradicts itself. */
const responseFaults = /^(UND_ERR_HEADERS_OVERFLOW|UND_ERR_RES|UND_ERR_INFO)/

export function fetchErrorCode(error: unknown): FetchErrorCode {
  if (error instanceof FetchError) return error.errorCode
  // Node tries several addresses one after the other and reports each failure.
  if (error instanceof AggregateError && error.errors.length > 0) return fetchErrorCode(error.errors[0])
  const code = errorCodeOf(error)
  // The kernel's own patience with a connection; the deadline is a FetchError.
  if (code === 'ETIMEDOUT') return 'timeout'
  if (localFaults.test(code)) return 'local_fault'
  if (tlsFaults.test(code)) return 'tls'
  // What is no HTTP at all has a class of error instead of a code.
  if (error instanceof errors.HTTPParserError || responseFaults.test(code)) return 'invalid_response'
  return 'connection'
}

/** Node's and undici's errors are told apart by their codes. */
export function errorCodeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}
