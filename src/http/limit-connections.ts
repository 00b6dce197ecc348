import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { networkOf } from '../access/limits/failed-authentications.ts'
import type { Log } from '../base/log.ts'
import { plainAddress } from './pipeline/sender.ts'

/**
 * Maximum number of open connections: ten times the number of requests that the process handles at once. This suffices,
 * because proxies reuse connections. An idle connection takes about 10 KB and a file descriptor. Without this limit, a
 * client without a token could exhaust the memory or the file descriptors of the process.
 */
export const connectionsMax = 4_000

/**
 * Maximum number of open connections from one address: a quarter of all connections, so that connections remain for
 * other addresses. An office, or a proxy that TRUSTED_PROXIES does not include, needs far fewer.
 */
export const connectionsPerAddress = 1_000

/**
 * Minimum interval between two log lines about closed connections. In a flood of connections, thousands of lines would
 * contain the same information as one.
 */
const loggedEveryMs = 60_000

export interface ConnectionLimits {
  readonly total: number
  /**
   * Maximum number of open connections from one address. Undefined behind proxies, because all connections then come
   * from the addresses of the proxies.
   */
  readonly perAddress: number | undefined
}

interface Reports {
  readonly log: Log
  readonly nowMs: () => number
  readonly dropped: () => void
}

/** Closes new connections above the limits as soon as they are accepted. Open connections stay open. */
export function limitConnections(server: Server, { total, perAddress }: ConnectionLimits, reports: Reports): void {
  const dropAboveTotal = openReport('New connections are closed, because too many connections are open.', reports)
  server.maxConnections = total
  server.on('drop', () => dropAboveTotal({ connections: total }))
  if (perAddress === undefined) return
  const dropOfAddress = openReport(
    'Connections from a source address are closed, because too many connections from this address are open.',
    reports,
  )
  const counts = new Map<string, number>()
  server.on('connection', (socket: Socket) => {
    const network = networkOf(plainAddress(socket.remoteAddress))
    const count = counts.get(network) ?? 0
    if (count >= perAddress) {
      socket.destroy()
      dropOfAddress({ connections: perAddress, address: network })
      return
    }
    counts.set(network, count + 1)
    socket.once('close', () => {
      const left = (counts.get(network) ?? 0) - 1
      if (left > 0) counts.set(network, left)
      else counts.delete(network)
    })
  })
}

/** Returns the function that counts rejected connections and logs them at most once a minute. */
function openReport(message: string, { log, nowMs, dropped }: Reports): (details: object) => void {
  let loggedMs = Number.NEGATIVE_INFINITY
  return (details) => {
    dropped()
    const now = nowMs()
    if (now - loggedMs < loggedEveryMs) return
    loggedMs = now
    log.warn(details, message)
  }
}
