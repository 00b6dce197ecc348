import { shipmentEvents } from '../../../registry/kit/event.ts'
import { isShipmentOver, type ShipmentStatus } from '../../../registry/logistics/shipment-states.ts'
import type { Timestamp } from '../../../registry/values/vocabulary.ts'
import { toTimestamp } from '../../base/clock.ts'
import type { Log } from '../../base/log.ts'
import { bookkeep } from '../../store/core/bookkeeping.ts'
import type { WriteTrx } from '../../store/core/database.ts'
import { type Context, mutate, type Tenant } from '../../store/core/mutation.ts'
import { lockShipment, writeAttempt } from '../../store/logistics/shipments/shipments.ts'
import { listPastUpdates } from '../../store/logistics/shipments/tracking.ts'
import type { StoredAttempt, StoredShipment } from '../../store/tables/shipment.ts'
import { assignTimeoutMs } from '../dispatch/assign-timeout.ts'
import { monitoringMs } from '../dispatch/resolve-attempt.ts'
import { feeWithout, withFeeException } from '../shipments/cancellation-fee.ts'
import { withOtherEnd } from '../shipments/exceptions.ts'
import { moveShipment, type ShipmentChange } from '../shipments/move-shipment.ts'
import { putShipment } from '../shipments/put-shipment.ts'
import type { ShipmentWork } from '../shipments/shipment-work.ts'
import { recordLateUpdate } from '../shipments/stale-update.ts'
import { reportedReason } from '../shipments/status-reason.ts'
import type { AttemptUpdate, TrackingOutcome } from './attempt-update.ts'
import { type CarrierUpdate, carrierUpdateOf, classifyUpdate, statusWithin, type Verdict } from './classify-update.ts'
import { notifySubscribers } from './notify-subscribers.ts'
import { countRiderDrops, isRiderDrop, ridersMax } from './rider-drops.ts'
import { storeRiderPosition } from './store-rider-position.ts'
import { detailsOf } from './tracked-details.ts'
import {
  exceptionsWith,
  shipmentUpdateFrom,
  type TrackingCase,
  withAnotherFailure,
  withCarrierReference,
  withPayment,
  withPrice,
  withUnknownStatusException,
  withUpdateReceived,
} from './tracking-case.ts'
import { reportUnknownStatus } from './unknown-status.ts'
import { detailsMessage, updateMessage } from './update-message.ts'

/**
 * Applies a tracking update to a shipment, to its order and to its timeline, in one transaction. The status of the
 * shipment changes only if its status transitions allow the new status. `conclude` runs last in that transaction, or in
 * its own transaction when the update wrote nothing. If the update causes further work, such as a request to another
 * carrier, `next_check_at` of the shipment is set to now. This work therefore survives a crash of the process.
 */
export async function applyTracking(
  context: Context & { readonly log: Log },
  tenant: Tenant,
  update: AttemptUpdate,
  conclude?: (trx: WriteTrx, outcome: TrackingOutcome, now: Timestamp) => Promise<void>,
): Promise<TrackingOutcome> {
  const { id } = update.shipment
  const mutation = {
    ...{
      tenant,
      actor: update.actor,
      action: 'shipment.update' as const,
      resourceType: 'shipment',
      resourceId: () => id,
    },
    emits: shipmentEvents,
  } as const
  const { outcome, isWritten } = await mutate(context, mutation, async (work: ShipmentWork) => {
    const applied = await apply(work, update)
    if (!applied.isWritten) return work.abort(applied)
    await conclude?.(work.trx, applied.outcome, work.now)
    return applied
  })
  if (!isWritten && conclude !== undefined) {
    await bookkeep(context.database, (trx) => conclude(trx, outcome, toTimestamp(context.clock.nowMs())))
  }
  if (isWritten) await reportUnknownStatus(context, update, 'shipment' in outcome ? outcome.shipment.carrier : null)
  const isPlaced = await storeRiderPosition(context, update)
  if (isWritten || isPlaced) await notifySubscribers(context, update.shipment)
  return outcome
}

