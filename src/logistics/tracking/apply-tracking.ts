import { isShipmentOver, type ShipmentStatus } from '../../../registry/logistics/shipment-states.ts'
import type { Timestamp } from '../../../registry/values/vocabulary.ts'
import { toTimestamp } from '../../base/clock.ts'
import type { Log } from '../../base/log.ts'
import type { Tracking } from '../../partners/carriers/carrier.ts'
import type { Actor } from '../../store/core/audit.ts'
import { bookkeep } from '../../store/core/bookkeeping.ts'
import type { WriteTrx } from '../../store/core/database.ts'
import { type Context, mutate, type Tenant } from '../../store/core/mutation.ts'
import {
  lockShipment,
  type ShipmentKey,
  writeAttempt,
  writeShipment,
} from '../../store/logistics/shipments/shipments.ts'
import { listPastUpdates, type PastUpdate } from '../../store/logistics/shipments/tracking.ts'
import type { StoredAttempt, StoredException, StoredShipment } from '../../store/tables/shipment.ts'
import { assignTimeoutMs } from '../dispatch/assign-timeout.ts'
import { monitoringMs } from '../dispatch/resolve-attempt.ts'
import { asPaid, isUnpaid, walletLow } from '../dispatch/unpaid-order.ts'
import { totalPriceKobo } from '../quotes/price-parts.ts'
import { withFeeException } from '../shipments/cancellation-fee.ts'
import { resolvedExceptions, resolvedOf, withException } from '../shipments/exceptions.ts'
import {
  moveShipment,
  type ShipmentChange,
  type ShipmentUpdate,
  type ShipmentWork,
} from '../shipments/move-shipment.ts'
import { withPriceExceptions } from '../shipments/price-exceptions.ts'
import { recordStaleUpdate } from '../shipments/stale-update.ts'
import { type CarrierUpdate, carrierUpdateOf, classifyUpdate, statusWithin, type Verdict } from './classify-update.ts'
import { notifySubscribers } from './notify-subscribers.ts'
import { storeRiderPosition } from './store-rider-position.ts'
import { detailsOf } from './tracked-details.ts'
import { reportUnknownStatus, withUnknownStatus } from './unknown-status.ts'
import { detailsMessage, reasonFor, updateMessage } from './update-message.ts'

/** What a carrier told of one asking of a shipment. */
export interface AttemptUpdate {
  readonly shipment: ShipmentKey
  readonly attemptNumber: number
  readonly tracking: Tracking
  readonly source: 'callback' | 'poll'
  /** When the carrier was asked, of a poll: it cannot tell of anything later. */
  readonly askedAt?: Timestamp
  /** The order’s name at the carrier, where it is told: an asking whose answer was lost learns it from here. */
  readonly carrierReference?: string | undefined
  readonly actor: Actor
}

export type TrackingOutcome =
  | { readonly is: 'moved' | 'noted' | 'late'; readonly shipment: StoredShipment }
  /** It was told before, and nothing was written. */
  | { readonly is: 'unchanged'; readonly shipment: StoredShipment }
  /** Nobody has heard the carrier accept this asking yet: whoever is finding that out has been hurried. */
  | { readonly is: 'not_accepted_yet'; readonly shipment: StoredShipment; readonly attemptNumber: number }
  /** A carrier has an order that was given up: there may be two riders. */
  | { readonly is: 'late_acceptance'; readonly shipment: StoredShipment; readonly attemptNumber: number }
  /** The carrier gave the order back before the pickup, unasked: its asking is over, and another carrier may be asked. */
  | { readonly is: 'carrier_cancelled'; readonly shipment: StoredShipment; readonly attemptNumber: number }
  /** A second rider gave it back. Its time to find one is over. */
  | { readonly is: 'riders_dropped'; readonly shipment: StoredShipment; readonly attemptNumber: number }
  | { readonly is: 'shipment_unknown' }

