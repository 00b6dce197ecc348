import type { ShipmentStatus } from '../../../../registry/logistics/shipment-states.ts'
import type { Kobo, MerchantId, OrderId, ShipmentId, Timestamp } from '../../../../registry/values/vocabulary.ts'
import type { ReadDb } from '../../core/database.ts'
import { build, reading } from '../../core/statement.ts'

/** A shipment in the list that operators see. It contains no names and no streets. */
export interface ListedShipment {
  readonly id: ShipmentId
  readonly createdAt: Timestamp
  readonly reference: string
  readonly orderId: OrderId | null
  readonly status: ShipmentStatus
  readonly statusCode: string | null
  readonly carrier: string | null
  readonly carrierReference: string | null
  readonly priceKobo: Kobo | null
  readonly attemptCount: number
  readonly nextCheckAt: Timestamp | null
}

export const shipmentList = reading<{ merchantId: MerchantId; limit: number }>()('list_shipments', (p) =>
  build
    .selectFrom('shipments')
    .where('merchantId', '=', p.merchantId)
    .select([
      'id',
      'createdAt',
      'reference',
      'orderId',
      'status',
      'statusCode',
      'carrier',
      'carrierReference',
      'priceKobo',
      'attemptCount',
      'nextCheckAt',
    ])
    // The order of the index shipments_newest_first.
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .limit(p.limit),
)

/** Returns the latest shipments of a merchant, newest first. */
export function listShipments(db: ReadDb, merchantId: MerchantId, limit: number): Promise<readonly ListedShipment[]> {
  return db.read(shipmentList, { merchantId, limit })
}
