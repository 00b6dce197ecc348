import { isUnfetched } from '../../../registry/logistics/shipment-states.ts'
import { toTimestamp } from '../../base/clock.ts'
import { nairaText } from '../../base/naira.ts'
import { noKobo } from '../../commerce/money.ts'
import { postponeAssignDeadline } from '../../store/logistics/shipments/shipment-checks.ts'
import type { ShipmentWithAttempts } from '../../store/logistics/shipments/shipments.ts'
import type { StoredAttempt } from '../../store/tables/shipment.ts'
import type { StoredException } from '../../store/tables/shipment-exception.ts'
import { capabilitiesOf } from '../carriers/capabilities.ts'
import { assignTimeoutMs } from '../dispatch/assign-timeout.ts'
import { cancelAtCarrier } from '../dispatch/cancel-at-carrier.ts'
import { continueDispatch, dispatchLimitMs } from '../dispatch/continue-dispatch.ts'
import { nextOffer } from '../dispatch/next-offer.ts'
import { dismiss, noCarrier } from '../dispatch/release-attempt.ts'
import { monitoringMs } from '../dispatch/resolve-attempt.ts'
import { isUnpaid, unpaidCode } from '../dispatch/unpaid-order.ts'
import { cancellabilityOf } from '../shipments/cancellability.ts'
import { changeShipment, liveAttemptOf, type ShipmentCommand } from '../shipments/change-shipment.ts'
import { messageOf } from '../shipments/exception-message.ts'
import { hasCancelledOrder, orderCancelledReason, withException } from '../shipments/exceptions.ts'
import { moveShipment } from '../shipments/move-shipment.ts'

/**
 * Replaces a carrier that assigned no rider in time. The carrier's order is cancelled first, and the next carrier is
 * requested only after the cancellation is confirmed.
 */
export async function replaceCarrier(
  command: ShipmentCommand,
  whole: ShipmentWithAttempts,
  attempt: StoredAttempt,
): Promise<void> {
  if (nextOffer(whole.shipment, whole.attempts) === undefined) {
    return extendDeadline(command, whole, attempt, { cause: 'no_carrier_left' })
  }
  const { estimatedFeeKobo } = cancellabilityOf(whole, capabilitiesOf(attempt.carrier, command.context.carriers))
  // The merchant accepted no cancellation fee for a replacement, so a carrier that charges a fee is not replaced.
  if (estimatedFeeKobo !== null && estimatedFeeKobo > 0) {
    const refusal = `The cancellation would cost ${nairaText(estimatedFeeKobo)}.`
    return extendDeadline(command, whole, attempt, { cause: 'not_released', facts: { refusal } })
  }
  const outcome = await cancelAtCarrier(command, attempt, 'too_slow')
  const isGone = outcome.is === 'refused' && outcome.code === 'not_found'
  const isConfirmed = outcome.is === 'ok' && outcome.value.is === 'cancelled'
  if (isGone || isConfirmed) {
    const feeKobo = outcome.is === 'ok' ? outcome.value.feeKobo : undefined
    const recorded = await changeShipment(command, 'shipment.replace_carrier', (work, locked) => {
      const current = locked.attempts.find(({ number }) => number === attempt.number)
      if (current?.state !== 'accepted' || locked.shipment.status !== 'awaiting_courier') return undefined
      return dismiss(work, locked, current, {
        state: 'superseded',
        code: 'no_courier_assigned',
        message: 'The carrier assigned no rider in time.',
        ...(feeKobo === undefined ? {} : { cancelFeeKobo: feeKobo }),
      })
    })
    if (recorded?.is === 'next') await continueDispatch(command, command.context.clock.nowMs() + dispatchLimitMs)
    return
  }
  if (outcome.is === 'refused' && !(await abandonUnpaid(command, attempt.number))) {
    await extendDeadline(command, whole, attempt, { cause: 'not_released', facts: { refusal: outcome.message } })
  }
}

/**
 * Abandons an unpaid carrier order after its carrier has rejected the cancellation, if another carrier is available.
 * The service continues to monitor the abandoned order. If the merchant pays it later, a second rider may come, and the
 * merchant must be notified.
 */
