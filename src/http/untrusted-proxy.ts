import type { IncomingMessage, Server } from 'node:http'
import type { Log } from '../base/log.ts'

/**
 * Logs a warning at the first request with X-Forwarded-For in a process that trusts no proxy. Behind a proxy, every
 * client then has the address of the proxy: in audit entries, in the request log and in the limit of failed
 * authentications. The warning is logged once, because a client without a proxy can send the header too.
 */
export function warnOfUntrustedProxy(server: Pick<Server, 'on' | 'off'>, log: Log): void {
  const check = ({ headers }: IncomingMessage) => {
    if (headers['x-forwarded-for'] === undefined) return
    server.off('request', check)
    log.warn(
      'A request has X-Forwarded-For, which is ignored because TRUSTED_PROXIES is 0. Behind a reverse proxy, set TRUSTED_PROXIES to the number of proxies.',
    )
  }
  server.on('request', check)
}
