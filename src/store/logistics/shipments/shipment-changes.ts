import { sql } from 'kysely'
import type { Database } from '../../core/database.ts'
import { type Listener, type Listening, listen } from '../../core/listen.ts'
import { writing } from '../../core/statement.ts'
import type { ShipmentKey } from './shipments.ts'

/** Word of shipments that changed, from process to process. It is only a nudge to look: the rows are the truth. */

const channel = 'shipment_changed'

const notify = writing<{ payload: string }>()(
  'notify_shipment_changed',
  (p) => sql`select pg_notify(${sql.lit(channel)}, ${p.payload})`,
)

/**
 * To be called after the commit of the change: a NOTIFY inside a mutation’s transaction would make the commits of all
 * mutations wait for one another.
 */
export async function notifyShipmentChanged(database: Database, key: ShipmentKey): Promise<void> {
  await database.run(notify, { payload: shipmentKeyText(key) })
}

export function shipmentKeyText({ merchantId, id }: ShipmentKey): string {
  return `${merchantId}/${id}`
}

export function listenForShipments(
  database: Database,
  told: Pick<Listener, 'broken' | 'signal'> & { readonly changed: (keyText: string) => void },
): Promise<Listening> {
  return listen(database, { channel, notified: told.changed, broken: told.broken, signal: told.signal })
}
