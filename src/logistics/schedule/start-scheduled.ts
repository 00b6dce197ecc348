import { toMs, toTimestamp } from '../../base/clock.ts'
import { toKobo } from '../../commerce/money.ts'
import { findPrediction } from '../../store/logistics/schedule/predictions.ts'
import { postponeShipmentCheck } from '../../store/logistics/shipments/shipment-checks.ts'
import { isOrderOnHold } from '../../store/orders/order-shipments.ts'
import type { PlannedOffer, StoredShipment } from '../../store/tables/shipment.ts'
import { continueDispatch, dispatchPatienceMs } from '../dispatch/continue-dispatch.ts'
import { offersInTime } from '../estimates/service-times.ts'
import { proofOf } from '../parcels/proof.ts'
import { requestedPickupAt } from '../quotes/dispatch-times.ts'
import { gatherOffers } from '../quotes/gather-offers.ts'
import { noOffersReason } from '../quotes/no-offers-reason.ts'
import { planDispatch } from '../quotes/plan-offers.ts'
import { changeShipment, type ShipmentHand } from '../shipments/change-shipment.ts'
import { waitsForOrder } from '../shipments/held-shipment.ts'
import { moveShipment, type ShipmentChange } from '../shipments/move-shipment.ts'
import { currentSurge } from '../surge/current-surge.ts'
import { replanSchedule } from './replan-schedule.ts'

/** Should this process end here, a worker goes on after a minute. */
const leaseMs = 60_000

/** When its time has come, a scheduled shipment is offered to the carriers and dispatched like any other. */
export async function startScheduled(hand: ShipmentHand, shipment: StoredShipment): Promise<void> {
  const { context, id } = hand
  const { clock, database } = context
  const { dispatchAt } = shipment
  if (dispatchAt !== null && toMs(dispatchAt) > clock.nowMs()) {
    const replanned = await replanSchedule(hand)
    if (replanned.is === 'left') {
      const { merchantId, nextCheckAt: seenLookAt } = shipment
      return postponeShipmentCheck(database, { merchantId, id, seenLookAt }, dispatchAt)
    }
    if (toMs(replanned.dispatchAt) > clock.nowMs()) return
  }
  if (await waitsForOrder(hand, shipment)) return
  const asked = shipment.plan.length > 0 ? undefined : await offersFor(hand, shipment)
  const started = await changeShipment(hand, 'shipment.start', async (work, { shipment: current }) => {
    if (current.status !== 'scheduled' || current.cancelRequestedAt !== null) return undefined
    if (await isOrderOnHold(work.trx, current)) return undefined
    return moveShipment(
      work,
      current,
      {
        status: 'dispatching',
        // Should nobody take it, it has to be said why.
        reason: asked?.offers.length === 0 ? { code: 'no_offers', message: asked.why } : null,
        source: 'service',
        description: 'Its time has come: carriers are asked.',
      },
      { ...(asked === undefined ? {} : planOf(current, asked.offers)), nextCheckAt: toTimestamp(work.nowMs + leaseMs) },
    )
  })
  if (started !== undefined) await continueDispatch(hand, clock.nowMs() + dispatchPatienceMs)
}

interface AskedNow {
  readonly offers: readonly PlannedOffer[]
  /** Why there is none. */
  readonly why: string
}

async function offersFor({ context, tenant }: ShipmentHand, shipment: StoredShipment): Promise<AskedNow> {
  const { failover, pickupZoneId, merchantId, id } = shipment
  const now = toTimestamp(context.clock.nowMs())
  const prediction = await findPrediction(context.database, { merchantId, shipmentId: id })
  const deliverBy = prediction?.request.deliverBy ?? null
  const gathered = await gatherOffers(context, tenant, {
    ...shipment,
    carriers: failover.carriers ?? undefined,
    serviceLevels: failover.serviceLevels ?? null,
    surge: await currentSurge(context.database, tenant.mode, pickupZoneId, now),
    proof: proofOf(shipment),
    pickupAt: requestedPickupAt(shipment, now),
  })
  const { offers } = offersInTime(gathered.offers, now, deliverBy)
  const why = gathered.offers.length === 0 ? noOffersReason(gathered.answers) : `No offer arrives by ${deliverBy}.`
  return { offers, why }
}

/** The ceiling that was settled when it was made stays; where nobody had offered anything then, it is settled now. */
function planOf(shipment: StoredShipment, offers: readonly PlannedOffer[]): ShipmentChange {
  const { failover, priceCeilingKobo } = shipment
  const plan = planDispatch(offers, priceCeilingKobo > 0 ? { ...failover, maxPriceKobo: priceCeilingKobo } : failover)
  return {
    plan: [...plan.offers, ...plan.overCeiling],
    priceCeilingKobo: toKobo(plan.ceilingKobo),
    quotedPriceKobo: plan.offers[0]?.priceKobo ?? shipment.quotedPriceKobo,
  }
}
