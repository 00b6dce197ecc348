import {
  handedOverStatuses,
  isShipmentOver,
  type ShipmentExceptionCode,
} from '../../../registry/logistics/shipment-states.ts'
import { toMs } from '../../base/clock.ts'
import type { ShipmentWithAttempts } from '../../store/logistics/shipments/shipments.ts'
import type { ExceptionCause, StoredShipment } from '../../store/tables/shipment.ts'
import { changeShipment, type ShipmentCommand } from '../shipments/change-shipment.ts'
import { messageOf } from '../shipments/exception-message.ts'
import { withException } from '../shipments/exceptions.ts'
import { moveShipment } from '../shipments/move-shipment.ts'

/**
 * A carrier may say nothing more of a shipment, or never come for it. That ends nothing by itself, because the parcel may
 * be on its way all the same: a person is told, who can call.
 */

const hourMs = 3_600_000

/** A rider on demand brings it within that time; to be called off takes a carrier no longer, whatever it carries. */
const soonMs = 2 * hourMs

/** A label that is bought on a Saturday evening is fetched on a Monday, and no hub scans on the Sunday. */
const parcelMs = 48 * hourMs

/** Notes once that nothing was heard for too long, if that is so. `whole` is what was known before the carrier was asked. */
export async function recordStall(command: ShipmentCommand, whole: ShipmentWithAttempts): Promise<void> {
  const silence = silenceOf(whole.shipment)
  const { carrier } = whole.shipment
  if (silence === undefined || carrier === null) return
  if (command.context.clock.nowMs() - heardMs(whole) < silence.afterMs) return
  const { code, cause } = silence
  const told = { code, ...(cause === undefined ? {} : { cause }), carrier } as const
  const { exceptions: known, updatedAt } = whole.shipment
  if (withException(known, { ...told, at: updatedAt }) === known) return
  await changeShipment(command, 'shipment.record_stall', (work, { shipment }) => {
    const exception = { ...told, at: work.now }
    const exceptions = withException(shipment.exceptions, exception)
    if (exceptions === shipment.exceptions || shipment.status !== whole.shipment.status) return undefined
    const news = { status: null, source: 'service', description: messageOf(exception) } as const
    return moveShipment(work, shipment, news, { exceptions })
  })
}

interface Silence {
  readonly code: ShipmentExceptionCode
  readonly afterMs: number
  readonly cause?: ExceptionCause
}

function silenceOf({ status, serviceLevel }: StoredShipment): Silence | undefined {
  const afterMs = serviceLevel === 'on_demand' ? soonMs : parcelMs
  if (status === 'cancelling') return { code: 'tracking_stalled', cause: 'cancellation_unconfirmed', afterMs: soonMs }
  if (handedOverStatuses.includes(status)) return { code: 'tracking_stalled', afterMs }
  if (isShipmentOver(status) || status === 'scheduled' || status === 'dispatching') return undefined
  return { code: 'courier_late', afterMs }
}

/** Before the pickup the time runs from the carrier’s yes, whatever it tells of its riders; then from its last news. */
function heardMs({ shipment, events }: ShipmentWithAttempts): number {
  const { status, acceptedAt, cancelRequestedAt, createdAt } = shipment
  const begunMs = toMs(acceptedAt ?? createdAt)
  if (status === 'cancelling') return toMs(cancelRequestedAt ?? createdAt)
  if (!handedOverStatuses.includes(status)) return begunMs
  const news = events.find(({ source, isApplied }) => isApplied && (source === 'callback' || source === 'poll'))
  return Math.max(begunMs, news === undefined ? 0 : toMs(news.receivedAt))
}
