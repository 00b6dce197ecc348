/**
 * Session settings and TCP keepalive of every connection. With the defaults, a frozen process, a frozen server or a
 * broken network connection would hold locks and sockets for up to two hours.
 */

/**
 * Idle time of TCP keepalive in seconds. A peer that is silent for 10 s is probed. After 20 s without a response, it is
 * treated as disconnected.
 */
const keepAliveIdleSeconds = 10
const keepAliveIntervalSeconds = 5
const keepAliveCount = 4

/**
 * TCP keepalive idle time of the client's socket, equal to that of the server's socket. The probe interval and count
 * are those of the operating system.
 */
export const keepAlive = { keepAlive: true, keepAliveInitialDelayMillis: keepAliveIdleSeconds * 1000 } as const

/**
 * Transactions wait for nothing but the database, so a transaction that is idle for this long belongs to a frozen
 * process. The server ends the session of that process and releases the locks of its transaction.
 */
const idleInTransactionTimeoutMs = 15_000

/**
 * Lock timeout in milliseconds. A statement that waits longer for a lock fails with lock_not_available, so that
 * requests do not pile up. This timeout is shorter than the time limit for a response of the server, so that lock
 * contention can be distinguished from a frozen server.
 */
export const lockTimeoutMs = 3_500

/**
 * Statement timeout in milliseconds. No statement of the service needs longer. A statement that takes longer is a
 * defect, and it must not keep its locks.
 */
const statementTimeoutMs = 15_000

/**
 * The settings of database sessions that serve requests. A pooler does not pass on session settings, so behind a pooler
 * these must be settings of the database role.
 */
export const requestSettings = {
  lock_timeout: lockTimeoutMs,
  statement_timeout: statementTimeoutMs,
  timezone: 'UTC',
} as const

/** The settings that the database role needs when the service connects through a pooler. */
export const pooledSettings = {
  ...requestSettings,
  idle_in_transaction_session_timeout: idleInTransactionTimeoutMs,
} as const

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
