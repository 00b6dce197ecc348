import { z } from 'zod'
import type { Timestamp } from '../../../registry/values/vocabulary.ts'
import type { OutboundRequest, SafeFetch } from '../../outbound/safe-fetch.ts'
import { isSignedByPaystack, readPaystackCallback } from './paystack-callback.ts'
import { readPaystackCharge } from './paystack-charges.ts'
import { PaystackAmount, PaystackId, paystackMoment, paystackRefundStatus, refundIdIn } from './paystack-values.ts'
import type {
  CheckoutOutcome,
  FindOutcome,
  ListOutcome,
  PaymentAdapter,
  PaymentApi,
  PaymentReport,
  RefundReport,
  SubmitOutcome,
} from './provider.ts'

/**
 * Adapter for Paystack, by its public contract. Paystack has no idempotency key for refunds, and the note is the only
 * field for our data, so the note carries our refund id.
 */

/**
 * Time limit of a request to Paystack. A refund may take long; a shorter limit would only cause more unknown outcomes.
 */
const deadlineMs = 30_000

/**
 * Maximum size of Paystack's response. A page of a hundred refunds with their customers is about 200 KB. A truncated
 * response could not be parsed.
 */
const responseMaxBytes = 2 * 1024 * 1024

const perPage = 100

/**
 * Maximum number of pages that one search for a refund reads: two thousand refunds in the searched period. The search
 * of a longer list is inconclusive.
 */
const pagesMax = 20

/**
 * Maximum number of pages that are read when listing reversed payments: ten thousand reversed payments over months.
 * Every payment that was refunded in full counts as reversed.
 */
const reversedPagesMax = 100

/** Pattern of a Paystack secret key. It does not match public keys (pk_), which merchants often enter by mistake. */
const secretKeyPattern = /^sk_(live|test)_[0-9A-Za-z]{4,200}$/

export const paystack: PaymentAdapter = {
  name: 'paystack',
  keyPrefixes: { any: 'sk_', live: 'sk_live_' },
  keyModeOf: (secretKey) => {
    if (!secretKeyPattern.test(secretKey)) return undefined
    return secretKey.startsWith('sk_live_') ? 'live' : 'test'
  },
  isSigned: isSignedByPaystack,
  readCallback: readPaystackCallback,
  open: openPaystack,
}

export function openPaystack(send: SafeFetch['fetch'], root: string): PaymentApi {
  const call = async (secretKey: string, request: ApiRequest) =>
    classify(await send(outbound(root, secretKey, request)))
  return {
    refund: async (secretKey, { transaction, amountKobo, note }) => {
      const body = { transaction, amount: amountKobo, currency: 'NGN', merchant_note: note }
      return submitOutcomeOf(await call(secretKey, { method: 'POST', path: '/refund', body }))
    },
    findRefund: async (secretKey, reference) => {
      const found = await call(secretKey, { method: 'GET', path: `/refund/${encodeURIComponent(reference)}` })
      if (found.is === 'refused' && found.status === 404) return { is: 'missing' }
      if (found.is !== 'answered') return { is: 'unavailable', reason: reasonOf(found) }
      const report = reportOf(found.data)
      return report === undefined ? unreadable : { is: 'found', report }
    },
    searchRefund: async (secretKey, { note, since }) => {
      const listed = await listAll(
        (request) => call(secretKey, request),
        { path: '/refund', since },
        (item) => String(Object(item).merchant_note ?? '').includes(note),
      )
      if (listed.is === 'unavailable') return listed
      const [match] = listed.items
      const report = reportOf(match)
      if (match === undefined) return { is: 'missing' }
      return report === undefined ? unreadable : { is: 'found', report }
    },
    createCheckout: async (secretKey, { reference, amountKobo, orderId, email, callbackUrl }) => {
      const metadata = JSON.stringify({ orderId })
      const page = { reference, amount: amountKobo, currency: 'NGN', email, callback_url: callbackUrl, metadata }
      return checkoutOutcomeOf(await call(secretKey, { method: 'POST', path: '/transaction/initialize', body: page }))
    },
    findPayment: async (secretKey, reference) => {
      const path = `/transaction/verify/${encodeURIComponent(reference)}`
      const found = await call(secretKey, { method: 'GET', path })
      const isMissing = found.is === 'refused' && (found.status === 404 || found.code === 'transaction_not_found')
      if (isMissing) return { is: 'missing' }
      if (found.is !== 'answered') return { is: 'unavailable', reason: reasonOf(found) }
      const report = readPaystackCharge(Object(found.data))
      return report.reference === null ? unreadable : { is: 'found', report }
    },
    listPayments: (secretKey, since) =>
      listCharges((request) => call(secretKey, request), { since, status: 'success', pagesMax }),
    listReversedPayments: async (secretKey, since) => {
      const listing = { since, status: 'reversed', pagesMax: reversedPagesMax }
      const listed = await listCharges((request) => call(secretKey, request), listing)
      if (listed.is === 'unavailable') return listed
      // The list is filtered here too: Paystack's documentation of the status filter does not list `reversed`, and if
      // Paystack ignores the filter, the list contains all payments.
      return { is: 'listed', items: listed.items.filter(({ isReversed }) => isReversed) }
    },
    listRefunds: async (secretKey, since) => {
      const listed = await listAll((request) => call(secretKey, request), { path: '/refund', since })
      if (listed.is === 'unavailable') return listed
      const items = listed.items.flatMap((item) => {
        const report = reportOf(item)
        const { merchant_note, transaction_reference } = OfListedRefund.parse(item)
        const named = { refundId: refundIdIn(merchant_note), transaction: transaction_reference ?? undefined }
        return report === undefined ? [] : { ...report, ...named }
      })
      return { is: 'listed', items }
    },
    setBankDetails: async (secretKey, reference, { accountNumber, bankCode }) => {
      const bank = await findBank((request) => call(secretKey, request), bankCode)
      if (bank.is !== 'found') return bank
      const details = { currency: 'NGN', account_number: accountNumber, bank_id: bank.id }
      const path = `/refund/retry_with_customer_details/${encodeURIComponent(reference)}`
      return submitOutcomeOf(await call(secretKey, { method: 'POST', path, body: { refund_account_details: details } }))
    },
  }
}