interface Applied {
  readonly outcome: TrackingOutcome
  readonly isWritten: boolean
}

async function apply(work: ShipmentWork, update: AttemptUpdate): Promise<Applied> {
  const { shipment: key, attemptNumber } = update
  const [locked, past] = await Promise.all([
    lockShipment(work.trx, key),
    // The earlier tracking updates are read after the shipment is locked. The query therefore also reads the updates of
    // transactions that held the lock before.
    listPastUpdates(work.trx, { merchantId: key.merchantId, shipmentId: key.id, attemptNumber }),
  ])
  const attempt = locked?.attempts.find(({ number }) => number === attemptNumber)
  if (locked === undefined || attempt === undefined) return { outcome: { is: 'shipment_unknown' }, isWritten: false }
  const { shipment } = locked
  const carrierUpdate = carrierUpdateFrom(update, shipment, work.now)
  const verdict = classifyUpdate({ shipment, attempt, past }, carrierUpdate)
  return applyVerdict({ work, update, shipment, attempt, past, carrierUpdate, verdict })
}

/** A time in the future is replaced by the current time, because carriers’ clocks may be ahead. */
function carrierUpdateFrom(
  { tracking, polledAt }: AttemptUpdate,
  shipment: StoredShipment,
  now: Timestamp,
): CarrierUpdate {
  const { carrierStatus } = tracking
  const status = statusWithin(tracking, shipment.status)
  const isClockAhead = tracking.at !== undefined && tracking.at > now
  const at = isClockAhead ? now : tracking.at
  const times = { at, isClockAhead, datedAt: at ?? polledAt, statedAt: polledAt ?? at, polledAt }
  return { status: carrierUpdateOf(status), carrierStatus, ...times }
}

async function applyVerdict(current: TrackingCase): Promise<Applied> {
  const { work, shipment, attempt, verdict } = current
  const { number: attemptNumber } = attempt
  switch (verdict.is) {
    case 'moves':
      return move(withUpdateReceived(withPrice(withPayment(withUnknownStatusException(current)))), verdict.to)
    case 'stays': {
      const recorded = withAnotherFailure(withPrice(withPayment(withUnknownStatusException(current))))
      const noted = await note(
        withUpdateReceived(recorded),
        recorded === current ? verdict : { ...verdict, isNewCarrierStatus: true },
      )
      return noted.isWritten ? noted : { outcome: { is: 'unchanged', shipment }, isWritten: false }
    }
    case 'repeated':
      return { outcome: { is: 'unchanged', shipment }, isWritten: false }
    case 'late': {
      const change = verdict.isUndated && !isShipmentOver(shipment.status) ? { nextCheckAt: work.now } : {}
      return {
        outcome: { is: 'late', shipment: await recordLateUpdate(work, shipment, shipmentUpdateFrom(current), change) },
        isWritten: true,
      }
    }
    case 'cancelled_too_late': {
      const exceptions = exceptionsWith(current, { code: 'cancelled_after_pickup' })
      const updated = await recordLateUpdate(work, shipment, shipmentUpdateFrom(current), { exceptions })
      return { outcome: { is: 'late', shipment: updated }, isWritten: true }
    }
    case 'other_end': {
      const { carrier } = attempt
      const later = { status: current.carrierUpdate.status, carrier, attemptNumber, at: work.now }
      const exceptions = withOtherEnd(shipment, later)
      const updated = await recordLateUpdate(work, shipment, shipmentUpdateFrom(current), { exceptions })
      return { outcome: { is: 'late', shipment: updated }, isWritten: true }
    }
    case 'carrier_cancelled':
      return {
        outcome: { is: 'carrier_cancelled', shipment: await recordCarrierCancellation(current), attemptNumber },
        isWritten: true,
      }
    case 'late_acceptance': {
      // Both carrier orders are checked: the order of the abandoned attempt and the order of the current attempt. They
      // are checked even if the shipment has ended, because the merchant pays for an order that the carrier carries
      // out.
      const updated = await recordLateUpdate(work, shipment, shipmentUpdateFrom(current), {
        nextCheckAt: work.now,
        cancelFeeKobo: feeWithout(shipment, attempt),
      })
      // The carrier now has an order for the attempt, even if the attempt had ended without one. The attempt is
      // therefore monitored like an abandoned attempt.
      const state = attempt.state === 'not_found_at_carrier' ? attempt.state : 'abandoned'
      const monitorUntil = toTimestamp(work.nowMs + monitoringMs)
      writeAttempt(work.trx, { ...withCarrierReference(current), state, nextCheckAt: work.now, monitorUntil })
      return { outcome: { is: 'late_acceptance', shipment: updated, attemptNumber }, isWritten: true }
    }
    case 'not_accepted_yet':
      return storeCarrierReference(current)
  }
}

