import type { Timestamp } from '../../../registry/values/vocabulary.ts'
import { toMs, toTimestamp } from '../../base/clock.ts'
import type { ReadDb } from '../../store/core/database.ts'
import { findQuoteResponses } from '../../store/logistics/quotes/quotes.ts'
import { postponeShipmentCheck } from '../../store/logistics/shipments/shipment-checks.ts'
import { findShipment, type ShipmentWithAttempts } from '../../store/logistics/shipments/shipments.ts'
import { advanceShipmentCheck } from '../../store/logistics/shipments/tracking.ts'
import type { PlannedOffer, StoredAttempt, StoredShipment } from '../../store/tables/shipment.ts'
import { proofOf } from '../parcels/proof.ts'
import { dispatchTimes, requestedPickupAt } from '../quotes/dispatch-times.ts'
import { gatherOffers } from '../quotes/gather-offers.ts'
import { noOffersReason } from '../quotes/no-offers-reason.ts'
import { changeShipment, liveAttemptOf, type ShipmentCommand } from '../shipments/change-shipment.ts'
import { waitsForOrder } from '../shipments/held-shipment.ts'
import { checkMs, requestEndMs } from '../shipments/leases.ts'
import { moveShipment } from '../shipments/move-shipment.ts'
import { currentSurge } from '../surge/current-surge.ts'
import { beginAttempt, sendAttempt, skipOffer, usableFor } from './begin-attempt.ts'
import { isLeft, keyOf, lastResort, nextOffer, nextTooDear, tooDearCode } from './next-offer.ts'
import { reconcileLateAcceptance } from './reconcile-late-acceptance.ts'
import { recordOutcome } from './record-outcome.ts'
import { resolveAttempt } from './resolve-attempt.ts'
import { pausedCode } from './unpaid-order.ts'

/** A worker has the time a shop’s patience allows (design, logistics 3.3). */
export const dispatchPatienceMs = 15 * 60_000

/**
 * Asks carriers one after the other until one has the shipment, or nobody is left (design, logistics 3.3). Never two at
 * once: an asking that nobody knows the outcome of stops it here, and a worker takes it up again. Nothing is begun that
 * could last beyond the end: what is left is a worker’s, at once.
 */
export async function continueDispatch(
  command: ShipmentCommand,
  untilMs: number,
  created?: StoredShipment,
): Promise<void> {
  const { context, tenant, id } = command
  // A shipment that was just created has no attempts, and its first attempt checks it again under its lock.
  let known: DispatchedShipment | undefined = created && { shipment: created, attempts: [] }
  for (;;) {
    const whole = known ?? (await findShipment(context.database, { merchantId: tenant.merchantId, id }))
    known = undefined
    if (whole?.shipment.status !== 'dispatching' || whole.shipment.cancelRequestedAt !== null) return
    const live = liveAttemptOf(whole)
    if (live !== undefined && isUnderWay(command, live)) return
    const step =
      live === undefined
        ? await askNext(command, whole, untilMs)
        : await takeLook(command, whole.shipment, live, untilMs)
    if (step.is === 'no_time') {
      return advanceShipmentCheck(context.database, whole.shipment, toTimestamp(context.clock.nowMs()))
    }
    if (step.is !== 'next') return
  }
}

type DispatchedShipment = Omit<ShipmentWithAttempts, 'events'>

/** Somebody is waiting for its answer, and will write it down. */
function isUnderWay({ context }: ShipmentCommand, attempt: StoredAttempt): boolean {
  return attempt.state === 'sending' && context.clock.nowMs() < requestEndMs(attempt, context.patience)
}

type Step = { readonly is: 'next' } | { readonly is: 'ended' } | { readonly is: 'no_time' }

const next: Step = { is: 'next' }
const ended: Step = { is: 'ended' }
const noTime: Step = { is: 'no_time' }

function isTimeFor({ context }: ShipmentCommand, ms: number, untilMs: number): boolean {
  return context.clock.nowMs() + ms <= untilMs
}

async function takeLook(
  command: ShipmentCommand,
  shipment: StoredShipment,
  attempt: StoredAttempt,
  untilMs: number,
): Promise<Step> {
  if (!isTimeFor(command, checkMs(command.context.patience), untilMs)) return noTime
  return (await resolveAttempt(command, shipment, attempt)).is === 'next' ? next : ended
}

