import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { onTestFinished } from 'vitest'
import { openPartnerDeadlines, type PartnerDeadlines } from '../../support/partner-deadlines.ts'
import { portOf } from '../../webhooks/receiver.ts'
import { vendorExample } from '../examples/example.ts'
import { type Answered, answer, type Fault, type FaultBodies, type Request, withFault } from './faults.ts'

/**
 * A fake server of the public contract of Flutterwave's API, version 3, on a real socket. Its records have the fields of
 * the published examples. It can simulate faults.
 */

/** A record in Flutterwave's format. */
type Row = { readonly [field: string]: unknown }

export interface FlutterwaveRefund {
  readonly id: number
  readonly transactionId: number
  readonly amount: number
  readonly comment: string
  readonly createdAt: string
  status: string
}

export interface FlutterwaveServer {
  readonly url: string
  readonly secretKey: string
  readonly secretHash: string
  /** The transactions of the account, in the format of a verification. */
  readonly transactions: Row[]
  readonly refunds: FlutterwaveRefund[]
  readonly chargebacks: Row[]
  readonly checkouts: Row[]
  /** All requests that the fake server has received, in order, such as `GET /transactions`. */
  readonly requests: { readonly line: string; readonly authorization: string | undefined; readonly body: unknown }[]
  /** Simulates faults of the next requests that create the refund with this comment, one request for each fault. */
  failRefund(comment: string, ...faults: readonly Fault[]): void
  /** Makes the next read requests fail, one request for each fault. */
  failReads(...faults: readonly Fault[]): void
  failCheckouts(...faults: readonly Fault[]): void
  /** The initial status of a new refund. */
  newStatus: string
  /** Runs after the fake server has read a request, and before it responds. */
  onRequest: (line: string) => Promise<void> | void
  /** Sends requests to the fake server. A request that the server does not answer times out at once. */
  readonly reach: PartnerDeadlines['reach']
  /** Returns a callback with the merchant's secret hash. */
  callback(content: object): { readonly body: string; readonly headers: Readonly<Record<string, string>> }
}

interface Faults {
  readonly refund: Map<string, Fault[]>
  readonly read: Fault[]
  readonly checkout: Fault[]
}

/** Flutterwave's page size of transactions, according to the published examples. */
const pageSize = 10

