import { isShipmentOver, type ShipmentStatus } from '../../../registry/logistics/shipment-states.ts'
import { toTimestamp } from '../../base/clock.ts'
import { noKobo, toKobo } from '../../commerce/money.ts'
import type { Cancellation, CarrierOrder, Outcome } from '../../partners/carriers/carrier.ts'
import { postponeAttemptCheck } from '../../store/logistics/shipments/shipment-checks.ts'
import { findShipment, isCarrierOrderTaken, writeAttempt } from '../../store/logistics/shipments/shipments.ts'
import type { StoredAttempt, StoredShipment } from '../../store/tables/shipment.ts'
import { carrierNameOf, isCarrierCode } from '../carriers/carrier-names.ts'
import { cancellabilityOf } from '../shipments/cancellability.ts'
import { withFeeException } from '../shipments/cancellation-fee.ts'
import { changeShipment, liveAttemptOf, type ShipmentCommand } from '../shipments/change-shipment.ts'
import { messageOf } from '../shipments/exception-message.ts'
import { isUnwanted, withOrderGone, withOrderRetained } from '../shipments/exceptions.ts'
import { lateAcceptanceLeaseMs } from '../shipments/leases.ts'
import { moveShipment } from '../shipments/move-shipment.ts'
import { cancelAtCarrier } from './cancel-at-carrier.ts'
import { isMonitored, startedAttemptCheck } from './monitored-attempt.ts'
import { accept, type RecordedOutcome, release } from './record-outcome.ts'
import { reportPossibleDuplicate } from './report-possible-duplicate.ts'
import { unpaidCode } from './unpaid-order.ts'

/**
 * An asking that was given up may turn up after all, when its carrier was slow to write it down. Two riders must not come
 * for one parcel, so of the two orders the one that is further along is kept, and the other called off at once
 * (design, logistics 3.5).
 */

/** While the newer asking is in the air, nobody knows which of the two to keep. */
const undecidedMs = 10_000

/** Whether a carrier has let go is known once it can be asked again. */
const unsureMs = 60_000

/** A carrier has an order of an asking that was given up: keeps one of the two, and calls the other off. */
export async function reconcileLateAcceptance(
  command: ShipmentCommand,
  number: number,
  order: CarrierOrder,
): Promise<void> {
  const decided = await decide(command, number, order)
  if (decided === undefined || decided.is === 'adopted') return
  const { late } = decided
  if (decided.is === 'undecided') return postpone(command, late, undecidedMs)
  const { newer } = decided
  const exchanged = decided.is === 'keep_late' ? await takePlace(command, late, newer, order) : 'refused'
  if (exchanged === 'done') return
  // The newer one may be gone: were the late one called off as well, nobody would come.
  if (exchanged === 'unsure') return postpone(command, late, unsureMs)
  const outcome = isEnded(order) ? ended : await cancelAtCarrier(command, late, 'duplicate')
  // A carrier that lets go of nothing keeps the late order, so that the newer one is the one too many; but nobody comes
  // for one that is not paid for.
  const isPaid = late.outcomeCode !== unpaidCode
  const isKept = isPaid && decided.is === 'keep_newer' && outcome.is === 'refused' && outcome.code !== 'not_found'
  const instead = isKept ? await takePlace(command, late, newer, order) : 'refused'
  if (instead === 'done') return
  if (instead === 'unsure') return postpone(command, late, unsureMs)
  await endLate(command, late, outcome)
}

/** By its carrier’s own word, as after a wish that it had only taken note of. */
function isEnded({ status }: CarrierOrder): boolean {
  return status === 'cancelled' || status === 'failed'
}

const ended = { is: 'ok', value: { is: 'cancelled', feeKobo: undefined, refundKobo: undefined } } as const

function postpone({ context: { database, clock } }: ShipmentCommand, late: StoredAttempt, ms: number): Promise<void> {
  return postponeAttemptCheck(database, startedAttemptCheck(late), toTimestamp(clock.nowMs() + ms))
}

