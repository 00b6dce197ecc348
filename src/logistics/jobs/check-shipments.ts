import { handedOverStatuses, isUnfetched } from '../../../registry/logistics/shipment-states.ts'
import { toMs, toTimestamp } from '../../base/clock.ts'
import { getTenant } from '../../store/access/merchants.ts'
import {
  openAttemptClaims,
  openShipmentClaims,
  postponeShipmentCheck,
  type StartedCheck,
} from '../../store/logistics/shipments/shipment-checks.ts'
import { findShipment, type ShipmentKey, type ShipmentWithAttempts } from '../../store/logistics/shipments/shipments.ts'
import { isOrderOnHold } from '../../store/orders/order-shipments.ts'
import type { StoredAttempt, StoredShipment } from '../../store/tables/shipment.ts'
import { finishCancel } from '../cancellation/cancel-shipment.ts'
import { capabilitiesOf } from '../carriers/capabilities.ts'
import type { LogisticsContext } from '../carriers/context.ts'
import { checkAbandonedAttempt } from '../dispatch/check-abandoned-attempt.ts'
import { continueDispatch, dispatchLimitMs } from '../dispatch/continue-dispatch.ts'
import { isCancelledAtCarrier } from '../dispatch/monitored-attempt.ts'
import { resolveAttempt } from '../dispatch/resolve-attempt.ts'
import { isUnpaid } from '../dispatch/unpaid-order.ts'
import { startScheduled } from '../schedule/start-scheduled.ts'
import { dispatcher, liveAttemptOf, type ShipmentCommand } from '../shipments/change-shipment.ts'
import { endCancelled, isCancelledByOrder } from '../shipments/end-cancelled.ts'
import { requestEndMs } from '../shipments/leases.ts'
import { checkCancelledAttempt } from '../tracking/check-cancelled-attempt.ts'
import { pollShipment } from '../tracking/poll-shipment.ts'
import { redispatch, replaceCarrier } from './replace-carrier.ts'

/**
 * Checks shipments that are due for a check. The stored state alone determines the next step, so that any process can
 * continue:
 *
 * - `scheduled`: the service requests offers from the carriers, and then a rider from one of them.
 * - `dispatching`: the service determines the outcome of an attempt if it is unknown, or requests the next carrier.
 *   While the order is on hold, no carrier is requested.
 * - `awaiting_courier`, `courier_assigned`, `at_pickup`: the carrier is polled. If no rider is assigned by the
 *   deadline, the next carrier is requested.
 * - `picked_up` to `returning`: the carrier is polled.
 * - `cancelling`: the cancellation is requested from the carrier.
 */

/** Maximum number of concurrent shipment checks: enough to use the carriers' capacity without flooding them. */
const concurrencyMax = 40

/**
 * Checks due shipments of all merchants until none is due. The next check is claimed as soon as a check ends, so that a
 * carrier that does not respond delays only its own shipments. Returns the number of checks.
 */
export async function checkDueShipments(context: LogisticsContext, stopping?: AbortSignal): Promise<number> {
  const running = new Set<Promise<void>>()
  const claimChecks = openCheckClaims(context)
  let count = 0
  while (stopping?.aborted !== true) {
    const claimed = await claimChecks(concurrencyMax - running.size)
    for (const check of claimed) {
      const promise: Promise<void> = check().finally(() => running.delete(promise))
      running.add(promise)
    }
    count += claimed.length
    if (claimed.length === 0 && running.size === 0) return count
    if (claimed.length === 0 || running.size >= concurrencyMax) await Promise.race(running)
  }
  await Promise.all(running)
  return count
}

/** Checks of shipments come before checks of ended dispatch attempts. */
function openCheckClaims(context: LogisticsContext): (limit: number) => Promise<readonly (() => Promise<void>)[]> {
  const claimShipments = openShipmentClaims(context.database)
  const claimAttempts = openAttemptClaims(context.database)
  return async (limit) => {
    const now = toTimestamp(context.clock.nowMs())
    const shipments = await claimShipments({ now, limit })
    const attempts = await claimAttempts({ now, limit: limit - shipments.length })
    return [
      ...shipments.map((key) => () => runCheck(context, key, (command) => checkShipment(command))),
      ...attempts.map((key) => () => runCheck(context, key, (command) => checkAttempt(command, key.number))),
    ]
  }
}

/** A failed check is logged, and repeated when its claim expires; other checks continue. */
async function runCheck(
  context: LogisticsContext,
  key: ShipmentKey,
  run: (command: ShipmentCommand) => Promise<void>,
): Promise<void> {
  try {
    const tenant = await getTenant(context.database, key.merchantId)
    await run({ context, tenant, actor: dispatcher, id: key.id })
  } catch (error) {
    context.log.error(
      { err: error, merchantId: key.merchantId, shipmentId: key.id },
      'A shipment could not be checked.',
    )
  }
}

