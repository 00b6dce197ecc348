import type { Log } from '../../base/log.ts'
import type { Database } from '../../store/core/database.ts'
import { notifyShipmentChanged } from '../../store/logistics/shipments/shipment-changes.ts'
import type { ShipmentKey } from '../../store/logistics/shipments/shipments.ts'

/**
 * Says to whoever waits for news of a shipment, in any process, that there is some. To be called after the commit; never
 * throws, because those who wait look by themselves every few seconds.
 */
export async function notifySubscribers(
  { database, log }: { readonly database: Database; readonly log: Log },
  key: ShipmentKey,
): Promise<void> {
  try {
    await notifyShipmentChanged(database, key)
  } catch (error) {
    log.warn({ err: error, shipmentId: key.id }, 'Those who wait for a shipment were not told of its change.')
  }
}
