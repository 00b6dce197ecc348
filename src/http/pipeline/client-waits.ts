import type { IncomingMessage, ServerResponse } from 'node:http'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { MerchantId } from '../../../registry/values/vocabulary.ts'
import { type ConcurrencyKey, openConcurrency } from '../../access/limits/concurrency.ts'
import { networkOf } from '../../access/limits/failed-authentications.ts'
import { sourceIpOf } from './caller.ts'
import { Refusal } from './refusal.ts'

/**
 * Counts the requests that wait for their clients: those whose body has not arrived, and those whose response is not read. Such a
 * request has no place among the requests in progress and no database connection. It holds a socket and the bytes so far, so each
 * merchant and each address has a bound of its own.
 */
export interface ClientWaits {
  /** Counts a request towards its merchant too, from now on. */
  identify(incoming: IncomingMessage, merchantId: MerchantId): void
  /** Reads a body, and counts the request meanwhile. Throws a Refusal instead, above the bounds. */
  receive<Result>(incoming: IncomingMessage, read: () => Promise<Result>): Promise<Result>
  /** Counts a request from the end of its response until the client has read it. Closes the connection instead, above the bounds. */
  awaitReading(incoming: IncomingMessage, outgoing: ServerResponse): void
}

export interface WaitBounds {
  readonly perMerchant: number
  readonly perAddress: number
}

/**
 * Bodies and responses of most clients pass within a turn of the event loop, so even the clients of a busy merchant on a bad network
 * stay below its bound. With bodies of at most 64 KiB, the bodies of a merchant take a few megabytes. An address may be that of an
 * integrator with several merchants.
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
      // A body that was sent together with its head has arrived after this turn, and does not wait.
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
      // A client that reads has the response after the turn in which it was sent.
      outgoing.once('prefinish', () => setImmediate(closeUnread, incoming, outgoing))
    },
  }
}

/** Returns a refusal that closes the connection, which drops the rest of the body. */
function tooManyWaiting(isMerchant: boolean): Refusal {
  const whose = isMerchant ? 'this merchant' : 'your address'
  const message = `Too many requests of ${whose} are waiting for the rest of their bodies. Nothing was done.`
  return new Refusal('service_unavailable', message, { headers: { Connection: 'close' } })
}
