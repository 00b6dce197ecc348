import { handedOverStatuses, isUnfetched } from '../../../registry/logistics/shipment-states.ts'
import { toMs, toTimestamp } from '../../base/clock.ts'
import { findMerchant } from '../../store/access/merchants.ts'
import {
  claimDueAttempts,
  claimDueShipments,
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
import { continueDispatch, dispatchPatienceMs } from '../dispatch/continue-dispatch.ts'
import { resolveAttempt } from '../dispatch/resolve-attempt.ts'
import { isUnpaid } from '../dispatch/unpaid-order.ts'
import { startScheduled } from '../schedule/start-scheduled.ts'
import { dispatcher, liveAttemptOf, type ShipmentCommand } from '../shipments/change-shipment.ts'
import { endCancelled, isCancelledByOrder } from '../shipments/end-cancelled.ts'
import { requestEndMs } from '../shipments/leases.ts'
import { pollShipment } from '../tracking/poll-shipment.ts'
import { redispatch, replaceCarrier } from './replace-carrier.ts'

/**
 * What has to be done about a shipment when its time has come, whoever left off where. The rows say all that it takes:
 *
 *   scheduled ─── its carriers are asked for offers, then for a rider
 *   dispatching ─── an unknown asking is resolved, or the next carrier asked
 *     while the order is on hold, no carrier is asked for either
 *   awaiting_courier, courier_assigned, at_pickup ─── asked after; without a rider in time, the next carrier
 *   picked_up … returning ─── asked after
 *   cancelling ─── the carrier is asked to let go
 */

/** So many under way keep carriers busy without a flood. */
const underWayMax = 40

/**
 * Looks at what is due, of any merchant, until nothing is. As soon as one look has ended the next is claimed, so that a
 * carrier that does not answer delays its own shipments only. Returns how many looks there were.
 */
export async function checkDueShipments(context: LogisticsContext, stopping?: AbortSignal): Promise<number> {
  const underWay = new Set<Promise<void>>()
  let count = 0
  while (stopping?.aborted !== true) {
    const claimed = await claimLooks(context, underWayMax - underWay.size)
    for (const look of claimed) {
      const running: Promise<void> = look().finally(() => underWay.delete(running))
      underWay.add(running)
    }
    count += claimed.length
    if (claimed.length === 0 && underWay.size === 0) return count
    if (claimed.length === 0 || underWay.size >= underWayMax) await Promise.race(underWay)
  }
  await Promise.all(underWay)
  return count
}

/** Shipments before attempts that were given up: what customers wait for comes first. */
async function claimLooks(context: LogisticsContext, limit: number): Promise<readonly (() => Promise<void>)[]> {
  const now = toTimestamp(context.clock.nowMs())
  const shipments = await claimDueShipments(context.database, { now, limit })
  const left = limit - shipments.length
  const watches = left > 0 ? await claimDueAttempts(context.database, { now, limit: left }) : []
  return [
    ...shipments.map((key) => () => guarded(context, key, (command) => checkShipment(command))),
    ...watches.map((key) => () => guarded(context, key, (command) => checkAbandonedAttempt(command, key.number))),
  ]
}

/** One that fails, for a reason of our own, is taken up again when its claim runs out; the others go on. */
async function guarded(
  context: LogisticsContext,
  key: ShipmentKey,
  run: (command: ShipmentCommand) => Promise<void>,
): Promise<void> {
  try {
    const merchant = await findMerchant(context.database, key.merchantId)
    if (merchant === undefined) throw new Error(`Merchant ${key.merchantId} is gone.`)
    const tenant = { merchantId: key.merchantId, mode: merchant.mode }
    await run({ context, tenant, actor: dispatcher, id: key.id })
  } catch (error) {
    context.log.error({ err: error, shipmentId: key.id }, 'A shipment could not be looked at.')
  }
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
      return startScheduled(command, shipment)
    case 'dispatching':
      await continueDispatch(command, context.clock.nowMs() + dispatchPatienceMs)
      return keepLooking(command)
    case 'cancelling':
      return lookAtCancelled(command, whole)
    case 'awaiting_courier':
    case 'courier_assigned':
    case 'at_pickup':
      return lookBeforePickup(command, whole)
    case 'delivered':
    case 'returned':
    case 'cancelled':
    case 'failed':
    case 'lost':
      return postponeShipmentCheck(context.database, begunLook(shipment), null)
    default:
      return ask(command, whole)
  }
}

/** Asks the carrier where it is; how soon again depends on that. */
async function ask({ context, tenant }: ShipmentCommand, { shipment }: ShipmentWithAttempts): Promise<void> {
  const key = { merchantId: tenant.merchantId, id: shipment.id }
  const polled = await pollShipment(context, tenant, key)
  if (polled.is === 'order_missing') context.log.warn({ shipmentId: key.id }, 'A carrier does not know its own order.')
  await postponeShipmentCheck(context.database, begunLook(shipment), polled.nextCheckAt)
}

function begunLook({ merchantId, id, nextCheckAt: seenCheckAt }: StoredShipment): StartedCheck {
  return { merchantId, id, seenCheckAt }
}

/** While an asking is under way nothing is left to do until it should have ended. */
async function keepLooking({ context, tenant, id }: ShipmentCommand): Promise<void> {
  const key = { merchantId: tenant.merchantId, id }
  const whole = await findShipment(context.database, key)
  const live = whole && liveAttemptOf(whole)
  if (whole?.shipment.status !== 'dispatching' || live?.state !== 'sending') return
  await postponeShipmentCheck(
    context.database,
    begunLook(whole.shipment),
    toTimestamp(requestEndMs(live, context.patience)),
  )
}

async function lookAtCancelled(command: ShipmentCommand, whole: ShipmentWithAttempts): Promise<void> {
  const live = liveAttemptOf(whole)
  if (live?.state === 'unknown' || live?.state === 'sending') {
    const settled = await resolveAttempt(command, whole.shipment, live)
    if (settled.is !== 'to_be_cancelled') return
  }
  await finishCancel(command)
  // A carrier that only took note of the wish says what became of it when it is asked.
  const after = await findShipment(command.context.database, { merchantId: command.tenant.merchantId, id: command.id })
  if (after?.shipment.status === 'cancelling') await ask(command, after)
}

async function lookBeforePickup(command: ShipmentCommand, whole: ShipmentWithAttempts): Promise<void> {
  const live = liveAttemptOf(whole)
  // Its carrier gave it back.
  if (live === undefined) return redispatch(command)
  await ask(command, whole)
  const after = await findShipment(command.context.database, { merchantId: command.tenant.merchantId, id: command.id })
  if (after === undefined || handedOverStatuses.includes(after.shipment.status)) return
  const now = liveAttemptOf(after)
  if (now === undefined && isUnfetched(after.shipment.status)) return redispatch(command)
  if (now?.state !== 'accepted' || after.shipment.status !== 'awaiting_courier') return
  const { assignDeadline } = now
  if (assignDeadline === null || toMs(assignDeadline) > command.context.clock.nowMs()) return
  // Of a carrier that never names a rider this is no sign; that nobody fetches it is noted when it has taken too long.
  if (!isUnpaid(now) && !namesCouriers(command, now)) return
  // Nobody else could be asked for it.
  if (await isOrderOnHold(command.context.database, after.shipment)) return
  await replaceCarrier(command, after, now)
}

function namesCouriers({ context }: ShipmentCommand, { carrier }: StoredAttempt): boolean {
  return capabilitiesOf(carrier, context.carriers)?.namesCouriers !== false
}
