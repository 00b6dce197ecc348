import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { Webhook } from 'standardwebhooks'
import Stripe from 'stripe'
import { signatureHeader } from '../../../registry/kit/event.ts'
import { answerParent, machineMs } from './child.ts'

/**
 * Merchants' servers, all in one process. Each does what a real one does before it answers: reads the raw body, verifies it
 * with one of two libraries that were not written here, and parses it. What does not verify ends the run. A path that
 * begins with /hang is never answered; as `blind` this process answers without looking.
 */
export interface Arrival {
  readonly path: string
  readonly eventId: string
  /** The number of the event's order, by which one is told apart that was committed elsewhere. */
  readonly mark: string
  /** When the request's head was read. */
  readonly atMs: number
}

export interface ReceiverQuestion {
  /** Secrets by path, to verify with. */
  readonly learn?: readonly (readonly [path: string, secret: string])[]
  /** Answers when so many have been answered, or at once; with all that came since it was last asked. */
  readonly count?: number
  /** Closes the connections that hang. */
  readonly endsHanging?: boolean
}

export interface ReceiverAnswer {
  readonly port: number
  readonly arrivals: readonly Arrival[]
}

interface Key {
  readonly secret: string
  readonly webhook: Webhook
}

const isBlind = process.argv[2] === 'blind'
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
  request.on('data', (chunk: Buffer) => isBlind || chunks.push(chunk))
  request.on('end', () => {
    const mark = isBlind ? '' : markOf(verified(request, path, Buffer.concat(chunks).toString()))
    answer(response)
    arrivals.push({ path, eventId: String(request.headers['webhook-id']), mark, atMs })
    if (wanted !== undefined && arrivals.length >= wanted.count) wanted.reach()
  })
})
// The sender decides how long a connection is kept, as it does with most receivers.
server.keepAliveTimeout = 60_000

/** By turns, because a real receiver uses one of the two. Both parse what they have verified. */
function verified({ headers }: IncomingMessage, path: string, body: string): unknown {
  const key = keys.get(path)
  if (key === undefined) throw new Error(`Nothing should come to ${path}.`)
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
  answerParent<ReceiverQuestion>(async ({ learn = [], count = 0, endsHanging = false }) => {
    for (const [path, secret] of learn) keys.set(path, { secret, webhook: new Webhook(secret) })
    if (endsHanging) for (const socket of hanging) socket.destroy()
    await reached(count)
    const told: ReceiverAnswer = { port, arrivals }
    arrivals = []
    return told
  })
})
