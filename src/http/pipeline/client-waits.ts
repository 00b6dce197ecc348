import { setImmediate as nextTurn } from 'node:timers/promises'
import { exportIdleSeconds } from '../../../registry/values/limits.ts'
import { type ConcurrencyKey, openConcurrency } from '../../access/limits/concurrency.ts'
import { networkOf } from '../../access/limits/failed-authentications.ts'
import { Refusal } from '../../operations/execute/refusal.ts'
import type { Exchange } from './exchange.ts'
import { sourceIpOf } from './sender.ts'

/**
 * Counts the requests that wait for their clients. The client has not sent the whole body of such a request, or has not
 * read the response. The request is not one of the requests in progress and has no database connection, but it occupies
 * a socket and memory for the received bytes. Each merchant and each address therefore has a limit for waiting
 * requests.
 */
export interface ClientWaits {
  /**
   * Reads a body. While the request waits for the body, it counts as a waiting request. Throws a Refusal if there are
   * too many waiting requests.
   */
  receive<Result>(exchange: Waiting, read: () => Promise<Result>): Promise<Result>
  /**
   * Counts a request as waiting until its client has read the response. If the number of waiting requests would exceed
   * a limit, closes the connection instead.
   */
  awaitReading(exchange: Waiting & Pick<Exchange, 'outgoing'>): void
  /** Time in milliseconds after which a response is aborted if the client reads none of it. */
  readonly idleMs: number
}

/**
 * A request that waits for its client. The request counts towards the limits of its source address and, once it is
 * authenticated, towards those of its merchant.
 */
type Waiting = Pick<Exchange, 'message' | 'caller'>

export interface WaitBounds {
  readonly perMerchant: number
  readonly perAddress: number
  readonly idleMs?: number
}

/**
 * Maximum numbers of requests that wait for their clients, per merchant and per address. Bodies and responses of most
 * clients arrive within one turn of the event loop, so even the clients of a busy merchant on a bad network stay below
 * the limit. Bodies of at most 64 KiB take a few megabytes per merchant. The limit of an address is higher, because an
 * integrator may send the requests of several merchants from one address.
 */
export const waitBounds: WaitBounds = { perMerchant: 100, perAddress: 400 }

const defaultIdleMs = exportIdleSeconds * 1000

export function openClientWaits(trustedProxies: number, bounds = waitBounds): ClientWaits {
  const waits = openConcurrency()
  const keysOf = ({ message, caller }: Waiting): readonly ConcurrencyKey[] => {
    const address = { key: networkOf(sourceIpOf(message, trustedProxies)), max: bounds.perAddress }
    return caller === undefined ? [address] : [{ key: caller.merchantId, max: bounds.perMerchant }, address]
  }
  const closeUnread = (exchange: Waiting & Pick<Exchange, 'outgoing'>) => {
    const { message, outgoing } = exchange
    if (outgoing.writableFinished || outgoing.destroyed) return
    const keys = keysOf(exchange)
    if (waits.fullOf(keys) !== undefined) message.socket.destroy()
    else {
      waits.enter(keys)
      outgoing.once('close', () => waits.leave(keys))
    }
  }
  return {
    idleMs: bounds.idleMs ?? defaultIdleMs,
    receive: async (exchange, read) => {
      const { message, caller } = exchange
      // If the client sent the body together with the headers, the body has arrived after this turn of the event loop.
      // The request is then not counted as a request that waits for its client.
      if (!message.complete) await nextTurn()
      if (message.complete) return read()
      const keys = keysOf(exchange)
      const full = waits.fullOf(keys)
      if (full !== undefined) throw tooManyWaiting(full.key === caller?.merchantId)
      waits.enter(keys)
      try {
        return await read()
      } finally {
        waits.leave(keys)
      }
    },
    awaitReading: (exchange) => {
      const { outgoing } = exchange
      // A client that reads its response without delay has received it after this turn of the event loop. A response
      // has no socket yet while it waits for the responses to earlier requests on its connection.
      if (outgoing.socket !== null) setImmediate(closeUnread, exchange)
      else outgoing.once('prefinish', () => setImmediate(closeUnread, exchange))
    },
  }
}

/** Returns a refusal that closes the connection, so that the rest of the body is not read. */
function tooManyWaiting(isMerchant: boolean): Refusal {
  const whose = isMerchant ? 'this merchant' : 'your address'
  const message = `Too many requests of ${whose} have incomplete bodies. Nothing was done.`
  return new Refusal('service_unavailable', message, { headers: { Connection: 'close' } })
}
