import { handedOverStatuses } from '../../../registry/shipment-states.ts'
import { toMs, toTimestamp } from '../../clock.ts'
import { findMerchant } from '../../store/merchants.ts'
import type { KeptAttempt } from '../../store/shipment-columns.ts'
import {
  claimAttemptWatches,
  claimShipmentLooks,
  findShipment,
  postponeShipmentLook,
  type ShipmentKey,
  type WholeShipment,
  writeAttempt,
} from '../../store/shipments.ts'
import type { LogisticsContext } from '../context.ts'
import { graceMs } from '../dispatch/begin-attempt.ts'
import { driveDispatch, nextOffer } from '../dispatch/drive-dispatch.ts'
import { resolveAttempt, watchMs } from '../dispatch/resolve-attempt.ts'
import { dismiss, withoutCarrier } from '../dispatch/settle-attempt.ts'
import { isUnpaid, unpaidCode } from '../dispatch/unpaid-order.ts'
import { watchAttempt } from '../dispatch/watch-attempt.ts'
import { startScheduled } from '../schedule/start-scheduled.ts'
import { pollShipment } from '../tracking/poll-shipment.ts'
import { callOff, finishCancel } from './cancel-shipment.ts'
import { changeShipment, dispatcher, liveAttemptOf, type ShipmentHand } from './change-shipment.ts'
import { endCalledOff, isCalledOffByOrder } from './end-called-off.ts'
import { moveShipment } from './move-shipment.ts'

/**
 * What has to be done about a shipment when its time has come, whoever left off where. The rows say all that it takes:
 *
 *   scheduled ─── its carriers are asked for offers, then for a rider
 *   dispatching ─── an unknown asking is resolved, or the next carrier asked
 *   awaiting_courier, courier_assigned, at_pickup ─── asked after; without a rider in time, the next carrier
 *   picked_up … returning ─── asked after
 *   cancelling ─── the carrier is asked to let go
 */

/** A worker has the time a shop’s patience allows (design, logistics 3.3). */
const driveMs = 15 * 60_000

/** Takes up what is due, of any merchant, until nothing is. */
export async function lookAtShipments(context: LogisticsContext, stopping?: AbortSignal): Promise<number> {
  let count = 0
  while (stopping?.aborted !== true) {
    const now = toTimestamp(context.clock.nowMs())
    const [shipments, watches] = await Promise.all([
      claimShipmentLooks(context.database, now),
      claimAttemptWatches(context.database, now),
    ])
    if (shipments.length === 0 && watches.length === 0) return count
    count += shipments.length + watches.length
    await Promise.all([
      ...shipments.map((key) => guarded(context, key, (hand) => lookAtShipment(hand))),
      ...watches.map((key) => guarded(context, key, (hand) => watchAttempt(hand, key.number))),
    ])
  }
  return count
}

