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

/** A database that restarts is away for seconds. Meanwhile the pulse finds what is due. */
const pauseMs = 500

/**
 * Wakes for endpoints that other processes notify of, and connects again whenever the connection is lost. Settles when it
 * listens, or could not for the first time.
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
    // Once for each outage, however many attempts it takes.
    if (!isLost) log.warn({ err: error }, 'Notifications of due webhooks are lost; the pulse finds what is due.')
    isLost = true
    timer = setTimeout(begin, pauseMs)
  }
  const connect = async () => {
    try {
      const opened = await listenForDueEndpoints(database, { due: wake, broken: connectLater, signal })
      if (isLost) log.info('Notifications of due webhooks arrive again.')
      isLost = false
      listening = opened
    } catch (error) {
      connectLater(error)
    }
  }

  const begin = () => {
    connecting = connect()
    return connecting
  }

  await begin()
  return {
    close: async () => {
      closing.abort()
      clearTimeout(timer)
      await connecting
      await listening?.close()
    },
  }
}
