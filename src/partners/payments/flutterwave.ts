import { z } from 'zod'
import type { Timestamp } from '../../../registry/values/vocabulary.ts'
import type { SafeFetch } from '../../outbound/safe-fetch.ts'
import {
  type ApiRequest,
  type ApiResponse,
  checkoutOutcomeOf,
  ErrorText,
  openCalls,
  readPages,
  submitOutcomeOf,
  unavailableOf,
  unreadable,
} from './api-calls.ts'
import { hasSecretHash, readFlutterwaveCallback } from './flutterwave-callback.ts'
import { readFlutterwaveChargeback } from './flutterwave-chargebacks.ts'
import { readFlutterwaveCharge } from './flutterwave-charges.ts'
import { type FlutterwaveRefund, flutterwaveRefundReport, readFlutterwaveRefund } from './flutterwave-refunds.ts'
import { nairaOf } from './flutterwave-values.ts'
import type { ListedRefund, ListOutcome, PaymentAdapter, PaymentApi, PaymentOutcome } from './provider.ts'

/**
 * Adapter for version 3 of Flutterwave's API, written from its public documentation. The API has no idempotency key for
 * refunds. The comment of a refund is the only field in which the API accepts data of its client, so the comment
 * contains our refund id.
 */

/** Pattern of a Flutterwave secret key. It does not match public keys (FLWPUBK) and encryption keys. */
const secretKeyPattern = /^FLWSECK(_TEST)?-[0-9A-Za-z-]{4,200}-X$/

export const flutterwave: PaymentAdapter = {
  name: 'flutterwave',
  keyPrefixes: { any: 'FLWSECK', live: 'FLWSECK-' },
  keyModeOf: (secretKey) => {
    if (!secretKeyPattern.test(secretKey)) return undefined
    return secretKey.startsWith('FLWSECK_TEST-') ? 'test' : 'live'
  },
  isBodySigned: false,
  listsOrderIds: false,
  isSigned: hasSecretHash,
  readCallback: readFlutterwaveCallback,
  open: openFlutterwave,
}

/**
 * Maximum number of pages that one list reads. A page has ten transactions, so a list contains at most ten thousand
 * payments of the requested days.
 */
const longestListPages = 1_000

/**
 * Maximum number of transactions that are looked up for one listing of refunds. Each refund that was made in
 * Flutterwave's dashboard on the listed days requires the lookup of its transaction.
 */
const lookupsMax = 500

/**
 * Maximum number of payment lookups without a response in one listing of refunds. After this number, the listing looks
 * up no further payments.
 */
const lostLookupsMax = 3

/**
 * Time limit in milliseconds of a request that reads one record, or a page of chargebacks. A job uses such requests to
 * confirm callbacks one after the other, so the limit is short. A callback that is not confirmed is attempted again
 * later. A record is normally read within a second.
 */
const lookupMs = 8_000

/**
 * Maximum number of pages that one list of chargebacks reads: 600 chargebacks in 120 days. The list confirms a
 * callback, so it must be complete before the worker's claim of the callback expires. Sixty pages are complete in time,
 * even if each page takes its full time limit.
 */
const chargebackPagesMax = 60

type Call = (
  method: 'GET' | 'POST',
  path: string,
  more?: Pick<ApiRequest, 'body' | 'deadlineMs'>,
) => Promise<ApiResponse>

