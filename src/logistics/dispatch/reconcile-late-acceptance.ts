import { isShipmentOver, type ShipmentStatus } from '../../../registry/logistics/shipment-states.ts'
import { toTimestamp } from '../../base/clock.ts'
import { noKobo, toKobo } from '../../commerce/money.ts'
import { reportRefundedGoods } from '../../commerce/orders/refunded-goods.ts'
import type { Cancellation, CarrierOrder, Outcome } from '../../partners/carriers/carrier.ts'
import { postponeAttemptCheck } from '../../store/logistics/shipments/shipment-checks.ts'
import { findShipment, isCarrierOrderTaken, writeAttempt } from '../../store/logistics/shipments/shipments.ts'
import { lockOrder } from '../../store/orders/order-writes.ts'
import type { StoredAttempt, StoredShipment } from '../../store/tables/shipment.ts'
import { carrierNameOf, isCarrierCode } from '../carriers/carrier-names.ts'
import { cancellabilityOf } from '../shipments/cancellability.ts'
import { withFeeException } from '../shipments/cancellation-fee.ts'
import { changeShipment, liveAttemptOf, type ShipmentCommand } from '../shipments/change-shipment.ts'
import { messageOf } from '../shipments/exception-message.ts'
import { hasCancelledOrder, withOrderGone, withOrderRetained } from '../shipments/exceptions.ts'
import { lateAcceptanceLeaseMs } from '../shipments/leases.ts'
import { moveShipment } from '../shipments/move-shipment.ts'
import type { ShipmentWork } from '../shipments/shipment-work.ts'
import { cancelAtCarrier } from './cancel-at-carrier.ts'
import { isMonitored, startedAttemptCheckOf } from './monitored-attempt.ts'
import { accept, type RecordedOutcome } from './record-outcome.ts'
import { release } from './release-attempt.ts'
import { reportPossibleDuplicate } from './report-possible-duplicate.ts'
import { excessFeeOf, retainLateAcceptance } from './retain-late-acceptance.ts'
import { unpaidCode } from './unpaid-order.ts'

/**
 * A carrier may accept an attempt after this service abandoned it, if the carrier's records lag. To avoid two riders
 * for one parcel, the order that is further along continues. The other order is cancelled at once and at any fee,
 * because two riders cost more. If the shipment was cancelled and has only one order, the service cancels this order
 * unless the cancellation fee is too high. The *late* attempt is the abandoned attempt with an order. The *newer*
 * attempt is the live attempt of the shipment.
 */

/**
 * Delay until the next check while the outcome of the newer of two attempts is unknown. Until the outcome is known, the
 * service cannot decide which of the two orders to retain.
 */
const newerUnknownMs = 10_000

/** Delay until the next check while the outcome of an order's cancellation at the carrier is unknown. */
const cancellationUnknownMs = 60_000

export async function reconcileLateAcceptance(
  command: ShipmentCommand,
  number: number,
  order: CarrierOrder,
): Promise<void> {
  const decided = await decideOrderToKeep(command, number, order)
  if (decided === undefined || decided.is === 'adopted') return
  const { late } = decided
  if (decided.is === 'undecided') return postpone(command, late, newerUnknownMs)
  const { newer } = decided
  // A duplicate carrier order is cancelled regardless of the cancellation fee, because two riders for one parcel cost
  // more.
  const excess = newer === undefined && !isEnded(order) ? await excessFeeOf(command, late, order) : undefined
  if (excess !== undefined) return retainLateAcceptance(command, number, excess)
  const replaced = decided.is === 'keep_late' ? await replaceNewer(command, late, newer, order) : 'refused'
  if (replaced === 'done') return
  // It is unknown whether the carrier has cancelled the order of the newer attempt. The order of the late acceptance is
  // therefore not cancelled yet: otherwise, the shipment could have no rider.
  if (replaced === 'unknown') return postpone(command, late, cancellationUnknownMs)
  const outcome = isEnded(order) ? ended : await cancelAtCarrier(command, late, 'duplicate')
  // If the carrier rejects the cancellation of the late acceptance, two carrier orders remain for one parcel, which is
  // a duplicate. An unpaid late acceptance is no duplicate, because the carrier sends no rider for an unpaid order.
  const isPaid = late.outcomeCode !== unpaidCode
  const isRetained = isPaid && decided.is === 'keep_newer' && outcome.is === 'refused' && outcome.code !== 'not_found'
  const replacedAfterRefusal = isRetained ? await replaceNewer(command, late, newer, order) : 'refused'
  if (replacedAfterRefusal === 'done') return
  if (replacedAfterRefusal === 'unknown') return postpone(command, late, cancellationUnknownMs)
  await recordLateEnd(command, late, outcome)
}

/**
 * Whether the carrier reports that the order has ended as cancelled or failed. A carrier may first only acknowledge a
 * cancellation, and report the end of the order later.
 */
