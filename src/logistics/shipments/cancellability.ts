import { isUnfetched, shipmentStatuses } from '../../../registry/logistics/shipment-states.ts'
import type { Capabilities } from '../../partners/carriers/carrier.ts'
import type { StoredAttempt, StoredShipment } from '../../store/tables/shipment.ts'
import { liveAttemptOf } from './change-shipment.ts'
import type { Cancellability } from './shipment-record.ts'

const refused: Cancellability = { allowed: false, estimatedFeeKobo: null }
const free: Cancellability = { allowed: true, estimatedFeeKobo: 0 }

/**
 * Whether a shipment can be called off now, and what its carrier would charge (design, logistics 2.3). Before a carrier has
 * it that is free; what was fetched can only come back. Without the carrier’s capabilities it cannot be asked at all.
 */
export function cancellabilityOf(
  whole: {
    readonly shipment: Pick<StoredShipment, 'status'>
    readonly attempts: readonly Pick<StoredAttempt, 'state'>[]
  },
  capabilities: Pick<Capabilities, 'cancelUntil' | 'cancellationFeesKobo'> | undefined,
): Cancellability {
  const { status } = whole.shipment
  if (status === 'scheduled' || status === 'dispatching') return free
  const cancelUntil = capabilities?.cancelUntil
  // Its carrier gave it back, and no other was asked yet.
  if (isUnfetched(status) && liveAttemptOf(whole) === undefined) return free
  if (!isUnfetched(status) || cancelUntil === undefined) return refused
  // The states are declared in the order a parcel goes through them.
  if (shipmentStatuses.indexOf(status) > shipmentStatuses.indexOf(cancelUntil)) return refused
  return { allowed: true, estimatedFeeKobo: capabilities?.cancellationFeesKobo?.[status] ?? 0 }
}
