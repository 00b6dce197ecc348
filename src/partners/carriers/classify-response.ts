import { z } from 'zod'
import { storableText } from '../../base/storable-text.ts'
import type { FetchErrorCode } from '../../outbound/fetch-error.ts'
import type { FetchOutcome } from '../../outbound/safe-fetch.ts'
import type { Outcome, RefusalCode, UnknownCause } from './carrier.ts'
import { parseJson } from './parse-json.ts'

/**
 * Classifies the result of a request to a carrier. All adapters share these rules:
 *
 *   no connection, or 429 ─────────────────────────────────> unavailable: nothing was created
 *   connection lost, timeout, undocumented status or body ──> unknown: something may have been created
 *   a documented body ──────────────────────────────────────> answered or declined, for the adapter to parse
 */
export type ClassifiedResponse = Answered | Declined | UnknownOutcome

/** A carrier's 2xx response with a JSON object as its body. */
export interface Answered {
  readonly is: 'answered'
  readonly body: object
}

/** A carrier's error response in the format that the carrier documents. */
export interface Declined {
  readonly is: 'declined'
  /** The HTTP status of the response. Some carriers decline a request with a 2xx status. */
  readonly status: number
  readonly body: object
  readonly message: string
}

/**
 * Outcome of a request that the carrier has neither accepted nor rejected. The adapter returns this outcome unchanged.
 */
export type UnknownOutcome = Extract<Outcome<never>, { readonly is: 'unavailable' | 'unknown' }>

export function classifyResponse(outcome: FetchOutcome): ClassifiedResponse {
  if (outcome.is === 'failed') {
    const { errorCode, isReused } = outcome
    // `isReused` is null if the TCP or the TLS connection to the carrier was not established. The request was then not
    // sent.
    if (isReused === null) return unavailable(`The carrier could not be reached: ${errorCode}.`)
    return unknown(lossOf(errorCode), `The connection to the carrier failed: ${errorCode}.`)
  }
  const { status } = outcome
  // The carrier responded with 429, so it has not processed the request.
  if (status === 429) return rateLimited(outcome.retryAfterSeconds)
  const body = objectIn(outcome.body) ?? (authenticationStatuses.includes(status) ? {} : undefined)
  if (body === undefined) {
    // The body may be an HTML page of a proxy. It is unknown whether the carrier has processed the request.
    return inconclusive(status, `The carrier’s response (${status}) cannot be parsed.`)
  }
  if (status >= 200 && status <= 299) return { is: 'answered', body }
  if (status >= 400) return { is: 'declined', status, body, message: messageIn(body, status) }
  return unknown('bad_response', `The carrier responded with status ${status}.`)
}

/**
 * Statuses of authentication errors. Regardless of the body, they mean that the carrier did not process the request.
 */
const authenticationStatuses = [401, 403]

function lossOf(errorCode: FetchErrorCode): UnknownCause {
  if (errorCode === 'timeout') return 'timeout'
  return badResponses.includes(errorCode) ? 'bad_response' : 'reset'
}

const badResponses: readonly FetchErrorCode[] = [
  'invalid_response',
  'too_many_informational_responses',
  'response_head_too_large',
]

export function unavailable(message: string): UnknownOutcome {
  return { is: 'unavailable', message, retryAfterSeconds: undefined }
}

function rateLimited(retryAfterSeconds: number | undefined): UnknownOutcome {
  const message = 'The carrier is rate limiting requests (429).'
  return { is: 'unavailable', message, retryAfterSeconds, isOfAccount: true }
}

export function unknown(cause: UnknownCause, message: string): UnknownOutcome {
  return { is: 'unknown', cause, message }
}

/**
 * Classifies a response that does not show whether the request was processed. A 4xx other than 408 (timeout) is caused
 * by this one request, so circuit breakers ignore it.
 */
function inconclusive(status: number, message: string): UnknownOutcome {
  const unclear = unknown(status >= 500 ? 'server_error' : 'bad_response', message)
  return status >= 400 && status <= 499 && status !== 408 ? { ...unclear, isNeutral: true } : unclear
}

/**
 * Returns the property `isNeutral` of an unknown outcome, to copy it to another outcome. Circuit breakers ignore a
 * neutral outcome.
 */