async function move(current: TrackingCase, to: ShipmentStatus): Promise<Applied> {
  const { work, update, shipment, attempt, past } = current
  const { exceptions } = shipment
  const riderDrops = isRiderDrop(shipment.status, to) ? countRiderDrops(past) + 1 : 0
  const isLast = riderDrops >= ridersMax
  const change: ShipmentChange = {
    ...detailsOf(shipment, update.tracking, false),
    ...(riderDrops > 0 ? { courier: null } : {}),
    ...(isLast ? { nextCheckAt: work.now } : {}),
    ...(to === 'cancelled'
      ? {
          exceptions: withCancellationFee(current, exceptions),
          cancelFeeKobo: shipment.cancelFeeKobo ?? attempt.cancelFeeKobo,
        }
      : { exceptions }),
  }
  const reason = reportedReason(to)
  const { shipment: moved } = await moveShipment(
    work,
    shipment,
    { ...shipmentUpdateFrom(current), status: to, reason },
    change,
  )
  if (isShipmentOver(to)) writeAttempt(work.trx, endedAttempt(attempt, to, work.now))
  // If the shipment continues, its cancellation did not take place, so the stored cancellation fee of its dispatch
  // attempt is removed.
  const continuing = { ...attempt, cancelFeeKobo: null }
  if (!isShipmentOver(to) && attempt.cancelFeeKobo !== null) writeAttempt(work.trx, continuing)
  // If the attempt permits no further rider, the assignment deadline is set to the current time, so that the next check
  // finds the deadline missed. Otherwise, the carrier gets the full time to assign another rider.
  if (riderDrops > 0) {
    const deadlineMs = work.nowMs + (isLast ? 0 : await assignTimeoutMs(work.trx, shipment, attempt))
    writeAttempt(work.trx, { ...continuing, assignDeadline: toTimestamp(deadlineMs) })
  }
  const { number: attemptNumber } = attempt
  return {
    outcome: isLast ? { is: 'riders_dropped', shipment: moved, attemptNumber } : { is: 'moved', shipment: moved },
    isWritten: true,
  }
}

function endedAttempt(attempt: StoredAttempt, to: ShipmentStatus, now: Timestamp): StoredAttempt {
  const ended = { ...attempt, nextCheckAt: null, assignDeadline: null }
  if (to !== 'cancelled') return { ...ended, state: 'completed', cancelFeeKobo: null }
  const message = 'The carrier confirmed the cancellation.'
  return { ...ended, state: 'cancelled', outcomeCode: 'cancelled', outcomeMessage: message, resolvedAt: now }
}

/** Adds an exception for the cancellation fee that the carrier named in its response to the cancellation request. */
function withCancellationFee({ work, shipment, attempt }: TrackingCase, exceptions: StoredShipment['exceptions']) {
  const accepted = { allowedKobo: shipment.cancelMaxFeeKobo ?? undefined, at: work.now }
  return withFeeException(exceptions, attempt, attempt.cancelFeeKobo ?? undefined, accepted)
}

