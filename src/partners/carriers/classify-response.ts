import { z } from 'zod'
import type { FetchOutcome } from '../../outbound/safe-fetch.ts'
import type { Outcome, RefusalCode, UnknownCause } from './carrier.ts'

/**
 * What an exchange with a carrier amounts to. The rule all adapters share:
 *
 *   no connection was got, 429 ─────────────────────────────────> unavailable: certainly nothing was begun
 *   cut off, too late, a status or a body nobody documented ────> unknown: something may have been begun
 *   the carrier’s own words, in the form it documents ──────────> answered or declined, for the adapter to read
 */
export type ClassifiedResponse = Answered | Declined | UnknownOutcome

/** A 2xx with an object for a body. */
export interface Answered {
  readonly is: 'answered'
  readonly body: object
}

/** The carrier says in its own form that it did not do it. */
export interface Declined {
  readonly is: 'declined'
  /** Of HTTP; some carriers decline with a 2xx. */
  readonly status: number
  readonly body: object
  readonly message: string
}

/** No word of the carrier’s on the request itself. These are outcomes as they are. */
export type UnknownOutcome = Extract<Outcome<never>, { readonly is: 'unavailable' | 'unknown' }>

export function classifyResponse(outcome: FetchOutcome): ClassifiedResponse {
  if (outcome.is === 'failed') {
    const { errorCode, isReused } = outcome
    // Null means that no connection was ever got, TLS included, so that not a byte of the request has left.
    if (isReused === null) return unavailable(`The carrier could not be reached: ${errorCode}.`)
    return unknown(lossOf(errorCode), `The exchange with the carrier broke: ${errorCode}.`)
  }
  const { status } = outcome
  // Whoever limits traffic does it before looking at the request.
  if (status === 429) return tooMany(outcome.retryAfterSeconds)
  const body = objectIn(outcome.body) ?? (turnedAway.includes(status) ? {} : undefined)
  if (body === undefined) {
    // A page in place of the documented form may come from anything on the way, before the work or after it.
    return unsettled(status, `The carrier’s answer (${status}) cannot be read.`)
  }
  if (status >= 200 && status <= 299) return { is: 'answered', body }
  if (status >= 400) return { is: 'declined', status, body, message: messageIn(body, status) }
  return unknown('bad_response', `The carrier answered with the status ${status}.`)
}

/** Turned away at the door, whoever keeps it and in whatever words. */
const turnedAway = [401, 403]

function lossOf(errorCode: string): UnknownCause {
  if (errorCode === 'timeout') return 'timeout'
  return errorCode === 'invalid_response' ? 'bad_response' : 'reset'
}

export function unavailable(message: string): UnknownOutcome {
  return { is: 'unavailable', message, retryAfterSeconds: undefined }
}

function tooMany(retryAfterSeconds: number | undefined): UnknownOutcome {
  const message = 'The carrier wants fewer requests (429).'
  return { is: 'unavailable', message, retryAfterSeconds, isOfAccount: true }
}

export function unknown(cause: UnknownCause, message: string): UnknownOutcome {
  return { is: 'unknown', cause, message }
}

/** An answer whose status leaves open what became of the request. A 4xx is of the one request, but for 408: too late. */
function unsettled(status: number, message: string): UnknownOutcome {
  const unclear = unknown(status >= 500 ? 'server_error' : 'bad_response', message)
  return status >= 400 && status <= 499 && status !== 408 ? { ...unclear, isNeutral: true } : unclear
}

/** What stays true of an unknown outcome once it is known that nothing was begun. */
export function markOf({ isNeutral }: Pick<UnknownOutcome, 'isNeutral'>): Pick<UnknownOutcome, 'isNeutral'> {
  return isNeutral === true ? { isNeutral } : {}
}

/** A 2xx that lacks what it is documented to have: the work may well be done. */
export function unfitting(what: string): UnknownOutcome {
  return unknown('bad_response', `The carrier’s answer does not fit: ${what}.`)
}

const AnyObject = z.looseObject({})

function objectIn(text: string): object | undefined {
  try {
    return AnyObject.safeParse(JSON.parse(text)).data
  } catch {
    return undefined
  }
}

/** The word all three carriers begin their envelopes with. Booleans are not documented, but do no harm. */
const Envelope = z.looseObject({ status: z.union([z.string(), z.boolean()]).transform(String) })

const yes = /^(success|successful|true)$/i
const no = /^(failed|failure|fail|error|false)$/i

/** Looks at the envelope’s own verdict too: a 2xx is no success unless the body says so. */
export function opened(judged: ClassifiedResponse): ClassifiedResponse {
  if (judged.is !== 'answered') return judged
  const { body } = judged
  const verdict = Envelope.safeParse(body).data?.status ?? ''
  if (yes.test(verdict)) return judged
  if (no.test(verdict)) return { is: 'declined', status: 200, body, message: messageIn(body, 200) }
  return unfitting('its envelope has no verdict')
}

/** As long as a sentence for a person has to be, and without NUL, which PostgreSQL's text cannot hold. */
const wordsMaxLength = 500

const Words = z.string().transform((text) => text.replaceAll('\0', '').trim())
const maybeWords = Words.optional().catch(undefined)
const Complaint = z.union([Words, z.looseObject({ message: Words }).transform(({ message }) => message)])

const Told = z.looseObject({
  message: maybeWords,
  description: maybeWords,
  error: maybeWords,
  errors: z
    .array(Complaint.catch(''))
    .transform((all) => all.join(' '))
    .optional()
    .catch(undefined),
})

/** Whatever the carrier says in words, wherever it says it. */
function messageIn(body: object, status: number): string {
  const { message, description, error, errors } = Told.parse(body)
  const said = [message, description, error, errors].filter((text) => text !== undefined && text !== '')
  return said.join(' ').slice(0, wordsMaxLength) || `The carrier declined with the status ${status}.`
}

/** Which of our reasons a carrier’s sentence means, the first that fits. */
export type StatusTexts = readonly (readonly [sentence: RegExp, code: RefusalCode])[]

/** These mean the account, however they are worded: an “invalid token” is then no quote’s. */
const refusalsOfAccount: Readonly<Record<number, RefusalCode>> = {
  401: 'account_blocked',
  402: 'wallet_insufficient',
  403: 'account_blocked',
}

const gone = [404, 410]

/** These mean that what was sent was read and found wrong. */
const faultsOfOurs = [400, 405, 413, 415, 422]

/** What a declining means where the adapter knows nothing better. */
export function outcomeOf({ status, message }: Declined, wording: StatusTexts): Outcome<never> {
  const ofAccount = refusalsOfAccount[status]
  if (ofAccount !== undefined) return { is: 'refused', code: ofAccount, message }
  const isDefinite = status < 300 || gone.includes(status) || faultsOfOurs.includes(status)
  // A conflict, a 408 and every 5xx leave open what became of the request, however they are worded.
  if (!isDefinite) return unsettled(status, message)
  const worded = wording.find(([sentence]) => sentence.test(message))?.[1]
  if (worded !== undefined) return { is: 'refused', code: worded, message }
  if (faultsOfOurs.includes(status)) return { is: 'invalid', message }
  return { is: 'refused', code: gone.includes(status) ? 'not_found' : 'refused', message }
}
