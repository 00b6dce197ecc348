import type { Timestamp } from '../../../registry/values/vocabulary.ts'
import { toMs, toTimestamp } from '../../base/clock.ts'
import { nairaText } from '../../base/naira.ts'
import type { ReadDb } from '../../store/core/database.ts'
import { findQuoteResponses } from '../../store/logistics/quotes/quotes.ts'
import { postponeShipmentCheck } from '../../store/logistics/shipments/shipment-checks.ts'
import { findShipment, type ShipmentWithAttempts } from '../../store/logistics/shipments/shipments.ts'
import { advanceShipmentCheck } from '../../store/logistics/shipments/tracking.ts'
import type { PlannedOffer, StoredAttempt, StoredShipment } from '../../store/tables/shipment.ts'
import type { UsableCarrier } from '../carriers/accounts.ts'
import { proofOf } from '../parcels/proof.ts'
import { dispatchTimes, requestedPickupAt } from '../quotes/dispatch-times.ts'
import { gatherOffers } from '../quotes/gather-offers.ts'
import { noOffersReason } from '../quotes/no-offers-reason.ts'
import { isTooLate } from '../quotes/windows.ts'
import { changeShipment, liveAttemptOf, type ShipmentCommand } from '../shipments/change-shipment.ts'
import { waitsForOrder } from '../shipments/held-shipment.ts'
import { checkMs, requestEndMs } from '../shipments/leases.ts'
import { moveShipment } from '../shipments/move-shipment.ts'
import { withoutRefundedUnits } from '../shipments/unrefunded-shipment.ts'
import { beginAttempt, endUnneeded, sendAttempt, skipOffer, usableFor } from './begin-attempt.ts'
import {
  isAvailable,
  keyOf,
  nextOffer,
  nextOfferOverCeiling,
  overCeilingCode,
  returnedOffer,
  windowMissedCode,
} from './next-offer.ts'
import { reconcileLateAcceptance } from './reconcile-late-acceptance.ts'
import { recordOutcome } from './record-outcome.ts'
import { resolveAttempt } from './resolve-attempt.ts'
import { pausedCode } from './unpaid-order.ts'

/** Maximum time for which a worker continues a dispatch. */
export const dispatchLimitMs = 15 * 60_000

/**
 * Requests carriers one after the other until one accepts the shipment or no offer is left. A shipment has at most one
 * live attempt. If the outcome of the live attempt is unknown, the loop stops and a worker determines the outcome
 * later. The loop starts no step that may last beyond `untilMs`. In a process that is stopping, the loop makes only the
 * first attempt of the shipment. If one of these two limits stops the loop, a worker continues the dispatch at once.
 */
export async function continueDispatch(
  command: ShipmentCommand,
  untilMs: number,
  created?: StoredShipment,
): Promise<void> {
  const { context, tenant, id } = command
  // A shipment that was just created is assumed to have no attempts. When its first attempt is stored, this is verified
  // under the shipment's lock.
  let known: DispatchedShipment | undefined = created && { shipment: created, attempts: [] }
  for (;;) {
    const whole = known ?? (await findShipment(context.database, { merchantId: tenant.merchantId, id }))
    known = undefined
    if (whole?.shipment.status !== 'dispatching' || whole.shipment.cancelRequestedAt !== null) return
    const live = liveAttemptOf(whole)
    if (live !== undefined && isInFlight(command, live)) return
    const step =
      live === undefined
        ? await requestNextCarrier(command, whole, untilMs)
        : await checkOutcome(command, whole.shipment, live, untilMs)
    if (step.is === 'out_of_time') {
      return advanceShipmentCheck(context.database, whole.shipment, toTimestamp(context.clock.nowMs()))
    }
    if (step.is !== 'next') return
  }
}

type DispatchedShipment = Omit<ShipmentWithAttempts, 'events'>

