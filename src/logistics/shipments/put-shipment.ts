import { reportException } from '../../commerce/orders/report-exception.ts'
import { writeShipment } from '../../store/logistics/shipments/shipments.ts'
import type { StoredShipment } from '../../store/tables/shipment.ts'
import { isOpen } from './exceptions.ts'
import type { ShipmentWork } from './shipment-work.ts'

/** The shipment must be locked. Emits an event for each open exception for which no event was emitted before. */
export function putShipment(work: ShipmentWork, shipment: StoredShipment): StoredShipment {
  const exceptions = shipment.exceptions.map((exception) => {
    if (!isOpen(exception) || exception.isReported === true) return exception
    reportException(work, shipment, exception)
    return { ...exception, isReported: true } as const
  })
  const reported = { ...shipment, exceptions }
  writeShipment(work.trx, reported)
  return reported
}