const OfListedRefund = z.object({
  merchant_note: z.string().nullish().catch(null),
  transaction_reference: z.string().nullish().catch(null),
})

interface Listing {
  readonly path: string
  readonly since: Timestamp
  readonly status?: string
  readonly pagesMax?: number
}

async function listCharges(
  call: (request: ApiRequest) => Promise<PaystackResponse>,
  listing: Omit<Listing, 'path'>,
): Promise<ListOutcome<PaymentReport>> {
  const listed = await listAll(call, { ...listing, path: '/transaction' })
  if (listed.is === 'unavailable') return listed
  return { is: 'listed', items: listed.items.map(readPaystackCharge) }
}

/** Reads a paginated list to its end, or to the first page that contains a wanted item. */
async function listAll(
  call: (request: ApiRequest) => Promise<PaystackResponse>,
  { path, since, status, pagesMax: mostPages = pagesMax }: Listing,
  isWanted?: (item: unknown) => boolean,
): Promise<ListOutcome<object>> {
  const items: object[] = []
  for (let page = 1; page <= mostPages; page++) {
    // Only filters that Paystack documents are used: an unsupported filter could make a refund appear missing.
    const query = new URLSearchParams({ perPage: String(perPage), page: String(page), from: since })
    if (status !== undefined) query.set('status', status)
    const found = await call({ method: 'GET', path: `${path}?${query}` })
    if (found.is !== 'answered') return { is: 'unavailable', reason: reasonOf(found) }
    const listed = z.array(z.looseObject({})).safeParse(found.data)
    if (!listed.success) return { is: 'unavailable', reason: 'unreadable' }
    const wanted = isWanted === undefined ? [] : listed.data.filter(isWanted)
    if (wanted.length > 0) return { is: 'listed', items: wanted }
    // A page with fewer items than requested need not be the last one, because the page size is not guaranteed.
    if (listed.data.length === 0) return { is: 'listed', items: isWanted === undefined ? items : [] }
    items.push(...listed.data)
  }
  return { is: 'unavailable', reason: 'too_many_pages' }
}

interface ApiRequest {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly body?: object
}

