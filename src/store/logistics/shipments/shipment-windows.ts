import { sql } from 'kysely'
import type { MerchantId, Timestamp } from '../../../../registry/values/vocabulary.ts'

export interface StoredWindow {
  readonly from: Timestamp
  readonly to: Timestamp
}

/** Pickup and dropoff windows of a shipment, as requested for its quote. */
export interface ShipmentWindows {
  readonly pickup: StoredWindow | null
  readonly dropoff: StoredWindow | null
}

/**
 * SQL expression with the requested pickup and dropoff windows of a shipment, for a select from `shipments`. Null for a
 * shipment without a quote.
 */
export const requestedWindows = (merchantId: MerchantId) => sql<ShipmentWindows | null>`(
  select json_build_object('pickup', pickup_window, 'dropoff', dropoff_window)
  from quotes
  where quotes.merchant_id = ${merchantId} and quotes.id = shipments.quote_id
)`