export async function openFlutterwaveServer(
  secretKey = 'FLWSECK-local4f1c2b7a9d-X',
  secretHash = 'a-secret-hash-of-the-merchant',
): Promise<FlutterwaveServer> {
  const faults: Faults = { refund: new Map(), read: [], checkout: [] }
  const silence = openPartnerDeadlines()
  const flutterwave: FlutterwaveServer = {
    ...{ url: '', secretKey, secretHash, transactions: [], refunds: [], chargebacks: [], checkouts: [], requests: [] },
    failRefund: (comment, ...more) => faults.refund.set(comment, [...more]),
    failReads: (...more) => faults.read.push(...more),
    failCheckouts: (...more) => faults.checkout.push(...more),
    newStatus: 'completed',
    onRequest: () => undefined,
    reach: silence.reach,
    callback: (content) => {
      const headers = { 'content-type': 'application/json', 'verif-hash': secretHash }
      return { body: JSON.stringify(content), headers }
    },
  }
  const server = createServer(async (message, response) => {
    const text = await readText(message)
    const url = new URL(message.url ?? '', 'http://flutterwave')
    const line = `${message.method} ${url.pathname}`
    const body: unknown = text === '' ? undefined : JSON.parse(text)
    flutterwave.requests.push({ line, authorization: message.headers.authorization, body })
    await flutterwave.onRequest(line)
    if (message.headers.authorization !== `Bearer ${secretKey}`) {
      answer(response, ...refused('Invalid authorization key', 401))
      return
    }
    const beSilent = () => silence.expire(message.headers)
    route(flutterwave, faults, { method: message.method ?? '', url, body: Object(body), beSilent }, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return Object.assign(flutterwave, { url: `http://127.0.0.1:${portOf(server.address())}` })
}

const error = (message: string) => ({ status: 'error', message, data: null })

const refused = (message: string, status = 400): Answered => [status, error(message)]

const bodies: FaultBodies = {
  error,
  nonsense: { status: 'success', message: 'ok', data: { id: null } },
  refusal: ['Transaction has been fully refunded', ''],
}

function route(flutterwave: FlutterwaveServer, faults: Faults, request: Request, response: ServerResponse): void {
  const { pathname } = request.url
  const work = (fault: Fault | undefined, process: () => Answered) =>
    withFault(response, { fault, bodies, beSilent: request.beSilent, work: process })
  if (request.method === 'POST' && /^\/transactions\/\d+\/refund$/.test(pathname)) {
    work(faults.refund.get(request.body.comments)?.shift(), () => createRefund(flutterwave, request))
  } else if (request.method === 'POST' && pathname === '/payments') {
    work(faults.checkout.shift(), () => createCheckout(flutterwave, request))
  } else if (request.method === 'GET') {
    work(faults.read.shift(), () => read(flutterwave, request))
  } else {
    answer(response, ...refused('Not found', 404))
  }
}

const success = (message: string, data: unknown, more: object = {}): Answered => [
  200,
  { status: 'success', message, data, ...more },
]

function createRefund(flutterwave: FlutterwaveServer, { url, body }: Request): Answered {
  const transactionId = Number(url.pathname.split('/')[2])
  if (!flutterwave.transactions.some(({ id }) => id === transactionId)) return refused('No transaction found')
  const id = 8_600 + flutterwave.refunds.length
  const createdAt = new Date().toISOString()
  const refund = { id, transactionId, amount: body.amount, comment: body.comments, createdAt }
  flutterwave.refunds.push({ ...refund, status: flutterwave.newStatus })
  const { data } = vendorExample('flutterwave-refund-create').body
  const created = { id, tx_id: transactionId, amount_refunded: body.amount, status: flutterwave.newStatus }
  return success('Transaction refund initiated', { ...data, ...created, created_at: createdAt })
}

function createCheckout(flutterwave: FlutterwaveServer, { body }: Request): Answered {
  if (!/^\S+@\S+$/.test(body.customer?.email ?? '')) return refused('customer email is required')
  if (typeof body.amount !== 'number' || body.amount <= 0) return refused('amount is required')
  flutterwave.checkouts.push(body)
  const link = `https://checkout.flutterwave.com/v3/hosted/pay/page${flutterwave.checkouts.length}`
  return success('Hosted Link', { link })
}

function read(flutterwave: FlutterwaveServer, { url }: Request): Answered {
  const { pathname, searchParams } = url
  const from = searchParams.get('from')
  if (from !== null && !/^\d{4}-\d{2}-\d{2}$/.test(from)) return refused('from must be a date')
  const since = <Listed>(rows: readonly Listed[], timeOf: (row: Listed) => unknown) =>
    rows.filter((row) => from === null || String(timeOf(row)) >= from)
  switch (pathname) {
    case '/transactions/verify_by_reference':
      return verified(flutterwave.transactions.find(({ tx_ref }) => tx_ref === searchParams.get('tx_ref')))
    case '/transactions': {
      const status = searchParams.get('status')
      const reference = searchParams.get('tx_ref')
      const listed = flutterwave.transactions
        .filter((row) => status === null || row.status === status)
        .filter((row) => reference === null || row.tx_ref === reference)
      // A list of transactions contains no metadata.
      const rows = since(listed, ({ created_at }) => created_at).map(({ meta: _, ...row }) => row)
      return page(rows, searchParams)
    }
    case '/refunds':
      return page(since(flutterwave.refunds.toReversed(), ({ createdAt }) => createdAt).map(refundRow), searchParams)
    case '/chargebacks':
      return page(
        since(flutterwave.chargebacks, ({ created_at }) => created_at),
        searchParams,
      )
    default:
      return readOne(flutterwave, pathname)
  }
}

function readOne(flutterwave: FlutterwaveServer, pathname: string): Answered {
  const [, kind, id, action] = pathname.split('/')
  if (kind === 'transactions' && action === 'verify') {
    return verified(flutterwave.transactions.find((row) => String(row.id) === id))
  }
  const refund = flutterwave.refunds.find((each) => kind === 'refunds' && String(each.id) === id)
  return refund === undefined ? refused('No refund found', 404) : success('Refund fetched', refundRow(refund))
}

function verified(transaction: Row | undefined): Answered {
  if (transaction === undefined) return refused('No transaction was found for this id')
  return success('Transaction fetched successfully', transaction)
}

function page(rows: readonly object[], query: URLSearchParams): Answered {
  const current = Number(query.get('page') ?? 1)
  const total_pages = Math.ceil(rows.length / pageSize)
  const meta = { page_info: { total: rows.length, current_page: current, total_pages } }
  return success('Fetched', rows.slice((current - 1) * pageSize, current * pageSize), { meta })
}

function refundRow({ id, transactionId, amount, comment, createdAt, status }: FlutterwaveRefund): object {
  const [row] = vendorExample('flutterwave-refund-list').body.data
  const named = { id, transaction_id: transactionId, amount_refunded: amount, comment, status, created_at: createdAt }
  return { ...row, ...named }
}

async function readText(message: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of message) chunks.push(Buffer.from(chunk))
  return Buffer.concat(chunks).toString()
}