function isEnded({ status }: CarrierOrder): boolean {
  return status === 'cancelled' || status === 'failed'
}

const ended = { is: 'ok', value: { is: 'cancelled', feeKobo: undefined, refundKobo: undefined } } as const

function postpone({ context: { database, clock } }: ShipmentCommand, late: StoredAttempt, ms: number): Promise<void> {
  return postponeAttemptCheck(database, startedAttemptCheckOf(late), toTimestamp(clock.nowMs() + ms))
}

/**
 * Cancels the order of the newer attempt if the cancellation costs less than a second rider, and then accepts the order
 * of the late attempt. Returns `unknown` if it is unknown whether the carrier cancelled the newer order.
 */
async function replaceNewer(
  command: ShipmentCommand,
  late: StoredAttempt,
  newer: StoredAttempt | undefined,
  order: CarrierOrder,
): Promise<'done' | 'refused' | 'unknown'> {
  const { context, tenant, id } = command
  if (newer?.state !== 'accepted' || !isCarrierCode(newer.carrier)) return 'refused'
  const whole = await findShipment(context.database, { merchantId: tenant.merchantId, id })
  // For a cancelled shipment, the order of the newer attempt is not exchanged for the late-accepted order, because the
  // shipment needs neither of them.
  if (whole === undefined || whole.shipment.cancelRequestedAt !== null || hasCancelledOrder(whole.shipment))
    return 'refused'
  const { allowed, estimatedFeeKobo } = cancellabilityOf(whole, context.carriers.get(newer.carrier)?.capabilities)
  if (!allowed || (estimatedFeeKobo ?? 0) >= late.priceKobo) return 'refused'
  const outcome = await cancelAtCarrier(command, newer, 'duplicate')
  const isGone = outcome.is === 'refused' && outcome.code === 'not_found'
  if (isGone || (outcome.is === 'ok' && outcome.value.is === 'cancelled')) {
    await replaceWithLate(
      command,
      late.number,
      newer.number,
      order,
      outcome.is === 'ok' ? outcome.value.feeKobo : undefined,
    )
    return 'done'
  }
  return outcome.is === 'refused' || outcome.is === 'invalid' ? 'refused' : 'unknown'
}

type Decision =
  | { readonly is: 'adopted' }
  | { readonly is: 'undecided'; readonly late: StoredAttempt }
  | { readonly is: 'keep_late'; readonly late: StoredAttempt; readonly newer: StoredAttempt }
  | { readonly is: 'keep_newer'; readonly late: StoredAttempt; readonly newer: StoredAttempt | undefined }

/**
 * First stores the carrier's order reference with the late attempt, so that no other attempt can claim the order. Then
 * decides which order to retain. Returns undefined if the late attempt is not monitored any more, or if the order
 * belongs to another attempt.
 */