/** After as many riders of one carrier, the next carrier is worth its price (design, logistics 3.6). */
const ridersMax = 2

/**
 * Applies what a carrier told in one transaction: the shipment by the published table, its order with it, the timeline.
 * `conclude` runs last in that transaction, or in one of its own where nothing changed. Whatever has to be done about the
 * outcome is marked in the rows too, so that it is not lost with this process: `next_check_at` of the shipment is then now.
 */
export async function applyTracking(
  context: Context & { readonly log: Log },
  tenant: Tenant,
  told: AttemptUpdate,
  conclude?: (trx: WriteTrx, outcome: TrackingOutcome, now: Timestamp) => Promise<void>,
): Promise<TrackingOutcome> {
  const { id } = told.shipment
  const mutation = {
    ...{ tenant, actor: told.actor, action: 'shipment.update', resourceType: 'shipment', resourceId: () => id },
    emits: ['shipment.status_changed', 'order.status_changed'],
  } as const
  const { outcome, isWritten } = await mutate(context, mutation, async (work: ShipmentWork) => {
    const applied = await apply(work, told)
    if (!applied.isWritten) return work.abort(applied)
    await conclude?.(work.trx, applied.outcome, work.now)
    return applied
  })
  if (!isWritten && conclude !== undefined) {
    await bookkeep(context.database, (trx) => conclude(trx, outcome, toTimestamp(context.clock.nowMs())))
  }
  if (isWritten) await reportUnknownStatus(context, told, 'shipment' in outcome ? outcome.shipment.carrier : null)
  const isPlaced = await storeRiderPosition(context, told)
  if (isWritten || isPlaced) await notifySubscribers(context, told.shipment)
  return outcome
}

interface Applied {
  readonly outcome: TrackingOutcome
  readonly isWritten: boolean
}

async function apply(work: ShipmentWork, told: AttemptUpdate): Promise<Applied> {
  const { shipment: key, attemptNumber } = told
  const [locked, past] = await Promise.all([
    lockShipment(work.trx, key),
    // Sent behind the lock, so that it reads what the lock guards.
    listPastUpdates(work.trx, { merchantId: key.merchantId, shipmentId: key.id, attemptNumber }),
  ])
  const attempt = locked?.attempts.find(({ number }) => number === attemptNumber)
  if (locked === undefined || attempt === undefined) return { outcome: { is: 'shipment_unknown' }, isWritten: false }
  const { shipment } = locked
  const news = newsOf(told, shipment, work.now)
  const verdict = classifyUpdate({ shipment, attempt, past }, news)
  return carryOut({ work, told, shipment, attempt, past, news, verdict })
}

/** Carriers’ clocks run ahead, but nothing has happened that is still to come. */
function newsOf({ tracking, askedAt }: AttemptUpdate, shipment: StoredShipment, now: Timestamp): CarrierUpdate {
  const { carrierStatus } = tracking
  const status = statusWithin(tracking, shipment.status)
  const at = tracking.at !== undefined && tracking.at > now ? now : tracking.at
  return { status: carrierUpdateOf(status), carrierStatus, at, datedAt: at ?? askedAt, toldAt: askedAt ?? at }
}

interface Case {
  readonly work: ShipmentWork
  readonly told: AttemptUpdate
  readonly shipment: StoredShipment
  readonly attempt: StoredAttempt
  readonly past: readonly PastUpdate[]
  readonly news: CarrierUpdate
  readonly verdict: Verdict
}

