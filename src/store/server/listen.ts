import { keepAlive, sessionOptions } from '../core/connection-settings.ts'
import type { Database } from '../core/database.ts'
import { abortable, cutClient, endClient } from '../core/end-client.ts'
import { newClient } from '../core/server-client.ts'

export interface Listening {
  close(): Promise<void>
}

export interface Listener {
  /**
   * The name of the NOTIFY channel. It is always one of the service's own names, because it becomes part of a
   * statement.
   */
  readonly channel: 'shipment_changed' | 'webhooks_due'
  readonly notified: (payload: string) => void
  /** Called once when the listening connection is lost, but not when the caller closes the connection. */
  readonly broken: (error?: Error) => void
  /** Signal that aborts the attempt to connect. The signal has no effect once the connection is open. */
  readonly signal?: AbortSignal | undefined
}

/**
 * Time limit to connect to the database, the same as for a request that waits for a connection. The limit is needed,
 * because a frozen server accepts connections and never responds.
 */
const answerMs = 5_000

/**
 * Receives NOTIFY on a connection of its own, because listening would otherwise occupy a connection of the pool
 * permanently. Rejects if it cannot connect. If this function rejects, it has closed the connection. A later failure of
 * the connection closes the connection and then calls the function `broken` of the listener.
 */
export async function listen(database: Database, { channel, notified, broken, signal }: Listener): Promise<Listening> {
  const client = newClient(database.servers, {
    connectionTimeoutMillis: answerMs,
    query_timeout: answerMs,
    ...keepAlive,
    options: sessionOptions(),
  })
  let isListening = false
  const breakOnce = (error?: Error) => {
    if (!isListening) return
    isListening = false
    cutClient(client)
    broken(error)
  }
  client.on('error', breakOnce)
  client.on('end', () => breakOnce())
  client.on('notification', ({ payload = '' }) => notified(payload))
  try {
    await abortable(
      signal,
      () => cutClient(client),
      async () => {
        await client.connect()
        await client.query(`listen ${channel}`)
      },
    )
  } catch (error) {
    await endClient(client)
    throw error
  }
  isListening = true
  return {
    close: () => {
      isListening = false
      return endClient(client)
    },
  }
}
