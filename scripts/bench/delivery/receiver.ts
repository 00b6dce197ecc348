import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { Webhook } from 'standardwebhooks'
import Stripe from 'stripe'
import { signatureHeader } from '../../../registry/kit/event.ts'
import { machineMs, serveParent } from './child.ts'

/**
 * The webhook receivers of all merchants in one process. Before the process responds, it does the work of a real
 * receiver: it reads the raw body, verifies the signature with one of two third-party libraries and parses the event.
 * An invalid signature ends the run. Requests to paths under /hang get no response. With the argument `unverified`, it
 * responds without verification.
 */
export interface Arrival {
  readonly path: string
  readonly eventId: string
  /** The order number in the event, which identifies the mutation that emitted it. */
  readonly mark: string
  /** Time at which the webhook receiver read the headers of the request. */
  readonly atMs: number
}

export interface ReceiverRequest {
  /** Signing secret of each webhook endpoint, by the path of its URL. */
  readonly learn?: readonly (readonly [path: string, secret: string])[]
  /**
   * Number of deliveries that must arrive before the receiver sends its reply to the benchmark. With the default 0, the
   * receiver replies at once.
   */
  readonly count?: number
  /** Whether the receiver must close the connections of requests to which it never responds. */
  readonly closesHanging?: boolean
}

export interface ReceiverReply {
  readonly port: number
  readonly arrivals: readonly Arrival[]
}

interface Key {
  readonly secret: string
  readonly webhook: Webhook
}

const skipsVerification = process.argv[2] === 'unverified'
const keys = new Map<string, Key>()
const hanging = new Set<Socket>()
let arrivals: Arrival[] = []
let wanted: { readonly count: number; readonly reach: () => void } | undefined

const server = createServer((request, response) => {
  const atMs = machineMs()
  const path = request.url ?? ''
  if (path.startsWith('/hang')) {
    hanging.add(request.socket)
    request.socket.once('close', () => hanging.delete(request.socket))
    return
  }
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => skipsVerification || chunks.push(chunk))
  request.on('end', () => {
    const mark = skipsVerification ? '' : markOf(verified(request, path, Buffer.concat(chunks).toString()))
    answer(response)
    arrivals.push({ path, eventId: String(request.headers['webhook-id']), mark, atMs })
    if (wanted !== undefined && arrivals.length >= wanted.count) wanted.reach()
  })
})
// The receiver's idle timeout exceeds that of the webhook sender, so that the sender closes idle connections.
server.keepAliveTimeout = 60_000

/** Alternates between two third-party libraries, because a real receiver uses one or the other. */
function verified({ headers }: IncomingMessage, path: string, body: string): unknown {
  const key = keys.get(path)
  if (key === undefined) throw new Error(`Unexpected delivery to ${path}.`)
  if (arrivals.length % 2 === 0) {
    return Stripe.webhooks.constructEvent(body, String(headers[signatureHeader.toLowerCase()]), key.secret)
  }
  return key.webhook.verify(body, {
    'webhook-id': String(headers['webhook-id']),
    'webhook-timestamp': String(headers['webhook-timestamp']),
    'webhook-signature': String(headers['webhook-signature']),
  })
}

function markOf(event: unknown): string {
  const data = Reflect.get(Object(event), 'data')
  return String(Reflect.get(Object(Reflect.get(Object(data), 'order')), 'number'))
}

function answer(response: ServerResponse): void {
  response.writeHead(200, { 'content-length': 0 }).end()
}

async function reached(count: number): Promise<void> {
  if (arrivals.length >= count) return
  await new Promise<void>((reach) => {
    wanted = { count, reach }
  })
  wanted = undefined
}

server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  serveParent<ReceiverRequest>(async ({ learn = [], count = 0, closesHanging = false }) => {
    for (const [path, secret] of learn) keys.set(path, { secret, webhook: new Webhook(secret) })
    if (closesHanging) for (const socket of hanging) socket.destroy()
    await reached(count)
    const reply: ReceiverReply = { port, arrivals }
    arrivals = []
    return reply
  })
})
