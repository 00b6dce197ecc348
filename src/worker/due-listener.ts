import type { Log } from '../base/log.ts'
import type { Database } from '../store/core/database.ts'
import type { Listening } from '../store/core/listen.ts'
import { listenForDueEndpoints } from '../store/webhooks/due-endpoints.ts'
import type { EndpointKey } from '../store/webhooks/endpoints.ts'

export interface DueListener {
  close(): Promise<void>
}

interface DueListenerContext {
  readonly database: Database
  readonly log: Log
  readonly wake: (endpoints: readonly EndpointKey[]) => void
}

/** Delay before a reconnect. A restarting database is unreachable for seconds; the sweeps find due deliveries meanwhile. */
const reconnectMs = 500

/**
 * Listens for due endpoints of other processes and wakes for them. Reconnects when the connection is lost. Resolves after
 * the first attempt to connect, successful or not.
 */
export async function openDueListener({ database, log, wake }: DueListenerContext): Promise<DueListener> {
  let listening: Listening | undefined
  let timer: NodeJS.Timeout | undefined
  let connecting: Promise<void> | undefined
  let isLost = false
  const closing = new AbortController()
  const { signal } = closing

  const connectLater = (error?: unknown) => {
    listening = undefined
    if (signal.aborted) return
    // Logs once per outage.
    if (!isLost) log.warn({ err: error }, 'Notifications of due webhooks are unavailable; sweeps find due deliveries.')
    isLost = true
    timer = setTimeout(start, reconnectMs)
  }
  const connect = async () => {
    try {
      const opened = await listenForDueEndpoints(database, { due: wake, broken: connectLater, signal })
      if (isLost) log.info('Notifications of due webhooks are available again.')
      isLost = false
      listening = opened
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
