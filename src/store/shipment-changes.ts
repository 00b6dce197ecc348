import { sql } from 'kysely'
import pg from 'pg'
import { keepAlive, sessionOptions } from './connection-settings.ts'
import type { Database } from './database.ts'
import type { ShipmentKey } from './shipments.ts'
import { writing } from './statement.ts'

/** Word of shipments that changed, from process to process. It is only a nudge to look: the rows are the truth. */

const channel = 'shipment_changed'

const tell = writing<{ payload: string }>()(
  'tell_shipment_changed',
  (p) => sql`select pg_notify(${sql.lit(channel)}, ${p.payload})`,
)

/**
 * To be called after the commit of the change: a NOTIFY inside a mutation’s transaction would make the commits of all
 * mutations wait for one another.
 */
export async function tellShipmentChanged(database: Database, key: ShipmentKey): Promise<void> {
  await database.run(tell, { payload: shipmentKeyText(key) })
}

export function shipmentKeyText({ merchantId, id }: ShipmentKey): string {
  return `${merchantId}/${id}`
}

export interface Listening {
  close(): Promise<void>
}

/** Listens on a connection of its own, because one of the pool must not be held for it. */
export async function listenForShipments(
  database: Database,
  told: { readonly changed: (keyText: string) => void; readonly broken: (error?: Error) => void },
): Promise<Listening> {
  const client = new pg.Client({
    connectionString: database.pool.options.connectionString,
    ...keepAlive,
    options: sessionOptions(),
  })
  let isClosed = false
  const broken = (error?: Error) => {
    if (!isClosed) told.broken(error)
    isClosed = true
  }
  client.on('error', broken)
  client.on('end', () => broken())
  client.on('notification', ({ payload = '' }) => told.changed(payload))
  await client.connect()
  await client.query(`listen ${channel}`)
  return {
    close: () => {
      isClosed = true
      return client.end()
    },
  }
}
