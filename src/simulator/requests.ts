import type { IncomingMessage, ServerResponse } from 'node:http'
import type { z } from 'zod'
import { testCarrierCodes } from '../../registry/service/test-carriers.ts'
import { testPaymentProvider } from '../../registry/values/payment-providers.ts'
import { cancelOrder } from './cancel-order.ts'
import { OrderBody, QuoteBody, type Reply, refusal } from './contract.ts'
import { createOrder } from './create-order.ts'
import { answerPayments } from './payments.ts'
import { quote } from './quote.ts'
import { listOrders, readOrder } from './read-orders.ts'
import type { SimulatedRequest, Simulation } from './simulation.ts'

/**
 * Routes the requests to the simulated carriers:
 *
 *   POST /{company}/quotes                    GET /{company}/orders?reference=…  or  ?since=…&after=…
 *   POST /{company}/orders                    GET /{company}/orders/{number}
 *   POST /{company}/orders/{number}/cancel
 *
 * If a simulated carrier sends no response, the client times out, or the server closes the connection when it stops.
 */
export function answerRequest(simulation: Simulation, request: IncomingMessage, response: ServerResponse): void {
  void replyTo(simulation, request)
    // A database outage is an internal error of the simulated carrier, so the outcome of the request is unknown.
    .catch(() => refusal('server_error', 'Internal error.'))
    .then((reply) => {
      if (reply.is === 'hang') simulation.onUnanswered(request)
      else send(reply, response)
    })
}

async function replyTo(simulation: Simulation, request: IncomingMessage): Promise<Reply> {
  const url = URL.parse(request.url ?? '', 'http://127.0.0.1')
  const [, name = '', collection, number, verb, ...more] = url?.pathname.split('/') ?? []
  if (url !== null && name === testPaymentProvider) {
    return answerPayments(simulation, request, { url, body: await readBody(request) })
  }
  const company = testCarrierCodes.find((code) => code === name)
  if (url === null || company === undefined || more.length > 0) return notFound
  const body = await readBody(request)
  const simulatedRequest: SimulatedRequest = { company, simulation, nowMs: simulation.clock.nowMs() }
  switch ([request.method, collection, number === undefined ? '' : '{number}', verb ?? ''].join(' ').trimEnd()) {
    case 'POST quotes':
      return withBody(QuoteBody, body, (read) => quote(simulatedRequest, read))
    case 'POST orders':
      return withBody(OrderBody, body, (read) => createOrder(simulatedRequest, read))
    case 'GET orders':
      return listOrders(simulatedRequest, url.searchParams)
    case 'GET orders {number}':
      return readOrder(simulatedRequest, number ?? '')
    case 'POST orders {number} cancel':
      return cancelOrder(simulatedRequest, number ?? '')
    default:
      return notFound
  }
}

const notFound = refusal('not_found', 'Not found.')

/** Maximum size of a request body that the simulator accepts, far larger than any order. */
const bodyMaxBytes = 64 * 1024

async function readBody(request: IncomingMessage): Promise<unknown> {
  const parts: Buffer[] = []
  let length = 0
  for await (const part of request) {
    const bytes = Buffer.from(part)
    length += bytes.length
    if (length <= bodyMaxBytes) parts.push(bytes)
  }
  if (length > bodyMaxBytes) return undefined
  try {
    return JSON.parse(Buffer.concat(parts).toString())
  } catch {
    return undefined
  }
}

async function withBody<Schema extends z.ZodType>(
  schema: Schema,
  body: unknown,
  use: (read: z.output<Schema>) => Reply | Promise<Reply>,
): Promise<Reply> {
  const read = schema.safeParse(body)
  if (read.success) return use(read.data)
  const wrong = read.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`)
  return refusal('invalid_request', wrong.join(' '))
}

function send(reply: Exclude<Reply, { is: 'hang' }>, response: ServerResponse): void {
  const text = JSON.stringify(reply.body)
  response.writeHead(reply.status, { 'content-type': 'application/json' })
  response.end(reply.is === 'half' ? text.slice(0, text.length / 2) : text)
}