async function carryOut(all: Case): Promise<Applied> {
  const { work, shipment, attempt, verdict } = all
  const { number: attemptNumber } = attempt
  switch (verdict.is) {
    case 'moves':
      return move(heardFor(pricedFor(paidFor(understoodFor(all)))), verdict.to)
    case 'stays': {
      const judged = pricedFor(paidFor(understoodFor(all)))
      const noted = await note(heardFor(judged), judged === all ? verdict : { ...verdict, isNewWord: true })
      return noted.isWritten ? noted : { outcome: { is: 'unchanged', shipment }, isWritten: false }
    }
    case 'repeated':
      return { outcome: { is: 'unchanged', shipment }, isWritten: false }
    case 'late': {
      const change = verdict.isDoubtful && !isShipmentOver(shipment.status) ? { nextCheckAt: work.now } : {}
      return {
        outcome: { is: 'late', shipment: recordStaleUpdate(work, shipment, newsFor(all), change) },
        isWritten: true,
      }
    }
    case 'cancelled_too_late': {
      const exceptions = exceptionsWith(all, { code: 'cancelled_after_pickup' })
      const kept = recordStaleUpdate(work, shipment, newsFor(all), { exceptions })
      return { outcome: { is: 'late', shipment: kept }, isWritten: true }
    }
    case 'carrier_cancelled':
      return { outcome: { is: 'carrier_cancelled', shipment: await giveBack(all), attemptNumber }, isWritten: true }
    case 'late_acceptance': {
      // Both are looked at, of a shipment that is over too: an order that goes on costs money.
      const kept = recordStaleUpdate(work, shipment, newsFor(all), { nextCheckAt: work.now })
      // Whatever it was taken for, it is an order now that was given up, and is watched as one.
      const state = attempt.state === 'not_found_at_carrier' ? attempt.state : 'abandoned'
      const monitorUntil = toTimestamp(work.nowMs + monitoringMs)
      writeAttempt(work.trx, { ...named(all), state, nextCheckAt: work.now, monitorUntil })
      return { outcome: { is: 'late_acceptance', shipment: kept, attemptNumber }, isWritten: true }
    }
    case 'not_accepted_yet':
      return learnName(all)
  }
}

function understoodFor(all: Case): Case {
  const exceptions = withUnknownStatus(all.shipment.exceptions, all.attempt.carrier, all.told.tracking, all.work.now)
  return exceptions === all.shipment.exceptions ? all : { ...all, shipment: { ...all.shipment, exceptions } }
}

/** Whether it stands still for want of money is told with the rest, and is for the merchant to mend. */
function paidFor(all: Case): Case {
  const { work, told, shipment, attempt } = all
  const now = asPaid(attempt, told.tracking, work.now)
  if (now === attempt) return all
  writeAttempt(work.trx, now)
  if (!isUnpaid(now)) {
    const isPaid = ({ code, carrier }: StoredException) => code === 'carrier_wallet_low' && carrier === attempt.carrier
    const paid = resolvedExceptions(shipment.exceptions, isPaid, work.now)
    return { ...all, attempt: now, shipment: { ...shipment, exceptions: paid } }
  }
  const exceptions = withException(shipment.exceptions, walletLow(attempt.carrier, work.now))
  return { ...all, attempt: now, shipment: { ...shipment, exceptions, nextCheckAt: work.now } }
}

/** A price that is told after the acceptance, or has changed since. A callback may be an old one, so only answers count. */
function pricedFor(all: Case): Case {
  const { work, told, shipment, attempt } = all
  const { priceKobo, status } = told.tracking
  const isTold = told.source === 'poll' && priceKobo !== undefined && status !== 'cancelled'
  const isLive = attempt.state === 'accepted' || attempt.state === 'cancelling'
  if (!isTold || !isLive || priceKobo === attempt.priceKobo) return all
  const now = { ...attempt, priceKobo }
  writeAttempt(work.trx, now)
  const exceptions = withPriceExceptions(shipment, now, work.now)
  return { ...all, attempt: now, shipment: { ...shipment, priceKobo: totalPriceKobo(now), exceptions } }
}

/** There is news: whoever was silent is not any more, and is asked as often again. It is written with whatever is written. */
function heardFor(all: Case): Case {
  const { work, shipment } = all
  const exceptions = resolvedOf(shipment.exceptions, ['tracking_stalled'], work.now)
  return { ...all, shipment: { ...shipment, exceptions, checks: 0 } }
}

