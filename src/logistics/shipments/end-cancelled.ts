import { toTimestamp } from '../../base/clock.ts'
import { noKobo } from '../../commerce/money.ts'
import type { Work } from '../../store/core/mutation.ts'
import type { StoredAttempt, StoredShipment } from '../../store/tables/shipment.ts'
import { changeShipment, liveAttemptOf, type ShipmentCommand } from './change-shipment.ts'
import { unwantedReason } from './exceptions.ts'
import { requestEndMs } from './leases.ts'
import { moveShipment } from './move-shipment.ts'

/** Whether its order was cancelled before a carrier had it: marked by that, and not ended yet. */
export function isCancelledByOrder({ status, cancelRequestedAt }: StoredShipment): boolean {
  return cancelRequestedAt !== null && (status === 'scheduled' || status === 'dispatching')
}

/** Ends such a shipment. Where it is not known whether a carrier has it, that is found out first, as for any cancelling. */
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
        reason: unwantedReason,
        source: 'service',
        description: 'The shipment was cancelled, because its order was cancelled.',
        attemptNumber: live?.number ?? null,
      },
      live === undefined ? { cancelFeeKobo: noKobo } : { nextCheckAt: firstCheckAt(command, work, live), checks: 0 },
    )
  })
}

/** At once, but while an asking is in the air nobody else is to ask what became of it. */
function firstCheckAt({ context: { patience } }: ShipmentCommand, { nowMs }: Work, live: StoredAttempt) {
  return toTimestamp(live.state === 'sending' ? Math.max(nowMs, requestEndMs(live, patience)) : nowMs)
}
