import { createHmac } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { onTestFinished } from 'vitest'
import { openPartnerDeadlines, type PartnerDeadlines } from '../../support/partner-deadlines.ts'
import { portOf } from '../../webhooks/receiver.ts'
import { type Answered, answer, type Fault, type FaultBodies, type Request, withFault } from './faults.ts'
import { initialize, type PaystackCheckout } from './paystack-checkouts.ts'

/**
 * A fake server of Paystack's public contract for payment pages, refunds and callbacks, on a real socket. It can simulate faults.
 * `refunds` contains the accepted refunds.
 */

export type PaystackStatus = 'pending' | 'processing' | 'needs-attention' | 'processed' | 'failed'

export interface PaystackRefund {
  readonly id: number
  readonly transactionReference: string
  readonly amount: number
  readonly merchantNote: string
  readonly createdAt: string
  status: PaystackStatus
  reason: string | null
  account: { accountNumber: string; bankId: string } | undefined
}

export interface PaystackTransaction {
  readonly reference: string
  readonly amount: number
  readonly status: string
  readonly [field: string]: unknown
}

export interface PaystackServer {
  readonly url: string
  readonly secretKey: string
  readonly refunds: PaystackRefund[]
  /** The initialized transactions, which have a page on which the buyer can pay. */
  readonly checkouts: PaystackCheckout[]
  /** Payments that Paystack has received, in the format in which Paystack reports them. */
  readonly transactions: PaystackTransaction[]
  /** All requests that the fake server has received, in order, such as `POST /refund`. */
  readonly requests: { readonly line: string; readonly authorization: string | undefined; readonly body: unknown }[]
  /**
   * Simulates faults of the next requests that create or retry the refund with this note, one request for each fault.
   * Requests for other refunds use up none of the faults, so that the result does not depend on the order in which
   * concurrent requests arrive.
   */
  failRefund(note: string, operation: 'create' | 'retry', ...faults: readonly Fault[]): void
  /**
   * Makes the next read requests fail, one request for each fault. The faults are not tied to a refund, because a list
   * request belongs to no refund. A test with these faults must therefore send one read request at a time.
   */
  failReads(...faults: readonly Fault[]): void
  /** Simulates faults of the next requests that initialize a transaction, one request for each fault. */
  failCheckouts(...faults: readonly Fault[]): void
  /** The initial status of a new refund. */
  newStatus: PaystackStatus
  sendsAmountsAsStrings: boolean
  /** The maximum page size of a list, even if the request asks for more. */
  pageMax: number
  /** How the server responds when a list request has the undocumented filter for reversed payments. */
  reversedFilter: 'works' | 'refused' | 'ignored'
  /** Changes the status of the latest refund, as Paystack does. */
  move(status: PaystackStatus, reason?: string): PaystackRefund
  /** Runs after the fake server has read a request, and before it responds. */
  onRequest: (line: string) => Promise<void> | void
  /** Sends requests to the fake server. A request that the server does not answer times out at once. */
  readonly reach: PartnerDeadlines['reach']
  callback(event: string, data: object): SignedCallback
  refundCallback(refund: PaystackRefund, more?: object): SignedCallback
}

export interface SignedCallback {
  readonly body: string
  readonly headers: Readonly<Record<string, string>>
}

/**
 * The faults that the fake server has not simulated yet. The faults of refunds are listed by operation and note. The
 * faults of read requests and of initialized transactions are simulated in order.
 */
interface Faults {
  readonly refund: Map<string, Fault[]>
  readonly read: Fault[]
  readonly checkout: Fault[]
}

export async function openPaystackServer(secretKey?: string): Promise<PaystackServer> {
  const { paystack, close } = await startPaystackServer(secretKey)
  onTestFinished(close)
  return paystack
}