async function abandonUnpaid(command: ShipmentCommand, number: number): Promise<boolean> {
  const recorded = await changeShipment(command, 'shipment.replace_carrier', (work, locked) => {
    const { shipment, attempts } = locked
    const current = attempts.find((known) => known.number === number)
    if (current === undefined || !isUnpaid(current) || shipment.status !== 'awaiting_courier') return undefined
    if (nextOffer(shipment, attempts) === undefined) return undefined
    return dismiss(work, locked, current, {
      state: 'abandoned',
      code: unpaidCode,
      message: 'The carrier rejected the cancellation, and suspends the order until the merchant’s account is funded.',
      monitorUntil: toTimestamp(work.nowMs + monitoringMs),
    })
  })
  if (recorded?.is !== 'next') return false
  await continueDispatch(command, command.context.clock.nowMs() + dispatchLimitMs)
  return true
}

/**
 * If a carrier suspends an order until the merchant pays, the rider deadline of the order is extended by at least this
 * time in milliseconds. Merchants pay into their carrier accounts within hours, and the order does not change before
 * the payment.
 */
const unpaidExtensionMs = 3_600_000

/**
 * If the carrier did not cancel its order, extends the deadline by which the carrier must assign a rider. Adds an
 * exception about the late rider to the shipment, unless another exception already explains the wait.
 */
async function extendDeadline(
  command: ShipmentCommand,
  { shipment }: ShipmentWithAttempts,
  attempt: StoredAttempt,
  why: Pick<StoredException, 'cause' | 'facts'>,
) {
  const { database, clock } = command.context
  const usualMs = await assignTimeoutMs(database, shipment, attempt)
  const extensionMs = Math.max(isUnpaid(attempt) ? unpaidExtensionMs : 0, usualMs)
  await postponeAssignDeadline(database, attempt, toTimestamp(clock.nowMs() + extensionMs))
  // The shipment already has an exception that tells the merchant why no rider comes: the order at the carrier is
  // unpaid. A second exception about the late rider is therefore not added.
  if (isUnpaid(attempt)) return
  const { carrier, number: attemptNumber } = attempt
  await changeShipment(command, 'shipment.extend_assignment', (work, { shipment: current, attempts }) => {
    const exception = { code: 'courier_late', ...why, carrier, attemptNumber, at: work.now } as const
    const exceptions = withException(current.exceptions, exception)
    const isWaiting = attempts.some(({ number, state }) => number === attempt.number && state === 'accepted')
    // The event about the late rider is added only once, because repeated events would fill the timeline.
    if (!isWaiting || exceptions === current.exceptions || current.status !== 'awaiting_courier') return undefined
    const update = { status: null, source: 'service', description: messageOf(exception), attemptNumber } as const
    return moveShipment(work, current, update, { exceptions })
  })
}

/**
 * Sets a shipment to `dispatching` after the carrier cancelled its own order. Cancels the shipment instead if the
 * merchant's order was cancelled.
 */
export async function redispatch(command: ShipmentCommand): Promise<void> {
  const moved = await changeShipment(command, 'shipment.redispatch', (work, locked) => {
    const { shipment } = locked
    if (liveAttemptOf(locked) !== undefined || !isUnfetched(locked.shipment.status)) return undefined
    if (hasCancelledOrder(shipment)) {
      const description =
        'The carrier cancelled its order. The merchant’s order is cancelled, so no other carrier is requested.'
      const update = { status: 'cancelled', reason: orderCancelledReason, source: 'service', description } as const
      return moveShipment(work, shipment, update, { cancelFeeKobo: noKobo })
    }
    return moveShipment(
      work,
      shipment,
      {
        status: 'dispatching',
        reason: { code: 'carrier_cancelled', message: 'The carrier cancelled its order.' },
        source: 'service',
        description: 'Another carrier is requested.',
      },
      {
        ...noCarrier,
        nextCheckAt: work.now,
        checks: 0,
      },
    )
  })
  if (moved !== undefined) await continueDispatch(command, command.context.clock.nowMs() + dispatchLimitMs)
}
