import type { TLSSocket } from 'node:tls'
import { LRUCache } from 'lru-cache'

/**
 * Cache of TLS sessions. Resuming a session saves a full handshake, 1.4 ms of CPU time. undici's connector keeps
 * sessions in weak references and loses them at the next garbage collection. A resumed session is not verified against
 * the host name again. It need not be: Node emits a session only after this verification, and the cache returns it only
 * for the same host and port.
 */
export interface TlsSessions {
  find(host: string): Buffer | undefined
  keepFrom(host: string, socket: TLSSocket): void
}

/** Maximum number of cached TLS sessions: about 4 MB, at 2 KB each. Further hosts need a full handshake. */
const sessionsMax = 2_000

export function openTlsSessions(): TlsSessions {
  const sessions = new LRUCache<string, Buffer>({ max: sessionsMax })
  return {
    find: (host) => sessions.get(host),
    keepFrom: (host, socket) => {
      socket.on('session', (session) => sessions.set(host, session))
    },
  }
}