/** Starts a fake server, which the caller closes. */
export async function startPaystackServer(secretKey = 'sk_live_local') {
  const faults: Faults = { refund: new Map(), read: [], checkout: [] }
  const silence = openPartnerDeadlines()
  const paystack: PaystackServer = {
    url: '',
    secretKey,
    refunds: [],
    checkouts: [],
    transactions: [],
    requests: [],
    failRefund: (note, operation, ...more) => faults.refund.set(`${operation} ${note}`, [...more]),
    failCheckouts: (...more) => faults.checkout.push(...more),
    failReads: (...more) => faults.read.push(...more),
    newStatus: 'pending',
    sendsAmountsAsStrings: false,
    pageMax: 100,
    reversedFilter: 'works',
    move: (status, reason) => {
      const latest = paystack.refunds.at(-1)
      if (latest === undefined) throw new Error('Paystack has no refund.')
      return Object.assign(latest, { status, reason: reason ?? null })
    },
    onRequest: () => undefined,
    reach: silence.reach,
    callback: (event, data) => signed(secretKey, { event, data }),
    refundCallback: (refund, more = {}) =>
      signed(secretKey, { event: `refund.${refund.status}`, data: { ...callbackDataOf(paystack, refund), ...more } }),
  }
  const server = createServer(async (message, response) => {
    const text = await readText(message)
    const url = new URL(message.url ?? '', 'http://paystack')
    const line = `${message.method} ${url.pathname}`
    const body: unknown = text === '' ? undefined : JSON.parse(text)
    paystack.requests.push({ line, authorization: message.headers.authorization, body })
    await paystack.onRequest(line)
    if (message.headers.authorization !== `Bearer ${secretKey}`) {
      answer(response, 401, { status: false, message: 'Invalid key', code: 'invalid_Key' })
      return
    }
    const beSilent = () => silence.expire(message.headers)
    route(paystack, faults, { method: message.method ?? '', url, body: Object(body), beSilent }, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const close = () => {
    server.closeAllConnections()
    server.close()
  }
  return { paystack: Object.assign(paystack, { url: `http://127.0.0.1:${portOf(server.address())}` }), close }
}

const bodies: FaultBodies = {
  error: (message, code) => ({ status: false, message, ...(code === '' ? {} : { type: 'validation_error', code }) }),
  nonsense: { status: true, message: 'ok', data: { id: null } },
  refusal: ['Transaction has been fully reversed', 'transaction_reversed'],
}

function route(paystack: PaystackServer, faults: Faults, request: Request, response: ServerResponse): void {
  const { pathname } = request.url
  const faultOf = (operation: 'create' | 'retry', note: string) => faults.refund.get(`${operation} ${note}`)?.shift()
  const work = (fault: Fault | undefined, process: () => Answered) =>
    withFault(response, { fault, bodies, beSilent: request.beSilent, work: process })
  if (request.method === 'POST' && pathname === '/refund') {
    work(faultOf('create', request.body.merchant_note), () => create(paystack, request))
  } else if (request.method === 'POST' && pathname.startsWith('/refund/retry_with_customer_details/')) {
    const note = refundAt(paystack, pathname)?.merchantNote ?? ''
    work(faultOf('retry', note), () => retry(paystack, request))
  } else if (request.method === 'POST' && pathname === '/transaction/initialize') {
    work(faults.checkout.shift(), () => initialize(paystack.checkouts, request))
  } else if (request.method === 'GET') {
    work(faults.read.shift(), () => read(paystack, request))
  } else {
    answer(response, 404, { status: false, message: 'Not found', code: 'not_found' })
  }
}

function create(paystack: PaystackServer, { body }: Request): Answered {
  const refund: PaystackRefund = {
    id: 3_000_000 + paystack.refunds.length,
    transactionReference: String(body.transaction),
    amount: body.amount,
    merchantNote: body.merchant_note,
    createdAt: new Date().toISOString(),
    status: paystack.newStatus,
    reason: null,
    account: undefined,
  }
  paystack.refunds.push(refund)
  const { transaction: _, ...data } = recordOf(paystack, refund)
  const created = { ...data, transaction: { reference: refund.transactionReference } }
  return [200, { status: true, message: 'Refund has been queued for processing', data: created }]
}

function refundAt(paystack: PaystackServer, pathname: string): PaystackRefund | undefined {
  return paystack.refunds.find(({ id }) => String(id) === pathname.split('/').at(-1))
}

function retry(paystack: PaystackServer, { url, body }: Request): Answered {
  const refund = refundAt(paystack, url.pathname)
  if (refund === undefined) return [404, { status: false, message: 'Refund not found', code: 'not_found' }]
  if (refund.status !== 'needs-attention') {
    const message = 'Invalid Refund state, refund status should be "needs-attention"'
    return [422, { status: false, message, type: 'validation_error', code: 'invalid_params' }]
  }
  const details = body.refund_account_details
  refund.account = { accountNumber: details.account_number, bankId: details.bank_id }
  refund.status = 'processing'
  return [200, { status: true, message: 'Refund retried', data: recordOf(paystack, refund) }]
}

const banks = [
  { id: 1, name: 'Access Bank', code: '044' },
  { id: 9, name: 'Guaranty Trust Bank', code: '058' },
]

function read(paystack: PaystackServer, { url }: Request): Answered {
  const page = Number(url.searchParams.get('page') ?? 1)
  const perPage = Math.min(paystack.pageMax, Number(url.searchParams.get('perPage') ?? 50))
  const slice = <Item>(items: readonly Item[]) => items.slice((page - 1) * perPage, page * perPage)
  if (url.pathname === '/bank') return [200, { status: true, message: 'Banks retrieved', data: slice(banks) }]
  if (url.pathname.startsWith('/transaction/verify/')) {
    const reference = decodeURIComponent(url.pathname.split('/').at(-1) ?? '')
    const data = paystack.transactions.find((each) => each.reference === reference)
    if (data !== undefined) return [200, { status: true, message: 'Verification successful', data }]
    const code = 'transaction_not_found'
    return [400, { status: false, message: 'Transaction reference not found.', type: 'validation_error', code }]
  }
  if (url.pathname === '/transaction') {
    const asked = url.searchParams.get('status')
    if (asked === 'reversed' && paystack.reversedFilter === 'refused') {
      return [
        400,
        { status: false, message: 'Invalid status passed', type: 'validation_error', code: 'invalid_params' },
      ]
    }
    const isAll = asked === null || (asked === 'reversed' && paystack.reversedFilter === 'ignored')
    const paid = paystack.transactions.filter(({ status }) => isAll || status === asked)
    return [200, { status: true, message: 'Transactions retrieved', data: slice(paid) }]
  }
  if (url.pathname === '/refund') {
    const data = slice([...paystack.refunds].reverse()).map((refund) => recordOf(paystack, refund))
    return [200, { status: true, message: 'Refunds retrieved', data, meta: { page, perPage: String(perPage) } }]
  }
  const refund = paystack.refunds.find(({ id }) => url.pathname === `/refund/${id}`)
  if (refund === undefined) return [404, { status: false, message: 'Refund not found', code: 'not_found' }]
  return [200, { status: true, message: 'Refund retrieved', data: recordOf(paystack, refund) }]
}

function amountOf(paystack: PaystackServer, refund: PaystackRefund): number | string {
  return paystack.sendsAmountsAsStrings ? String(refund.amount) : refund.amount
}

function recordOf(paystack: PaystackServer, refund: PaystackRefund) {
  return {
    integration: 100982,
    transaction: 1641,
    dispute: null,
    settlement: null,
    id: refund.id,
    domain: 'live',
    currency: 'NGN',
    amount: amountOf(paystack, refund),
    status: refund.status,
    refunded_at: null,
    expected_at: '2026-12-01T09:21:17.000Z',
    channel: 'card',
    customer_note: `Refund for transaction ${refund.transactionReference}`,
    merchant_note: refund.merchantNote,
    deducted_amount: 0,
    fully_deducted: false,
    bank_reference: null,
    reason: refund.reason,
    transaction_reference: refund.transactionReference,
    createdAt: refund.createdAt,
  }
}

function callbackDataOf(paystack: PaystackServer, refund: PaystackRefund) {
  return {
    status: refund.status,
    transaction_reference: refund.transactionReference,
    refund_reference: null,
    amount: amountOf(paystack, refund),
    currency: 'NGN',
    processor: 'instant-transfer',
    customer: { first_name: 'Adaeze', last_name: 'Okafor', email: 'adaeze.okafor@example.com' },
    integration: 100982,
    domain: 'live',
    id: String(refund.id),
    merchant_note: refund.merchantNote,
  }
}

/** Signs a callback as Paystack does: HMAC-SHA512 of the raw body, keyed with the merchant's secret key, in hex. */
export function signed(secretKey: string, payload: object): SignedCallback {
  const body = JSON.stringify(payload)
  const signature = createHmac('sha512', secretKey).update(body).digest('hex')
  return { body, headers: { 'content-type': 'application/json', 'x-paystack-signature': signature } }
}

async function readText(message: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of message) chunks.push(Buffer.from(chunk))
  return Buffer.concat(chunks).toString()
}
