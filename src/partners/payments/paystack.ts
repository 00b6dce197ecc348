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
  reasonOf,
  submitOutcomeOf,
  unreadable,
} from './api-calls.ts'
import { providerMoment } from './moment.ts'
import { isSignedByPaystack, readPaystackCallback } from './paystack-callback.ts'
import { readPaystackCharge } from './paystack-charges.ts'
import { PaystackAmount, PaystackId, paystackRefundStatus } from './paystack-values.ts'
import type { ListOutcome, PaymentAdapter, PaymentApi, PaymentReport, RefundReport, SubmitOutcome } from './provider.ts'
import { refundIdIn } from './refund-note.ts'

/**
 * Adapter for Paystack, written from its public API documentation. Paystack has no idempotency key for refunds. The
 * note of a refund is the only field for data of the client, so it contains our refund id.
 */

const perPage = 100

/**
 * Maximum number of pages that one search for a refund reads: two thousand refunds in the searched period. The search
 * of a longer list is inconclusive.
 */
const pagesMax = 20

/**
 * Maximum number of pages that one list of payments reads: ten thousand payments of the compared days, or ten thousand
 * reversed payments over months. Every payment that was refunded in full is treated as reversed. The payments of other
 * applications that use the same account are listed too.
 */
const paymentPagesMax = 100

/** Pattern of a Paystack secret key. It does not match public keys (pk_), which merchants often enter by mistake. */
const secretKeyPattern = /^sk_(live|test)_[0-9A-Za-z]{4,200}$/

export const paystack: PaymentAdapter = {
  name: 'paystack',
  keyPrefixes: { any: 'sk_', live: 'sk_live_' },
  keyModeOf: (secretKey) => {
    if (!secretKeyPattern.test(secretKey)) return undefined
    return secretKey.startsWith('sk_live_') ? 'live' : 'test'
  },
  isBodySigned: true,
  listsOrderIds: true,
  isSigned: isSignedByPaystack,
  readCallback: readPaystackCallback,
  open: openPaystack,
}

export function openPaystack(send: SafeFetch['fetch'], root: string): PaymentApi {
  const call = openCalls(send, root, readEnvelope)
  return {
    refund: async (secretKey, { transaction, amountKobo, note }) => {
      const body = { transaction, amount: amountKobo, currency: 'NGN', merchant_note: note }
      return submitOutcomeOf(await call(secretKey, { method: 'POST', path: '/refund', body }), reportOf)
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
      const response = await call(secretKey, { method: 'POST', path: '/transaction/initialize', body: page })
      return checkoutOutcomeOf(response, { read: pageOf, duplicateReference })
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
      listCharges((request) => call(secretKey, request), { since, status: 'success', pagesMax: paymentPagesMax }),
    listReversedPayments: async (secretKey, since) => {
      const listing = { since, status: 'reversed', pagesMax: paymentPagesMax }
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
      const body = { refund_account_details: details }
      return submitOutcomeOf(await call(secretKey, { method: 'POST', path, body }), reportOf)
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
  call: (request: ApiRequest) => Promise<ApiResponse>,
  listing: Omit<Listing, 'path'>,
): Promise<ListOutcome<PaymentReport>> {
  const listed = await listAll(call, { ...listing, path: '/transaction' })
  if (listed.is === 'unavailable') return listed
  return { is: 'listed', items: listed.items.map(readPaystackCharge) }
}

function listAll(
  call: (request: ApiRequest) => Promise<ApiResponse>,
  { path, since, status, pagesMax: mostPages = pagesMax }: Listing,
  isWanted?: (item: object) => boolean,
): Promise<ListOutcome<object>> {
  // Only filters that Paystack documents are used: an unsupported filter could make a refund appear missing.
  const query = new URLSearchParams({ perPage: String(perPage), from: since })
  if (status !== undefined) query.set('status', status)
  const read = (page: number) => call({ method: 'GET', path: `${path}?${query}&page=${page}` })
  return readPages(read, { pagesMax: mostPages, isWanted })
}

const Envelope = z.object({
  status: z.boolean(),
  message: ErrorText.catch(''),
  code: ErrorText.catch(''),
  data: z.unknown().optional(),
})

function readEnvelope(body: unknown) {
  const read = Envelope.safeParse(body).data
  return read === undefined ? undefined : { ...read, isSuccess: read.status }
}

const CheckoutData = z.object({ authorization_url: z.url({ protocol: /^https?$/ }).max(2_000) })

const duplicateReference = /duplicate transaction reference/i

const pageOf = (data: unknown) => CheckoutData.safeParse(data).data?.authorization_url

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
    expectedAt: providerMoment(expected_at) ?? null,
    reason: reason ?? null,
  }
}

const Banks = z.array(z.object({ id: PaystackId, code: z.string() }))

/** Finds Paystack's own id of a bank by its interbank code. */
async function findBank(
  call: (request: ApiRequest) => Promise<ApiResponse>,
  bankCode: string,
): Promise<{ readonly is: 'found'; readonly id: string } | Exclude<SubmitOutcome, { is: 'accepted' }>> {
  for (let page = 1; page <= pagesMax; page++) {
    const query = new URLSearchParams({ country: 'nigeria', perPage: String(perPage), page: String(page) })
    const found = await call({ method: 'GET', path: `/bank?${query}` })
    // The request for Paystack's list of banks changes nothing at the provider. If it fails, the bank details were
    // certainly not submitted, regardless of the error.
    if (found.is !== 'answered') return { is: 'not_submitted', reason: reasonOf(found) }
    const banks = Banks.safeParse(found.data)
    if (!banks.success) return { is: 'not_submitted', reason: 'unreadable' }
    const bank = banks.data.find(({ code }) => code === bankCode)
    if (bank !== undefined) return { is: 'found', id: bank.id }
    if (banks.data.length === 0) break
  }
  return { is: 'refused', code: 'unknown_bank', message: `Paystack has no bank with the code ${bankCode}.` }
}