export function openFlutterwave(send: SafeFetch['fetch'], root: string): PaymentApi {
  const request = openCalls(send, root, readEnvelope)
  const callWith =
    (secretKey: string): Call =>
    (method, path, more) =>
      request(secretKey, { method, path, ...more })
  return {
    refund: async (secretKey, { transaction, transactionId = null, amountKobo, note }) => {
      const call = callWith(secretKey)
      // If the transaction id is known, the transaction is not looked up by its reference, because a reference can have
      // several transactions.
      const found = transactionId === null ? await findPayment(call, transaction) : undefined
      // The lookup of the transaction changes nothing at the provider. If the lookup fails, the refund was certainly
      // not submitted, regardless of the error.
      if (found?.is === 'unavailable') return { is: 'not_submitted', reason: found.reason }
      const id = found?.is === 'found' ? found.report.providerId : transactionId
      if (id === null) return { is: 'refused', code: 'transaction_not_found', message: notFound(transaction) }
      const response = await call('POST', `/transactions/${id}/refund`, {
        body: { amount: nairaOf(amountKobo), comments: note },
      })
      return submitOutcomeOf(response, flutterwaveRefundReport)
    },
    findRefund: async (secretKey, reference) => {
      const found = await lookUp(callWith(secretKey), `/refunds/${encodeURIComponent(reference)}`)
      if (found.is === 'refused' && isNotFound(found)) return { is: 'missing' }
      if (found.is !== 'answered') return unavailableOf(found)
      const report = flutterwaveRefundReport(found.data)
      return report === undefined ? unreadable : { is: 'found', report }
    },
    searchRefund: async (secretKey, { note, since }) => {
      const isWanted = (item: object) => readFlutterwaveRefund(item)?.refundId === note
      const listed = await list(callWith(secretKey), { path: '/refunds', since, isWanted })
      if (listed.is === 'unavailable') return listed
      const [match] = listed.items
      const report = flutterwaveRefundReport(match)
      if (match === undefined) return { is: 'missing' }
      return report === undefined ? unreadable : { is: 'found', report }
    },
    // A Flutterwave refund never needs a bank account from the payer, so this call is not supported.
    setBankDetails: async () => ({ is: 'not_submitted', reason: 'unsupported' }),
    createCheckout: async (secretKey, { reference, amountKobo, orderId, email, callbackUrl }) => {
      const amount = nairaOf(amountKobo)
      const page = { tx_ref: reference, amount, currency: 'NGN', redirect_url: callbackUrl, customer: { email } }
      const response = await callWith(secretKey)('POST', '/payments', { body: { ...page, meta: { orderId } } })
      return checkoutOutcomeOf(response, { read: pageOf, duplicateReference })
    },
    findPayment: (secretKey, reference) => findPayment(callWith(secretKey), reference),
    findPaymentById: (secretKey, id) => findPaymentById(callWith(secretKey), id),
    listPayments: async (secretKey, since) => {
      const listed = await list(callWith(secretKey), { path: '/transactions', since, status: 'successful' })
      return listed.is === 'listed' ? { is: 'listed', items: listed.items.map(readFlutterwaveCharge) } : listed
    },
    // Flutterwave has no transaction status for a reversal: refunds and chargebacks have lists of their own.
    listReversedPayments: async () => ({ is: 'listed', items: [] }),
    listRefunds: (secretKey, since) => listRefunds(callWith(secretKey), since),
    listDisputes: async (secretKey, since) => {
      const limits = { deadlineMs: lookupMs, pagesMax: chargebackPagesMax }
      const listed = await list(callWith(secretKey), { path: '/chargebacks', since, currency: 'NGN', ...limits })
      if (listed.is === 'unavailable') return listed
      return { is: 'listed', items: listed.items.flatMap((item) => readFlutterwaveChargeback(item) ?? []) }
    },
  }
}

const Envelope = z.object({
  status: z.enum(['success', 'error']),
  message: ErrorText.catch(''),
  data: z.unknown().optional(),
  meta: z
    .object({ page_info: z.object({ total_pages: z.int() }) })
    .optional()
    .catch(undefined),
})

function readEnvelope(body: unknown) {
  const read = Envelope.safeParse(body).data
  if (read === undefined) return undefined
  const { status, message, data, meta } = read
  // The error responses of Flutterwave contain no error code.
  return { isSuccess: status === 'success', message, code: '', data, totalPages: meta?.page_info.total_pages }
}

const CheckoutData = z.object({ link: z.url({ protocol: /^https?$/ }).max(2_000) })

const pageOf = (data: unknown) => CheckoutData.safeParse(data).data?.link

const duplicateReference = /duplicate (transaction|tx_?ref)/i

/** Message with which Flutterwave reports, with the HTTP status 400, that a transaction or a refund does not exist. */
const notFoundMessage = /\bno (transaction|refund)|\bnot found\b/i

