import type { IncomingMessage } from 'node:http'
import { z } from 'zod'
import { testPaymentOf } from '../../registry/service/test-payments.ts'
import { toTimestamp } from '../base/clock.ts'
import {
  findSimulatedPayment,
  findSimulatedRefund,
  insertSimulatedPayment,
  insertSimulatedRefund,
  listSimulatedRefunds,
  setSimulatedDetails,
} from '../store/simulator/simulated-payments.ts'
import { checkoutRoot, writeCheckoutToken } from './checkout.ts'
import { answer, type Reply } from './contract.ts'
import { simulatedBanks } from './payment-banks.ts'
import { type Account, chargeOf } from './payment-callbacks.ts'
import { refundStatusAt } from './payment-life.ts'
import { recordOf, schedulePaymentEvents, scheduleRefundCallbacks } from './payment-refunds.ts'
import type { Simulation } from './simulation.ts'

/**
 * The simulated payment provider of test mode, with Paystack's API:
 *
 *   POST /paystack/transaction/initialize             POST /paystack/refund
 *   GET /paystack/transaction/verify/{reference}
 *   GET /paystack/refund   GET /paystack/refund/{id}  POST /paystack/refund/retry_with_customer_details/{id}
 *   GET /paystack/bank
 */

/**
 * Header with the base URL to which callbacks are sent. The real Paystack has no such header: the URL is configured on
 * Paystack's dashboard.
 */
const callbackRootHeader = 'simulator-callback-root'

/** Header with the base URL at which buyers reach the service. */
const pageRootHeader = 'simulator-page-root'

const keyPattern = /^Bearer (sk_test_(mer_[0-9a-z]{26})_[0-9a-f]{64})$/

export function answerPayments(
  simulation: Simulation,
  { method, headers }: IncomingMessage,
  { url, body }: { readonly url: URL; readonly body: unknown },
): Reply | Promise<Reply> {
  const [, key, merchantId] = keyPattern.exec(headers.authorization ?? '') ?? []
  if (key === undefined || merchantId === undefined) return declinedReply(401, 'invalid_Key', 'Invalid key')
  const root = headers[callbackRootHeader]
  const callbackRoot = typeof root === 'string' ? root : undefined
  const account: Account = { simulation, nowMs: simulation.clock.nowMs(), merchantId, key, callbackRoot }
  const [, , noun = '', first = '', second = ''] = url.pathname.split('/').map(decodeURIComponent)
  if (method === 'GET' && noun === 'transaction' && first === 'verify') return verify(account, second)
  if (method === 'POST' && noun === 'transaction' && first === 'initialize') {
    return initialize(account, String(headers[pageRootHeader] ?? 'http://localhost'), body)
  }
  if (method === 'GET' && noun === 'bank') return listed(url.searchParams, simulatedBanks)
  if (noun !== 'refund') return missing
  if (method === 'POST' && first === 'retry_with_customer_details') return setBankDetails(account, second)
  if (method === 'POST' && first === '') return createRefund(account, body)
  if (method === 'GET' && first === '') return listRefunds(account, url.searchParams)
  return method === 'GET' ? readRefund(account, first) : missing
}

function acceptedReply(message: string, data: unknown): Reply {
  return answer(200, { status: true, message, data })
}

function declinedReply(status: number, code: string, message: string): Reply {
  return answer(status, { status: false, message, code })
}

const missing = declinedReply(404, 'not_found', 'Resource not found.')

/**
 * Maximum length of the URL to which a buyer returns after the payment. The URL of the checkout page contains this URL
 * in base64, and the service accepts page URLs of at most 2,000 characters.
 */
const callbackUrlMaxLength = 1_200

/** The metadata with which the service creates a checkout page. The service sends it as JSON text. */
const PageMetadata = z.preprocess(
  (text) => (typeof text === 'string' ? JSON.parse(text) : text),
  z.object({ orderId: z.string() }),
)

const PageBody = z.object({
  reference: z.string().refine((reference) => testPaymentOf(reference) !== undefined),
  amount: z.int().min(1),
  email: z.email(),
  callback_url: z.url().max(callbackUrlMaxLength).optional(),
  metadata: PageMetadata,
})

/** Creates a checkout page. This service itself serves the page, at a path that ends with the token of the page. */
function initialize({ simulation, merchantId }: Account, pageRoot: string, body: unknown): Reply {
  const page = PageBody.safeParse(body).data
  if (page === undefined)
    return declinedReply(
      400,
      'invalid_params',
      'The page needs a test reference, an amount, an order and an e-mail address, and a callback URL of at most 1,200 characters.',
    )
  const { reference, amount: amountKobo, callback_url: callbackUrl = null, metadata } = page
  const content = { merchantId, orderId: metadata.orderId, reference, amountKobo, callbackUrl }
  const authorization_url = `${pageRoot}${checkoutRoot}/${writeCheckoutToken(simulation.keys, content)}`
  return acceptedReply('Authorization URL created', { authorization_url, reference })
}