/**
 * Applies a tracking update that does not change the shipment status: a new rider, delivery estimate, proof of delivery
 * or carrier status.
 */
async function note(
  current: TrackingCase,
  { isNewCarrierStatus, isStale }: Extract<Verdict, { is: 'stays' }>,
): Promise<Applied> {
  const { work, update, shipment, carrierUpdate } = current
  if (isShipmentOver(shipment.status)) return noteAfterEnd(current)
  const details = detailsOf(shipment, update.tracking, isStale)
  const isNotable = isNewCarrierStatus || details.courier !== undefined || details.capturedProof !== undefined
  if (isNotable) {
    const description = isNewCarrierStatus
      ? updateMessage(carrierUpdate.status, carrierUpdate.carrierStatus)
      : detailsMessage(details)
    const noted = await moveShipment(work, shipment, { ...shipmentUpdateFrom(current), description }, details)
    return { outcome: { is: 'noted', shipment: noted.shipment }, isWritten: true }
  }
  if (details.deliveryEstimate === undefined) return { outcome: { is: 'unchanged', shipment }, isWritten: false }
  // A changed delivery estimate adds no event to the shipment's timeline: estimates change often and would fill the
  // timeline.
  const changed = putShipment(work, { ...shipment, ...details, version: shipment.version + 1, updatedAt: work.now })
  return { outcome: { is: 'noted', shipment: changed }, isWritten: true }
}

/**
 * Adds a proof of delivery that arrives after the shipment has ended. Data about the rider that arrives so late is not
 * stored.
 */
function noteAfterEnd({ work, update, shipment }: TrackingCase): Applied {
  const { capturedProof } = detailsOf(shipment, update.tracking, true)
  if (capturedProof === undefined) return { outcome: { is: 'unchanged', shipment }, isWritten: false }
  const changed = putShipment(work, { ...shipment, capturedProof, version: shipment.version + 1, updatedAt: work.now })
  return { outcome: { is: 'noted', shipment: changed }, isWritten: true }
}

/**
 * Ends the dispatch attempt that the carrier cancelled, so that another carrier may be requested. The shipment keeps
 * its status until that request.
 */
async function recordCarrierCancellation(current: TrackingCase): Promise<StoredShipment> {
  const { work, shipment, attempt, carrierUpdate } = current
  const outcomeMessage = `${updateMessage(carrierUpdate.status, carrierUpdate.carrierStatus)} Carrier status: ${carrierUpdate.carrierStatus}.`
  const outcome = { outcomeCode: 'carrier_cancelled', outcomeMessage, resolvedAt: work.now }
  writeAttempt(work.trx, { ...attempt, ...outcome, state: 'cancelled', nextCheckAt: null, assignDeadline: null })
  const change = { courier: null, nextCheckAt: work.now, exceptions: withCancellationFee(current, shipment.exceptions) }
  return (await moveShipment(work, shipment, { ...shipmentUpdateFrom(current), status: null }, change)).shipment
}

/**
 * Stores the carrier's order reference of a dispatch attempt whose response was lost, and makes the next check of the
 * attempt due at once.
 */
function storeCarrierReference(current: TrackingCase): Applied {
  const { work, shipment, attempt } = current
  const outcome = { is: 'not_accepted_yet', shipment, attemptNumber: attempt.number } as const
  const known = withCarrierReference(current)
  if (attempt.state !== 'unknown' || known.carrierReference === attempt.carrierReference) {
    return { outcome, isWritten: false }
  }
  writeAttempt(work.trx, { ...known, nextCheckAt: work.now })
  // The carrier's order reference is part of the public shipment record, so the record's version increases.
  const changed = putShipment(work, {
    ...shipment,
    nextCheckAt: work.now,
    version: shipment.version + 1,
    updatedAt: work.now,
  })
  return { outcome: { ...outcome, shipment: changed }, isWritten: true }
}
