/**
 * What every connection of the service asks of the server and of the network. Neither a frozen process nor a frozen server
 * or a cut line may hold up the others: by their defaults, locks and sockets would be held for up to two hours.
 */

/** Whoever is silent for so long is asked whether it is still there; half a minute later it counts as gone. */
const keepAliveIdleSeconds = 10
const keepAliveIntervalSeconds = 5
const keepAliveCount = 4

/** For node-postgres: the same from this end, whose other numbers are the system's. */
export const keepAlive = { keepAlive: true, keepAliveInitialDelayMillis: keepAliveIdleSeconds * 1000 } as const

/**
 * No transaction of the service waits for anything but the database, so one that is idle for so long belongs to a process
 * that is frozen. Its locks are freed.
 */
const idleInTransactionTimeoutMs = 15_000

/** For the `options` of a connection: settings of the server for this session. */
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
