import { z } from 'zod'
import type { Timestamp } from '../../../registry/values/vocabulary.ts'
import type { OutboundRequest, SafeFetch } from '../../outbound/safe-fetch.ts'
import { readPaystackCharge } from './paystack-charges.ts'
import { PaystackAmount, PaystackId, paystackMoment, refundIdIn } from './paystack-values.ts'
import type {
  FindOutcome,
  ListOutcome,
  PaymentProvider,
  PaymentReport,
  RefundReport,
  SubmitOutcome,
} from './provider.ts'

/**
 * Paystack's refunds, by its public contract. It has no key that would make a refund safe to ask for twice, and its
 * list has no field of ours but the note, so the note carries our id of the refund.
 */

/** A refund may take Paystack long; who gives up earlier only has more unknown outcomes to look into. */
const deadlineMs = 30_000

/** A page of a hundred refunds with their customers is some 200 KB; what is cut cannot be read, and is then unknown. */
const responseMaxBytes = 2 * 1024 * 1024

const perPage = 100

/** Two thousand refunds in the time searched. Beyond it nothing can be concluded. */
const pagesMax = 20

/** Ten thousand payments that went back, of months: every refund of a whole payment is one. */
const reversedPagesMax = 100

export function openPaystack(send: SafeFetch['fetch'], root: string): PaymentProvider {
  const call = async (secretKey: string, request: ApiRequest) => judge(await send(outbound(root, secretKey, request)))
  return {
    refund: async (secretKey, { transaction, amountKobo, note }) => {
      const body = { transaction, amount: amountKobo, currency: 'NGN', merchant_note: note }
      return askOutcome(await call(secretKey, { method: 'POST', path: '/refund', body }))
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
    findPayment: async (secretKey, reference) => {
      const path = `/transaction/verify/${encodeURIComponent(reference)}`
      const found = await call(secretKey, { method: 'GET', path })
      const isMissing = found.is === 'refused' && (found.status === 404 || found.code === 'transaction_not_found')
      if (isMissing) return { is: 'missing' }
      if (found.is !== 'answered') return { is: 'unavailable', reason: reasonOf(found) }
      const report = readPaystackCharge(found.data)
      return report === undefined ? unreadable : { is: 'found', report }
    },
    listPayments: (secretKey, since) =>
      listCharges((request) => call(secretKey, request), { since, status: 'success', pagesMax }),
    listReversedPayments: async (secretKey, since) => {
      const listing = { since, status: 'reversed', pagesMax: reversedPagesMax }
      const listed = await listCharges((request) => call(secretKey, request), listing)
      if (listed.is === 'unavailable') return listed
      // The filter documents no such status: where it is ignored, the list is of all payments.
      return { is: 'listed', items: listed.items.filter(({ isReversed }) => isReversed) }
    },
    listRefunds: async (secretKey, since) => {
      const listed = await listAll((request) => call(secretKey, request), { path: '/refund', since })
      if (listed.is === 'unavailable') return listed
      const items = listed.items.flatMap((item) => {
        const report = reportOf(item)
        return report === undefined ? [] : { ...report, refundId: refundIdIn(String(Object(item).merchant_note ?? '')) }
      })
      return { is: 'listed', items }
    },
    giveAccount: async (secretKey, reference, { accountNumber, bankCode }) => {
      const bank = await findBank((request) => call(secretKey, request), bankCode)
      if (bank.is !== 'found') return bank
      const details = { currency: 'NGN', account_number: accountNumber, bank_id: bank.id }
      const path = `/refund/retry_with_customer_details/${encodeURIComponent(reference)}`
      return askOutcome(await call(secretKey, { method: 'POST', path, body: { refund_account_details: details } }))
    },
  }
}

interface Listing {
  readonly path: string
  readonly since: Timestamp
  readonly status?: string
  readonly pagesMax?: number
}

async function listCharges(
  call: (request: ApiRequest) => Promise<Judged>,
  listing: Omit<Listing, 'path'>,
): Promise<ListOutcome<PaymentReport>> {
  const listed = await listAll(call, { ...listing, path: '/transaction' })
  if (listed.is === 'unavailable') return listed
  return { is: 'listed', items: listed.items.flatMap((item) => readPaystackCharge(item) ?? []) }
}

/** Reads a list to its end, or as far as the first item that is wanted. */
async function listAll(
  call: (request: ApiRequest) => Promise<Judged>,
  { path, since, status, pagesMax: mostPages = pagesMax }: Listing,
  isWanted?: (item: unknown) => boolean,
): Promise<ListOutcome<unknown>> {
  const items: unknown[] = []
  for (let page = 1; page <= mostPages; page++) {
    // The documented filters are these; a filter it did not know would make a refund look missing.
    const query = new URLSearchParams({ perPage: String(perPage), page: String(page), from: since })
    if (status !== undefined) query.set('status', status)
    const found = await call({ method: 'GET', path: `${path}?${query}` })
    if (found.is !== 'answered') return { is: 'unavailable', reason: reasonOf(found) }
    const listed = z.array(z.looseObject({})).safeParse(found.data)
    if (!listed.success) return { is: 'unavailable', reason: 'unreadable' }
    const wanted = isWanted === undefined ? [] : listed.data.filter(isWanted)
    if (wanted.length > 0) return { is: 'listed', items: wanted }
    // A short page need not be the last: how many a page may hold is nowhere promised.
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

type Judged =
  | { readonly is: 'answered'; readonly data: unknown }
  | { readonly is: 'refused'; readonly status: number; readonly code: string; readonly message: string }
  | { readonly is: 'not_begun'; readonly reason: string }
  | { readonly is: 'unknown'; readonly reason: string }

/** As long as a sentence for a person has to be, and without NUL, which PostgreSQL's text cannot hold. */
const wordsMaxLength = 500

const Words = z.string().transform((text) => text.replaceAll('\0', '').slice(0, wordsMaxLength))

const Envelope = z.object({
  status: z.boolean(),
  message: Words.catch(''),
  code: Words.catch(''),
  data: z.unknown().optional(),
})

/** These mean that the request was read and nothing was begun. Any other status may come from anything on the way. */
const refusals = [400, 404, 422]

/** The key is wrong, or Paystack wants less traffic: the request itself was not looked at. */
const notLookedAt = [401, 403, 429]

/** Errors before a connection: the request cannot have arrived. */
const neverSent = ['dns', 'resolver_down', 'destination_refused']

function judge(outcome: Awaited<ReturnType<SafeFetch['fetch']>>): Judged {
  if (outcome.is === 'failed') {
    return { is: neverSent.includes(outcome.errorCode) ? 'not_begun' : 'unknown', reason: outcome.errorCode }
  }
  const { status } = outcome
  if (notLookedAt.includes(status)) return { is: 'not_begun', reason: `http_${status}` }
  const read = Envelope.safeParse(parsed(outcome.body))
  if (!read.success) return { is: 'unknown', reason: `http_${status}_unreadable` }
  const { message, code, data } = read.data
  if (status >= 200 && status <= 299 && read.data.status) return { is: 'answered', data }
  if (refusals.includes(status) && !read.data.status) {
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

function askOutcome(judged: Judged): SubmitOutcome {
  switch (judged.is) {
    case 'answered': {
      const report = reportOf(judged.data)
      return report === undefined ? { is: 'unknown', reason: 'unreadable' } : { is: 'accepted', report }
    }
    case 'refused':
      return { is: 'refused', code: judged.code, message: judged.message }
    case 'not_begun':
    case 'unknown':
      return judged
  }
}

const unreadable = { is: 'unavailable', reason: 'unreadable' } as const satisfies FindOutcome

function reasonOf(judged: Exclude<Judged, { is: 'answered' }>): string {
  return judged.is === 'refused' ? judged.code : judged.reason
}

const statuses: Readonly<Record<string, RefundReport['status']>> = {
  pending: 'pending',
  processing: 'processing',
  'needs-attention': 'needs_attention',
  processed: 'succeeded',
  failed: 'failed',
  // Money that was paid back and came back.
  reversed: 'failed',
}

export function paystackRefundStatus(word: string): RefundReport['status'] {
  return statuses[word]
}

const RefundData = z.object({
  id: PaystackId,
  status: z.string(),
  amount: PaystackAmount,
  expected_at: z.string().nullish().catch(null),
  reason: Words.nullish().catch(null),
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

/** Paystack names banks by ids of its own. */
async function findBank(
  call: (request: ApiRequest) => Promise<Judged>,
  bankCode: string,
): Promise<{ readonly is: 'found'; readonly id: string } | Exclude<SubmitOutcome, { is: 'accepted' }>> {
  for (let page = 1; page <= pagesMax; page++) {
    const query = new URLSearchParams({ country: 'nigeria', perPage: String(perPage), page: String(page) })
    const found = await call({ method: 'GET', path: `/bank?${query}` })
    // Only a list was asked for, so whatever went wrong, nothing has begun.
    if (found.is !== 'answered') return { is: 'not_begun', reason: reasonOf(found) }
    const banks = Banks.safeParse(found.data)
    if (!banks.success) return { is: 'not_begun', reason: 'unreadable' }
    const bank = banks.data.find(({ code }) => code === bankCode)
    if (bank !== undefined) return { is: 'found', id: bank.id }
    if (banks.data.length === 0) break
  }
  return { is: 'refused', code: 'unknown_bank', message: `Paystack knows no bank with the code ${bankCode}.` }
}
