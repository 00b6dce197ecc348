import type { Shipment } from '../../../registry/logistics/shipment.ts'
import type { Carriers } from '../../partners/carriers/carrier.ts'
import type { Tenant } from '../../store/core/mutation.ts'
import type { ShipmentWithAttempts } from '../../store/logistics/shipments/shipments.ts'
import { capabilitiesOf } from '../carriers/capabilities.ts'
import { cancellabilityOf } from './cancellability.ts'
import { shipmentRecord } from './shipment-record.ts'

/** Returns a shipment as the API shows it, including whether its carrier's rules allow a cancellation. */
export function showShipment(
  { carriers }: { readonly carriers?: Carriers | undefined },
  { mode }: Pick<Tenant, 'mode'>,
  whole: ShipmentWithAttempts,
): Shipment {
  const capabilities = capabilitiesOf(whole.shipment.carrier, carriers)
  return shipmentRecord(whole, mode, cancellabilityOf(whole, capabilities))
}
