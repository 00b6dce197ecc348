import { isUnfetched } from '../../../registry/logistics/shipment-states.ts'
import { toTimestamp } from '../../base/clock.ts'
import { noKobo } from '../../commerce/money.ts'
import { postponeAssignDeadline } from '../../store/logistics/shipments/shipment-checks.ts'
import type { ShipmentWithAttempts } from '../../store/logistics/shipments/shipments.ts'
import type { StoredAttempt, StoredException } from '../../store/tables/shipment.ts'
import { assignTimeoutMs } from '../dispatch/assign-timeout.ts'
import { cancelAtCarrier } from '../dispatch/cancel-at-carrier.ts'
import { continueDispatch, dispatchPatienceMs } from '../dispatch/continue-dispatch.ts'
import { nextOffer } from '../dispatch/next-offer.ts'
import { dismiss, withoutCarrier } from '../dispatch/record-outcome.ts'
import { monitoringMs } from '../dispatch/resolve-attempt.ts'
import { isUnpaid, unpaidCode } from '../dispatch/unpaid-order.ts'
import { changeShipment, liveAttemptOf, type ShipmentCommand } from '../shipments/change-shipment.ts'
import { messageOf } from '../shipments/exception-message.ts'
import { isUnwanted, unwantedReason, withException } from '../shipments/exceptions.ts'
import { moveShipment } from '../shipments/move-shipment.ts'

/** Another carrier for a shipment whose carrier sends nobody, or gave it back (design, logistics 3.6). */

/** Nobody comes: the order is called off first, and only when its carrier has confirmed that is another one asked. */
export async function replaceCarrier(
  command: ShipmentCommand,
  whole: ShipmentWithAttempts,
  attempt: StoredAttempt,
): Promise<void> {
  if (nextOffer(whole.shipment, whole.attempts) === undefined) {
    return waitLonger(command, whole, attempt, { cause: 'nobody_left' })
  }
  const outcome = await cancelAtCarrier(command, attempt, 'too_slow')
  const isGone = outcome.is === 'refused' && outcome.code === 'not_found'
  const isConfirmed = outcome.is === 'ok' && outcome.value.is === 'cancelled'
  if (isGone || isConfirmed) {
    const feeKobo = outcome.is === 'ok' ? outcome.value.feeKobo : undefined
    const settled = await changeShipment(command, 'shipment.replace_carrier', (work, locked) => {
      const current = locked.attempts.find(({ number }) => number === attempt.number)
      if (current?.state !== 'accepted' || locked.shipment.status !== 'awaiting_courier') return undefined
      return dismiss(work, locked, current, {
        state: 'superseded',
        code: 'no_courier_assigned',
        message: 'The carrier assigned no rider in time.',
        ...(feeKobo === undefined ? {} : { cancelFeeKobo: feeKobo }),
      })
    })
    if (settled?.is === 'next') await continueDispatch(command, command.context.clock.nowMs() + dispatchPatienceMs)
    return
  }
  if (outcome.is === 'refused' && !(await leaveUnpaid(command, attempt.number))) {
    await waitLonger(command, whole, attempt, { cause: 'not_released', facts: { refusal: outcome.message } })
  }
}

/**
 * An order that stands still for want of money is left behind though its carrier does not let go of it, if there is
 * somebody else to ask. It is watched: once it is paid for there are two, and the merchant has to know.
 */
async function leaveUnpaid(command: ShipmentCommand, number: number): Promise<boolean> {
  const settled = await changeShipment(command, 'shipment.replace_carrier', (work, locked) => {
    const { shipment, attempts } = locked
    const current = attempts.find((known) => known.number === number)
    if (current === undefined || !isUnpaid(current) || shipment.status !== 'awaiting_courier') return undefined
    if (nextOffer(shipment, attempts) === undefined) return undefined
    return dismiss(work, locked, current, {
      state: 'abandoned',
      code: unpaidCode,
      message: 'The carrier waits for the funding of its account, and rejected the cancellation.',
      monitorUntil: toTimestamp(work.nowMs + monitoringMs),
    })
  })
  if (settled?.is !== 'next') return false
  await continueDispatch(command, command.context.clock.nowMs() + dispatchPatienceMs)
  return true
}

/** Money comes within hours, and until then nothing changes. */
const unpaidAgainMs = 3_600_000

/** A carrier that does not let go has it still, and gets as long again; whoever runs the shop may do more than wait. */
async function waitLonger(
  command: ShipmentCommand,
  { shipment }: ShipmentWithAttempts,
  attempt: StoredAttempt,
  why: Pick<StoredException, 'cause' | 'facts'>,
) {
  const { database, clock } = command.context
  const usualMs = await assignTimeoutMs(database, shipment, attempt)
  const againMs = Math.max(isUnpaid(attempt) ? unpaidAgainMs : 0, usualMs)
  await postponeAssignDeadline(database, attempt, toTimestamp(clock.nowMs() + againMs))
  // That it waits for money is told already, and is why.
  if (isUnpaid(attempt)) return
  const { carrier, number: attemptNumber } = attempt
  await changeShipment(command, 'shipment.extend_assignment', (work, { shipment: current, attempts }) => {
    const exception = { code: 'courier_late', ...why, carrier, attemptNumber, at: work.now } as const
    const exceptions = withException(current.exceptions, exception)
    const isWaiting = attempts.some(({ number, state }) => number === attempt.number && state === 'accepted')
    // What is told each time would fill the timeline.
    if (!isWaiting || exceptions === current.exceptions || current.status !== 'awaiting_courier') return undefined
    const news = { status: null, source: 'service', description: messageOf(exception), attemptNumber } as const
    return moveShipment(work, current, news, { exceptions })
  })
}

/** Its carrier has given it back, so that another is to be asked. */
export async function redispatch(command: ShipmentCommand): Promise<void> {
  const moved = await changeShipment(command, 'shipment.redispatch', (work, locked) => {
    const { shipment } = locked
    if (liveAttemptOf(locked) !== undefined || !isUnfetched(locked.shipment.status)) return undefined
    if (isUnwanted(shipment)) {
      const description = 'The carrier gave it back, and its order was cancelled.'
      const news = { status: 'cancelled', reason: unwantedReason, source: 'service', description } as const
      return moveShipment(work, shipment, news, { cancelFeeKobo: noKobo })
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
        ...withoutCarrier,
        nextCheckAt: work.now,
        checks: 0,
      },
    )
  })
  if (moved !== undefined) await continueDispatch(command, command.context.clock.nowMs() + dispatchPatienceMs)
}