/** Calls the newer order off, if that costs less than a second rider does, so that the late one stands in its place. */
async function takePlace(
  command: ShipmentCommand,
  late: StoredAttempt,
  newer: StoredAttempt | undefined,
  order: CarrierOrder,
): Promise<'done' | 'refused' | 'unsure'> {
  const { context, tenant, id } = command
  if (newer?.state !== 'accepted' || !isCarrierCode(newer.carrier)) return 'refused'
  const whole = await findShipment(context.database, { merchantId: tenant.merchantId, id })
  // Of what nobody wants any more no order is worth another’s.
  if (whole === undefined || whole.shipment.cancelRequestedAt !== null || isUnwanted(whole.shipment)) return 'refused'
  const { allowed, estimatedFeeKobo } = cancellabilityOf(whole, context.carriers.get(newer.carrier)?.capabilities)
  if (!allowed || (estimatedFeeKobo ?? 0) >= late.priceKobo) return 'refused'
  const outcome = await cancelAtCarrier(command, newer, 'duplicate')
  const isGone = outcome.is === 'refused' && outcome.code === 'not_found'
  if (isGone || (outcome.is === 'ok' && outcome.value.is === 'cancelled')) {
    await swap(command, late.number, newer.number, order, outcome.is === 'ok' ? outcome.value.feeKobo : undefined)
    return 'done'
  }
  return outcome.is === 'refused' || outcome.is === 'invalid' ? 'refused' : 'unsure'
}

type Decision =
  | { readonly is: 'adopted' }
  | { readonly is: 'undecided'; readonly late: StoredAttempt }
  | { readonly is: 'keep_late'; readonly late: StoredAttempt; readonly newer: StoredAttempt }
  | { readonly is: 'keep_newer'; readonly late: StoredAttempt; readonly newer: StoredAttempt | undefined }

/** Notes the order’s name first: from here on it is one that an asking knows. */
function decide(command: ShipmentCommand, number: number, order: CarrierOrder): Promise<Decision | undefined> {
  return changeShipment<Decision>(command, 'shipment.reconcile_late_acceptance', async (work, locked) => {
    const { shipment, attempts } = locked
    const attempt = attempts.find((known) => known.number === number)
    if (attempt === undefined || !isMonitored(attempt)) return undefined
    // Another asking has taken it since it was looked for, and the next look knows of that.
    if (await isCarrierOrderTaken(work.trx, attempt, order.carrierReference)) return undefined
    const newer = liveAttemptOf(locked)
    if (newer === undefined && shipment.status === 'dispatching' && !isEnded(order)) {
      await accept(work, locked, { ...attempt, state: 'unknown' }, order)
      return { is: 'adopted' }
    }
    // Whoever looks next must not call off what is being called off.
    const nextCheckAt = toTimestamp(work.nowMs + lateAcceptanceLeaseMs(command.context.patience))
    const late = { ...attempt, ...toldBy(order, attempt), nextCheckAt }
    if (attempt.carrierReference === null) {
      writeAttempt(work.trx, late)
      await moveShipment(work, shipment, {
        status: null,
        source: 'service',
        description: `${carrierNameOf(attempt.carrier)} had accepted the shipment after all.`,
        attemptNumber: number,
      })
      work.note({
        attempt: [
          { number, carrierReference: null },
          { number, carrierReference: order.carrierReference },
        ],
      })
    } else writeAttempt(work.trx, late)
    if (newer !== undefined && (newer.state === 'sending' || newer.state === 'unknown')) {
      return { is: 'undecided', late }
    }
    if (newer?.state === 'accepted' && isFurther(order, shipment)) return { is: 'keep_late', late, newer }
    return { is: 'keep_newer', late, newer }
  })
}

/** What the carrier says of its order now: its name, what it charges, and whether it is paid after all. */
function toldBy(
  { carrierReference, priceKobo, isUnpaid }: CarrierOrder,
  attempt: StoredAttempt,
): Pick<StoredAttempt, 'carrierReference' | 'priceKobo' | 'outcomeCode'> {
  const isPaid = attempt.outcomeCode === unpaidCode && isUnpaid === false
  return {
    carrierReference,
    priceKobo: priceKobo ?? attempt.priceKobo,
    outcomeCode: isPaid ? lateCode : attempt.outcomeCode,
  }
}

const lateCode = 'late_acceptance'

/** From a carrier’s yes to the door. */
const way: readonly ShipmentStatus[] = [
  'awaiting_courier',
  'courier_assigned',
  'at_pickup',
  'picked_up',
  'in_transit',
  'at_dropoff',
]

/** Whether the order’s rider is nearer to the end than the shipment’s. */
function isFurther({ status }: CarrierOrder, shipment: StoredShipment): boolean {
  return status !== undefined && way.indexOf(status) > way.indexOf(shipment.status)
}

