import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import { onTestFinished } from 'vitest'
import { openPartnerDeadlines, type PartnerDeadlines } from '../../support/partner-deadlines.ts'
import { portOf } from '../../webhooks/receiver.ts'
import { vendorExample } from '../examples/example.ts'

/**
 * The common part of all carriers' fake servers: a real socket, a record of the requests, and faults. Each fault
 * applies to one request of its operation. The state of each server contains the accepted orders.
 */

/**
 * A response of the fake server. A string is sent as text, like the error page of a proxy. An object is sent as JSON.
 */
export type Answered = readonly [status: number, body: object | string]

export interface Fault {
  /** Whether the fake server processes the request in spite of the fault. */
  readonly isAccepted: boolean
  /**
   * How the fake server responds. With `later`, it waits for release(), then processes the request and responds, even
   * if the client has closed the connection.
   */
  readonly answer: 'never' | 'breaks_off' | 'half' | 'later' | Answered
}

export interface ContractRequest {
  readonly line: string
  readonly path: string
  readonly query: URLSearchParams
  readonly headers: IncomingHttpHeaders
  // biome-ignore lint/suspicious/noExplicitAny: a request may have any body; each test asserts what it reads.
  readonly body: any
}

export interface ContractServer<Operation extends string> {
  readonly url: string
  /** All requests that the carrier's fake server has received, in order. */
  readonly requests: ContractRequest[]
  fail(operation: Operation, ...faults: readonly Fault[]): void
  /** Responds to the next request of an operation with the carrier's own published example, unchanged. */
  replay(operation: Operation, example: string, status?: number): void
  /** Sends requests to the fake server. A request that the server does not answer times out at once. */
  readonly reach: PartnerDeadlines['reach']
  /** Returns an abort signal that acts as a deadline: it aborts when the fake server does not respond. */
  patience(): AbortSignal
  /** Processes the waiting requests whose response is `later`. Resolves when all of them are processed. */
  release(): Promise<void>
  /** Returns the number of requests that the fake server received for an operation. */
  asked(operation: Operation): number
}

/** Timeout of a request to the fake server, longer than any response takes on a busy machine. */
const longestMs = 120_000

interface Contract<Operation extends string> {
  operationOf(request: ContractRequest): Operation | undefined
  work(operation: Operation, request: ContractRequest): Answered
}

export async function openContractServer<Operation extends string>({
  operationOf,
  work,
}: Contract<Operation>): Promise<ContractServer<Operation>> {
  const faults = new Map<Operation, Fault[]>()
  const held: (() => void)[] = []
  const waiting: AbortController[] = []
  const silence = openPartnerDeadlines()
  const beSilent = () => {
    for (const each of waiting.splice(0)) each.abort()
  }
  const requests: ContractRequest[] = []

  const fail = (operation: Operation, ...more: readonly Fault[]) => {
    faults.set(operation, [...(faults.get(operation) ?? []), ...more])
  }

  const handle = (request: ContractRequest, response: ServerResponse) => {
    const operation = operationOf(request)
    if (operation === undefined) return answer(response, [404, { status: 'failed', message: 'Route not found' }])
    const fault = faults.get(operation)?.shift()
    if (fault?.answer === 'later') {
      held.push(() => answer(response, work(operation, request)))
      return beSilent()
    }
    const worked = fault === undefined || fault.isAccepted ? work(operation, request) : undefined
    if (fault === undefined) return worked && answer(response, worked)
    if (typeof fault.answer !== 'string') return answer(response, fault.answer)
    if (fault.answer === 'never') {
      silence.expire(request.headers)
      beSilent()
    }
    if (fault.answer === 'breaks_off') response.destroy()
    if (fault.answer === 'half') answerHalf(response, worked ?? [200, { status: 'success' }])
  }

  const server = createServer(async (message, response) => {
    const request = await read(message)
    requests.push(request)
    handle(request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return {
    url: `http://127.0.0.1:${portOf(server.address())}`,
    requests,
    fail,
    replay: (operation, example, status = 200) =>
      fail(operation, { isAccepted: false, answer: [status, vendorExample(example).body] }),
    reach: silence.reach,
    patience: () => {
      const controller = new AbortController()
      waiting.push(controller)
      return AbortSignal.any([controller.signal, AbortSignal.timeout(longestMs)])
    },
    release: async () => {
      for (const go of held.splice(0)) go()
    },
    asked: (operation) => requests.filter((request) => operationOf(request) === operation).length,
  }
}

function answer(response: ServerResponse, [status, body]: Answered): void {
  const isText = typeof body === 'string'
  response.writeHead(status, { 'content-type': isText ? 'text/html' : 'application/json' })
  response.end(isText ? body : JSON.stringify(body))
}

function answerHalf(response: ServerResponse, [status, body]: Answered): void {
  const text = JSON.stringify(body)
  response.writeHead(status, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) })
  response.write(text.slice(0, text.length / 2), () => response.destroy())
}

async function read(message: IncomingMessage): Promise<ContractRequest> {
  const chunks: Buffer[] = []
  for await (const chunk of message) chunks.push(Buffer.from(chunk))
  const text = Buffer.concat(chunks).toString()
  const url = new URL(message.url ?? '', 'http://carrier')
  return {
    line: `${message.method} ${url.pathname}`,
    path: url.pathname,
    query: url.searchParams,
    headers: message.headers,
    body: text === '' ? {} : JSON.parse(text),
  }
}

/** Formats a time as the carriers' APIs do: in Lagos time, without a time zone. */
export function lagosText(ms: number): string {
  return new Date(ms + 3_600_000).toISOString().slice(0, 19).replace('T', ' ')
}
