import type { Log } from '../base/log.ts'
import { recurringWorkOf } from '../base/recurring-work.ts'
import type { Database } from '../store/core/database.ts'
import type { Listening } from '../store/server/listen.ts'
import { listenForDueEndpoints } from '../store/webhooks/due-endpoints.ts'
import type { EndpointKey } from '../store/webhooks/endpoints.ts'

export interface DueListener {
  close(): Promise<void>
}

interface DueListenerContext {
  readonly database: Database
  readonly log: Log
  readonly wake: (endpoints: readonly EndpointKey[]) => void
  /** Wakes the endpoints that are due now. Never rejects. */
  readonly sweepDeliveries: () => Promise<unknown>
}

/** Delay in milliseconds before a reconnect. A restarting database is unreachable for seconds. */
const reconnectMs = 500

/**
 * Wakes the endpoints that are due now, then listens for notifications of other processes and wakes their endpoints.
 * Reconnects and begins again when the connection is lost. Resolves after the first attempt to connect, whether it
 * succeeds or fails.
 */
export async function openDueListener({
  database,
  log,
  wake,
  sweepDeliveries,
}: DueListenerContext): Promise<DueListener> {
  let listening: Listening | undefined
  let timer: NodeJS.Timeout | undefined
  let connecting: Promise<void> | undefined
  const work = recurringWorkOf(log)
  const closing = new AbortController()
  const { signal } = closing

  const connectLater = (error?: unknown) => {
    listening = undefined
    if (signal.aborted) return
    work.failed('due_listener', error)
    timer = setTimeout(start, reconnectMs)
  }
  const connect = async () => {
    try {
      listening = await listenForDueEndpoints(database, { due: wake, broken: connectLater, signal })
      work.succeeded('due_listener')
      // Notifications that were sent before the connection was opened are lost. This sweep finds the endpoints that
      // became due before the connection was opened.
      await sweepDeliveries()
    } catch (error) {
      connectLater(error)
    }
  }

  const start = () => {
    connecting = connect()
    return connecting
  }

  await start()
  return {
    close: async () => {
      closing.abort()
      clearTimeout(timer)
      await connecting
      await listening?.close()
    },
  }
}
