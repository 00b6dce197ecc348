import type { Server } from 'node:http'
import type { Log } from '../base/log.ts'

/**
 * An idle connection takes about 10 KB and a file descriptor, so a client without a token could otherwise exhaust the memory or the
 * descriptors of the process. Proxies reuse connections: even 400 requests in progress need a tenth of this number.
 */
export const connectionsMax = 4_000

/** Under a flood, thousands of lines would tell the same as one. */
const loggedEveryMs = 60_000

interface Reports {
  readonly log: Log
  readonly nowMs: () => number
  readonly dropped: () => void
}

/** Closes connections above the limit as soon as they are accepted. Those that are open are served further. */
export function limitConnections(server: Server, max: number, { log, nowMs, dropped }: Reports): void {
  let loggedMs = Number.NEGATIVE_INFINITY
  server.maxConnections = max
  server.on('drop', () => {
    dropped()
    const now = nowMs()
    if (now - loggedMs < loggedEveryMs) return
    loggedMs = now
    log.warn({ connections: max }, 'Connections are closed, because too many are open.')
  })
}
