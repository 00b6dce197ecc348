import { readForm, readUpload } from './body.ts'
import type { Exchange } from './exchange.ts'
import type { Service } from './request.ts'
import { checkHead, onDisconnectOf } from './request-head.ts'
import { sourceIpOf, userAgentOf } from './sender.ts'

/** The dashboard, which serves every path below its root. */
export interface Dashboard {
  readonly root: string
  /**
   * The app is loaded at the first request for a page, so that a process that serves only the API starts faster and
   * needs less memory.
   */
  readonly load: () => Promise<DashboardApp>
}

export interface DashboardApp {
  fetch(request: Request, browser: ReturnType<typeof browserOf>): Response | Promise<Response>
}

/** Returns the parts of a page request that the dashboard uses. */
export function browserOf({ trustedProxies, originOf, clientWaits, streams }: Service, exchange: Exchange) {
  const { message, requestId } = exchange
  const { headers } = message
  return {
    requestId,
    sourceIp: sourceIpOf(message, trustedProxies),
    userAgent: userAgentOf(message),
    origin: originOf(message),
    headers: { cookie: headers.cookie, origin: headers.origin, fetchSite: headers['sec-fetch-site'] },
    onDisconnect: onDisconnectOf(message),
    isHead: message.method === 'HEAD',
    superviseStream: (parts: AsyncIterableIterator<string>) => streams.supervise(exchange, parts),
    checkHead: () => checkHead(message),
    readForm: (maxBytes: number) => readForm(exchange, maxBytes, clientWaits),
    readUpload: (maxBytes: number) => readUpload(exchange, maxBytes, clientWaits),
  }
}
