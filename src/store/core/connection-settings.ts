/**
 * Session settings and TCP keepalive of every connection. With the defaults, a frozen process, a frozen server or a broken
 * network connection would hold locks and sockets for up to two hours.
 */

/** TCP keepalive: a peer that is silent for 10 s is probed, and counts as disconnected after 20 s without a response. */
const keepAliveIdleSeconds = 10
const keepAliveIntervalSeconds = 5
const keepAliveCount = 4

/** The same for the client's socket, whose interval and count are those of the operating system. */
export const keepAlive = { keepAlive: true, keepAliveInitialDelayMillis: keepAliveIdleSeconds * 1000 } as const

/**
 * Transactions wait for nothing but the database, so a transaction that is idle for so long belongs to a frozen process.
 * The server ends the session and releases its locks.
 */
const idleInTransactionTimeoutMs = 15_000

/** Returns the `options` parameter of a connection: the server settings of the session. */
export function sessionOptions(more: Readonly<Record<string, string | number>> = {}): string {
  const settings = {
    idle_in_transaction_session_timeout: idleInTransactionTimeoutMs,
    tcp_keepalives_idle: keepAliveIdleSeconds,
    tcp_keepalives_interval: keepAliveIntervalSeconds,
    tcp_keepalives_count: keepAliveCount,
    ...more,
  }
  return Object.entries(settings)
    .map(([name, value]) => `-c ${name}=${value}`)
    .join(' ')
}
