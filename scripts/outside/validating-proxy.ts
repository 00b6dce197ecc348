import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { Agent, createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http'
import { startPrism } from './prism.ts'
import { count, newTally, responseViolationsOf, type Tally } from './tally.ts'

/**
 * Connects one Prism process with many services: every test file has its own service, but Prism supports one upstream.
 *
 * test -> front (finds the operation) -> Prism (validates) -> back (finds the service) -> service
 *
 * The test names its service in a header. Prism rewrites responses, so the proxy `back` stores the original response,
 * which the proxy `front` returns to the test.
 */

/** Header with the URL of the tested service. The second proxy, behind Prism, removes it. */
export const upstreamHeader = 'x-upstream'

/** Header with the id under which the second proxy, behind Prism, stores the response. */
const exchangeHeader = 'x-exchange'

const root = '/api/v1'

/** Maximum size of headers. Prism reports all violations in one header, and a test may cause a thousand of them. */
const headersMaxBytes = 4 * 1024 * 1024

/** Keep-alive is off, because the server may close an idle connection at the moment at which a request reuses it. */
const agent = new Agent({ keepAlive: false })

export interface ValidatingProxy {
  readonly url: string
  readonly tally: Tally
  /** The ids of the operations that the OpenAPI document declares. */
  readonly declared: readonly string[]
  close(): Promise<void>
}

export async function openValidatingProxy(documentPath: string, document: object): Promise<ValidatingProxy> {
  const tally = newTally()
  const responses = new Map<string, StoredResponse>()
  const back = await listen((incoming, outgoing) => forward(incoming, outgoing, responses), tally)
  const prism = await startPrism(documentPath, `http://127.0.0.1:${back.port}${root}`, await freePort())
  const patterns = patternsOf(document)
  const front = await listen(
    (incoming, outgoing) => validateRequest({ incoming, outgoing, patterns, prismPort: prism.port, tally, responses }),
    tally,
  )
  return {
    url: `http://127.0.0.1:${front.port}`,
    tally,
    declared: patterns.map(({ id }) => id),
    close: async () => {
      await close(front.server)
      if (!prism.isRunning()) tally.faults.push(`Prism ended before the tests did: ${prism.errorOutput()}`)
      await prism.stop()
      await close(back.server)
    },
  }
}

interface Pattern {
  readonly id: string
  readonly method: string
  readonly path: RegExp
}

function patternsOf(document: object): Pattern[] {
  const paths: object = Reflect.get(document, 'paths')
  return Object.entries(paths).flatMap(([template, item]) =>
    Object.entries(Object(item)).map(([method, operation]) => ({
      id: String(Reflect.get(Object(operation), 'operationId')),
      method: method.toUpperCase(),
      path: new RegExp(`^${root}${template.replaceAll('.', '\\.').replace(/\{\w+\}/g, '[^/?]+')}(\\?|$)`),
    })),
  )
}

interface ProxiedRequest {
  readonly incoming: IncomingMessage
  readonly outgoing: ServerResponse
  readonly patterns: readonly Pattern[]
  readonly prismPort: number
  readonly tally: Tally
  readonly responses: Map<string, StoredResponse>
}

async function validateRequest({
  incoming,
  outgoing,
  patterns,
  prismPort,
  tally,
  responses,
}: ProxiedRequest): Promise<void> {
  const { method = '', url = '' } = incoming
  const body = await bodyOf(incoming)
  const operation = patterns.find((each) => each.method === method && each.path.test(url))
  if (operation === undefined || !isDecodable(url)) {
    count(
      tally.bypassed,
      operation === undefined
        ? 'no operation of the document'
        : 'the address cannot be decoded, which would end the Prism process',
    )
    return respondWith(outgoing, await send(incoming, upstreamOf(incoming), url, body))
  }
  const exchange = randomUUID()
  incoming.rawHeaders.push(exchangeHeader, exchange)
  const response = await send(incoming, `http://127.0.0.1:${prismPort}`, url.slice(root.length), body)
  const own = responses.get(exchange)
  responses.delete(exchange)
  if (own !== undefined && own.message.headers['request-id'] === undefined) {
    tally.violations.push(`${method} ${url} responded with ${own.message.statusCode} without a Request-Id`)
  }
  // Every response of the service has the header Request-Id, so a response without it is from Prism itself.
  if (response.message.headers['request-id'] === undefined) {
    const { statusCode = 0 } = response.message
    const reason = `Prism itself responded with ${statusCode}: ${response.body.toString().slice(0, 200)}`
    if (statusCode >= 500) tally.faults.push(`${method} ${url}: ${reason}`)
    else count(tally.bypassed, reason)
    return respondWith(outgoing, own ?? (await send(incoming, upstreamOf(incoming), url, body)))
  }
  const violations = responseViolationsOf(headerOf(response.message, 'sl-violations'))
  const isLines = headerOf(response.message, 'content-type')?.startsWith('application/x-ndjson') === true
  if (isLines) count(tally.bypassed, 'Prism validates the lines of a file as one value')
  else if (violations === undefined) count(tally.bypassed, 'the request has more violations than Prism can report')
  else count(tally.validated, operation.id)
  for (const violation of isLines ? [] : (violations ?? [])) {
    tally.violations.push(`${method} ${url} responded with ${response.message.statusCode}: ${violation}`)
  }
  respondWith(outgoing, own ?? response)
}

/** Reports whether the percent-encoding of a path can be decoded. If it cannot, the Prism process would exit. */
function isDecodable(url: string): boolean {
  try {
    decodeURIComponent(url)
    return true
  } catch {
    return false
  }
}

/** The proxy behind Prism. Forwards a request to the service that a header names, and stores the response. */
async function forward(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  responses: Map<string, StoredResponse>,
): Promise<void> {
  const body = await bodyOf(incoming)
  const response = await send(incoming, upstreamOf(incoming), incoming.url ?? '', body)
  responses.set(headerOf(incoming, exchangeHeader) ?? '', response)
  respondWith(outgoing, response)
}

const ownHeaders = [upstreamHeader, exchangeHeader]

interface StoredResponse {
  readonly message: IncomingMessage
  readonly body: Buffer
}

async function send(incoming: IncomingMessage, origin: string, path: string, body: Buffer): Promise<StoredResponse> {
  const isService = origin === upstreamOf(incoming)
  // The `Host` header of a request to the service names the service, because the service uses this header in links.
  const headers = pairsOf(incoming)
    .filter(([name]) => !(isService && ownHeaders.includes(name.toLowerCase())))
    .map(([name, value]) => [name, isService && name.toLowerCase() === 'host' ? new URL(origin).host : value])
  const options = { method: incoming.method, headers: headers.flat(), maxHeaderSize: headersMaxBytes, agent }
  const outgoing = request(origin + path, options)
  outgoing.end(body)
  const [message]: IncomingMessage[] = await once(outgoing, 'response')
  if (message === undefined) throw new Error('The response event has no response.')
  return { message, body: await bodyOf(message) }
}

function respondWith(outgoing: ServerResponse, { message, body }: StoredResponse): void {
  // Hop-by-hop headers apply to one connection only, so they are not forwarded.
  const isOfConnection = /^(transfer-encoding|content-length|connection|keep-alive)$/i
  const headers = pairsOf(message).filter(([name]) => !isOfConnection.test(name))
  outgoing.writeHead(message.statusCode ?? 500, headers.flat())
  outgoing.end(body)
}

/** Returns the raw headers as they were sent, with their case and repetitions. */
function pairsOf(message: IncomingMessage): [string, string][] {
  const { rawHeaders } = message
  return rawHeaders.flatMap((name, at): [string, string][] => (at % 2 === 0 ? [[name, rawHeaders[at + 1] ?? '']] : []))
}

function upstreamOf(incoming: IncomingMessage): string {
  const named = headerOf(incoming, upstreamHeader)
  // The URL of a tested service must be a loopback address.
  if (named === undefined || !/^http:\/\/127\.0\.0\.1:\d+$/.test(named)) throw new Error(`No upstream: ${named}`)
  return named
}

function headerOf(message: IncomingMessage, name: string): string | undefined {
  const value = message.headers[name]
  return Array.isArray(value) ? value.join(', ') : value
}

async function bodyOf(message: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of message) chunks.push(chunk)
  return Buffer.concat(chunks)
}

async function listen(
  handle: (incoming: IncomingMessage, outgoing: ServerResponse) => Promise<void>,
  tally: Tally,
): Promise<{ readonly server: Server; readonly port: number }> {
  const server = createServer((incoming, outgoing) => {
    handle(incoming, outgoing).catch((error: unknown) => {
      // A test may close its connection. The proxy does not report this as a failure of the proxy.
      if (!incoming.socket.destroyed) tally.faults.push(`${incoming.method} ${incoming.url}: ${error}`)
      outgoing.destroy()
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { server, port: portOf(server) }
}

/** Prism needs a free port, because it cannot choose a port itself and report it. */
async function freePort(): Promise<number> {
  const server = createServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const port = portOf(server)
  await close(server)
  return port
}

function portOf(server: Server): number {
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The server has no port.')
  return address.port
}

async function close(server: Server): Promise<void> {
  await new Promise((resolve) => server.close(resolve).closeAllConnections())
}