async function verify(account: Account, reference: string): Promise<Reply> {
  const testPayment = testPaymentOf(reference)
  if (testPayment === undefined) return declinedReply(404, 'transaction_not_found', 'Transaction reference not found.')
  const { database } = account.simulation
  const key = { account: account.merchantId, reference }
  const stored = await findSimulatedPayment(database, key)
  if (stored === undefined && testPayment.behaviour === 'abandoned') {
    const details = { reference, amount: testPayment.amountKobo, currency: 'NGN', channel: 'card' }
    return acceptedReply('Verification successful', { ...details, status: 'abandoned', paid_at: null })
  }
  const inserted =
    stored === undefined
      ? await insertSimulatedPayment(database, { ...key, ...testPayment, now: toTimestamp(account.nowMs) })
      : undefined
  if (inserted !== undefined) await schedulePaymentEvents(account, inserted)
  // A concurrent request may have stored the payment since this request searched for it.
  const payment = stored ?? inserted ?? (await findSimulatedPayment(database, key))
  return payment === undefined ? missing : acceptedReply('Verification successful', chargeOf(payment))
}

const RefundBody = z.object({
  transaction: z.string().min(1).max(100),
  amount: z.int().min(1),
  merchant_note: z.string().max(500).catch(''),
})

async function createRefund(account: Account, body: unknown): Promise<Reply> {
  const asked = RefundBody.safeParse(body).data
  if (asked === undefined) return declinedReply(400, 'invalid_params', 'Transaction and amount are required.')
  const { simulation, merchantId, nowMs } = account
  const paid = await findSimulatedPayment(simulation.database, { account: merchantId, reference: asked.transaction })
  // A refund succeeds if its payment has no test reference, for example a payment of the demo data.
  const behaviour = paid?.behaviour ?? testPaymentOf(asked.transaction)?.behaviour ?? 'success'
  if (behaviour === 'refund_refused')
    return declinedReply(400, 'transaction_reversed', 'Transaction has been fully reversed')
  const refund = await insertSimulatedRefund(simulation.database, {
    ...{ account: merchantId, reference: asked.transaction, amountKobo: asked.amount, note: asked.merchant_note },
    ...{ behaviour, stepMs: simulation.stepMs, now: toTimestamp(nowMs) },
  })
  if (refund === undefined) return declinedReply(500, 'server_error', 'The refund was not stored.')
  await scheduleRefundCallbacks(account, refund)
  return acceptedReply('Refund has been queued for processing', recordOf(refund, nowMs))
}

async function readRefund({ simulation, merchantId, nowMs }: Account, name: string): Promise<Reply> {
  const refund = await findSimulatedRefund(simulation.database, { account: merchantId, id: idOf(name) })
  return refund === undefined ? missing : acceptedReply('Refund retrieved', recordOf(refund, nowMs))
}

/** For text that is not a number, returns 0, which is the id of no refund. */
function idOf(name: string): number {
  return /^\d{1,15}$/.test(name) ? Number(name) : 0
}

const perPageMax = 100

function pageOf(query: URLSearchParams): { readonly limit: number; readonly offset: number } {
  const limit = Math.min(perPageMax, Number(query.get('perPage')) || perPageMax)
  return { limit, offset: Math.max(0, (Number(query.get('page')) || 1) - 1) * limit }
}

function listed(query: URLSearchParams, all: readonly object[]): Reply {
  const { limit, offset } = pageOf(query)
  return acceptedReply('Retrieved', all.slice(offset, offset + limit))
}

async function listRefunds({ simulation, merchantId, nowMs }: Account, query: URLSearchParams): Promise<Reply> {
  const refunds = await listSimulatedRefunds(simulation.database, { account: merchantId, ...pageOf(query) })
  return acceptedReply(
    'Refunds retrieved',
    refunds.map((refund) => recordOf(refund, nowMs)),
  )
}

async function setBankDetails(account: Account, name: string): Promise<Reply> {
  const { simulation, merchantId, nowMs } = account
  const key = { account: merchantId, id: idOf(name) }
  const refund = await findSimulatedRefund(simulation.database, key)
  if (refund === undefined) return missing
  const updated =
    refundStatusAt(refund, nowMs) === 'needs-attention'
      ? await setSimulatedDetails(simulation.database, { ...key, now: toTimestamp(nowMs) })
      : undefined
  if (updated === undefined) return declinedReply(422, 'invalid_params', 'The refund does not need bank details.')
  await scheduleRefundCallbacks(account, updated)
  return acceptedReply('Refund retried and has been queued for processing', recordOf(updated, nowMs))
}