function isNotFound({ status, message }: Extract<ApiResponse, { is: 'refused' }>): boolean {
  return status === 404 || notFoundMessage.test(message)
}

function notFound(reference: string): string {
  return `Flutterwave has no transaction with the reference ${reference}.`
}

function lookUp(call: Call, path: string): Promise<ApiResponse> {
  return call('GET', path, { deadlineMs: lookupMs })
}

/**
 * A payer whose attempt failed may pay on the same page again, so a reference can have several transactions: a
 * successful one is preferred.
 */
async function findPayment(call: Call, reference: string): Promise<PaymentOutcome> {
  const query = new URLSearchParams({ tx_ref: reference })
  const found = paymentOutcomeOf(await lookUp(call, `/transactions/verify_by_reference?${query}`))
  if (found.is !== 'found' || found.report.isPaid) return found
  const listed = await lookUp(call, `/transactions?${query}&status=successful`)
  if (listed.is !== 'answered') return unavailableOf(listed)
  const paid = z
    .array(z.looseObject({}))
    .catch([])
    .parse(listed.data)
    .map(readFlutterwaveCharge)
    .find((each) => each.isPaid && each.reference === reference)
  return paid === undefined || paid.providerId === null ? found : findPaymentById(call, paid.providerId)
}

async function findPaymentById(call: Call, id: string): Promise<PaymentOutcome> {
  return paymentOutcomeOf(await lookUp(call, `/transactions/${encodeURIComponent(id)}/verify`))
}

function paymentOutcomeOf(found: ApiResponse): PaymentOutcome {
  if (found.is === 'refused' && isNotFound(found)) return { is: 'missing' }
  if (found.is !== 'answered') return unavailableOf(found)
  const report = readFlutterwaveCharge(Object(found.data))
  return report.reference === null || report.providerId === null ? unreadable : { is: 'found', report }
}

interface Listing {
  readonly path: string
  readonly since: Timestamp
  readonly status?: string
  readonly currency?: string
  readonly deadlineMs?: number
  readonly pagesMax?: number
  readonly isWanted?: (item: object) => boolean
}

/** Flutterwave selects by whole days, so the list may begin up to a day before the given time. */
function list(
  call: Call,
  { path, since, status, currency, deadlineMs, pagesMax = longestListPages, isWanted }: Listing,
): Promise<ListOutcome<object>> {
  const query = new URLSearchParams({ from: since.slice(0, '2026-01-31'.length) })
  if (status !== undefined) query.set('status', status)
  if (currency !== undefined) query.set('currency', currency)
  return readPages((page) => call('GET', `${path}?${query}&page=${page}`, { deadlineMs }), { pagesMax, isWanted })
}

/**
 * A refund made in Flutterwave's dashboard names its transaction only by Flutterwave's own id, so the reference of each
 * such transaction is looked up. A refund whose lookup fails is listed without a reference, so that it does not hide
 * the other refunds.
 */
async function listRefunds(call: Call, since: Timestamp): Promise<ListOutcome<ListedRefund>> {
  const listed = await list(call, { path: '/refunds', since })
  if (listed.is === 'unavailable') return listed
  const refunds = listed.items.flatMap((item) => readFlutterwaveRefund(item) ?? [])
  const isForeign = ({ refundId }: FlutterwaveRefund) => refundId === undefined
  const ids = new Set(refunds.filter(isForeign).flatMap(({ transactionId }) => transactionId ?? []))
  const references = await referencesOf(call, [...ids].slice(0, lookupsMax))
  const items = refunds.map(({ transactionId, ...refund }) => {
    return { ...refund, transaction: references.get(transactionId) }
  })
  return { is: 'listed', items }
}

async function referencesOf(call: Call, ids: readonly string[]): Promise<ReadonlyMap<string | undefined, string>> {
  const references = new Map<string | undefined, string>()
  let lost = 0
  for (const id of ids) {
    const found = await findPaymentById(call, id)
    const reference = found.is === 'found' ? found.report.reference : null
    if (reference !== null) references.set(id, reference)
    if (found.is === 'unavailable' && found.isRefused !== true) lost += 1
    if (lost === lostLookupsMax) break
  }
  return references
}