/**
 * Whether the process that sent the dispatch attempt still waits for the carrier's response and will record the
 * outcome.
 */
function isInFlight({ context }: ShipmentCommand, attempt: StoredAttempt): boolean {
  return attempt.state === 'sending' && context.clock.nowMs() < requestEndMs(attempt, context.timeouts)
}

type Step = { readonly is: 'next' } | { readonly is: 'ended' } | { readonly is: 'out_of_time' }

const next: Step = { is: 'next' }
const ended: Step = { is: 'ended' }
const outOfTime: Step = { is: 'out_of_time' }

function isTimeFor({ context }: ShipmentCommand, ms: number, untilMs: number): boolean {
  return context.clock.nowMs() + ms <= untilMs
}

/** A process that is stopping soon closes its connections, so there is no time for all steps of a dispatch. */
function isStopping({ context }: ShipmentCommand): boolean {
  return context.isStopping?.() === true
}

/**
 * Checks a dispatch attempt with an unknown outcome, unless the process is stopping or too little time is left for a
 * request to the carrier.
 */
async function checkOutcome(
  command: ShipmentCommand,
  shipment: StoredShipment,
  attempt: StoredAttempt,
  untilMs: number,
): Promise<Step> {
  if (isStopping(command) || !isTimeFor(command, checkMs(command.context.timeouts), untilMs)) return outOfTime
  return (await resolveAttempt(command, shipment, attempt)).is === 'next' ? next : ended
}

/**
 * Sends a request to the carrier of the next offer, or skips the offer with a reason. Fails the shipment when no offer
 * is left.
 */
async function requestNextCarrier(command: ShipmentCommand, whole: DispatchedShipment, untilMs: number): Promise<Step> {
  const { shipment, attempts } = whole
  if (await waitsForOrder(command, shipment)) return ended
  const planned = nextOffer(shipment, attempts) ?? returnedOffer(shipment, attempts)
  if (planned === undefined) {
    const overCeiling = nextOfferOverCeiling(shipment, attempts)
    if (overCeiling === undefined) return failShipment(command)
    await skipOffer(command, overCeiling, shipment.attemptCount, overCeilingReason('costs', overCeiling))
    return next
  }
  const requestAt = await requestTimeOf(command, whole, planned)
  if (requestAt !== undefined) {
    await postponeShipmentCheck(command.context.database, { ...shipment, seenCheckAt: shipment.nextCheckAt }, requestAt)
    return ended
  }
  if (attempts.length > 0 && isStopping(command)) return outOfTime
  const { quoteMs, createMs } = command.context.timeouts
  if (!isTimeFor(command, (isUsable(command, planned, attempts) ? 0 : quoteMs) + createMs, untilMs)) return outOfTime
  const { attemptCount: seenAttempts } = shipment
  const skip = async (offer: PlannedOffer, code: string, message: string): Promise<Step> => {
    await skipOffer(command, offer, seenAttempts, { code, message })
    return next
  }
  if (isOutOfWindow(command, whole, { planned })) return skip(planned, windowMissedCode, windowMissedMessage)
  const usable = await usableFor(command, planned.carrier)
  if (usable === undefined) return skip(planned, 'not_connected', 'The carrier is no longer connected.')
  const open = command.context.breakers.openFor(usable, 'create')
  if (open !== undefined) return skip(planned, pausedCode(open), open.message)
  const offer = await freshOffer(command, whole, planned)
  if (offer === undefined) return skip(planned, 'no_offer', 'The offer expired, and the carrier made no new offer.')
  if (isOutOfWindow(command, whole, { planned, renewed: offer })) {
    return skip(planned, windowMissedCode, windowMissedMessage)
  }
  if (offer.priceKobo > shipment.priceCeilingKobo) {
    const { code, message } = overCeilingReason('now costs', offer)
    return skip({ ...planned, priceKobo: offer.priceKobo, surgeKobo: offer.surgeKobo }, code, message)
  }
  return requestOffer(command, usable, { offer, seenAttempts, untilMs })
}

