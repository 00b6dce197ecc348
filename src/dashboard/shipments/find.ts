import { ShipmentId } from '../../../registry/values/vocabulary.ts'
import { PageError } from '../kit/page-error.ts'

/** A malformed id gets the same response as an unknown id. */
export function shipmentIdOf(text: string): ShipmentId {
  const id = ShipmentId.safeParse(text)
  if (!id.success) throw noShipment()
  return id.data
}

export function noShipment(): PageError {
  return new PageError(404, 'This shipment does not exist. Open the list of shipments.')
}