/** One that fails, for a reason of our own, is taken up again when its claim runs out; the others go on. */
async function guarded(
  context: LogisticsContext,
  key: ShipmentKey,
  run: (hand: ShipmentHand) => Promise<void>,
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

export async function lookAtShipment(hand: ShipmentHand): Promise<void> {
  const { context, tenant, id } = hand
  const key = { merchantId: tenant.merchantId, id }
  const whole = await findShipment(context.database, key)
  if (whole === undefined) return
  const { shipment } = whole
  if (isCalledOffByOrder(shipment)) return endCalledOff(hand)
  switch (shipment.status) {
    case 'scheduled':
      return startScheduled(hand, shipment)
    case 'dispatching':
      await driveDispatch(hand, context.clock.nowMs() + driveMs)
      return keepLooking(hand)
    case 'cancelling':
      return lookAtCancelled(hand, whole)
    case 'awaiting_courier':
    case 'courier_assigned':
    case 'at_pickup':
      return lookBeforePickup(hand, whole)
    case 'delivered':
    case 'returned':
    case 'cancelled':
    case 'failed':
    case 'lost':
      return postponeShipmentLook(context.database, key, null)
    default:
      return ask(hand, whole)
  }
}

/** Asks the carrier where it is; how soon again depends on that. */
async function ask({ context, tenant }: ShipmentHand, { shipment }: WholeShipment): Promise<void> {
  const key = { merchantId: tenant.merchantId, id: shipment.id }
  const polled = await pollShipment(context, tenant, key)
  if (polled.is === 'order_missing') context.log.warn({ shipmentId: key.id }, 'A carrier does not know its own order.')
  await postponeShipmentLook(context.database, key, polled.nextLookAt)
}

/** While an asking is under way nothing is left to do until it should have ended. */
async function keepLooking({ context, tenant, id }: ShipmentHand): Promise<void> {
  const key = { merchantId: tenant.merchantId, id }
  const whole = await findShipment(context.database, key)
  const live = whole && liveAttemptOf(whole)
  if (whole?.shipment.status !== 'dispatching' || live?.state !== 'sending') return
  const deadlineMs = toMs(live.startedAt) + context.patience.createMs + graceMs
  await postponeShipmentLook(context.database, key, toTimestamp(deadlineMs))
}

async function lookAtCancelled(hand: ShipmentHand, whole: WholeShipment): Promise<void> {
  const live = liveAttemptOf(whole)
  if (live?.state === 'unknown' || live?.state === 'sending') {
    const settled = await resolveAttempt(hand, whole.shipment, live)
    if (settled.is !== 'to_be_cancelled') return
  }
  await finishCancel(hand)
  // A carrier that only took note of the wish says what became of it when it is asked.
  const after = await findShipment(hand.context.database, { merchantId: hand.tenant.merchantId, id: hand.id })
  if (after?.shipment.status === 'cancelling') await ask(hand, after)
}

async function lookBeforePickup(hand: ShipmentHand, whole: WholeShipment): Promise<void> {
  const live = liveAttemptOf(whole)
  // Its carrier gave it back.
  if (live === undefined) return redispatch(hand)
  await ask(hand, whole)
  const after = await findShipment(hand.context.database, { merchantId: hand.tenant.merchantId, id: hand.id })
  if (after === undefined || handedOverStatuses.includes(after.shipment.status)) return
  const now = liveAttemptOf(after)
  if (now === undefined && isBeforePickup(after)) return redispatch(hand)
  if (now?.state !== 'accepted' || after.shipment.status !== 'awaiting_courier') return
  const { assignDeadline } = now
  if (assignDeadline === null || toMs(assignDeadline) > hand.context.clock.nowMs()) return
  await replaceCarrier(hand, after, now)
}

function isBeforePickup({ shipment: { status } }: WholeShipment): boolean {
  return status === 'awaiting_courier' || status === 'courier_assigned' || status === 'at_pickup'
}

/** Nobody comes: the order is called off first, and only when its carrier has confirmed that is another one asked. */
async function replaceCarrier(hand: ShipmentHand, whole: WholeShipment, attempt: KeptAttempt): Promise<void> {
  if (nextOffer(whole.shipment, whole.attempts) === undefined) {
    return waitLonger(hand, attempt.number, 'nobody else is left to ask.')
  }
  const outcome = await callOff(hand, attempt, 'too_slow')
  const isGone = outcome.is === 'refused' && outcome.code === 'not_found'
  const isConfirmed = outcome.is === 'ok' && outcome.value.is === 'cancelled'
  if (isGone || isConfirmed) {
    const feeKobo = outcome.is === 'ok' ? outcome.value.feeKobo : undefined
    const settled = await changeShipment(hand, 'shipment.replace_carrier', (work, locked) => {
      const current = locked.attempts.find(({ number }) => number === attempt.number)
      if (current?.state !== 'accepted' || locked.shipment.status !== 'awaiting_courier') return undefined
      return dismiss(work, locked, current, {
        state: 'superseded',
        code: 'no_courier_assigned',
        message: 'It named no rider in time.',
        ...(feeKobo === undefined ? {} : { cancelFeeKobo: feeKobo }),
      })
    })
    if (settled?.is === 'next') await driveDispatch(hand, hand.context.clock.nowMs() + driveMs)
    return
  }
  if (outcome.is === 'refused' && !(await leaveUnpaid(hand, attempt.number))) {
    await waitLonger(hand, attempt.number, `the carrier does not let go of it: ${outcome.message}`)
  }
}

/**
 * An order that stands still for want of money is left behind though its carrier does not let go of it, if there is
 * somebody else to ask. It is watched: once it is paid for there are two, and the merchant has to know.
 */
async function leaveUnpaid(hand: ShipmentHand, number: number): Promise<boolean> {
  const settled = await changeShipment(hand, 'shipment.replace_carrier', (work, locked) => {
    const { shipment, attempts } = locked
    const current = attempts.find((known) => known.number === number)
    if (current === undefined || !isUnpaid(current) || shipment.status !== 'awaiting_courier') return undefined
    if (nextOffer(shipment, attempts) === undefined) return undefined
    return dismiss(work, locked, current, {
      state: 'abandoned',
      code: unpaidCode,
      message: 'It waits for money, and does not let the order be called off.',
      watchUntil: toTimestamp(work.nowMs + watchMs),
    })
  })
  if (settled?.is !== 'next') return false
  await driveDispatch(hand, hand.context.clock.nowMs() + driveMs)
  return true
}

/** Money comes within hours, and until then nothing changes. */
const unpaidAgainMs = 3_600_000

/** A carrier that does not let go has it still, and gets the same time again. */
async function waitLonger(hand: ShipmentHand, number: number, why: string): Promise<void> {
  const { context } = hand
  await changeShipment(hand, 'shipment.wait_longer', (work, { shipment, attempts }) => {
    const attempt = attempts.find((known) => known.number === number)
    if (attempt?.state !== 'accepted' || attempt.assignDeadline === null) return undefined
    const leastMs = isUnpaid(attempt) ? unpaidAgainMs : 60_000
    const againMs = Math.max(leastMs, toMs(attempt.assignDeadline) - toMs(attempt.resolvedAt ?? attempt.startedAt))
    writeAttempt(work.trx, { ...attempt, assignDeadline: toTimestamp(work.nowMs + againMs) })
    return moveShipment(
      work,
      shipment,
      {
        status: null,
        source: 'service',
        description: `No rider was named in time, and ${why}`,
        attemptNumber: number,
      },
      { nextLookAt: toTimestamp(context.clock.nowMs() + 60_000) },
    )
  })
}

/** Its carrier has given it back, so that another is to be asked. */
async function redispatch(hand: ShipmentHand): Promise<void> {
  const moved = await changeShipment(hand, 'shipment.redispatch', (work, locked) => {
    const { shipment } = locked
    if (liveAttemptOf(locked) !== undefined || !isBeforePickup({ ...locked, events: [] })) return undefined
    return moveShipment(
      work,
      shipment,
      {
        status: 'dispatching',
        reason: { code: 'carrier_gave_it_back', message: 'The carrier gave it back.' },
        source: 'service',
        description: 'Another carrier is asked.',
      },
      {
        ...withoutCarrier,
        nextLookAt: work.now,
        looks: 0,
      },
    )
  })
  if (moved !== undefined) await driveDispatch(hand, hand.context.clock.nowMs() + driveMs)
}