/**
 * Sends a dispatch attempt with the offer to its carrier and records the outcome. If the outcome is unknown, checks it
 * once.
 */
async function requestOffer(
  command: ShipmentCommand,
  usable: UsableCarrier,
  {
    offer,
    seenAttempts,
    untilMs,
  }: { readonly offer: PlannedOffer; readonly seenAttempts: number; readonly untilMs: number },
): Promise<Step> {
  const started = await beginAttempt(command, offer, seenAttempts)
  if (started.is === 'not_startable') return ended
  const outcome = await sendAttempt(command, usable, started.shipment, started.attempt)
  const recorded = await recordOutcome(command, started.attempt.number, outcome)
  switch (recorded.is) {
    case 'next':
      return next
    case 'unknown': {
      // The first check of an unknown outcome follows at once, because most accepted orders are already visible at the
      // carrier.
      const attempt = { ...started.attempt, state: 'unknown' as const }
      // The shipment is read again, because it may have been cancelled during the carrier request.
      const current = await findShipment(command.context.database, started.shipment)
      return checkOutcome(command, current?.shipment ?? started.shipment, attempt, untilMs)
    }
    case 'too_late':
      if (recorded.order !== undefined) await reconcileLateAcceptance(command, started.attempt.number, recorded.order)
      return ended
    case 'accepted':
    case 'to_be_cancelled':
    case 'cancelled':
      return ended
  }
}

/**
 * Returns when to request the carrier of an offer, if that time is in the future. A faster rider than that of the
 * previous carrier is requested later, so that the rider does not arrive before the pickup window.
 */
async function requestTimeOf(
  { context, tenant }: ShipmentCommand,
  { shipment, windows = null }: DispatchedShipment,
  planned: PlannedOffer,
): Promise<Timestamp | undefined> {
  // A shipment waits for the pickup window of its quote only if it has a scheduled pickup.
  if (windows === null || shipment.scheduledPickupAt === null) return undefined
  const now = toTimestamp(context.clock.nowMs())
  const { dispatchAt } = await dispatchTimes(context.database, { ...shipment, tenant, windows }, planned, now)
  return toMs(dispatchAt) > toMs(now) ? dispatchAt : undefined
}

/**
 * Whether the rider of an offer would come after a time window of the quote. A carrier that replaces another one which
 * had accepted the shipment is requested anyway, because the recipient already expects the parcel.
 */
function isOutOfWindow(
  { context }: ShipmentCommand,
  whole: DispatchedShipment,
  offer: { readonly planned: PlannedOffer; readonly renewed?: PlannedOffer },
): boolean {
  if (whole.attempts.some(({ carrierReference }) => carrierReference !== null)) return false
  return isTooLate(whole, offer, toTimestamp(context.clock.nowMs()))
}

const windowMissedMessage = 'It is too late for the offer to meet the time windows of the quote.'

function overCeilingReason(costs: 'costs' | 'now costs', { priceKobo }: PlannedOffer) {
  return {
    code: overCeilingCode,
    message: `The offer ${costs} ${nairaText(priceKobo)}, which is above the price ceiling.`,
  }
}

/**
 * Minimum remaining validity of an offer. If an offer expires during the dispatch request, the carrier rejects the
 * request or charges more.
 */
const soonMs = 30_000

/**
 * Whether the carrier of an offer can be requested without a new quote: the offer does not expire soon, and this
 * carrier has not had an order for the shipment. A carrier that cancelled an order may reject the same offer.
 */
function isUsable(
  { context }: ShipmentCommand,
  { carrier, expiresAt }: PlannedOffer,
  attempts: readonly StoredAttempt[],
): boolean {
  const isUsed = attempts.some((tried) => tried.carrier === carrier && tried.carrierReference !== null)
  return !isUsed && toMs(expiresAt) > context.clock.nowMs() + soonMs
}