export function neutralMarkOf({ isNeutral }: Pick<UnknownOutcome, 'isNeutral'>): Pick<UnknownOutcome, 'isNeutral'> {
  return isNeutral === true ? { isNeutral } : {}
}

/** Returns the outcome for a 2xx response without the documented fields: the request may have succeeded. */
export function undocumented(what: string): UnknownOutcome {
  return unknown('bad_response', `The carrier’s response is undocumented: ${what}.`)
}

const AnyObject = z.looseObject({})

function objectIn(text: string): object | undefined {
  return AnyObject.safeParse(parseJson(text)).data
}

/**
 * The outer fields of a carrier's response. All three carriers document `status` as a string; a boolean is accepted
 * too.
 */
const Envelope = z.looseObject({ status: z.union([z.string(), z.boolean()]).transform(String) })

const successStatus = /^(success|successful|true)$/i
const failureStatus = /^(failed|failure|fail|error|false)$/i

/** Checks the `status` field in the body too: a 2xx response of a carrier is a success only if its body says so. */
export function checkEnvelope(classified: ClassifiedResponse): ClassifiedResponse {
  if (classified.is !== 'answered') return classified
  const { body } = classified
  const status = Envelope.safeParse(body).data?.status ?? ''
  if (successStatus.test(status)) return classified
  if (failureStatus.test(status)) return { is: 'declined', status: 200, body, message: messageIn(body, 200) }
  return undocumented('its field `status` has no known value')
}

const errorTextMaxLength = 500

const ErrorText = z.string().trim()
const maybeErrorText = ErrorText.optional().catch(undefined)
const ErrorItem = z.union([ErrorText, z.looseObject({ message: ErrorText }).transform(({ message }) => message)])

const ErrorBody = z.looseObject({
  message: maybeErrorText,
  description: maybeErrorText,
  error: maybeErrorText,
  errors: z
    .array(ErrorItem.catch(''))
    .transform((all) => all.join(' '))
    .optional()
    .catch(undefined),
})

function messageIn(body: object, status: number): string {
  const { message, description, error, errors } = ErrorBody.parse(body)
  const parts = [message, description, error, errors].filter((text) => text !== undefined && text !== '')
  // The end of the message may be the first half of an emoji, which PostgreSQL cannot store.
  return (
    storableText(parts.join(' ').slice(0, errorTextMaxLength)) ||
    `The carrier rejected the request with status ${status}.`
  )
}

/** Patterns of carriers' error messages, each with the refusal code that it means. The first match wins. */
export type StatusTexts = readonly (readonly [sentence: RegExp, code: RefusalCode])[]

/**
 * HTTP statuses that concern the merchant's carrier account, regardless of the error message. With these statuses, the
 * message “invalid token” means the token of the account and not the token of a quote.
 */
const accountRefusals: Readonly<Record<number, RefusalCode>> = {
  401: 'account_blocked',
  402: 'wallet_insufficient',
  403: 'account_blocked',
}

const notFoundStatuses = [404, 410]

/** HTTP statuses that mean that the carrier parsed the request and found it invalid. */
const invalidRequestStatuses = [400, 405, 413, 415, 422]

/** Maps a carrier's error response to an outcome if the adapter has no rule of its own for it. */
export function outcomeOf({ status, message }: Declined, patterns: StatusTexts): Outcome<never> {
  const accountRefusal = accountRefusals[status]
  if (accountRefusal !== undefined) return { is: 'refused', code: accountRefusal, message }
  const isDefinite = status < 300 || notFoundStatuses.includes(status) || invalidRequestStatuses.includes(status)
  // The HTTP statuses 409, 408 and all 5xx do not show whether the request was processed, regardless of the message.
  if (!isDefinite) return inconclusive(status, message)
  const matched = patterns.find(([sentence]) => sentence.test(message))?.[1]
  if (matched !== undefined) return { is: 'refused', code: matched, message }
  if (invalidRequestStatuses.includes(status)) return { is: 'invalid', message }
  return { is: 'refused', code: notFoundStatuses.includes(status) ? 'not_found' : 'refused', message }
}
