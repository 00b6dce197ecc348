import type { IncomingMessage, ServerResponse } from 'node:http'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { MerchantId } from '../../../registry/values/vocabulary.ts'
import { type ConcurrencyKey, openConcurrency } from '../../access/limits/concurrency.ts'
import { networkOf } from '../../access/limits/failed-authentications.ts'
import { Refusal } from '../../operations/execute/refusal.ts'
import { sourceIpOf } from './sender.ts'

/**
 * Counts the requests that wait for their clients: their body has not arrived, or the client has not read their
 * response. Such a request is not one of the requests in progress and has no database connection, but occupies a socket
 * and memory for received bytes. Each merchant and each address therefore has a limit for such requests.
 */
export interface ClientWaits {
  /** Assigns a request to a merchant. From then on it counts towards the limits of its merchant and its address. */
  identify(incoming: IncomingMessage, merchantId: MerchantId): void
  /** Reads a body and counts the request while it waits for the body. Above the limits, throws a Refusal instead. */
  receive<Result>(incoming: IncomingMessage, read: () => Promise<Result>): Promise<Result>
  /**
   * Counts a request from the end of its response until the client has read it. Above the limits, closes the
   * connection.
   */
  awaitReading(incoming: IncomingMessage, outgoing: ServerResponse): void
}

export interface WaitBounds {
  readonly perMerchant: number
  readonly perAddress: number
}

/**
 * Maximum numbers of requests that wait for their clients, per merchant and per address. Bodies and responses of most
 * clients arrive within one turn of the event loop, so even the clients of a busy merchant on a bad network stay below
 * the limit. Bodies of at most 64 KiB take a few megabytes per merchant. One address may be that of an integrator with
 * several merchants.
 */
export const waitBounds: WaitBounds = { perMerchant: 100, perAddress: 400 }

export function openClientWaits(trustedProxies: number, bounds = waitBounds): ClientWaits {
  const waits = openConcurrency()
  const merchants = new WeakMap<IncomingMessage, MerchantId>()
  const keysOf = (incoming: IncomingMessage): readonly ConcurrencyKey[] => {
    const address = { key: networkOf(sourceIpOf(incoming, trustedProxies)), max: bounds.perAddress }
    const merchantId = merchants.get(incoming)
    return merchantId === undefined ? [address] : [{ key: merchantId, max: bounds.perMerchant }, address]
  }
  const closeUnread = (incoming: IncomingMessage, outgoing: ServerResponse) => {
    if (outgoing.writableFinished || outgoing.destroyed) return
    const entered = waits.enter(keysOf(incoming))
    if (entered.is === 'full') incoming.socket.destroy()
    else outgoing.once('close', entered.slot.leave)
  }
  return {
    identify: (incoming, merchantId) => void merchants.set(incoming, merchantId),
    receive: async (incoming, read) => {
      // If the client sent the body together with the headers, the body has arrived after this turn of the event loop,
      // and the request does not wait.
      if (!incoming.complete) await nextTurn()
      if (incoming.complete) return read()
      const entered = waits.enter(keysOf(incoming))
      if (entered.is === 'full') throw tooManyWaiting(entered.full.key === merchants.get(incoming))
      try {
        return await read()
      } finally {
        entered.slot.leave()
      }
    },
    awaitReading: (incoming, outgoing) => {
      // A client that reads its response without delay has received it after this turn of the event loop.
      outgoing.once('prefinish', () => setImmediate(closeUnread, incoming, outgoing))
    },
  }
}

/** Returns a refusal that closes the connection, so that the rest of the body is not read. */
function tooManyWaiting(isMerchant: boolean): Refusal {
  const whose = isMerchant ? 'this merchant' : 'your address'
  const message = `Too many requests of ${whose} have incomplete bodies. Nothing was done.`
  return new Refusal('service_unavailable', message, { headers: { Connection: 'close' } })
}
