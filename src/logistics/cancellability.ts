import { type ShipmentStatus, shipmentStatuses } from '../../registry/shipment-states.ts'
import type { Capabilities } from '../partners/carriers/carrier.ts'
import type { KeptShipment } from '../store/shipment-columns.ts'
import type { Cancellability } from './shipment-record.ts'

const refused: Cancellability = { allowed: false, estimatedFeeKobo: null }
const free: Cancellability = { allowed: true, estimatedFeeKobo: 0 }

/** A carrier has it, and nobody has fetched it. */
const beforePickup: readonly ShipmentStatus[] = ['awaiting_courier', 'courier_assigned', 'at_pickup']

/**
 * Whether a shipment can be called off now, and what its carrier would charge (design, logistics 2.3). Before a carrier has
 * it that is free; what was fetched can only come back. Without the carrier’s capabilities it cannot be asked at all.
 */
export function cancellabilityOf(
  shipment: Pick<KeptShipment, 'status' | 'carrier' | 'priceKobo'>,
  capabilities: Pick<Capabilities, 'cancelUntil'> | undefined,
): Cancellability {
  const { status } = shipment
  if (status === 'scheduled' || status === 'dispatching') return free
  const cancelUntil = capabilities?.cancelUntil
  if (!beforePickup.includes(status) || cancelUntil === undefined) return refused
  // The states are declared in the order a parcel goes through them.
  if (shipmentStatuses.indexOf(status) > shipmentStatuses.indexOf(cancelUntil)) return refused
  return { allowed: true, estimatedFeeKobo: feeKoboOf(shipment) }
}

/** What a carrier charges once its rider is on the way, in hundredths of the price. Those not named here charge nothing. */
const feePercents: Readonly<Record<string, number>> = { 'simulator-swift': 30 }

function feeKoboOf({ status, carrier, priceKobo }: Pick<KeptShipment, 'status' | 'carrier' | 'priceKobo'>): number {
  if (status === 'awaiting_courier' || carrier === null) return 0
  return Math.round(((priceKobo ?? 0) * (feePercents[carrier] ?? 0)) / 100)
}
