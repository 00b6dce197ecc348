import type { Log } from '../../base/log.ts'
import type { Database } from '../../store/core/database.ts'
import type { Listening } from '../../store/core/listen.ts'
import { listenForShipments, shipmentKeyText } from '../../store/logistics/shipments/shipment-changes.ts'
import type { ShipmentKey } from '../../store/logistics/shipments/shipments.ts'
import { findShipmentMarks, type ShipmentMark } from '../../store/logistics/shipments/tracking.ts'

/**
 * Requests that wait for news of a shipment. All of a process share one connection that listens, and none of them holds
 * one of the pool. A word that is lost costs two seconds: so often the rows of all who wait are looked at in one statement.
 */
export interface Subscription {
  /** Ends when the shipment has another mark than this, when the time is over, or when the caller has gone. */
  wait(
    key: ShipmentKey,
    known: ShipmentMark,
    limits: { readonly waitMs: number; readonly onGone: OnGone },
  ): Promise<void>
  /** How many wait now. */
  waiting(): number
  /** Ends all waiting, and lets nobody wait any more. */
  close(): Promise<void>
}

/** Calls back when the caller hangs up; what it gives back stops that. */
export type OnGone = (listener: () => void) => () => void

/** As a function, so that tests need not wait. Gives what stops it. */
export type After = (ms: number, run: () => void) => () => void

/** Far more than the riders of one shop; a leak of its own must not keep others out. */
const merchantMax = 100

/** Sockets are cheap, but not without end. */
const processMax = 1000

/** Nobody minds on a map, and it is one small statement. */
const lookMs = 2_000

interface Waiter {
  readonly key: ShipmentKey
  readonly known: ShipmentMark
  readonly end: () => void
}

export function openSubscriptions(
  { database, log }: { database: Database; log: Log },
  after: After = afterMs,
): Subscription {
  const waiters = new Map<string, Set<Waiter>>()
  const counts = new Map<string, number>()
  let count = 0
  const closing = new AbortController()
  const { signal } = closing
  let listening: Promise<Listening | undefined> | undefined
  let stopLooking: (() => void) | undefined

  const listen = () => {
    listening ??= listenForShipments(database, {
      changed: (keyText) => void look([...(waiters.get(keyText) ?? [])]),
      // The next look listens again.
      broken: () => {
        listening = undefined
      },
      signal,
    }).catch((error) => {
      if (signal.aborted) return undefined
      log.warn({ err: error }, 'Changes of shipments cannot be listened to; they are looked for instead.')
      listening = undefined
      return undefined
    })
  }

  /** Ends those whose shipment is not as they know it. */
  const look = async (some: readonly Waiter[]): Promise<void> => {
    if (some.length === 0 || signal.aborted) return
    try {
      const keys = new Map(some.map(({ key }) => [shipmentKeyText(key), key]))
      const marks = await findShipmentMarks(database, [...keys.values()])
      const byKey = new Map(marks.map((mark) => [shipmentKeyText(mark), mark]))
      for (const { key, known, end } of some) {
        const mark = byKey.get(shipmentKeyText(key))
        if (mark?.version !== known.version || mark.positionNumber !== known.positionNumber) end()
      }
    } catch (error) {
      log.warn({ err: error }, 'Shipments that are waited for could not be looked at.')
    }
  }

  const lookAtAll = async (): Promise<void> => {
    if (signal.aborted) return
    listen()
    await look([...waiters.values()].flatMap((some) => [...some]))
    stopLooking = count > 0 && !signal.aborted ? after(lookMs, () => void lookAtAll()) : undefined
  }

  const enter = (waiter: Waiter): (() => void) => {
    const { merchantId } = waiter.key
    const keyText = shipmentKeyText(waiter.key)
    const some = waiters.get(keyText) ?? new Set()
    waiters.set(keyText, some.add(waiter))
    counts.set(merchantId, (counts.get(merchantId) ?? 0) + 1)
    count += 1
    return () => {
      if (!some.delete(waiter)) return
      if (some.size === 0) waiters.delete(keyText)
      const left = (counts.get(merchantId) ?? 0) - 1
      if (left > 0) counts.set(merchantId, left)
      else counts.delete(merchantId)
      count -= 1
    }
  }

  const isFull = ({ merchantId }: ShipmentKey) => count >= processMax || (counts.get(merchantId) ?? 0) >= merchantMax

  return {
    wait: async (key, known, { waitMs, onGone }) => {
      if (signal.aborted || isFull(key)) return
      const { promise, resolve } = Promise.withResolvers<void>()
      const waiter: Waiter = { key, known, end: resolve }
      const leave = enter(waiter)
      const stopTimer = after(waitMs, resolve)
      const stopListening = onGone(resolve)
      listen()
      stopLooking ??= after(lookMs, () => void lookAtAll())
      // It may have changed after the caller read it and before this began to listen.
      void listening?.then(() => look([waiter]))
      await promise
      stopTimer()
      stopListening()
      leave()
    },
    waiting: () => count,
    close: async () => {
      closing.abort()
      stopLooking?.()
      for (const some of waiters.values()) for (const { end } of some) end()
      const opened = await listening
      await opened?.close()
    },
  }
}

function afterMs(ms: number, run: () => void): () => void {
  const timer = setTimeout(run, ms)
  return () => clearTimeout(timer)
}
