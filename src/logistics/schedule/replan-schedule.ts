import type { Timestamp } from '../../../registry/values/vocabulary.ts'
import { toMs } from '../../base/clock.ts'
import { findPrediction, writePrediction } from '../../store/logistics/schedule/predictions.ts'
import { findEstimates } from '../../store/logistics/schedule/quantiles.ts'
import { withService } from '../estimates/service-times.ts'
import { changeShipment, type ShipmentCommand } from '../shipments/change-shipment.ts'
import { moveShipment } from '../shipments/move-shipment.ts'
import { planSchedule } from './plan-schedule.ts'
import { predictionOf } from './schedule-rider.ts'

export type ReplanOutcome =
  /** `replanned`: the shipment has a new dispatch time, which may be now. */
  | { readonly is: 'replanned'; readonly dispatchAt: Timestamp }
  /**
   * The dispatch time is unchanged: the shipment has no prediction, or it was already replanned, cancelled or
   * dispatched.
   */
  | { readonly is: 'unchanged' }

/**
 * Computes the dispatch time of a scheduled shipment again shortly before its dispatch, with fresh estimates. This
 * happens once per shipment: the next check is at the dispatch time. At or after the dispatch time nothing is computed,
 * so that a late worker dispatches at once.
 */
export async function replanSchedule(command: ShipmentCommand): Promise<ReplanOutcome> {
  const { tenant, id } = command
  const { merchantId } = tenant
  const replanned = await changeShipment<ReplanOutcome>(command, 'shipment.replan', async (work, { shipment }) => {
    const { status, dispatchAt, cancelRequestedAt, pickupZoneId, dropoffZoneId } = shipment
    if (status !== 'scheduled' || dispatchAt === null || toMs(dispatchAt) <= work.nowMs) return undefined
    // The dispatch time does not change after a cancellation request. The cancellation request made the shipment due
    // for a check at once, and a new dispatch time would postpone this check.
    if (cancelRequestedAt !== null) return undefined
    const prediction = await findPrediction(work.trx, { merchantId, shipmentId: id })
    if (prediction === undefined || prediction.replannedAt !== null) return undefined
    const estimates = await findEstimates(work.trx, {
      merchantId,
      isSimulated: tenant.mode === 'test',
      zoneFrom: pickupZoneId ?? '',
      zoneTo: dropoffZoneId ?? '',
    })
    const { quote = null } = prediction.schedule
    const service = { dropoffMinutes: quote?.dropoffMinutes ?? null }
    const { request } = prediction
    const schedule = withService(planSchedule(request, estimates, work.now), service, request.deliverBy)
    const earlierWarnings = prediction.schedule.warnings.filter((warning) => !schedule.warnings.includes(warning))
    const next = { ...schedule, quote, warnings: [...schedule.warnings, ...earlierWarnings] }
    writePrediction(work.trx, { ...prediction, ...predictionOf(next), replannedAt: work.now })
    await moveShipment(
      work,
      shipment,
      {
        status: null,
        source: 'service',
        description: `The schedule was recalculated. A carrier will be requested at ${next.dispatchAt}.`,
      },
      { dispatchAt: next.dispatchAt, scheduledPickupAt: next.scheduledPickupAt, nextCheckAt: next.dispatchAt },
    )
    work.note({ dispatchAt: [dispatchAt, next.dispatchAt] })
    return { is: 'replanned', dispatchAt: next.dispatchAt }
  })
  return replanned ?? { is: 'unchanged' }
}
