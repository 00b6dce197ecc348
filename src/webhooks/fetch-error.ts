import { errors } from 'undici'
import { DestinationRefused } from './vetted-agent.ts'

/** Why no answer came, in words a merchant can act on. */
export type FetchErrorCode =
  | 'timeout'
  | 'dns'
  | 'connection'
  | 'tls'
  | 'destination_refused'
  | 'invalid_response'
  | 'stopped'

/** undici's own timers; the deadline's signal is recognised before an error gets here. */
const timeouts = /^(UND_ERR_(CONNECT|HEADERS|BODY)_TIMEOUT|ETIMEDOUT)$/

/** The resolver's answers, and no answer from it. */
const resolverFaults = /^(ENOTFOUND|ENODATA|ESERVFAIL|EAI_)/

/** OpenSSL's verdicts on a certificate have no prefix in common. */
const tlsFaults = /^(ERR_TLS_|ERR_SSL_|EPROTO|CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|HOSTNAME_MISMATCH|INVALID_CA)/

/** A head that is too large, or one that contradicts itself. */
const responseFaults = /^(UND_ERR_HEADERS_OVERFLOW|UND_ERR_RES|UND_ERR_INFO)/

export function fetchErrorCode(error: unknown): FetchErrorCode {
  if (error instanceof DestinationRefused) return 'destination_refused'
  // Node tries several addresses at once and reports each failure.
  if (error instanceof AggregateError && error.errors.length > 0) return fetchErrorCode(error.errors[0])
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  if (timeouts.test(code)) return 'timeout'
  if (resolverFaults.test(code)) return 'dns'
  if (tlsFaults.test(code)) return 'tls'
  // What is no HTTP at all has a class of error instead of a code.
  if (error instanceof errors.HTTPParserError || responseFaults.test(code)) return 'invalid_response'
  return 'connection'
}
