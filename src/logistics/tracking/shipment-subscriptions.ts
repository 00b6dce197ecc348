import type { Log } from '../../base/log.ts'
import { recurringWorkOf } from '../../base/recurring-work.ts'
import type { Database } from '../../store/core/database.ts'
import { listenForShipments, shipmentKeyText } from '../../store/logistics/shipments/shipment-changes.ts'
import type { ShipmentKey } from '../../store/logistics/shipments/shipments.ts'
import { findShipmentMarks, type ShipmentMark } from '../../store/logistics/shipments/tracking.ts'
import type { Listening } from '../../store/server/listen.ts'

/**
 * Long polls for changes of shipments. All long polls of a process share one LISTEN connection, and none of them holds
 * a connection of the pool. One statement also checks all subscribed shipments every two seconds, so a lost
 * notification delays a long poll by at most two seconds.
 */
export interface Subscription {
  /**
   * Waits until the shipment differs from the state `known`, which the caller has read. Also ends when the wait timeout
   * ends or the caller disconnects. Returns at once when the process or the merchant already has the maximum number of
   * waits.
   */
  wait(
    key: ShipmentKey,
    known: ShipmentMark,
    limits: { readonly waitMs: number; readonly onDisconnect: OnDisconnect },
  ): Promise<void>
  waiting(): number
  /** Ends every waiting long poll, and refuses later ones. */
  close(): Promise<void>
}

/** Returns a function that removes the listener. */
export type OnDisconnect = (listener: () => void) => () => void

/** Runs a function after a delay. Returns a function that cancels it. Tests replace this timer to avoid waiting. */
export type After = (ms: number, run: () => void) => () => void

/**
 * Maximum simultaneous long polls per merchant, far more than one shop needs. A client of one merchant that leaks long
 * polls therefore does not block other merchants.
 */
const merchantMax = 100

/** Maximum simultaneous long polls per process, because each one holds a socket. */
const processMax = 1000

/**
 * Interval of the checks of all subscribed shipments. It is short enough for a live map, and a check is one small
 * statement.
 */
const checkMs = 2_000

interface Waiter {
  readonly key: ShipmentKey
  readonly known: ShipmentMark
  readonly end: () => void
}

/** The LISTEN connection of a process opens with the first long poll. */
export function openSubscriptions(
  { database, log }: { database: Database; log: Log },
  after: After = afterMs,
): Subscription {
  const waiters = openWaiters()
  const work = recurringWorkOf(log)
  const closing = new AbortController()
  const { signal } = closing
  let listening: Promise<Listening | undefined> | undefined
  let stopChecking: (() => void) | undefined

  const listen = () => {
    listening ??= listenForShipments(database, {
      changed: (keyText) => void check(waiters.of(keyText)),
      // After the LISTEN connection is lost, the next check of the subscribed shipments opens it again.
      broken: () => {
        listening = undefined
      },
      signal,
    }).then(
      (opened) => {
        work.succeeded('shipment_listener')
        return opened
      },
      (error) => {
        if (signal.aborted) return undefined
        // If the LISTEN connection fails, the subscribed shipments are still checked at intervals.
        work.failed('shipment_listener', error)
        listening = undefined
        return undefined
      },
    )
  }

  /** Ends each waiting long poll whose shipment has changed. */
  const check = async (waiting: readonly Waiter[]): Promise<void> => {
    if (waiting.length === 0 || signal.aborted) return
    const keys = new Map(waiting.map(({ key }) => [shipmentKeyText(key), key]))
    const marks = await work.attempt('shipment_subscriptions', () => findShipmentMarks(database, [...keys.values()]))
    if (marks === undefined) return
    const byKey = new Map(marks.map((mark) => [shipmentKeyText(mark), mark]))
    for (const { key, known, end } of waiting) {
      const mark = byKey.get(shipmentKeyText(key))
      if (mark?.version !== known.version || mark.positionNumber !== known.positionNumber) end()
    }
  }

  const checkAll = async (): Promise<void> => {
    if (signal.aborted) return
    listen()
    await check(waiters.all())
    stopChecking = waiters.count() > 0 && !signal.aborted ? after(checkMs, () => void checkAll()) : undefined
  }

  return {
    wait: async (key, known, { waitMs, onDisconnect }) => {
      if (signal.aborted || waiters.isFull(key)) return
      const { promise, resolve } = Promise.withResolvers<void>()
      const waiter: Waiter = { key, known, end: resolve }
      const remove = waiters.add(waiter)
      const stopTimer = after(waitMs, resolve)
      const stopListening = onDisconnect(resolve)
      listen()
      stopChecking ??= after(checkMs, () => void checkAll())
      // The shipment may have changed after the caller read it and before this long poll started.
      void listening?.then(() => check([waiter]))
      await promise
      stopTimer()
      stopListening()
      remove()
    },
    waiting: waiters.count,
    close: async () => {
      closing.abort()
      stopChecking?.()
      for (const { end } of waiters.all()) end()
      const opened = await listening
      await opened?.close()
    },
  }
}

function openWaiters() {
  const byShipment = new Map<string, Set<Waiter>>()
  const countByMerchant = new Map<string, number>()
  let count = 0
  return {
    count: () => count,
    of: (keyText: string): readonly Waiter[] => [...(byShipment.get(keyText) ?? [])],
    all: (): readonly Waiter[] => [...byShipment.values()].flatMap((waiters) => [...waiters]),
    isFull: ({ merchantId }: ShipmentKey) =>
      count >= processMax || (countByMerchant.get(merchantId) ?? 0) >= merchantMax,
    /** Returns a function that removes the waiting long poll. */
    add: (waiter: Waiter): (() => void) => {
      const { merchantId } = waiter.key
      const keyText = shipmentKeyText(waiter.key)
      const waiters = byShipment.get(keyText) ?? new Set()
      byShipment.set(keyText, waiters.add(waiter))
      countByMerchant.set(merchantId, (countByMerchant.get(merchantId) ?? 0) + 1)
      count += 1
      return () => {
        if (!waiters.delete(waiter)) return
        if (waiters.size === 0) byShipment.delete(keyText)
        const left = (countByMerchant.get(merchantId) ?? 0) - 1
        if (left > 0) countByMerchant.set(merchantId, left)
        else countByMerchant.delete(merchantId)
        count -= 1
      }
    },
  }
}

function afterMs(ms: number, run: () => void): () => void {
  const timer = setTimeout(run, ms)
  return () => clearTimeout(timer)
}
