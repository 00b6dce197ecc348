import type { Log } from '../../base/log.ts'
import type { Database } from '../../store/core/database.ts'
import { notifyShipmentChanged } from '../../store/logistics/shipments/shipment-changes.ts'
import type { ShipmentKey } from '../../store/logistics/shipments/shipments.ts'

/**
 * Notifies the long polls for a shipment, in every process, that the shipment changed. Must be called after the commit.
 * Never throws, because a long poll also checks its shipment every few seconds.
 */
export async function notifySubscribers(
  { database, log }: { readonly database: Database; readonly log: Log },
  key: ShipmentKey,
): Promise<void> {
  try {
    await notifyShipmentChanged(database, key)
  } catch (error) {
    log.warn({ err: error, shipmentId: key.id }, 'The subscribers of a shipment were not notified of its change.')
  }
}