/** An ended dispatch attempt is checked according to its state. */
async function checkAttempt(command: ShipmentCommand, number: number): Promise<void> {
  const { context, tenant, id } = command
  const whole = await findShipment(context.database, { merchantId: tenant.merchantId, id })
  const attempt = whole?.attempts.find((known) => known.number === number)
  if (attempt === undefined) return
  await (isCancelledAtCarrier(attempt) ? checkCancelledAttempt : checkAbandonedAttempt)(command, number)
}

export async function checkShipment(command: ShipmentCommand): Promise<void> {
  const { context, tenant, id } = command
  const key = { merchantId: tenant.merchantId, id }
  const whole = await findShipment(context.database, key)
  if (whole === undefined) return
  const { shipment } = whole
  if (isCancelledByOrder(shipment)) return endCancelled(command)
  switch (shipment.status) {
    case 'scheduled':
      return startScheduled(command, whole)
    case 'dispatching':
      await continueDispatch(command, context.clock.nowMs() + dispatchLimitMs)
      return waitForRequest(command)
    case 'cancelling':
      return checkCancelling(command, whole)
    case 'awaiting_courier':
    case 'courier_assigned':
    case 'at_pickup':
      return checkBeforePickup(command, whole)
    case 'delivered':
    case 'returned':
    case 'cancelled':
    case 'failed':
    case 'lost':
      return postponeShipmentCheck(context.database, startedCheckOf(shipment), null)
    default:
      return poll(command, whole)
  }
}

async function poll({ context, tenant }: ShipmentCommand, { shipment }: ShipmentWithAttempts): Promise<void> {
  const key = { merchantId: tenant.merchantId, id: shipment.id }
  const polled = await pollShipment(context, tenant, key)
  if (polled.is === 'order_missing')
    context.log.warn(
      { merchantId: key.merchantId, shipmentId: key.id },
      'A carrier no longer finds the order of a shipment.',
    )
  await postponeShipmentCheck(context.database, startedCheckOf(shipment), polled.nextCheckAt)
}

function startedCheckOf({ merchantId, id, nextCheckAt: seenCheckAt }: StoredShipment): StartedCheck {
  return { merchantId, id, seenCheckAt }
}

/**
 * Postpones the check of a shipment while another process waits for the carrier's response to a dispatch request. The
 * check becomes due at the time by which this request must have ended.
 */
async function waitForRequest({ context, tenant, id }: ShipmentCommand): Promise<void> {
  const key = { merchantId: tenant.merchantId, id }
  const whole = await findShipment(context.database, key)
  const live = whole && liveAttemptOf(whole)
  if (whole?.shipment.status !== 'dispatching' || live?.state !== 'sending') return
  await postponeShipmentCheck(
    context.database,
    startedCheckOf(whole.shipment),
    toTimestamp(requestEndMs(live, context.timeouts)),
  )
}

async function checkCancelling(command: ShipmentCommand, whole: ShipmentWithAttempts): Promise<void> {
  const live = liveAttemptOf(whole)
  if (live?.state === 'unknown' || live?.state === 'sending') {
    const recorded = await resolveAttempt(command, whole.shipment, live)
    if (recorded.is !== 'to_be_cancelled') return
  }
  await finishCancel(command)
  // If the carrier has only acknowledged the cancellation, a poll verifies whether the cancellation has taken effect.
  const after = await findShipment(command.context.database, { merchantId: command.tenant.merchantId, id: command.id })
  if (after?.shipment.status === 'cancelling') await poll(command, after)
}

async function checkBeforePickup(command: ShipmentCommand, whole: ShipmentWithAttempts): Promise<void> {
  const live = liveAttemptOf(whole)
  // The carrier has cancelled the order that it had accepted, so the next carrier is requested.
  if (live === undefined) return redispatch(command)
  await poll(command, whole)
  const after = await findShipment(command.context.database, { merchantId: command.tenant.merchantId, id: command.id })
  if (after === undefined || handedOverStatuses.includes(after.shipment.status)) return
  const now = liveAttemptOf(after)
  if (now === undefined && isUnfetched(after.shipment.status)) return redispatch(command)
  if (now?.state !== 'accepted' || after.shipment.status !== 'awaiting_courier') return
  const { assignDeadline } = now
  if (assignDeadline === null || toMs(assignDeadline) > command.context.clock.nowMs()) return
  // If a carrier never reports riders, the deadline for assigning a rider does not apply to it. A late pickup is
  // recorded separately.
  if (!isUnpaid(now) && !namesCouriers(command, now)) return
  // While the merchant's order is on hold, no other carrier may be requested.
  if (await isOrderOnHold(command.context.database, after.shipment)) return
  await replaceCarrier(command, after, now)
}

function namesCouriers({ context }: ShipmentCommand, { carrier }: StoredAttempt): boolean {
  return capabilitiesOf(carrier, context.carriers)?.namesCouriers !== false
}
