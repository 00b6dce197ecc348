import { readForm, readUpload } from './body.ts'
import type { Exchange } from './exchange.ts'
import type { Service } from './request.ts'
import { checkHead, onDisconnectOf } from './request-head.ts'
import { sourceIpOf, userAgentOf } from './sender.ts'

/** The dashboard, which serves every path below its root. */
export interface Dashboard {
  /** The path of the dashboard, such as `/dashboard`. */
  readonly root: string
  /**
   * Returns the app of the dashboard. A process loads it at the first request for a page, so that a process that serves
   * only the API starts faster and needs less memory.
   */
  readonly load: () => Promise<DashboardApp>
}

/** App that responds to requests for the pages of the dashboard. */
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
    /** The origin of the service, such as `https://api.example.com`. */
    origin: originOf(message),
    headers: { cookie: headers.cookie, origin: headers.origin, fetchSite: headers['sec-fetch-site'] },
    onDisconnect: onDisconnectOf(message),
    isHead: message.method === 'HEAD',
    /** Supervises the transfer of a file that is generated while it is sent. */
    superviseStream: (parts: AsyncIterableIterator<string>) => streams.supervise(exchange, parts),
    /** Throws a Refusal if the head of the request is malformed. */
    checkHead: () => checkHead(message),
    /** Reads the fields of a submitted form. */
    readForm: (maxBytes: number) => readForm(exchange, maxBytes, clientWaits),
    /** Reads a submitted form that may contain a file of at most `maxBytes`. */
    readUpload: (maxBytes: number) => readUpload(exchange, maxBytes, clientWaits),
  }
}
