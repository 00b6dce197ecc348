import { createServer } from 'node:http'
import { connect, createServer as createRelay, type Server, type Socket } from 'node:net'
import { apiRoot } from '../../../registry/kit/endpoint.ts'

export interface ProxiedResponse {
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

export interface ProxiedRequest {
  readonly method: string
  readonly path: string
  /**
   * The request headers as the client sent them. If the proxy changes headers, the service receives the changed
   * headers.
   */
  readonly headers: Headers
  /** Header names and values in the order of the request, including repeated headers. */
  readonly rawHeaders?: readonly string[]
}

export interface Alteration {
  /** The OpenAPI document that the proxy serves instead of the service's own. */
  readonly document?: object
  /** Returns the request that the service receives instead of the client’s request. */
  readonly ask?: (asked: ProxiedRequest) => ProxiedRequest
  /** Returns the response that the client of the proxy receives instead of the service’s response. */
  readonly answer?: (asked: ProxiedRequest, answer: ProxiedResponse) => ProxiedResponse
  /** Changes the request body that the service receives. */
  readonly body?: (text: string) => string
  /**
   * Changes the request line and the headers that the service receives. With this change, the proxy forwards requests
   * as raw bytes, and ignores the changes `ask`, `answer` and `body`.
   */
  readonly head?: (text: string) => string
}

/** Runs the function `use` with a proxy that forwards to the real service and makes the given change. */
export function withFaultyServer<Result>(
  serviceUrl: string,
  alteration: Alteration,
  use: (url: URL) => Promise<Result>,
): Promise<Result> {
  const { head, document } = alteration
  return head === undefined
    ? withProxy(serviceUrl, alteration, use)
    : withRelay(serviceUrl, { head, ...(document === undefined ? {} : { document }) }, use)
}

async function withProxy<Result>(
  serviceUrl: string,
  { document, ask = (asked) => asked, answer = (_, real) => real, body: bodyOf = (text) => text }: Alteration,
  use: (url: URL) => Promise<Result>,
): Promise<Result> {
  const server = createServer(async (incoming, outgoing) => {
    const { method = '', url: path = '' } = incoming
    if (document !== undefined && path === `${apiRoot}/openapi.json`) {
      outgoing.writeHead(200, { 'Content-Type': 'application/json', 'Request-Id': 'req_altered' })
      return outgoing.end(JSON.stringify(document))
    }
    const chunks: Buffer[] = []
    for await (const chunk of incoming) chunks.push(chunk)
    const body = bodyOf(Buffer.concat(chunks).toString())
    const { host: _, connection: __, 'content-length': ___, 'transfer-encoding': ____, ...sent } = incoming.headers
    const headers = new Headers(Object.entries(sent).map(([name, value]): [string, string] => [name, String(value)]))
    const asked = { method, path, headers, rawHeaders: incoming.rawHeaders }
    const forwarded = ask({ ...asked, headers: new Headers(headers) })
    const hasBody = forwarded.method !== 'GET' && forwarded.method !== 'HEAD'
    const response = await fetch(serviceUrl + forwarded.path, {
      ...{ method: forwarded.method, headers: forwarded.headers },
      ...(hasBody ? { body } : {}),
    })
    const real = { status: response.status, headers: new Headers(response.headers), text: await response.text() }
    const altered = answer(asked, real)
    altered.headers.delete('content-length')
    // The proxy removes the header `content-encoding`, because it has decoded the body while reading it.
    altered.headers.delete('content-encoding')
    outgoing.writeHead(altered.status, Object.fromEntries(altered.headers))
    return outgoing.end(altered.text)
  })
  return whileListening(server, use).finally(() => server.closeAllConnections())
}

/**
 * Starts a proxy that forwards bytes, because an HTTP server would itself join, resolve or reject parts of a malformed
 * request.
 */
async function withRelay<Result>(
  serviceUrl: string,
  { document, head }: Required<Pick<Alteration, 'head'>> & Pick<Alteration, 'document'>,
  use: (url: URL) => Promise<Result>,
): Promise<Result> {
  const { hostname, port } = new URL(serviceUrl)
  const sockets = new Set<Socket>()
  const server = createRelay((client) => {
    const service = connect(Number(port), hostname)
    for (const socket of [client, service]) {
      sockets.add(socket)
      socket.on('error', () => socket.destroy())
      socket.on('close', () => sockets.delete(socket))
    }
    client.on('close', () => service.destroy())
    client.on('data', (chunk: Buffer) => {
      const text = chunk.toString('latin1')
      const isDocument = text.startsWith(`GET ${apiRoot}/openapi.json `)
      if (document !== undefined && isDocument) client.end(documentResponse(document))
      else service.write(Buffer.from(rewritten(text, head), 'latin1'))
    })
    service.pipe(client)
  })
  return whileListening(server, use).finally(() => {
    for (const socket of sockets) socket.destroy()
  })
}

/**
 * Changes a chunk of bytes that begins with a request head. The conformance client writes each head as one chunk; all
 * other chunks are bodies.
 */
function rewritten(chunk: string, rewrite: (head: string) => string): string {
  const end = chunk.indexOf('\r\n\r\n')
  if (end < 0 || !/^[A-Z]+ \S+ HTTP\/1\.1\r\n/.test(chunk)) return chunk
  return rewrite(chunk.slice(0, end)) + chunk.slice(end)
}

function documentResponse(document: object): string {
  const text = JSON.stringify(document)
  const headers = ['Content-Type: application/json', `Content-Length: ${Buffer.byteLength(text)}`, 'Connection: close']
  return `HTTP/1.1 200 OK\r\n${headers.join('\r\n')}\r\n\r\n${text}`
}

async function whileListening<Result>(server: Server, use: (url: URL) => Promise<Result>): Promise<Result> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The server listens on a port.')
  try {
    return await use(new URL(`http://127.0.0.1:${address.port}`))
  } finally {
    server.close()
  }
}