function outbound(root: string, secretKey: string, { method, path, body }: ApiRequest): OutboundRequest {
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

type PaystackResponse =
  | { readonly is: 'answered'; readonly data: unknown }
  | { readonly is: 'refused'; readonly status: number; readonly code: string; readonly message: string }
  | { readonly is: 'not_submitted'; readonly reason: string }
  | { readonly is: 'unknown'; readonly reason: string }

/**
 * Maximum length of Paystack's error message. NUL is removed from the message, because PostgreSQL's text cannot store
 * it.
 */
const errorTextMaxLength = 500

const ErrorText = z.string().transform((text) => text.replaceAll('\0', '').slice(0, errorTextMaxLength))

const Envelope = z.object({
  status: z.boolean(),
  message: ErrorText.catch(''),
  code: ErrorText.catch(''),
  data: z.unknown().optional(),
})

/**
 * HTTP statuses that mean that Paystack processed the request and rejected it. Other statuses may come from a proxy.
 */
const rejectedStatuses = [400, 404, 422]

/** HTTP statuses of an invalid key or rate limiting: the request itself was not processed. */
const notProcessedStatuses = [401, 403, 429]

/** Error codes of failures before a connection was established: the request was not sent. */
const notSentErrors = ['dns', 'resolver_down', 'destination_refused']

function classify(outcome: Awaited<ReturnType<SafeFetch['fetch']>>): PaystackResponse {
  if (outcome.is === 'failed') {
    return { is: notSentErrors.includes(outcome.errorCode) ? 'not_submitted' : 'unknown', reason: outcome.errorCode }
  }
  const { status } = outcome
  if (notProcessedStatuses.includes(status)) return { is: 'not_submitted', reason: `http_${status}` }
  const read = Envelope.safeParse(parsed(outcome.body))
  if (!read.success) return { is: 'unknown', reason: `http_${status}_unreadable` }
  const { message, code, data } = read.data
  if (status >= 200 && status <= 299 && read.data.status) return { is: 'answered', data }
  if (rejectedStatuses.includes(status) && !read.data.status) {
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

function submitOutcomeOf(response: PaystackResponse): SubmitOutcome {
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

const CheckoutData = z.object({ authorization_url: z.url({ protocol: /^https?$/ }).max(2_000) })

/** Message with which Paystack rejects a reference that it has received before. */
const duplicateReference = /duplicate transaction reference/i

function checkoutOutcomeOf(response: PaystackResponse): CheckoutOutcome {
  if (response.is === 'answered') {
    const read = CheckoutData.safeParse(response.data)
    return read.success ? { is: 'created', url: read.data.authorization_url } : { is: 'unknown', reason: 'unreadable' }
  }
  if (response.is !== 'refused') return response
  // The page of an earlier request with this reference exists, but its URL is unknown.
  if (duplicateReference.test(response.message)) return { is: 'unknown', reason: 'duplicate_reference' }
  return { is: 'refused', code: response.code, message: response.message }
}

const unreadable = { is: 'unavailable', reason: 'unreadable' } as const satisfies FindOutcome

function reasonOf(response: Exclude<PaystackResponse, { is: 'answered' }>): string {
  return response.is === 'refused' ? response.code : response.reason
}

const RefundData = z.object({
  id: PaystackId,
  status: z.string(),
  amount: PaystackAmount,
  expected_at: z.string().nullish().catch(null),
  reason: ErrorText.nullish().catch(null),
})

function reportOf(data: unknown): RefundReport | undefined {
  const read = RefundData.safeParse(data)
  if (!read.success) return undefined
  const { id, status, amount, expected_at, reason } = read.data
  return {
    reference: id,
    status: paystackRefundStatus(status),
    amountKobo: amount,
    expectedAt: paystackMoment(expected_at) ?? null,
    reason: reason ?? null,
  }
}

const Banks = z.array(z.object({ id: PaystackId, code: z.string() }))

/** Finds Paystack's own id of a bank by its interbank code. */
async function findBank(
  call: (request: ApiRequest) => Promise<PaystackResponse>,
  bankCode: string,
): Promise<{ readonly is: 'found'; readonly id: string } | Exclude<SubmitOutcome, { is: 'accepted' }>> {
  for (let page = 1; page <= pagesMax; page++) {
    const query = new URLSearchParams({ country: 'nigeria', perPage: String(perPage), page: String(page) })
    const found = await call({ method: 'GET', path: `/bank?${query}` })
    // The request for Paystack's list of banks only reads. If it fails, the bank details were not submitted, regardless
    // of the error.
    if (found.is !== 'answered') return { is: 'not_submitted', reason: reasonOf(found) }
    const banks = Banks.safeParse(found.data)
    if (!banks.success) return { is: 'not_submitted', reason: 'unreadable' }
    const bank = banks.data.find(({ code }) => code === bankCode)
    if (bank !== undefined) return { is: 'found', id: bank.id }
    if (banks.data.length === 0) break
  }
  return { is: 'refused', code: 'unknown_bank', message: `Paystack has no bank with the code ${bankCode}.` }
}
