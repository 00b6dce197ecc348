import type { Work } from '../../store/core/mutation.ts'
import { insertShipmentEvent, writeShipment } from '../../store/logistics/shipments/shipments.ts'
import type { StoredShipment } from '../../store/tables/shipment.ts'
import type { ShipmentChange, ShipmentUpdate } from './move-shipment.ts'

/**
 * Keeps news that must not move the shipment though the table would let it, such as that of an asking that was given up.
 * It is seen in the timeline as not applied. The shipment must be locked.
 */
export function recordStaleUpdate(
  work: Work,
  shipment: StoredShipment,
  news: ShipmentUpdate,
  change: Pick<ShipmentChange, 'exceptions' | 'nextCheckAt'> = {},
): StoredShipment {
  const number = shipment.eventCount + 1
  const { now } = work
  insertShipmentEvent(work.trx, shipment, {
    number,
    attemptNumber: news.attemptNumber ?? null,
    status: news.status,
    carrierStatus: news.carrierStatus ?? null,
    source: news.source,
    description: news.description,
    isApplied: false,
    occurredAt: news.occurredAt ?? now,
    receivedAt: now,
  })
  const kept = { ...shipment, ...change, eventCount: number, version: shipment.version + 1, updatedAt: now }
  writeShipment(work.trx, kept)
  return kept
}
