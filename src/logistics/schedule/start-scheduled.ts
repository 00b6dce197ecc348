import type { Timestamp } from '../../../registry/values/vocabulary.ts'
import { toMs, toTimestamp } from '../../base/clock.ts'
import { toKobo } from '../../commerce/money.ts'
import { findPrediction } from '../../store/logistics/schedule/predictions.ts'
import { postponeShipmentCheck } from '../../store/logistics/shipments/shipment-checks.ts'
import type { ShipmentWithAttempts } from '../../store/logistics/shipments/shipments.ts'
import { isOrderOnHold } from '../../store/orders/order-shipments.ts'
import type { PlannedOffer, StoredShipment } from '../../store/tables/shipment.ts'
import { continueDispatch, dispatchLimitMs } from '../dispatch/continue-dispatch.ts'
import { offersInTime } from '../estimates/service-times.ts'
import { proofOf } from '../parcels/proof.ts'
import { requestedPickupAt } from '../quotes/dispatch-times.ts'
import { gatherOffers } from '../quotes/gather-offers.ts'
import { noOffersReason } from '../quotes/no-offers-reason.ts'
import { planDispatch } from '../quotes/plan-offers.ts'
import { isTooLate } from '../quotes/windows.ts'
import { changeShipment, type ShipmentCommand } from '../shipments/change-shipment.ts'
import { waitsForOrder } from '../shipments/held-shipment.ts'
import { moveShipment, type ShipmentChange } from '../shipments/move-shipment.ts'
import { replanSchedule } from './replan-schedule.ts'

/**
 * Duration of the lease on a shipment that is being dispatched: if this process ends during the dispatch, a worker
 * continues the dispatch after this time.
 */
const leaseMs = 60_000

/**
 * Dispatches a scheduled shipment. If its dispatch time has not come yet, computes the schedule again, and dispatches
 * the shipment only if the new dispatch time has come. If the shipment has no offers, requests fresh offers first. If it
 * is too late for the time windows of the quote, the dispatch fails without a request to a carrier.
 */
export async function startScheduled(command: ShipmentCommand, scheduled: ScheduledShipment): Promise<void> {
  const { context, id } = command
  const { clock, database } = context
  const { shipment } = scheduled
  const { dispatchAt } = shipment
  if (dispatchAt !== null && toMs(dispatchAt) > clock.nowMs()) {
    const replanned = await replanSchedule(command)
    if (replanned.is === 'unchanged') {
      const { merchantId, nextCheckAt: seenCheckAt } = shipment
      return postponeShipmentCheck(database, { merchantId, id, seenCheckAt }, dispatchAt)
    }
    if (toMs(replanned.dispatchAt) > clock.nowMs()) return
  }
  if (await waitsForOrder(command, shipment)) return
  const requested = shipment.plan.length > 0 ? undefined : await offersFor(command, shipment)
  const started = await changeShipment(command, 'shipment.start', async (work, { shipment: current }) => {
    if (current.status !== 'scheduled' || current.cancelRequestedAt !== null) return undefined
    if (await isOrderOnHold(work.trx, current)) return undefined
    const { offers, reason } = requested ?? timelyOffers({ ...scheduled, shipment: current }, work.now)
    return moveShipment(
      work,
      current,
      {
        status: 'dispatching',
        // If no carrier makes an offer, the dispatch fails, and the reason is stored with the shipment.
        reason: offers.length === 0 ? { code: 'no_offers', message: reason } : null,
        source: 'service',
        description: 'The dispatch time of the shipment was reached. Carriers are requested.',
      },
      {
        ...(requested === undefined ? timelyPlanOf(current, offers) : planOf(current, offers)),
        nextCheckAt: toTimestamp(work.nowMs + leaseMs),
      },
    )
  })
  if (started !== undefined) await continueDispatch(command, clock.nowMs() + dispatchLimitMs)
}

/** A scheduled shipment, with the time windows of its quote. */
type ScheduledShipment = Pick<ShipmentWithAttempts, 'shipment' | 'windows'>

/** Returns the planned offers that still meet the time windows of the quote. */
function timelyOffers(scheduled: ScheduledShipment, now: Timestamp): RequestedOffers {
  return {
    offers: scheduled.shipment.plan.filter((planned) => !isTooLate(scheduled, { planned }, now)),
    reason: 'It is too late for every offer to meet the time windows of the quote.',
  }
}

interface RequestedOffers {
  readonly offers: readonly PlannedOffer[]
  /** The reason that the shipment shows if its dispatch fails because there are no offers. */
  readonly reason: string
}

async function offersFor({ context, tenant }: ShipmentCommand, shipment: StoredShipment): Promise<RequestedOffers> {
  const { failover, merchantId, id } = shipment
  const now = toTimestamp(context.clock.nowMs())
  const prediction = await findPrediction(context.database, { merchantId, shipmentId: id })
  const deliverBy = prediction?.request.deliverBy ?? null
  const gathered = await gatherOffers(context, tenant, {
    ...shipment,
    carriers: failover.carriers ?? undefined,
    serviceLevels: failover.serviceLevels ?? null,
    proof: proofOf(shipment),
    pickupAt: requestedPickupAt(shipment, now),
  })
  const { offers } = offersInTime(gathered.offers, now, deliverBy)
  const reason =
    gathered.offers.length === 0 ? noOffersReason(gathered.answers) : `No offer is expected to deliver by ${deliverBy}.`
  return { offers, reason }
}

/**
 * Returns the dispatch plan of a scheduled shipment, with the price ceiling that was set when the shipment was created.
 * If the shipment was created without an offer, the ceiling is set now.
 */
function planOf(shipment: StoredShipment, offers: readonly PlannedOffer[]): ShipmentChange {
  const { failover, priceCeilingKobo } = shipment
  const plan = planDispatch(offers, priceCeilingKobo > 0 ? { ...failover, maxPriceKobo: priceCeilingKobo } : failover)
  return {
    plan: [...plan.offers, ...plan.overCeiling],
    priceCeilingKobo: toKobo(plan.ceilingKobo),
    quotedPriceKobo: plan.offers[0]?.priceKobo ?? shipment.quotedPriceKobo,
  }
}

/** Returns the planned offers that are left, and the price of the first of them that is within the price ceiling. */
function timelyPlanOf(
  { priceCeilingKobo, quotedPriceKobo }: StoredShipment,
  plan: readonly PlannedOffer[],
): ShipmentChange {
  const first = plan.find(({ priceKobo }) => priceKobo <= priceCeilingKobo)
  return { plan, quotedPriceKobo: first?.priceKobo ?? quotedPriceKobo }
}