function newsFor({ told, news }: Case): ShipmentUpdate {
  const status = news.status ?? null
  return {
    status,
    source: told.source,
    description: updateMessage(news.status, news.carrierStatus),
    carrierStatus: news.carrierStatus,
    attemptNumber: told.attemptNumber,
    ...(news.at === undefined ? {} : { occurredAt: news.at }),
  }
}

async function move(all: Case, to: ShipmentStatus): Promise<Applied> {
  const { work, told, shipment, attempt, past, news } = all
  const { exceptions } = shipment
  const drops = isDrop(shipment.status, to) ? dropsIn(past) + 1 : 0
  const isLast = drops >= ridersMax
  const change: ShipmentChange = {
    ...detailsOf(shipment, told.tracking, false),
    ...(drops > 0 ? { courier: null } : {}),
    ...(isLast ? { nextCheckAt: work.now } : {}),
    ...(to === 'cancelled'
      ? { exceptions: feeJudged(all, exceptions), cancelFeeKobo: shipment.cancelFeeKobo ?? attempt.cancelFeeKobo }
      : { exceptions }),
  }
  const reason = reasonFor(to, news.carrierStatus)
  const { shipment: moved } = await moveShipment(work, shipment, { ...newsFor(all), status: to, reason }, change)
  if (isShipmentOver(to)) writeAttempt(work.trx, endedAttempt(attempt, to, work.now))
  // What goes on was not called off, whatever that would have cost.
  const going = { ...attempt, cancelFeeKobo: null }
  if (!isShipmentOver(to) && attempt.cancelFeeKobo !== null) writeAttempt(work.trx, going)
  // Whoever looks for riders that are not found in time finds this one now; the first to drop it gives the next a full time.
  if (drops > 0) {
    const deadlineMs = work.nowMs + (isLast ? 0 : await assignTimeoutMs(work.trx, shipment, attempt))
    writeAttempt(work.trx, { ...going, assignDeadline: toTimestamp(deadlineMs) })
  }
  const { number: attemptNumber } = attempt
  return {
    outcome: isLast ? { is: 'riders_dropped', shipment: moved, attemptNumber } : { is: 'moved', shipment: moved },
    isWritten: true,
  }
}

function isDrop(from: ShipmentStatus, to: ShipmentStatus): boolean {
  return to === 'awaiting_courier' && (from === 'courier_assigned' || from === 'at_pickup')
}

/** How many riders gave it back before: each time a rider was looked for anew after one had been named. */
function dropsIn(past: readonly PastUpdate[]): number {
  const statuses = past.filter(({ isApplied, status }) => isApplied && status !== null).map(({ status }) => status)
  return statuses.reverse().filter((status, index) => {
    const before = statuses[index - 1]
    return status === 'awaiting_courier' && (before === 'courier_assigned' || before === 'at_pickup')
  }).length
}

function endedAttempt(attempt: StoredAttempt, to: ShipmentStatus, now: Timestamp): StoredAttempt {
  const ended = { ...attempt, nextCheckAt: null, assignDeadline: null }
  if (to !== 'cancelled') return { ...ended, state: 'completed', cancelFeeKobo: null }
  const message = 'The carrier called it off, as it was asked to.'
  return { ...ended, state: 'cancelled', outcomeCode: 'cancelled', outcomeMessage: message, resolvedAt: now }
}

/** With what its carrier named when it was asked to let go. */
function feeJudged({ work, shipment, attempt }: Case, exceptions: StoredShipment['exceptions']) {
  const accepted = { allowedKobo: shipment.cancelMaxFeeKobo ?? undefined, at: work.now }
  return withFeeException(exceptions, attempt, attempt.cancelFeeKobo ?? undefined, accepted)
}

