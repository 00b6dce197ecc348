import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import pTimeout from 'p-timeout'
import { listen } from '../base/listen.ts'
import type { Log } from '../base/log.ts'
import type { Health } from './health.ts'
import { probeReply } from './probes.ts'
import { type Reply, sendReply } from './reply.ts'

/**
 * The management server: probes and metrics on a port of their own, which is not public. It exists in every role, so
 * that a worker, which serves no requests, can be supervised and measured too.
 */
export interface ManagementServer {
  readonly url: string
  close(): Promise<void>
}

/** A function that answers GET and HEAD requests for one path. */
export type ManagementRoute = () => Reply | Promise<Reply>

/** The functions by path, such as `/metrics`. */
export type ManagementRoutes = Readonly<Record<string, ManagementRoute>>

export interface ManagementOptions {
  readonly host: string
  readonly port: number
  readonly routes: ManagementRoutes
  readonly log: Log
}

/** Timeout for receiving a request. Probes and scrapes have no body, so they arrive well within this time. */
const requestTimeoutMs = 5_000

/** Timeout for sending a response, less than the default timeout of a Prometheus scrape, which is ten seconds. */
const routeTimeoutMs = 5_000

/** Maximum number of connections, far more than the load balancers, supervisors and scrapers of one process need. */
const connectionsMax = 100

/** Maximum size of the request headers. Probes and scrapes have a few short ones. */
const headersMaxBytes = 8 * 1024

/** Rejects with a ListenError if the server cannot listen on its port. */
export async function openManagementServer(options: ManagementOptions): Promise<ManagementServer> {
  const limits = {
    requestTimeout: requestTimeoutMs,
    headersTimeout: requestTimeoutMs,
    connectionsCheckingInterval: 1000,
    maxHeaderSize: headersMaxBytes,
    // A Host header is not required, because simple probes send HTTP/1.0 without one.
    requireHostHeader: false,
  }
  const server = createServer(limits, (incoming, outgoing) => void answer(options, incoming, outgoing))
  server.maxConnections = connectionsMax
  const { host, port } = options
  const url = await listen(server, { host, port, settings: { host: 'MANAGEMENT_HOST', port: 'MANAGEMENT_PORT' } })
  return { url, close: () => close(server) }
}

export function probeRoutes(health: Health): ManagementRoutes {
  return { '/livez': () => probeReply(health, 'livez'), '/readyz': () => probeReply(health, 'readyz') }
}

async function answer(options: ManagementOptions, incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  const path = incoming.url?.split('?', 1)[0] ?? ''
  const route = Object.hasOwn(options.routes, path) ? options.routes[path] : undefined
  if (route === undefined) sendReply(outgoing, text(404, `This port serves ${Object.keys(options.routes).join(', ')}.`))
  else if (incoming.method === 'GET' || incoming.method === 'HEAD')
    sendReply(outgoing, await replyOf(route, options.log))
  else sendReply(outgoing, text(405, 'Use GET or HEAD.'), { Allow: 'GET, HEAD' })
}

async function replyOf(route: ManagementRoute, log: Log): Promise<Reply> {
  try {
    return await pTimeout(Promise.resolve(route()), { milliseconds: routeTimeoutMs })
  } catch (error) {
    log.error({ err: error }, 'A request of the management port failed.')
    return text(503, 'The request failed; the log has the error.')
  }
}

function text(status: number, line: string): Reply {
  return { status, contentType: 'text/plain; charset=utf-8', body: `${line}\n` }
}

/**
 * Closes the server and all its connections at once: scrapers keep idle connections open, and a request takes only
 * milliseconds.
 */
function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve())
    server.closeAllConnections()
  })
}
