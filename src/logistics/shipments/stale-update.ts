import { insertShipmentEvent } from '../../store/logistics/shipments/shipments.ts'
import type { StoredShipment } from '../../store/tables/shipment.ts'
import { recordCollection, withCash } from './collect-cash.ts'
import type { ShipmentChange, ShipmentUpdate } from './move-shipment.ts'
import { putShipment } from './put-shipment.ts'
import type { ShipmentWork } from './shipment-work.ts'

/**
 * Adds an update to the timeline of a shipment, marked as not applied. The status of the shipment does not change. The
 * function is for updates that the status transitions allow but that must not apply, such as updates of an abandoned
 * attempt. The shipment must be locked. Cash that a carrier reports with a delivery is recorded even if the update does
 * not apply. If such a report states no amount, no cash is recorded. An update that does not apply does not prove that
 * the rider collected the due amount.
 */
export async function recordLateUpdate(
  work: ShipmentWork,
  shipment: StoredShipment,
  update: ShipmentUpdate,
  change: Pick<ShipmentChange, 'exceptions' | 'nextCheckAt' | 'cancelFeeKobo'> = {},
): Promise<StoredShipment> {
  const number = shipment.eventCount + 1
  const { now } = work
  insertShipmentEvent(work.trx, shipment, {
    number,
    attemptNumber: update.attemptNumber ?? null,
    status: update.status,
    carrierStatus: update.carrierStatus ?? null,
    source: update.source,
    description: update.description,
    isApplied: false,
    occurredAt: update.occurredAt ?? now,
    receivedAt: now,
  })
  const updated = { ...shipment, ...change, eventCount: number, version: shipment.version + 1, updatedAt: now }
  const { cash } = update
  if (update.status !== 'delivered' || cash?.amountKobo === undefined) return putShipment(work, updated)
  const collected = putShipment(work, withCash(updated, cash, update.occurredAt ?? now, now))
  return recordCollection(work, shipment, collected, cash.carrier)
}
