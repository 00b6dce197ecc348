import { toTimestamp } from '../../base/clock.ts'
import type { Tracking } from '../../partners/carriers/carrier.ts'
import type { Context } from '../../store/core/mutation.ts'
import { storePosition } from '../../store/logistics/shipments/shipment-positions.ts'
import type { ShipmentKey } from '../../store/logistics/shipments/shipments.ts'
import { coarse, trackedStatuses } from './position-policy.ts'

interface PositionUpdate {
  readonly shipment: ShipmentKey
  readonly attemptNumber: number
  readonly tracking: Pick<Tracking, 'position'>
  readonly source: 'callback' | 'poll'
}

/** Returns false when nothing was stored, for example because the stored position is at least as new. */
export async function storeRiderPosition({ database, clock }: Context, update: PositionUpdate): Promise<boolean> {
  const { shipment, attemptNumber, source, tracking } = update
  const { position } = tracking
  const point = position && coarse(position)
  if (position === undefined || point === undefined) return false
  const receivedAt = toTimestamp(clock.nowMs())
  return storePosition(database, {
    ...shipment,
    ...point,
    attemptNumber,
    source,
    headingDegrees: headingOf(position.headingDegrees),
    recordedAt: position.recordedAt > receivedAt ? receivedAt : position.recordedAt,
    receivedAt,
    statuses: trackedStatuses,
  })
}

/** Carriers send 0 or 360 for north, and some send -1 for unknown. */
function headingOf(degrees: number | undefined): number | null {
  return degrees === undefined || !(degrees >= 0 && degrees <= 360) ? null : Math.round(degrees) % 360
}
