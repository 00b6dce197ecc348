import { z } from 'zod'
import type { OutboundRequest, SafeFetch } from '../../outbound/safe-fetch.ts'
import type { CheckoutOutcome, FindOutcome, ListOutcome, RefundReport, SubmitOutcome, Unavailable } from './provider.ts'

/**
 * Time limit of a request to a payment provider. A refund may take long; a shorter limit would only cause more unknown
 * outcomes.
 */
const longestMs = 30_000

/**
 * Maximum size of a response. A page of a hundred refunds with their customers is about 200 KB. The maximum is far
 * higher, because a truncated response could not be parsed.
 */
const responseMaxBytes = 2 * 1024 * 1024

export interface ApiRequest {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly body?: object
  /** Time limit of the request in milliseconds. If undefined, the longer limit of requests that move money applies. */
  readonly deadlineMs?: number | undefined
}

export type ApiResponse =
  | { readonly is: 'answered'; readonly data: unknown; readonly totalPages: number | undefined }
  /** The provider processed the request and rejected it. */
  | { readonly is: 'refused'; readonly status: number; readonly code: string; readonly message: string }
  /** The provider did not process the request. */
  | { readonly is: 'not_submitted'; readonly reason: string }
  /** The request was sent, without a conclusive response. */
  | { readonly is: 'unknown'; readonly reason: string }

interface Envelope {
  readonly isSuccess: boolean
  readonly message: string
  /** The provider's error code. Empty if the provider sent none. */
  readonly code: string
  readonly data?: unknown
  /** The number of pages of a list, if the provider reports it. */
  readonly totalPages?: number | undefined
}

/** Returns undefined for a body that is not a response of the provider's API, such as the error page of a proxy. */
type ReadEnvelope = (body: unknown) => Envelope | undefined

export type Call = (secretKey: string, request: ApiRequest) => Promise<ApiResponse>

export function openCalls(send: SafeFetch['fetch'], root: string, readEnvelope: ReadEnvelope): Call {
  return async (secretKey, request) => classify(await send(outbound(root, secretKey, request)), readEnvelope)
}

function outbound(
  root: string,
  secretKey: string,
  { method, path, body, deadlineMs = longestMs }: ApiRequest,
): OutboundRequest {
  return {
    url: root.replace(/\/$/, '') + path,
    method,
    headers: {
      authorization: `Bearer ${secretKey}`,
      'user-agent': 'Commerce-Service-Payments/1',
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    deadlineMs,
    responseMaxBytes,
  }
}

/**
 * HTTP statuses that mean that the provider processed the request and rejected it. Other statuses may come from a
 * proxy.
 */
const rejectedStatuses = [400, 404, 422]

/**
 * HTTP statuses with which the provider responds to an invalid key or to too many requests. The provider has not
 * processed a request that got one of these statuses.
 */
const notProcessedStatuses = [401, 403, 429]

/** Error codes of failures before a connection was established: the request was not sent. */
const notSentErrors = ['dns', 'resolver_down', 'destination_refused']

function classify(outcome: Awaited<ReturnType<SafeFetch['fetch']>>, readEnvelope: ReadEnvelope): ApiResponse {
  if (outcome.is === 'failed') {
    return { is: notSentErrors.includes(outcome.errorCode) ? 'not_submitted' : 'unknown', reason: outcome.errorCode }
  }
  const { status } = outcome
  if (notProcessedStatuses.includes(status)) return { is: 'not_submitted', reason: `http_${status}` }
  const read = readEnvelope(parsed(outcome.body))
  if (read === undefined) return { is: 'unknown', reason: `http_${status}_unreadable` }
  const { isSuccess, message, code, data, totalPages } = read
  if (status >= 200 && status <= 299 && isSuccess) return { is: 'answered', data, totalPages }
  if (rejectedStatuses.includes(status) && !isSuccess) {
    return { is: 'refused', status, code: code || `http_${status}`, message }
  }
  return { is: 'unknown', reason: `http_${status}` }
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return undefined
  }
}

/** Maximum length of a stored error message of a provider. Providers send a sentence or two. */
const errorTextMaxLength = 500

/**
 * The error message of a provider, without the characters that PostgreSQL cannot store: NUL, and the half of an emoji
 * that remains when a message is shortened within the emoji.
 */
export const ErrorText = z
  .string()
  .transform((text) => text.replaceAll('\0', '').slice(0, errorTextMaxLength).toWellFormed())

export function submitOutcomeOf(
  response: ApiResponse,
  reportOf: (data: unknown) => RefundReport | undefined,
): SubmitOutcome {
  switch (response.is) {
    case 'answered': {
      const report = reportOf(response.data)
      return report === undefined ? { is: 'unknown', reason: 'unreadable' } : { is: 'accepted', report }
    }
    case 'refused':
      return { is: 'refused', code: response.code, message: response.message }
    case 'not_submitted':
    case 'unknown':
      return response
  }
}

interface CheckoutReading {
  /** Returns the URL of the created checkout page, from the data of the provider's response. */
  readonly read: (data: unknown) => string | undefined
  /** Message with which the provider rejects a reference that it has received before. */
  readonly duplicateReference: RegExp
}

export function checkoutOutcomeOf(
  response: ApiResponse,
  { read, duplicateReference }: CheckoutReading,
): CheckoutOutcome {
  if (response.is === 'answered') {
    const url = read(response.data)
    return url === undefined ? { is: 'unknown', reason: 'unreadable' } : { is: 'created', url }
  }
  if (response.is !== 'refused') return response
  // The page of an earlier request with this reference exists, but its URL is unknown.
  if (duplicateReference.test(response.message)) return { is: 'unknown', reason: 'duplicate_reference' }
  return { is: 'refused', code: response.code, message: response.message }
}

export const unreadable = { is: 'unavailable', reason: 'unreadable' } as const satisfies FindOutcome

export function unavailableOf(response: Exclude<ApiResponse, { is: 'answered' }>): Unavailable {
  const isRefused = response.is === 'refused' ? { isRefused: true } : {}
  return { is: 'unavailable', reason: reasonOf(response), ...isRefused }
}

export function reasonOf(response: Exclude<ApiResponse, { is: 'answered' }>): string {
  return response.is === 'refused' ? response.code : response.reason
}

interface Reading {
  /** If the list has more pages, its result is inconclusive. */
  readonly pagesMax: number
  /**
   * Reports whether an item is wanted. If the function is set, only wanted items are returned, and the list is read
   * only up to the first page with a wanted item.
   */
  readonly isWanted?: ((item: object) => boolean) | undefined
}

export async function readPages(
  call: (page: number) => Promise<ApiResponse>,
  { pagesMax, isWanted }: Reading,
): Promise<ListOutcome<object>> {
  const items: object[] = []
  for (let page = 1; page <= pagesMax; page++) {
    const found = await call(page)
    if (found.is !== 'answered') return unavailableOf(found)
    const listed = z.array(z.looseObject({})).safeParse(found.data)
    if (!listed.success) return { is: 'unavailable', reason: 'unreadable' }
    const wanted = isWanted === undefined ? [] : listed.data.filter(isWanted)
    if (wanted.length > 0) return { is: 'listed', items: wanted }
    items.push(...listed.data)
    // A page with fewer items than requested is not necessarily the last page, because the provider does not guarantee
    // the page size.
    if (listed.data.length === 0 || (found.totalPages !== undefined && page >= found.totalPages)) {
      return { is: 'listed', items: isWanted === undefined ? items : [] }
    }
  }
  return { is: 'unavailable', reason: 'too_many_pages' }
}
