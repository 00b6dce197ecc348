import { request } from 'node:http'
import { connect } from 'node:net'
import { text as textOf } from 'node:stream/consumers'
import { type ErrorCode, errors } from '../../../registry/errors/index.ts'
import { errorBodies } from '../../../registry/kit/error-body.ts'

export interface Received {
  readonly status: number
  readonly headers: Readonly<Record<string, unknown>>
  readonly body: string
}

/** Sends a write request on a new connection. */
export function createCustomer(url: string, token: string): Promise<Received> {
  return new Promise((resolve, reject) => {
    const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' }
    const outgoing = request(`${url}/api/v1/customers`, { method: 'POST', agent: false, headers }, (response) => {
      const { statusCode = 0, headers: received } = response
      textOf(response).then((body) => resolve({ status: statusCode, headers: received, body }), reject)
    })
    outgoing.on('error', reject)
    outgoing.end(JSON.stringify({ name: 'Ada Obi', email: `${crypto.randomUUID()}@example.com` }))
  })
}

/** Sends the bytes of a request head that an HTTP client would refuse to send, on a new connection. */
export async function sendBytes(url: string, head: string): Promise<Received> {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  socket.end(`${head}\r\nHost: shop.example\r\nConnection: close\r\n\r\n{}`)
  const [start = '', body = ''] = (await textOf(socket)).split('\r\n\r\n')
  const [status = '', ...lines] = start.split('\r\n')
  const headers = lines.map((line) => [
    line.slice(0, line.indexOf(':')).toLowerCase(),
    line.slice(line.indexOf(':') + 2),
  ])
  return { status: Number(status.split(' ')[1]), headers: Object.fromEntries(headers), body }
}

/** Checks that a response is one of the given errors of the error catalogue. Returns the differences. */
export function faultsOf({ status, headers, body }: Received, codes: readonly ErrorCode[]): readonly string[] {
  const matching = codes.filter((code) => errors[code].status === status)
  const parsed = matching.map((code) => errorBodies.get(code)?.safeParse(jsonOf(body))).find((each) => each?.success)
  const error = Object(Object(parsed?.data).error)
  const faults = [
    parsed !== undefined ? [] : 'The body is not an error of the catalogue.',
    headers['content-type'] === 'application/json' ? [] : 'The content type is not application/json.',
    /^req_[0-9a-hjkmnp-tv-z]{26}$/.test(String(headers['request-id']))
      ? []
      : 'The Request-Id is not an id of a request.',
    headers['request-id'] === error.requestId ? [] : 'The ids of the header and of the body differ.',
    headers['service-should-retry'] === String(error.retryable) ? [] : 'Service-Should-Retry contradicts the body.',
    status !== 503 || error.retryable !== true || /^\d+$/.test(String(headers['retry-after']))
      ? []
      : 'Retry-After is missing.',
  ].flat()
  return faults.map((fault) => `${fault} ${status} ${JSON.stringify(headers)} ${body}`)
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
