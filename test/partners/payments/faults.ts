import type { ServerResponse } from 'node:http'

/** How a fake server fails one request. With `accepts`, it processes the request in spite of the fault. */
export type Fault =
  | 'accepts_and_never_answers'
  | 'accepts_and_breaks_off'
  | 'accepts_and_answers_500'
  | 'accepts_and_answers_nonsense'
  | 'accepts_and_answers_half'
  | 'accepts_and_answers_too_much'
  | 'never_answers'
  | 'answers_500'
  | 'answers_502_as_html'
  | 'answers_429'
  | 'answers_401'
  | 'redirects'
  | 'refuses'

export interface Request {
  readonly method: string
  readonly url: URL
  // biome-ignore lint/suspicious/noExplicitAny: a request may have any body; the server checks what it reads.
  readonly body: any
  /** Lets the deadline of the client's request pass without a response. */
  readonly beSilent: () => void
}

export type Answered = readonly [status: number, body: object]

export interface FaultBodies {
  readonly error: (message: string, code: string) => object
  /** A response without the fields of a refund. */
  readonly nonsense: object
  /** The message and the code with which the provider rejects a refund. */
  readonly refusal: readonly [message: string, code: string]
}

function failureOf(fault: Fault, { error, nonsense, refusal }: FaultBodies): Answered | undefined {
  switch (fault) {
    case 'accepts_and_answers_500':
    case 'answers_500':
      return [500, error('An error occurred', '')]
    case 'accepts_and_answers_nonsense':
      return [200, nonsense]
    case 'answers_429':
      return [429, error('Too many requests', 'rate_limited')]
    case 'answers_401':
      return [401, error('Invalid key', 'invalid_Key')]
    case 'refuses':
      return [400, error(...refusal)]
    default:
      return undefined
  }
}

/** The size of a response that the clients of the providers do not read to its end. */
const tooMuchBytes = 3 * 1024 * 1024

interface Faulty {
  readonly fault: Fault | undefined
  readonly bodies: FaultBodies
  readonly beSilent: () => void
  readonly work: () => Answered
}

/** Processes a request, responds with a fault, or does both. */
export function withFault(response: ServerResponse, { fault, bodies, beSilent, work }: Faulty): void {
  const worked = fault === undefined || fault.startsWith('accepts') ? work() : undefined
  const reply = fault === undefined ? worked : failureOf(fault, bodies)
  const json = { 'content-type': 'application/json' }
  if (reply !== undefined) {
    answer(response, ...reply)
  } else if (fault === 'accepts_and_breaks_off') {
    response.destroy()
  } else if (fault === 'accepts_and_answers_half') {
    const text = JSON.stringify(worked?.[1])
    response.writeHead(200, { ...json, 'content-length': text.length })
    response.write(text.slice(0, text.length / 2), () => response.destroy())
  } else if (fault === 'accepts_and_answers_too_much') {
    response.writeHead(200, json).end(' '.repeat(tooMuchBytes) + JSON.stringify(worked?.[1]))
  } else if (fault === 'answers_502_as_html') {
    response.writeHead(502, { 'content-type': 'text/html' }).end('<html>Bad gateway</html>')
  } else if (fault === 'redirects') {
    response.writeHead(302, { location: '/elsewhere' }).end()
  } else beSilent()
}

export function answer(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}
