import { toTimestamp } from '../../base/clock.ts'
import type { Context } from '../../store/core/mutation.ts'
import { redactCarrierCallbacks } from '../../store/logistics/carriers/carrier-callbacks.ts'
import { purgePositions } from '../../store/logistics/shipments/shipment-positions.ts'

/** Where a rider was, and what carriers told of people, is of use for as long as somebody may complain: a month. */
const retentionDays = 30

const dayMs = 24 * 60 * 60_000

/** Throws away where riders were. */
export function deletePositions({ database, clock }: Context): Promise<number> {
  return purgePositions(database, toTimestamp(clock.nowMs() - retentionDays * dayMs))
}

/** Empties what carriers told and was settled. The rows and their hashes stay, because callbacks can be sent again. */
export function redactProcessedCarrierCallbacks({ database, clock }: Context): Promise<number> {
  return redactCarrierCallbacks(database, toTimestamp(clock.nowMs() - retentionDays * dayMs))
}
