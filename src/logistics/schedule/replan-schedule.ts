import type { Timestamp } from '../../../registry/values/vocabulary.ts'
import { toMs } from '../../base/clock.ts'
import { findPrediction, writePrediction } from '../../store/logistics/schedule/predictions.ts'
import { findEstimates } from '../../store/logistics/schedule/quantiles.ts'
import { withService } from '../estimates/service-times.ts'
import { changeShipment, type ShipmentHand } from '../shipments/change-shipment.ts'
import { moveShipment } from '../shipments/move-shipment.ts'
import { planSchedule } from './plan-schedule.ts'
import { predictionOf } from './schedule-rider.ts'

export type ReplanOutcome =
  /** It has a new time to call a carrier, which may be now. */
  | { readonly is: 'replanned'; readonly dispatchAt: Timestamp }
  /** Nobody scheduled it by what is foretold, or it was planned anew already, called off, or has gone on: its time stands. */
  | { readonly is: 'left' }

/**
 * Plans a scheduled shipment once more, shortly before its call, with what was learnt since. Once is enough: the next look is at the
 * call itself. A worker that comes late, at the time of the call or after, calls rather than plans.
 */
export async function replanSchedule(hand: ShipmentHand): Promise<ReplanOutcome> {
  const { tenant, id } = hand
  const { merchantId } = tenant
  const replanned = await changeShipment<ReplanOutcome>(hand, 'shipment.replan', async (work, { shipment }) => {
    const { status, dispatchAt, cancelRequestedAt, pickupZoneId, dropoffZoneId } = shipment
    if (status !== 'scheduled' || dispatchAt === null || toMs(dispatchAt) <= work.nowMs) return undefined
    // Its order marks it so, and has it looked at at once: a new time would put that off until then.
    if (cancelRequestedAt !== null) return undefined
    const prediction = await findPrediction(work.trx, { merchantId, shipmentId: id })
    if (prediction === undefined || prediction.replannedAt !== null) return undefined
    const learnt = await findEstimates(work.trx, {
      merchantId,
      isSimulated: tenant.mode === 'test',
      zoneFrom: pickupZoneId ?? '',
      zoneTo: dropoffZoneId ?? '',
    })
    const { quote = null } = prediction.schedule
    const service = { dropoffMinutes: quote?.dropoffMinutes ?? null }
    const { request } = prediction
    const schedule = withService(planSchedule(request, learnt, work.now), service, request.deliverBy)
    const kept = prediction.schedule.warnings.filter((warning) => !schedule.warnings.includes(warning))
    const next = { ...schedule, quote, warnings: [...schedule.warnings, ...kept] }
    writePrediction(work.trx, { ...prediction, ...predictionOf(next), replannedAt: work.now })
    await moveShipment(
      work,
      shipment,
      {
        status: null,
        source: 'service',
        description: `It was planned once more: a carrier is called at ${next.dispatchAt}.`,
      },
      { dispatchAt: next.dispatchAt, scheduledPickupAt: next.scheduledPickupAt, nextCheckAt: next.dispatchAt },
    )
    work.note({ dispatchAt: [dispatchAt, next.dispatchAt] })
    return { is: 'replanned', dispatchAt: next.dispatchAt }
  })
  return replanned ?? { is: 'left' }
}
