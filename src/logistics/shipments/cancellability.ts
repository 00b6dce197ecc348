import { isUnfetched, shipmentStatuses } from '../../../registry/logistics/shipment-states.ts'
import type { Capabilities } from '../../partners/carriers/carrier.ts'
import type { StoredAttempt, StoredShipment } from '../../store/tables/shipment.ts'
import { liveAttemptOf } from './change-shipment.ts'
import type { Cancellability } from './shipment-record.ts'

const refused: Cancellability = { allowed: false, estimatedFeeKobo: null }
const free: Cancellability = { allowed: true, estimatedFeeKobo: 0 }

/**
 * Cancelling is free before a carrier has the shipment. It is impossible after the pickup, or if the carrier's
 * capabilities are unknown.
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
  // Cancelling the shipment is free after its carrier has cancelled the order and before another carrier is requested.
  if (isUnfetched(status) && liveAttemptOf(whole) === undefined) return free
  if (!isUnfetched(status) || cancelUntil === undefined) return refused
  // Statuses can be compared by their position in the list, because they are declared in the order in which a delivery
  // reaches them.
  if (shipmentStatuses.indexOf(status) > shipmentStatuses.indexOf(cancelUntil)) return refused
  return { allowed: true, estimatedFeeKobo: capabilities?.cancellationFeesKobo?.[status] ?? 0 }
}
