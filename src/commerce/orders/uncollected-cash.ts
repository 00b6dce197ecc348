import { isShipmentOver } from '../../../registry/logistics/shipment-states.ts'
import type { Kobo } from '../../../registry/values/vocabulary.ts'
import type { ParcelOfOrder } from '../../store/orders/order-parcels.ts'
import type { LockedOrder } from '../../store/orders/order-writes.ts'
import { toKobo } from '../money.ts'

/**
 * Returns the amount due of an order minus the cash that the riders of its shipments in progress will collect. The cash
 * of a delivered shipment is a payment of the order, and a shipment that was returned, lost or cancelled collects none.
 */
export function uncollectedKobo(
  { totalKobo, paidKobo }: Pick<LockedOrder, 'totalKobo' | 'paidKobo'>,
  { shipments }: { readonly shipments: readonly Pick<ParcelOfOrder, 'status' | 'uncollectedCashKobo'>[] },
): Kobo {
  const collecting = shipments
    .filter(({ status }) => !isShipmentOver(status))
    .reduce((total, { uncollectedCashKobo }) => total + (uncollectedCashKobo ?? 0), 0)
  return toKobo(Math.max(0, totalKobo - paidKobo - collecting))
}