async function askNext(command: ShipmentCommand, whole: DispatchedShipment, untilMs: number): Promise<Step> {
  const { shipment, attempts } = whole
  if (await waitsForOrder(command, shipment)) return ended
  const planned = nextOffer(shipment, attempts) ?? lastResort(shipment, attempts)
  if (planned === undefined) {
    const overCeiling = nextTooDear(shipment, attempts)
    if (overCeiling === undefined) return giveUp(command)
    await skipOffer(command, overCeiling, shipment.attemptCount, tooDearReason('costs', overCeiling))
    return next
  }
  const heldUntil = await holdUntil(command, whole, planned)
  if (heldUntil !== undefined) {
    await postponeShipmentCheck(command.context.database, { ...shipment, seenCheckAt: shipment.nextCheckAt }, heldUntil)
    return ended
  }
  const { quoteMs, createMs } = command.context.patience
  if (!isTimeFor(command, (isHeld(command, planned, attempts) ? 0 : quoteMs) + createMs, untilMs)) return noTime
  const { attemptCount: seen } = shipment
  const skip = async (offer: PlannedOffer, code: string, message: string): Promise<Step> => {
    await skipOffer(command, offer, seen, { code, message })
    return next
  }
  const usable = await usableFor(command, planned.carrier)
  if (usable === undefined) return skip(planned, 'not_connected', 'It is not connected any more.')
  const open = command.context.breakers.openFor(usable, 'create')
  if (open !== undefined) return skip(planned, pausedCode(open), open.message)
  const offer = await freshOffer(command, whole, planned)
  if (offer === undefined) return skip(planned, 'no_offer', 'Its offer ended, and it makes no other.')
  if (offer.priceKobo > shipment.priceCeilingKobo) {
    const { code, message } = tooDearReason('now costs', offer)
    return skip({ ...planned, priceKobo: offer.priceKobo, surgeKobo: offer.surgeKobo }, code, message)
  }
  const begun = await beginAttempt(command, offer, seen)
  if (begun.is === 'not_now') return ended
  const outcome = await sendAttempt(command, usable, begun.shipment, begun.attempt)
  const settled = await recordOutcome(command, begun.attempt.number, outcome)
  switch (settled.is) {
    case 'next':
      return next
    case 'unknown': {
      // The first look is taken at once: most orders that were heard are there already.
      const attempt = { ...begun.attempt, state: 'unknown' as const }
      // It may have been called off while the carrier was waited for.
      const now = await findShipment(command.context.database, shipment)
      return takeLook(command, now?.shipment ?? begun.shipment, attempt, untilMs)
    }
    case 'late':
      if (settled.order !== undefined) await reconcileLateAcceptance(command, begun.attempt.number, settled.order)
      return ended
    case 'accepted':
    case 'to_be_cancelled':
    case 'cancelled':
      return ended
  }
}

/** One that comes sooner than the carrier before it is not called before its own time, or its rider would be there before the window. */
async function holdUntil(
  { context, tenant }: ShipmentCommand,
  { shipment, windows = null }: DispatchedShipment,
  planned: PlannedOffer,
): Promise<Timestamp | undefined> {
  // Without such a time no window is waited for, whatever the quote was asked for.
  if (windows === null || shipment.scheduledPickupAt === null) return undefined
  const now = toTimestamp(context.clock.nowMs())
  const { dispatchAt } = await dispatchTimes(context.database, { ...shipment, tenant, windows }, planned, now)
  return toMs(dispatchAt) > toMs(now) ? dispatchAt : undefined
}

function tooDearReason(costs: 'costs' | 'now costs', { priceKobo }: PlannedOffer) {
  return { code: tooDearCode, message: `The offer ${costs} ${priceKobo} kobo, which is above the price ceiling.` }
}

/** An offer that ends while it is being asked for would be refused, or dearer. */
const soonMs = 30_000

/** Nor does a carrier promise that what has bought one order buys a second, once it has given that one back. */
function isHeld(
  { context }: ShipmentCommand,
  { carrier, expiresAt }: PlannedOffer,
  attempts: readonly StoredAttempt[],
): boolean {
  const hasBought = attempts.some((tried) => tried.carrier === carrier && tried.carrierReference !== null)
  return !hasBought && toMs(expiresAt) > context.clock.nowMs() + soonMs
}

/** The offer itself while it holds; else the carrier is asked for a new one of the same service. */
async function freshOffer(
  command: ShipmentCommand,
  { shipment, attempts }: { readonly shipment: StoredShipment; readonly attempts: readonly StoredAttempt[] },
  planned: PlannedOffer,
): Promise<PlannedOffer | undefined> {
  if (isHeld(command, planned, attempts)) return planned
  const { context, tenant } = command
  const now = toTimestamp(context.clock.nowMs())
  const { offers } = await gatherOffers(context, tenant, {
    ...shipment,
    carriers: [planned.carrier],
    serviceLevels: [planned.serviceLevel],
    // The old one’s surge ended with it.
    surge: await currentSurge(context.database, tenant.mode, shipment.pickupZoneId, now),
    proof: proofOf(shipment),
    pickupAt: requestedPickupAt(shipment, now),
  })
  return (
    offers.find((offer) => keyOf(offer) === keyOf(planned)) ??
    // A broker’s best may be of whom it has just said that nobody comes.
    offers.find((offer) => isLeft(offer, attempts))
  )
}

/** Nobody is left to ask. */
async function giveUp(command: ShipmentCommand): Promise<Step> {
  await changeShipment(command, 'shipment.fail', async (work, locked) => {
    const { shipment, attempts } = locked
    if (shipment.status !== 'dispatching' || liveAttemptOf(locked) !== undefined) return undefined
    const message = attempts.length === 0 ? await whyNobody(work.trx, shipment) : nobodyTookIt(shipment, attempts)
    return moveShipment(work, shipment, {
      status: 'failed',
      reason: { code: 'no_carrier_available', message },
      source: 'service',
      description: message,
    })
  })
  return ended
}

/** More money is what a merchant can offer, so it is said where it would have helped. */
function nobodyTookIt({ priceCeilingKobo }: StoredShipment, attempts: readonly StoredAttempt[]): string {
  const prices = attempts.filter(({ outcomeCode }) => outcomeCode === tooDearCode).map(({ offer }) => offer.priceKobo)
  if (prices.length === 0) return 'No carrier accepted the shipment.'
  const least = Math.min(...prices)
  return `No carrier accepted the shipment within the price ceiling of ${priceCeilingKobo} kobo. ${countOf(prices.length)} more, the cheapest ${least} kobo.`
}

function countOf(offers: number): string {
  return offers === 1 ? '1 offer costs' : `${offers} offers cost`
}

/** Those of a quote are kept with it; a scheduled shipment has noted them when its time came. */
async function whyNobody(db: ReadDb, { merchantId, quoteId, statusMessage }: StoredShipment): Promise<string> {
  const answers = quoteId === null ? undefined : await findQuoteResponses(db, { merchantId, id: quoteId })
  return answers === undefined ? (statusMessage ?? 'No carrier made an offer.') : noOffersReason(answers)
}
