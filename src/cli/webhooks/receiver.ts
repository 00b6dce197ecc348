import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { z } from 'zod'
import { bodyMaxBytes, webhookAcknowledgementSeconds } from '../../../registry/values/limits.ts'
import { systemClock, toTimestamp } from '../../base/clock.ts'
import { verifyWebhook } from '../../receiver/verify-webhook.ts'

/** A webhook receiver like an integrator's, for trying out webhooks on a developer's machine. */
export interface Receiver {
  readonly url: string
  close(): Promise<void>
}

/** Result of one request to the local webhook receiver. */
export interface Receipt {
  readonly receivedAt: string
  readonly kind: string | null
  readonly id: string | null
  readonly verified: boolean
  /** Reason why the signature of the request was not verified. Null if the signature was verified. */
  readonly reason: string | null
  /** Status of the response to the forwarded request; null if the request was not forwarded or got no response. */
  readonly forwardedStatus: number | null
}

interface ReceiverOptions {
  readonly port: number
  readonly secret: string | undefined
  readonly forward: string | undefined
  readonly onReceipt: (receipt: Receipt) => void
}

export async function startReceiver(options: ReceiverOptions): Promise<Receiver> {
  const server = createServer((request, response) => {
    receive(request, response, options).catch(() => response.destroy())
  })
  await new Promise<void>((fulfil, reject) => {
    server.once('error', reject)
    server.listen(options.port, '127.0.0.1', fulfil)
  })
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : options.port
  return {
    url: `http://127.0.0.1:${port}/`,
    close: () =>
      new Promise((fulfil) => {
        server.close(() => fulfil())
        server.closeAllConnections()
      }),
  }
}

async function receive(request: IncomingMessage, response: ServerResponse, options: ReceiverOptions): Promise<void> {
  const body = await readBody(request)
  if (body === undefined) return answer(response, 413)
  const nowMs = systemClock.nowMs()
  const verification = await verify(request, body, options.secret, nowMs)
  const mayForward = options.forward !== undefined && (verification.verified || options.secret === undefined)
  const forwardedStatus = mayForward ? await forwardTo(options.forward, request, body) : null
  options.onReceipt({ receivedAt: toTimestamp(nowMs), ...nameOf(body), ...verification, forwardedStatus })
  if (forwardedStatus !== null) return answer(response, forwardedStatus)
  // With status 502 (bad gateway), the service retries the delivery, as it would while the real receiver is
  // unavailable.
  if (mayForward) return answer(response, 502)
  answer(response, verification.verified || options.secret === undefined ? 200 : 400)
}

function answer(response: ServerResponse, status: number): void {
  response.writeHead(status, { connection: 'close' }).end()
}

/** Returns undefined if the body is longer than any event. */
async function readBody(request: IncomingMessage): Promise<Buffer | undefined> {
  const parts: Buffer[] = []
  let length = 0
  for await (const part of request) {
    const bytes = Buffer.from(part)
    length += bytes.length
    if (length > bodyMaxBytes) return undefined
    parts.push(bytes)
  }
  return Buffer.concat(parts)
}

async function verify(
  { headers }: IncomingMessage,
  rawBody: Buffer,
  secret: string | undefined,
  nowMs: number,
): Promise<{ verified: boolean; reason: string | null }> {
  if (secret === undefined) return { verified: false, reason: 'not verified: --secret is missing' }
  const verification = await verifyWebhook({ headers, rawBody, secret, nowSeconds: nowMs / 1000 })
  if (verification.is === 'verified') return { verified: true, reason: null }
  return { verified: false, reason: `rejected: ${verification.reason}` }
}

const named = z.object({ event: z.string(), id: z.string() })

function nameOf(body: Buffer): { kind: string | null; id: string | null } {
  try {
    const { event, id } = named.parse(JSON.parse(body.toString()))
    return { kind: event, id }
  } catch {
    return { kind: null, id: null }
  }
}

/**
 * Matches the headers that a receiver needs to verify the request. All other headers concern the connection and are not
 * forwarded.
 */
const forwardedHeaders = /^(content-type|user-agent|service-signature|webhook-.+)$/

/** Forwards a delivery with the same bytes and signatures. Returns the response status; null on failure or timeout. */
async function forwardTo(url: string | undefined, request: IncomingMessage, body: Buffer): Promise<number | null> {
  if (url === undefined) return null
  const headers = Object.entries(request.headers).flatMap(([name, value]): [string, string][] =>
    forwardedHeaders.test(name) && typeof value === 'string' ? [[name, value]] : [],
  )
  const signal = AbortSignal.timeout(webhookAcknowledgementSeconds * 1000)
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers,
      body: new Uint8Array(body),
      redirect: 'manual',
      signal,
    })
    await response.body?.cancel()
    return response.status
  } catch {
    return null
  }
}