/**
 * Returns the planned offer if it can still be requested. Otherwise requests new offers from the carrier, and returns
 * the new offer for the same service. If there is none, returns the first new offer that no earlier attempt excludes.
 * Undefined if all new offers are excluded.
 */
async function freshOffer(
  command: ShipmentCommand,
  { shipment, attempts }: { readonly shipment: StoredShipment; readonly attempts: readonly StoredAttempt[] },
  planned: PlannedOffer,
): Promise<PlannedOffer | undefined> {
  if (isUsable(command, planned, attempts)) return planned
  const { context, tenant } = command
  const now = toTimestamp(context.clock.nowMs())
  const { offers } = await gatherOffers(context, tenant, {
    ...shipment,
    carriers: [planned.carrier],
    serviceLevels: [planned.serviceLevel],
    proof: proofOf(shipment),
    pickupAt: requestedPickupAt(shipment, now),
  })
  return (
    offers.find((offer) => keyOf(offer) === keyOf(planned)) ??
    // If the new offers do not contain the planned offer, the first new offer that is still possible after the earlier
    // attempts is used. For example, an earlier attempt may have excluded the sub-carrier of a broker's best offer.
    offers.find((offer) => isAvailable(offer, attempts))
  )
}

/** Sets the shipment to failed, because no offer is left. */
async function failShipment(command: ShipmentCommand): Promise<Step> {
  await changeShipment(command, 'shipment.fail', async (work, locked) => {
    const { shipment, attempts } = locked
    if (shipment.status !== 'dispatching' || liveAttemptOf(locked) !== undefined) return undefined
    // The message of a failed dispatch asks the merchant to ship the units again, so refunded units are removed from
    // the shipment first.
    const unrefunded = await withoutRefundedUnits(work, shipment)
    if (unrefunded.is === 'unneeded') return endUnneeded(work, shipment, unrefunded)
    const message =
      attempts.length === 0 ? await noOffersMessage(work.trx, shipment) : rejectedMessage(shipment, attempts)
    return moveShipment(work, shipment, {
      status: 'failed',
      reason: { code: 'no_carrier_available', message },
      source: 'service',
      description: message,
    })
  })
  return ended
}

/**
 * The message names the reasons for skipped offers that another dispatch can avoid: prices above the price ceiling, with
 * the cheapest of them, and missed time windows.
 */
function rejectedMessage({ priceCeilingKobo }: StoredShipment, attempts: readonly StoredAttempt[]): string {
  const skippedFor = (code: string) => attempts.filter(({ outcomeCode }) => outcomeCode === code)
  const late = skippedFor(windowMissedCode).length
  const tooLate =
    late === 0
      ? ''
      : ` It was too late for ${late === 1 ? '1 offer' : `${late} offers`} to meet the time windows of the quote.`
  const prices = skippedFor(overCeilingCode).map(({ offer }) => offer.priceKobo)
  if (prices.length === 0) return `No carrier accepted the shipment.${tooLate}`
  const cheapestKobo = Math.min(...prices)
  return `No carrier accepted the shipment within the price ceiling of ${nairaText(priceCeilingKobo)}. ${countOf(prices.length)} more, the cheapest ${nairaText(cheapestKobo)}.${tooLate}`
}

function countOf(offers: number): string {
  return offers === 1 ? '1 offer costs' : `${offers} offers cost`
}

/**
 * Returns why no carrier made an offer, from the status message of a scheduled shipment or from the responses of the
 * quote.
 */
async function noOffersMessage(db: ReadDb, { merchantId, quoteId, statusMessage }: StoredShipment): Promise<string> {
  if (statusMessage !== null) return statusMessage
  const responses = quoteId === null ? undefined : await findQuoteResponses(db, { merchantId, id: quoteId })
  return responses === undefined ? 'No carrier made an offer.' : noOffersReason(responses)
}
