import pg from 'pg'
import type { Database } from './database.ts'

export interface Listening {
  close(): Promise<void>
}

export interface Listener {
  /** One of the service's own names, because it becomes part of a statement. */
  readonly channel: 'shipment_changed' | 'webhooks_due'
  readonly notified: (payload: string) => void
  /** Called once when the connection is lost, and not when it is closed. */
  readonly broken: (error?: Error) => void
}

/** Receives NOTIFY on a connection of its own, because one of the pool must not be held for it. Rejects if it cannot connect. */
export async function listen(database: Database, { channel, notified, broken }: Listener): Promise<Listening> {
  const client = new pg.Client({ connectionString: database.pool.options.connectionString, keepAlive: true })
  let isClosed = false
  const breakOnce = (error?: Error) => {
    if (!isClosed) broken(error)
    isClosed = true
  }
  client.on('error', breakOnce)
  client.on('end', () => breakOnce())
  client.on('notification', ({ payload = '' }) => notified(payload))
  await client.connect()
  await client.query(`listen ${channel}`)
  return {
    close: () => {
      isClosed = true
      return client.end()
    },
  }
}
