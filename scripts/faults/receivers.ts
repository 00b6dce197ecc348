import { createHash, randomUUID } from 'node:crypto'
import { createServer, type ServerResponse } from 'node:http'
import { findFault } from './outside-verifiers.ts'

export interface Receipt {
  /** Path of the request below the URL of the receivers. Each endpoint has a different path. */
  readonly path: string
  /** The event id from the `webhook-id` header. */
  readonly eventId: string
  readonly bodyHash: string
  readonly atMs: number
  /** Whether the webhook receiver responded with a 2xx status. */
  readonly isAcknowledged: () => boolean
}

export interface Receivers {
  readonly url: string
  readonly receipts: Receipt[]
  /** Response of the webhook receiver to requests for each path. Defaults to an immediate 200. */
  readonly answers: Map<string, (response: ServerResponse, count: number) => void>
  /**
   * Two callbacks: one is called when a delivery request has arrived completely, the other when its response has been
   * handed to the operating system.
   */
  onArrived: () => void
  onAnswered: () => void
  /** Throws when a delivery had an invalid signature. */
  close(): void
}

/**
 * Opens the webhook receivers of all merchants on one port. Their URL has a random path, because a service may still
 * deliver to an earlier receiver that used the same port.
 */
export async function openReceivers(): Promise<Receivers> {
  const countOf = new Map<string, number>()
  const faults: string[] = []
  const base = `/${randomUUID()}`
  const server = createServer(async (request, response) => {
    if (!request.url?.startsWith(base)) return void response.writeHead(404).end()
    const parts: Buffer[] = []
    for await (const chunk of request) parts.push(Buffer.from(chunk))
    const body = Buffer.concat(parts)
    const path = request.url.slice(base.length)
    const fault = findFault(receivers.url + path, { headers: request.headers, rawBody: body.toString() })
    if (fault !== undefined) faults.push(fault)
    const eventId = String(request.headers['webhook-id'])
    const bodyHash = createHash('md5').update(body).digest('hex')
    const isAcknowledged = () => response.headersSent && response.statusCode >= 200 && response.statusCode < 300
    receivers.receipts.push({ path, eventId, bodyHash, atMs: Date.now(), isAcknowledged })
    const count = (countOf.get(path) ?? 0) + 1
    countOf.set(path, count)
    receivers.onArrived()
    response.once('finish', () => receivers.onAnswered())
    const answer = receivers.answers.get(path)
    if (answer === undefined) response.end()
    else answer(response, count)
  })
  // When a worker is killed, its connections break. The receivers must ignore the resulting errors.
  server.on('clientError', (_, socket) => socket.destroy())
  const receivers: Receivers = {
    url: '',
    receipts: [],
    answers: new Map(),
    onArrived: () => undefined,
    onAnswered: () => undefined,
    close: () => {
      server.closeAllConnections()
      server.close()
      if (faults.length > 0) throw new Error(`Deliveries had invalid signatures: ${faults.join('; ')}`)
    },
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  return Object.assign(receivers, { url: `http://127.0.0.1:${port}${base}` })
}