function decideOrderToKeep(
  command: ShipmentCommand,
  number: number,
  order: CarrierOrder,
): Promise<Decision | undefined> {
  return changeShipment<Decision>(command, 'shipment.reconcile_late_acceptance', async (work, locked) => {
    const { shipment, attempts } = locked
    const attempt = attempts.find((known) => known.number === number)
    if (attempt === undefined || !isMonitored(attempt)) return undefined
    // Since the lookup at the carrier, the found order has been assigned to another attempt. The next check therefore
    // excludes this order.
    if (await isCarrierOrderTaken(work.trx, attempt, order.carrierReference)) return undefined
    const newer = liveAttemptOf(locked)
    if (newer === undefined && shipment.status === 'dispatching' && !isEnded(order)) {
      await accept(work, locked, { ...attempt, state: 'unknown' }, order)
      // Units that were refunded while no carrier had the shipment have caused no exception so far. Now a carrier has
      // the shipment, so the exceptions about these units are added.
      if (shipment.orderId !== null) {
        await lockOrder(work.trx, work.merchantId, shipment.orderId)
        await reportRefundedGoods(work, shipment.orderId)
      }
      return { is: 'adopted' }
    }
    // The check of the attempt is leased to this process, so that no concurrent check repeats the cancellation.
    const nextCheckAt = toTimestamp(work.nowMs + lateAcceptanceLeaseMs(command.context.timeouts))
    const late = { ...attempt, ...reportedBy(order, attempt), nextCheckAt }
    if (attempt.carrierReference === null) {
      writeAttempt(work.trx, late)
      await moveShipment(work, shipment, {
        status: null,
        source: 'service',
        description: `${carrierNameOf(attempt.carrier)} accepted the shipment late.`,
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

/** The outcome code changes once an unpaid order is paid. */
function reportedBy(
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

/** Shipment statuses from the carrier's acceptance to the dropoff, in order. */
const progress: readonly ShipmentStatus[] = [
  'awaiting_courier',
  'courier_assigned',
  'at_pickup',
  'picked_up',
  'in_transit',
  'at_dropoff',
]

/** Whether the status of a late-accepted carrier order is later than the status of the shipment. */
function isFurther({ status }: CarrierOrder, shipment: StoredShipment): boolean {
  return status !== undefined && progress.indexOf(status) > progress.indexOf(shipment.status)
}

/**
 * Ends the newer attempt as superseded, because its order was cancelled. Accepts the order of the late-accepted
 * attempt.
 */
async function replaceWithLate(
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
    const message = `${carrierNameOf(late.carrier)} has already assigned a rider.`
    const released = await release(work, locked, newer, {
      state: 'superseded',
      code: 'duplicate',
      message,
      ...(feeKobo === undefined ? {} : { cancelFeeKobo: feeKobo }),
    })
    // If a cancellation of the shipment had already been requested, release() has cancelled the shipment. The next
    // check of the late-accepted attempt then cancels the carrier's order.
    if (isShipmentOver(released.status)) return { is: 'cancelled' }
    return accept(work, { ...locked, shipment: released }, { ...late, state: 'unknown' }, order)
  })
}

function cancelledLate(work: ShipmentWork, late: StoredAttempt, feeKobo: Cancellation['feeKobo']): StoredAttempt {
  return {
    ...late,
    state: 'late_cancelled',
    resolvedAt: work.now,
    nextCheckAt: null,
    outcomeCode: lateCode,
    outcomeMessage: 'The carrier accepted the shipment late, and the order was cancelled.',
    cancelFeeKobo: feeKobo ?? null,
  }
}

/**
 * Returns the new values of a late-accepted dispatch attempt whose order the carrier did not cancel. If the carrier
 * suspends the order until the merchant funds the carrier account, the order costs nothing yet, and the attempt is
 * checked again later.
 */
function retainedLate(work: ShipmentWork, late: StoredAttempt): StoredAttempt {
  const retained = { ...late, resolvedAt: work.now, cancelFeeKobo: null }
  if (late.outcomeCode === unpaidCode) {
    return { ...retained, nextCheckAt: toTimestamp(work.nowMs + unpaidCheckMs), duplicateCostKobo: noKobo }
  }
  return {
    ...retained,
    nextCheckAt: null,
    outcomeCode: lateCode,
    outcomeMessage: 'The carrier accepted the shipment late, and rejected the cancellation.',
    duplicateCostKobo: late.priceKobo,
  }
}

/**
 * Interval of the checks of a carrier order that waits for its payment. Merchants pay into their carrier accounts
 * within hours, and the order does not change before such a payment.
 */
const unpaidCheckMs = 3_600_000

/** Adds an exception if the carrier did not cancel the order of the late-accepted attempt. */
async function recordLateEnd(
  command: ShipmentCommand,
  attempt: StoredAttempt,
  outcome: Outcome<Cancellation> | { readonly is: 'circuit_open' },
): Promise<void> {
  const { number } = attempt
  const isUnknown = outcome.is === 'unknown' || outcome.is === 'unavailable' || outcome.is === 'circuit_open'
  // While the outcome of the cancellation is unknown, a second rider may be on the way.
  if (isUnknown) await reportPossibleDuplicate(command, number)
  // If the carrier only acknowledged the cancellation, a later check verifies that it took effect.
  if (isUnknown || (outcome.is === 'ok' && outcome.value.is === 'requested')) {
    return postpone(command, attempt, cancellationUnknownMs)
  }
  await changeShipment(command, 'shipment.reconcile_late_acceptance', async (work, { shipment, attempts }) => {
    const late = attempts.find((known) => known.number === number)
    if (late === undefined || !isMonitored(late)) return undefined
    const isGone = outcome.is === 'ok' || (outcome.is === 'refused' && outcome.code === 'not_found')
    const name = carrierNameOf(late.carrier)
    const feeKobo = (outcome.is === 'ok' ? outcome.value.feeKobo : undefined) ?? late.cancelFeeKobo ?? undefined
    writeAttempt(work.trx, isGone ? cancelledLate(work, late, feeKobo) : retainedLate(work, late))
    const allowedKobo = shipment.status === 'cancelled' ? (shipment.cancelMaxFeeKobo ?? undefined) : undefined
    const accepted = { allowedKobo, at: work.now }
    const withFee = withFeeException(shipment.exceptions, late, isGone ? feeKobo : undefined, accepted)
    const current = { ...shipment, exceptions: withFee }
    const retained = withOrderRetained(current, late, work.now)
    const { shipment: updated } = await moveShipment(
      work,
      shipment,
      {
        status: null,
        source: 'service',
        description: isGone ? `The duplicate order at ${name} was cancelled.` : messageOf(retained.exception),
        attemptNumber: number,
      },
      {
        exceptions: isGone ? withOrderGone(current, late, work.now) : retained.exceptions,
        // The shipment was already cancelled when the service found this order at the carrier. The cancellation fee of
        // this order is therefore added to the cancellation fee of the shipment.
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
    return updated
  })
}
