import type { TLSSocket } from 'node:tls'
import { LRUCache } from 'lru-cache'

/**
 * A session saves the next connection a handshake, 1.4 ms of processor each. undici's own connector holds sessions
 * weakly and loses them at the next collection of garbage. Resuming one also spares the look at the certificate's name;
 * Node hands a session out only after that look, and here it is found again by the same name and port only.
 */
export interface TlsSessions {
  find(host: string): Buffer | undefined
  keepFrom(host: string, socket: TLSSocket): void
}

/** At some 2 KB each, 4 MB. Receivers beyond it pay with a handshake. */
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
