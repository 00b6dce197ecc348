import { sql } from 'kysely'
import type { Database } from '../../core/database.ts'
import { writing } from '../../core/statement.ts'
import { type Listener, type Listening, listen } from '../../server/listen.ts'
import type { ShipmentKey } from './shipments.ts'

/**
 * Notifications of changed shipments between processes. A notification only makes its receiver read the row of the
 * shipment again: the rows are the source of truth.
 */

const channel = 'shipment_changed'

const notify = writing<{ payload: string }>()(
  'notify_shipment_changed',
  (p) => sql`select pg_notify(${sql.lit(channel)}, ${p.payload})`,
)

/**
 * Notifies every process that a shipment changed. Must be called after the commit: with NOTIFY in a mutation’s
 * transaction, the commits of all mutations would have to wait for each other.
 */
export async function notifyShipmentChanged(database: Database, key: ShipmentKey): Promise<void> {
  await database.run(notify, { payload: shipmentKeyText(key) })
}

export function shipmentKeyText({ merchantId, id }: ShipmentKey): string {
  return `${merchantId}/${id}`
}

/** Listens for notifications of changed shipments on a connection of its own. */
export function listenForShipments(
  database: Database,
  listener: Pick<Listener, 'broken' | 'signal'> & { readonly changed: (keyText: string) => void },
): Promise<Listening> {
  return listen(database, { channel, notified: listener.changed, broken: listener.broken, signal: listener.signal })
}
