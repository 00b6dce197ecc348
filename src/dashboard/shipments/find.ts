import { ShipmentId } from '../../../registry/values/vocabulary.ts'
import { PageError } from '../kit/page-error.ts'

/** Parses the id in a path. A malformed id is answered like an unknown one. */
export function shipmentIdOf(text: string): ShipmentId {
  const id = ShipmentId.safeParse(text)
  if (!id.success) throw noShipment()
  return id.data
}

export function noShipment(): PageError {
  return new PageError(404, 'There is no such shipment. Open the list of shipments.')
}
