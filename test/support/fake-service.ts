import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { afterEach, beforeEach } from 'vitest'
import { type Commerce, type CommerceOptions, createCommerce } from '../../src/client/commerce.ts'
import { addressOf } from './api.ts'

export type Answer = (outgoing: ServerResponse, incoming: IncomingMessage) => void

interface Seen {
  readonly method: string | undefined
  readonly key: string | undefined
  readonly body: string
}

export interface FakeService {
  /** Responses of the fake server, one for each request. Further requests get the last response. */
  answers: Answer[]
  /** The requests that the fake server received. */
  readonly seen: Seen[]
  /** The durations for which the client would have waited between its requests. */
  readonly waits: number[]
  /** Creates a client that does not wait between requests and whose idempotency keys are `key-1`, `key-2` and so on. */
  client(options?: Partial<CommerceOptions>): Commerce
}

/** Starts a fake server for each test, which sets the server's responses. */
export function useFakeService(): FakeService {
  let baseUrl = ''
  let close = async () => {}
  let keys = 0
  const service: FakeService = {
    answers: [],
    seen: [],
    waits: [],
    client: (options) =>
      createCommerce({
        baseUrl,
        token: 'svc_test_1',
        newKey: () => `key-${++keys}`,
        wait: async (delayMs) => void service.waits.push(delayMs),
        ...options,
      }),
  }
  beforeEach(async () => {
    for (const list of [service.answers, service.seen, service.waits]) list.length = 0
    keys = 0
    const server = createServer((incoming, outgoing) => {
      let body = ''
      incoming.on('data', (chunk) => (body += chunk))
      incoming.on('end', () => {
        const answer = service.answers[Math.min(service.seen.length, service.answers.length - 1)]
        service.seen.push({ method: incoming.method, key: incoming.headers['idempotency-key']?.toString(), body })
        answer?.(outgoing, incoming)
      })
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    baseUrl = `http://127.0.0.1:${addressOf(server.address()).port}/api/v1`
    close = () => new Promise((resolve) => server.close(() => resolve()).closeAllConnections())
  })
  afterEach(() => close())
  return service
}

/** Responds with JSON, as the API or an intermediary such as a gateway does. */
export function json(status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): Answer {
  return (outgoing) => {
    outgoing.writeHead(status, { 'Content-Type': 'application/json', ...headers }).end(JSON.stringify(body))
  }
}

export function refusal(status: number, code: string, headers: Readonly<Record<string, string>> = {}): Answer {
  const error = { type: 'api_error', code, status, message: 'No.', details: {}, requestId: 'req_1', docUrl: '/docs' }
  return json(status, { error }, headers)
}

/** Responds with an HTML page, as a proxy does if it responds in place of the service. */
export function html(status: number, text: string): Answer {
  return (outgoing) => {
    outgoing.writeHead(status, { 'Content-Type': 'text/html' }).end(text)
  }
}

/** A response to a list request that contains no records. */
export const emptyPage = json(200, { data: [], pagination: { cursor: null, limit: 25, hasMore: false } })

/** Makes the fake server close the connection before it sends any response. */
export const dropConnection: Answer = (_, incoming) => incoming.socket.destroy()

/** Makes the fake server send complete response headers, then close the connection in the middle of the body. */
export function cutOffBody(status: number): Answer {
  return (outgoing, incoming) => {
    outgoing.writeHead(status, { 'Content-Type': 'application/json', 'Content-Length': '100' })
    outgoing.write('{"id":"rfd_', () => incoming.socket.destroy())
  }
}
