import { toTimestamp } from '../../base/clock.ts'
import type { Context } from '../../store/core/mutation.ts'
import { positionDeletion } from '../../store/logistics/shipments/shipment-positions.ts'

/** Retention in days of rider positions: one month, the time in which complaints arrive. */
const retentionDays = 30

const dayMs = 24 * 60 * 60_000

/** Returns the number of deleted rows. */
export function deletePositions({ database, clock }: Context): Promise<number> {
  return positionDeletion.run(database, { receivedBefore: toTimestamp(clock.nowMs() - retentionDays * dayMs) })
}
