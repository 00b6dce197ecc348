import type { ServerResponse } from 'node:http'

/** The faults of the fake Paystack server. */

/** How the fake Paystack server fails one request. */
export type Fault =
  | 'accepts_and_never_answers'
  | 'accepts_and_breaks_off'
  | 'accepts_and_answers_500'
  | 'accepts_and_answers_nonsense'
  | 'accepts_and_answers_half'
  | 'never_answers'
  | 'answers_500'
  | 'answers_502_as_html'
  | 'answers_429'
  | 'answers_401'
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

const failures: Partial<Record<Fault, Answered>> = {
  accepts_and_answers_500: [500, { status: false, message: 'An error occurred' }],
  accepts_and_answers_nonsense: [200, { status: true, message: 'ok', data: { id: null } }],
  answers_500: [500, { status: false, message: 'An error occurred' }],
  answers_429: [429, { status: false, message: 'Too many requests', code: 'rate_limited' }],
  answers_401: [401, { status: false, message: 'Invalid key', code: 'invalid_Key' }],
  refuses: [
    400,
    {
      status: false,
      message: 'Transaction has been fully reversed',
      type: 'validation_error',
      code: 'transaction_reversed',
    },
  ],
}

/** Responds to a request by processing it, by a fault, or both. */
export function withFault(
  fault: Fault | undefined,
  { beSilent }: Request,
  response: ServerResponse,
  work: () => Answered,
): void {
  const worked = fault === undefined || fault.startsWith('accepts') ? work() : undefined
  const reply = fault === undefined ? worked : failures[fault]
  if (reply !== undefined) {
    answer(response, ...reply)
  } else if (fault === 'accepts_and_breaks_off') {
    response.destroy()
  } else if (fault === 'accepts_and_answers_half') {
    const text = JSON.stringify(worked?.[1])
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': text.length })
    response.write(text.slice(0, text.length / 2), () => response.destroy())
  } else if (fault === 'answers_502_as_html') {
    response.writeHead(502, { 'content-type': 'text/html' }).end('<html>Bad gateway</html>')
  } else beSilent()
}

export function answer(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}
