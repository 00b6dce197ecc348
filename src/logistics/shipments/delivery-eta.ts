import type { StoredShipment } from '../../store/tables/shipment.ts'
import { notBefore } from '../moments.ts'

/**
 * Returns the estimated delivery, which is never before the pickup. The carrier updates the delivery estimate while the
 * shipment is tracked, but estimates the pickup only in its offer. The carrier's delivery estimate could therefore be
 * earlier than the pickup.
 */
export function deliveryEtaOf({
  deliveryEstimate,
  pickupEstimate,
  pickedUpAt,
}: Pick<StoredShipment, 'deliveryEstimate' | 'pickupEstimate' | 'pickedUpAt'>): StoredShipment['deliveryEstimate'] {
  const pickup = pickedUpAt === null ? pickupEstimate : { p50: pickedUpAt, p90: pickedUpAt }
  return deliveryEstimate && notBefore(deliveryEstimate, pickup)
}
