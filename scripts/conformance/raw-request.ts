import { connect as connectTcp, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'

/**
 * Sends requests that HTTP libraries cannot send: repeated headers, dot segments, transfer codings and control
 * characters.
 */

export interface RawRequest {
  readonly method: string
  /** Path and query, exactly as they are written into the request line. */
  readonly target: string
  readonly headers: readonly RawHeader[]
  readonly body: string | undefined
}

export type RawHeader = readonly [name: string, value: string]

export interface RawResponse {
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

/** Throws a TypeError when the connection fails or the response is not HTTP, as fetch does. */
export function sendRaw(origin: URL, request: RawRequest, timeoutMs: number): Promise<RawResponse> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    const socket = connectTo(origin)
    const settle = (isEnded: boolean) => {
      try {
        const response = responseOf(Buffer.concat(chunks), isEnded)
        if (response === undefined) return
        resolve(response)
      } catch (error) {
        reject(error)
      }
      socket.destroy()
    }
    socket.setTimeout(timeoutMs, () => socket.destroy(new Error(`No response within ${timeoutMs} ms.`)))
    socket.on('data', (chunk: Buffer) => {
      chunks.push(chunk)
      settle(false)
    })
    socket.on('end', () => settle(true))
    socket.on('error', (cause) => reject(new TypeError('The connection failed', { cause })))
    // Latin-1 encodes each character of a header as one byte. The request body is already in this form, one character
    // for each byte.
    socket.write(bytesOf(origin, request), 'latin1')
  })
}

function connectTo({ protocol, hostname, port }: URL): Socket {
  const host = hostname.replace(/^\[|\]$/g, '')
  if (protocol !== 'https:') return connectTcp({ host, port: Number(port || 80) })
  return connectTls({ host, port: Number(port || 443), servername: host })
}

function bytesOf({ host }: URL, { method, target, headers, body }: RawRequest): string {
  const content = body === undefined ? undefined : Buffer.from(body).toString('latin1')
  const isChunked = headers.some(([name]) => name.toLowerCase() === 'transfer-encoding')
  const length: readonly RawHeader[] =
    isChunked || content === undefined ? [] : [['Content-Length', String(content.length)]]
  const all: readonly RawHeader[] = [['Host', host], ...headers, ...length, ['Connection', 'close']]
  const head = all.map(([name, value]) => `${name}: ${value}\r\n`).join('')
  return `${method} ${target} HTTP/1.1\r\n${head}\r\n${isChunked ? chunkedOf(content ?? '') : (content ?? '')}`
}

function chunkedOf(content: string): string {
  return content === '' ? '0\r\n\r\n' : `${content.length.toString(16)}\r\n${content}\r\n0\r\n\r\n`
}

/** Undefined while bytes of the response are missing. */
function responseOf(bytes: Buffer, isEnded: boolean): RawResponse | undefined {
  const end = bytes.indexOf('\r\n\r\n')
  if (end < 0) {
    if (isEnded) throw new TypeError('The connection ended before a response.')
    return undefined
  }
  const [first = '', ...lines] = bytes.subarray(0, end).toString('latin1').split('\r\n')
  const status = Number(/^HTTP\/1\.[01] (\d{3})/.exec(first)?.[1] ?? 0)
  if (status === 0)
    throw new TypeError(
      `The response does not start with a status line of HTTP/1, but with ${JSON.stringify(first.slice(0, 40))}.`,
    )
  const rest = bytes.subarray(end + 4)
  // An interim response, such as 100, precedes the final response and is ignored.
  if (status < 200) return responseOf(rest, isEnded)
  const headers = new Headers(lines.map((line) => [line.split(':', 1)[0] ?? '', line.slice(line.indexOf(':') + 1)]))
  const text = bodyOf(rest, headers, status === 204 || status === 304)
  if (text !== undefined) return { status, headers, text: text.toString() }
  return isEnded ? { status, headers, text: rest.toString() } : undefined
}

/** Undefined while bytes of the body are missing, or when only the end of the connection delimits the body. */
function bodyOf(rest: Buffer, headers: Headers, isEmpty: boolean): Buffer | undefined {
  if (isEmpty) return Buffer.alloc(0)
  if (headers.get('transfer-encoding') !== null) return dechunked(rest)
  const length = headers.get('content-length')
  return length !== null && rest.length >= Number(length) ? rest.subarray(0, Number(length)) : undefined
}

function dechunked(rest: Buffer): Buffer | undefined {
  const chunks: Buffer[] = []
  let at = 0
  for (;;) {
    const lineEnd = rest.indexOf('\r\n', at)
    if (lineEnd < 0) return undefined
    const size = Number.parseInt(rest.subarray(at, lineEnd).toString('latin1'), 16)
    if (Number.isNaN(size)) throw new TypeError('The response has a chunk without a size.')
    if (size === 0) return Buffer.concat(chunks)
    if (rest.length < lineEnd + 2 + size) return undefined
    chunks.push(rest.subarray(lineEnd + 2, lineEnd + 2 + size))
    at = lineEnd + 2 + size + 2
  }
}
