import { toTimestamp } from '../../base/clock.ts'
import { noKobo } from '../../commerce/money.ts'
import type { Work } from '../../store/core/mutation.ts'
import type { StoredAttempt, StoredShipment } from '../../store/tables/shipment.ts'
import { changeShipment, liveAttemptOf, type ShipmentCommand } from './change-shipment.ts'
import { orderCancelledReason } from './exceptions.ts'
import { requestEndMs } from './leases.ts'
import { moveShipment } from './move-shipment.ts'

/** Whether a cancellation was requested before a carrier accepted the shipment, and the shipment has not ended yet. */
export function isCancelledByOrder({ status, cancelRequestedAt }: StoredShipment): boolean {
  return cancelRequestedAt !== null && (status === 'scheduled' || status === 'dispatching')
}

/**
 * Cancels a shipment that no carrier has accepted. If a dispatch attempt is live, the shipment becomes `cancelling`
 * first, until the outcome of the attempt is known.
 */
export async function endCancelled(command: ShipmentCommand): Promise<void> {
  await changeShipment(command, 'shipment.cancel', (work, locked) => {
    const { shipment } = locked
    if (!isCancelledByOrder(shipment)) return undefined
    const live = liveAttemptOf(locked)
    return moveShipment(
      work,
      shipment,
      {
        status: live === undefined ? 'cancelled' : 'cancelling',
        reason: orderCancelledReason,
        source: 'service',
        description: 'The shipment was cancelled, because its order was cancelled.',
        attemptNumber: live?.number ?? null,
      },
      live === undefined ? { cancelFeeKobo: noKobo } : { nextCheckAt: firstCheckAt(command, work, live), checks: 0 },
    )
  })
}

/** Returns when to check the shipment next: at once, or after the timeout of a carrier request in progress. */
function firstCheckAt({ context: { timeouts } }: ShipmentCommand, { nowMs }: Work, live: StoredAttempt) {
  return toTimestamp(live.state === 'sending' ? Math.max(nowMs, requestEndMs(live, timeouts)) : nowMs)
}