/** The newer order is called off and the late one takes its place. */
async function swap(
  command: ShipmentCommand,
  lateNumber: number,
  newerNumber: number,
  order: CarrierOrder,
  feeKobo: Cancellation['feeKobo'],
): Promise<void> {
  await changeShipment<RecordedOutcome>(command, 'shipment.reconcile_late_acceptance', async (work, locked) => {
    const newer = locked.attempts.find(({ number }) => number === newerNumber)
    const late = locked.attempts.find(({ number }) => number === lateNumber)
    if (newer?.state !== 'accepted' || late === undefined || !isMonitored(late)) return undefined
    const message = `${carrierNameOf(late.carrier)} has a rider already.`
    const back = await release(work, locked, newer, {
      state: 'superseded',
      code: 'duplicate',
      message,
      ...(feeKobo === undefined ? {} : { cancelFeeKobo: feeKobo }),
    })
    // Called off meanwhile: the late order is watched still, and is called off with the next look.
    if (isShipmentOver(back.status)) return { is: 'cancelled' }
    return accept(work, { ...locked, shipment: back }, { ...late, state: 'unknown' }, order)
  })
}

/** Until it is paid for nothing changes, and money comes within hours. */
const standingMs = 3_600_000

/** The late order is gone, or cannot be got rid of, which a person has to know. */
async function endLate(
  command: ShipmentCommand,
  met: StoredAttempt,
  outcome: Outcome<Cancellation> | { readonly is: 'circuit_open' },
): Promise<void> {
  const { number } = met
  const isUnsure = outcome.is === 'unknown' || outcome.is === 'unavailable' || outcome.is === 'circuit_open'
  // Its rider may be on the way while nobody knows.
  if (isUnsure) await reportPossibleDuplicate(command, number)
  // A carrier that only took note of the wish says what became of it when it is asked again.
  if (isUnsure || (outcome.is === 'ok' && outcome.value.is === 'requested')) {
    return postpone(command, met, unsureMs)
  }
  await changeShipment(command, 'shipment.reconcile_late_acceptance', async (work, { shipment, attempts }) => {
    const late = attempts.find((known) => known.number === number)
    if (late === undefined || !isMonitored(late)) return undefined
    const isGone = outcome.is === 'ok' || (outcome.is === 'refused' && outcome.code === 'not_found')
    const isStanding = !isGone && late.outcomeCode === unpaidCode
    const name = carrierNameOf(late.carrier)
    const feeKobo = (outcome.is === 'ok' ? outcome.value.feeKobo : undefined) ?? late.cancelFeeKobo ?? undefined
    writeAttempt(work.trx, {
      ...late,
      resolvedAt: work.now,
      ...(isStanding
        ? { nextCheckAt: toTimestamp(work.nowMs + standingMs) }
        : {
            nextCheckAt: null,
            outcomeCode: lateCode,
            outcomeMessage: isGone
              ? 'It took it after all, and was called off.'
              : 'It took it after all, and keeps it.',
          }),
      ...(isGone
        ? { state: 'late_cancelled', cancelFeeKobo: feeKobo ?? null }
        : // What is never carried costs nothing, and what is not called off has no fee.
          { duplicateCostKobo: isStanding ? noKobo : late.priceKobo, cancelFeeKobo: null }),
    })
    const nothingAccepted = { allowedKobo: undefined, at: work.now }
    const judged = withFeeException(shipment.exceptions, late, isGone ? feeKobo : undefined, nothingAccepted)
    const told = { ...shipment, exceptions: judged }
    const kept = withOrderRetained(told, late, work.now)
    const { shipment: noted } = await moveShipment(
      work,
      shipment,
      {
        status: null,
        source: 'service',
        description: isGone ? `The duplicate order at ${name} was cancelled.` : messageOf(kept.told),
        attemptNumber: number,
      },
      {
        exceptions: isGone ? withOrderGone(told, late, work.now) : kept.exceptions,
        // Of a shipment that was called off before this order was known, it belongs to what that costs.
        ...(isGone && feeKobo !== undefined && shipment.status === 'cancelled'
          ? { cancelFeeKobo: toKobo((shipment.cancelFeeKobo ?? 0) + feeKobo) }
          : {}),
      },
    )
    work.note({
      attempt: [
        { number, state: late.state },
        { number, state: isGone ? 'late_cancelled' : late.state },
      ],
    })
    return noted
  })
}