/** The shipment is where it was: what is new is who carries it, when it arrives, what was taken, or the carrier’s word. */
async function note(all: Case, { isNewWord, isOld }: Extract<Verdict, { is: 'stays' }>): Promise<Applied> {
  const { work, told, shipment, news } = all
  if (isShipmentOver(shipment.status)) return noteAfterTheEnd(all)
  const details = detailsOf(shipment, told.tracking, isOld)
  const isWorthTelling = isNewWord || details.courier !== undefined || details.capturedProof !== undefined
  if (isWorthTelling) {
    const description = isNewWord ? updateMessage(news.status, news.carrierStatus) : detailsMessage(details)
    const noted = await moveShipment(work, shipment, { ...newsFor(all), description }, details)
    return { outcome: { is: 'noted', shipment: noted.shipment }, isWritten: true }
  }
  if (details.deliveryEstimate === undefined) return { outcome: { is: 'unchanged', shipment }, isWritten: false }
  // When it arrives is told again and again, and would fill the timeline.
  const changed = { ...shipment, ...details, version: shipment.version + 1, updatedAt: work.now }
  writeShipment(work.trx, changed)
  return { outcome: { is: 'noted', shipment: changed }, isWritten: true }
}

/** A proof may come behind the delivery; who carried it is forgotten by then. */
function noteAfterTheEnd({ work, told, shipment }: Case): Applied {
  const { capturedProof } = detailsOf(shipment, told.tracking, true)
  if (capturedProof === undefined) return { outcome: { is: 'unchanged', shipment }, isWritten: false }
  const changed = { ...shipment, capturedProof, version: shipment.version + 1, updatedAt: work.now }
  writeShipment(work.trx, changed)
  return { outcome: { is: 'noted', shipment: changed }, isWritten: true }
}

/** Ends the asking, so that another carrier may be asked, and leaves the shipment where it is for whoever asks. */
async function giveBack(all: Case): Promise<StoredShipment> {
  const { work, shipment, attempt, news } = all
  const outcomeMessage = `${updateMessage(news.status, news.carrierStatus)} Carrier status: ${news.carrierStatus}.`
  const outcome = { outcomeCode: 'carrier_cancelled', outcomeMessage, resolvedAt: work.now }
  writeAttempt(work.trx, { ...attempt, ...outcome, state: 'cancelled', nextCheckAt: null, assignDeadline: null })
  const change = { courier: null, nextCheckAt: work.now, exceptions: feeJudged(all, shipment.exceptions) }
  return (await moveShipment(work, shipment, { ...newsFor(all), status: null }, change)).shipment
}

/** An asking whose answer was lost learns its order’s name, and is looked at at once. */
function learnName(all: Case): Applied {
  const { work, shipment, attempt } = all
  const outcome = { is: 'not_accepted_yet', shipment, attemptNumber: attempt.number } as const
  const known = named(all)
  if (attempt.state !== 'unknown' || known.carrierReference === attempt.carrierReference) {
    return { outcome, isWritten: false }
  }
  writeAttempt(work.trx, { ...known, nextCheckAt: work.now })
  // The order’s name is shown, so that whoever has the version before has to be told.
  const changed = { ...shipment, nextCheckAt: work.now, version: shipment.version + 1, updatedAt: work.now }
  writeShipment(work.trx, changed)
  return { outcome: { ...outcome, shipment: changed }, isWritten: true }
}

function named({ attempt, told }: Case): StoredAttempt {
  return { ...attempt, carrierReference: attempt.carrierReference ?? told.carrierReference ?? null }
}

function exceptionsWith(
  { work, shipment, attempt }: Case,
  told: Pick<StoredException, 'code' | 'cause' | 'facts'>,
): StoredShipment['exceptions'] {
  const { carrier, number: attemptNumber } = attempt
  return withException(shipment.exceptions, { ...told, carrier, attemptNumber, at: work.now })
}
