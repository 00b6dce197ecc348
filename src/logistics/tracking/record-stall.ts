import {
  handedOverStatuses,
  isShipmentOver,
  type ShipmentExceptionCode,
} from '../../../registry/logistics/shipment-states.ts'
import { toMs } from '../../base/clock.ts'
import type { ShipmentWithAttempts } from '../../store/logistics/shipments/shipments.ts'
import type { StoredShipment } from '../../store/tables/shipment.ts'
import type { ExceptionCause } from '../../store/tables/shipment-exception.ts'
import { changeShipment, type ShipmentCommand } from '../shipments/change-shipment.ts'
import { messageOf } from '../shipments/exception-message.ts'
import { withException } from '../shipments/exceptions.ts'
import { moveShipment } from '../shipments/move-shipment.ts'

const hourMs = 3_600_000

/**
 * Maximum time without a tracking update for an on-demand delivery. The same maximum applies to every shipment that is
 * being cancelled, at any service level. After this time, the tracking is treated as stalled. An on-demand delivery
 * takes less than this time.
 */
const soonMs = 2 * hourMs

/**
 * Maximum time without a tracking update for a parcel. After this time, the tracking is treated as stalled. A label
 * bought on Saturday evening is picked up on Monday, and hubs do not scan on Sunday.
 */
const parcelMs = 48 * hourMs

/**
 * Adds an exception once when a carrier has sent no update for too long, or has not picked up the parcel. The shipment
 * does not end, because the parcel may be on its way: the merchant must contact the carrier. `whole` is the shipment as
 * read before the poll.
 */
export async function recordStall(command: ShipmentCommand, whole: ShipmentWithAttempts): Promise<void> {
  const stall = stallOf(whole.shipment)
  const { carrier } = whole.shipment
  if (stall === undefined || carrier === null) return
  if (command.context.clock.nowMs() - lastUpdateMs(whole) < stall.afterMs) return
  const { code, cause } = stall
  const stalled = { code, ...(cause === undefined ? {} : { cause }), carrier } as const
  const { exceptions: known, updatedAt } = whole.shipment
  if (withException(known, { ...stalled, at: updatedAt }) === known) return
  await changeShipment(command, 'shipment.record_stall', (work, { shipment }) => {
    const exception = { ...stalled, at: work.now }
    const exceptions = withException(shipment.exceptions, exception)
    if (exceptions === shipment.exceptions || shipment.status !== whole.shipment.status) return undefined
    const update = { status: null, source: 'service', description: messageOf(exception) } as const
    return moveShipment(work, shipment, update, { exceptions })
  })
}

interface Stall {
  readonly code: ShipmentExceptionCode
  readonly afterMs: number
  readonly cause?: ExceptionCause
}

function stallOf({ status, serviceLevel }: StoredShipment): Stall | undefined {
  const afterMs = serviceLevel === 'on_demand' ? soonMs : parcelMs
  if (status === 'cancelling') return { code: 'tracking_stalled', cause: 'cancellation_unconfirmed', afterMs: soonMs }
  if (handedOverStatuses.includes(status)) return { code: 'tracking_stalled', afterMs }
  if (isShipmentOver(status) || status === 'scheduled' || status === 'dispatching') return undefined
  return { code: 'courier_late', afterMs }
}

/**
 * Returns the time since which a tracking update has been missing. During a cancellation, this is the time of the
 * cancellation request. Before the pickup, it is the time when the carrier accepted the shipment. After the pickup, it
 * is the time of the last applied update.
 */
function lastUpdateMs({ shipment, events }: ShipmentWithAttempts): number {
  const { status, acceptedAt, cancelRequestedAt, createdAt } = shipment
  const begunMs = toMs(acceptedAt ?? createdAt)
  if (status === 'cancelling') return toMs(cancelRequestedAt ?? createdAt)
  if (!handedOverStatuses.includes(status)) return begunMs
  const update = events.find(({ source, isApplied }) => isApplied && (source === 'callback' || source === 'poll'))
  return Math.max(begunMs, update === undefined ? 0 : toMs(update.receivedAt))
}
