import type { Shipment } from '../../../registry/shipment.ts'
import type { Tenant } from '../../store/mutation.ts'
import type { WholeShipment } from '../../store/shipments.ts'
import { isCarrierCode } from '../carrier-names.ts'
import type { LogisticsContext } from '../context.ts'
import { cancellabilityOf } from './cancellability.ts'
import { shipmentRecord } from './shipment-record.ts'

/** A shipment as the contract shows it, with what its carrier’s rules say about calling it off. */
export function showShipment(
  { carriers }: Pick<LogisticsContext, 'carriers'>,
  tenant: Tenant,
  whole: WholeShipment,
): Shipment {
  const { carrier } = whole.shipment
  const capabilities = carrier !== null && isCarrierCode(carrier) ? carriers.get(carrier)?.capabilities : undefined
  return shipmentRecord(whole, tenant.mode, cancellabilityOf(whole.shipment, capabilities))
}
