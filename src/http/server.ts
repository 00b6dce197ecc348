import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { newId } from '../base/ids.ts'
import { type Probe, probeOf, probeReply } from '../management/probes.ts'
import { sendReply } from '../management/reply.ts'
import type { Operation } from '../operations/execute/operation.ts'
import { Refusal, refusalBody } from '../operations/execute/refusal.ts'
import { createApp } from './app.ts'
import { connectionsMax, connectionsPerAddress, limitConnections } from './limit-connections.ts'
import type { Dashboard } from './pipeline/dashboard.ts'
import type { Service } from './pipeline/request.ts'
import { requestLineRefusal, versionRefusal } from './pipeline/request-head.ts'
import { failureHeaders } from './pipeline/respond.ts'

/** Time limit for receiving a whole request. Slower clients would occupy connections. */
const requestTimeoutMs = 15_000

/**
 * Interval at which Node.js checks for requests over their time limit. A request can exceed its time limit by at most
 * this interval. The default of Node.js is 30 seconds.
 */
const timeoutCheckMs = 1000

/**
 * Idle timeout of a connection, longer than that of common proxies: the proxy then closes the connection first, so no
 * request is lost.
 */
const keepAliveTimeoutMs = 65_000

/** Maximum size of the headers in bytes, as documented for headers_too_large. */
const headersMaxBytes = 16 * 1024

/** Requests that the parser of Node.js rejects also get an error response of the API's error catalogue. */
export function createApiServer(service: Service, operations?: readonly Operation[], dashboard?: Dashboard): Server {
  const newRequestId = () => newId('req', service.context.clock.nowMs())
  const app = createApp(service, operations, dashboard)
  const ownOrigin = () => service.originOf({ headers: {}, socket: { localPort: portOf(server) } })
  const options = {
    requestTimeout: requestTimeoutMs,
    headersTimeout: requestTimeoutMs,
    connectionsCheckingInterval: timeoutCheckMs,
    maxHeaderSize: headersMaxBytes,
    // If a request has no Host header, Node.js would respond with an error without a body. The request listener
    // responds with a complete error instead.
    requireHostHeader: false,
  }
  const refuse = (incoming: IncomingMessage, outgoing: ServerResponse, refusal: Refusal) => {
    const { headers, body } = closingResponse(refusal, newRequestId(), service.originOf(incoming))
    outgoing.writeHead(refusal.status, headers).end(body)
  }
  const abort = (outgoing: ServerResponse, error: unknown) => {
    service.log.error({ err: error }, 'A response could not be sent.')
    outgoing.destroy()
  }
  const latest = new WeakMap<Duplex, { readonly incoming: IncomingMessage; readonly outgoing: ServerResponse }>()
  const server = createServer(options, (incoming, outgoing) => {
    latest.set(incoming.socket, { incoming, outgoing })
    const refusal = requestLineRefusal(incoming)
    if (refusal !== undefined) return refuse(incoming, outgoing, refusal)
    const { health } = service
    const probe = probeOf(incoming.url)
    if (probe === undefined || health === undefined)
      app(incoming, outgoing).catch((error: unknown) => abort(outgoing, error))
    else if (incoming.method === 'GET' || incoming.method === 'HEAD') sendReply(outgoing, probeReply(health, probe))
    else refuse(incoming, outgoing, methodNotAllowed(probe))
  })
  server.keepAliveTimeout = keepAliveTimeoutMs
  const perAddress = service.trustedProxies === 0 ? connectionsPerAddress : undefined
  const reports = { log: service.log, nowMs: service.context.clock.nowMs, dropped: service.meters.connectionDropped }
  limitConnections(server, { total: connectionsMax, perAddress }, reports)
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    const respond = () => {
      if (error.code === 'ECONNRESET' || !socket.writable) socket.destroy()
      else answerUnparsed(socket, clientRefusal(error.code), newRequestId(), ownOrigin())
    }
    const last = latest.get(socket)
    // If a complete request precedes the malformed bytes, the response to that request is sent before the error
    // response. Otherwise, the client would take the error response for the response to its request.
    if (last?.incoming.complete && !last.outgoing.writableFinished) last.outgoing.once('finish', respond)
    else respond()
  })
  server.on('checkExpectation', (incoming, outgoing) => {
    refuse(incoming, outgoing, malformed('The header Expect supports only 100-continue.'))
  })
  server.on('connect', (_incoming, socket) => {
    answerUnparsed(
      socket,
      malformed('This service is not a proxy and does not support CONNECT.'),
      newRequestId(),
      ownOrigin(),
    )
  })
  return server
}

/** An unparsed request has no response object, so the error response is written to the socket. */
function answerUnparsed(socket: Duplex, refusal: Refusal, requestId: string, origin: string): void {
  const { headers, body } = closingResponse(refusal, requestId, origin)
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.end(`HTTP/1.1 ${refusal.status} ${reasons[refusal.status] ?? ''}\r\n${lines.join('')}\r\n${body}`)
}

/** Returns an error response that closes the connection, because the bytes after the error cannot be parsed safely. */
function closingResponse(refusal: Refusal, requestId: string, origin: string) {
  const body = refusalBody(refusal, requestId, origin)
  const length = String(Buffer.byteLength(body))
  return { headers: { ...failureHeaders(refusal, requestId), 'Content-Length': length, Connection: 'close' }, body }
}

function portOf(server: Server): number {
  const address = server.address()
  return typeof address === 'object' && address !== null ? address.port : 0
}

const reasons: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  408: 'Request Timeout',
  431: 'Request Header Fields Too Large',
  505: 'HTTP Version Not Supported',
}

function clientRefusal(code: string | undefined): Refusal {
  if (code === 'HPE_HEADER_OVERFLOW') {
    return new Refusal('headers_too_large', `The headers are larger than ${headersMaxBytes} bytes.`)
  }
  if (code !== undefined && versionErrors.has(code)) return versionRefusal()
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT')
    return new Refusal('request_timeout', 'The complete request did not arrive in time.')
  return malformed('The received bytes are not a valid HTTP request.')
}

/**
 * Error codes of the HTTP parser for an unsupported version in the request line, and for the first bytes of an HTTP/2
 * connection.
 */
const versionErrors = new Set(['HPE_INVALID_VERSION', 'HPE_PAUSED_H2_UPGRADE'])

function methodNotAllowed(probe: Probe): Refusal {
  return new Refusal('method_not_allowed', `/${probe} supports GET and HEAD only.`, { headers: { Allow: 'GET, HEAD' } })
}

function malformed(message: string): Refusal {
  return new Refusal('malformed_request', message, { details: { header: null } })
}
