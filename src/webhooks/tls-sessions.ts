import type { TLSSocket } from 'node:tls'

/**
 * A session saves the next connection a handshake, 1.4 ms of processor each. It also saves the look at the certificate's
 * name, so only a connection whose certificate was in order may leave one behind: with an older TLS it is offered
 * before the name has been looked at.
 */
export interface TlsSessions {
  find(host: string): Buffer | undefined
  keepFrom(host: string, socket: TLSSocket): void
}

/** At some 2 KB each, 4 MB. Receivers beyond it pay with a handshake. */
const sessionsMax = 2_000

export function openTlsSessions(): TlsSessions {
  const sessions = new Map<string, Buffer>()
  const keep = (host: string, session: Buffer) => {
    sessions.delete(host)
    sessions.set(host, session)
    for (const oldest of sessions.size > sessionsMax ? sessions.keys().take(1) : []) sessions.delete(oldest)
  }
  return {
    find: (host) => sessions.get(host),
    keepFrom: (host, socket) => {
      let isProven = false
      let offered: Buffer | undefined
      socket.once('secureConnect', () => {
        isProven = true
        if (offered !== undefined) keep(host, offered)
      })
      socket.on('session', (session) => {
        if (isProven) keep(host, session)
        else offered = session
      })
    },
  }
}
