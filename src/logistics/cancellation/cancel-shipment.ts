import type { Shipment } from '../../../registry/logistics/shipment.ts'
import { isUnfetched, type ShipmentStatus, unfetchedStatuses } from '../../../registry/logistics/shipment-states.ts'
import type { CancelShipmentInput } from '../../../registry/logistics/shipments.ts'
import type { ShipmentId } from '../../../registry/values/vocabulary.ts'
import { toTimestamp } from '../../base/clock.ts'
import { noKobo } from '../../commerce/money.ts'
import type { Cancellation, Tracking } from '../../partners/carriers/carrier.ts'
import { mutate } from '../../store/core/mutation.ts'
import {
  findShipment,
  lockShipment,
  type ShipmentWithAttempts,
  writeAttempt,
} from '../../store/logistics/shipments/shipments.ts'
import type { StoredAttempt } from '../../store/tables/shipment.ts'
import { capabilitiesOf } from '../carriers/capabilities.ts'
import { carrierNameOf, isCarrierCode } from '../carriers/carrier-names.ts'
import { usableFor } from '../dispatch/begin-attempt.ts'
import { cancelAtCarrier } from '../dispatch/cancel-at-carrier.ts'
import type { LogisticsCall } from '../quotes/quote-shipment.ts'
import { cancellabilityOf } from '../shipments/cancellability.ts'
import { withFeeException } from '../shipments/cancellation-fee.ts'
import {
  changeShipment,
  type LockedShipment,
  liveAttemptOf,
  type ShipmentCommand,
} from '../shipments/change-shipment.ts'
import { resolvedOf } from '../shipments/exceptions.ts'
import { moveShipment, reasonOf, type ShipmentWork } from '../shipments/move-shipment.ts'
import { showShipment } from '../shipments/show-shipment.ts'
import { statusWithin } from '../tracking/classify-update.ts'
import { pollShipment } from '../tracking/poll-shipment.ts'

const byMerchant = { code: 'cancelled_by_merchant', message: 'Cancelled by the merchant.' } as const

export type CancelOutcome =
  | { readonly is: 'shipment'; readonly isConfirmed: boolean; readonly shipment: Shipment }
  | { readonly is: 'shipment_unknown' }
  | { readonly is: 'not_cancellable'; readonly status: ShipmentStatus }
  | { readonly is: 'fee_required'; readonly feeKobo: number }

export interface CancelCall extends LogisticsCall {
  readonly expectedVersion: number | undefined
}

type Marked =
  | { readonly is: 'marked'; readonly wouldBe?: ShipmentWithAttempts | undefined }
  | Exclude<CancelOutcome, { is: 'shipment' }>

/**
 * Calls a shipment off. That it is wanted is written down first; then its carrier is asked, and what it says is written
 * down. What the carrier would charge has to be accepted beforehand (design, logistics 2.3).
 */
export async function cancelShipment(
  call: CancelCall,
  id: ShipmentId,
  input: CancelShipmentInput,
): Promise<CancelOutcome> {
  const { context, tenant, actor } = call
  if (!call.isDryRun) await hearFirst(call, id)
  const marked = await mark(call, id, input)
  if (marked.is !== 'marked') return marked
  if (!call.isDryRun) await finishCancel({ context, tenant, actor, id })
  // Of a dry run nothing was kept: what it would be was seen before the end of its transaction.
  const whole = marked.wouldBe ?? (await findShipment(context.database, { merchantId: tenant.merchantId, id }))
  if (whole === undefined) return { is: 'shipment_unknown' }
  const { status } = whole.shipment
  if (status !== 'cancelled' && status !== 'cancelling') return { is: 'not_cancellable', status }
  return { is: 'shipment', isConfirmed: status === 'cancelled', shipment: showShipment(context, tenant, whole) }
}

/**
 * What calling it off costs depends on where it is, which is known as of the carrier’s last word. Where that is about
 * money it is asked first, so that nobody pays for a rider who was named a moment ago.
 */
async function hearFirst({ context, tenant, actor }: CancelCall, id: ShipmentId): Promise<void> {
  const key = { merchantId: tenant.merchantId, id }
  const whole = await findShipment(context.database, key)
  const live = whole && liveAttemptOf(whole)
  if (live?.state !== 'accepted' || !isCarrierCode(live.carrier)) return
  const fees = Object.values(context.carriers.get(live.carrier)?.capabilities.cancellationFeesKobo ?? {})
  if (!fees.some((feeKobo) => feeKobo > 0)) return
  const status = (await trackingOf({ context, tenant, actor, id }, live))?.status
  // What changes nothing is not written, so that the version that was read still holds.
  if (status !== undefined && status !== whole?.shipment.status) await pollShipment(context, tenant, key)
}

async function trackingOf(
  command: ShipmentCommand,
  { carrier: code, carrierReference, reference }: StoredAttempt,
): Promise<Tracking | undefined> {
  const usable = await usableFor(command, code)
  if (usable === undefined || carrierReference === null) return undefined
  const { carrier, account } = usable
  const { breakers, patience } = command.context
  const request = { operation: 'read', timeoutMs: patience.readMs } as const
  const told = await breakers.run({ carrier, account }, request, (signal) =>
    carrier.get(account, { carrierReference, reference }, signal),
  )
  return told.is === 'ok' ? told.value : undefined
}

async function mark(call: CancelCall, id: ShipmentId, input: CancelShipmentInput): Promise<Marked> {
  const { context, tenant, actor, isDryRun, expectedVersion } = call
  const mutation = {
    tenant,
    actor,
    action: 'shipment.cancel',
    resourceType: 'shipment',
    resourceId: () => id,
    emits: ['shipment.status_changed', 'order.status_changed'],
    isDryRun,
    expectedVersion,
  } as const
  return mutate(context, mutation, async (work: ShipmentWork): Promise<Marked> => {
    const locked = await lockShipment(work.trx, { merchantId: tenant.merchantId, id })
    if (locked === undefined) return work.abort({ is: 'shipment_unknown' })
    work.requireVersion(locked.shipment.version)
    const unmarked = await markLocked(call, work, locked, input)
    if (unmarked !== undefined) return unmarked
    const wouldBe = isDryRun ? await findShipment(work.trx, { merchantId: tenant.merchantId, id }) : undefined
    return { is: 'marked', wouldBe }
  })
}

async function markLocked(
  { context }: CancelCall,
  work: ShipmentWork,
  locked: LockedShipment,
  input: CancelShipmentInput,
): Promise<Marked | undefined> {
  const { shipment } = locked
  const { status, carrier } = shipment
  // It is as it was asked to be, or on the way there.
  if (status === 'cancelled' || status === 'cancelling') return work.abort({ is: 'marked' })
  const capabilities = capabilitiesOf(carrier, context.carriers)
  const live = liveAttemptOf(locked)
  const { allowed, estimatedFeeKobo } = cancellabilityOf(locked, capabilities)
  if (!allowed) return work.abort({ is: 'not_cancellable', status })
  const feeKobo = estimatedFeeKobo ?? 0
  if (feeKobo > (input.maxFeeKobo ?? 0)) return work.abort({ is: 'fee_required', feeKobo })
  if (live?.state === 'accepted') writeAttempt(work.trx, { ...live, state: 'cancelling' })
  await moveShipment(
    work,
    shipment,
    {
      status: live === undefined ? 'cancelled' : 'cancelling',
      reason: byMerchant,
      source: 'request',
      description: 'The shipment was cancelled.',
      attemptNumber: live?.number ?? null,
    },
    {
      cancelRequestedAt: work.now,
      cancelReason: input.reason,
      cancelNote: input.note ?? null,
      cancelMaxFeeKobo: input.maxFeeKobo ?? noKobo,
      ...(live === undefined
        ? { cancelFeeKobo: noKobo }
        : { nextCheckAt: toTimestamp(work.nowMs + retryMs), checks: 0 }),
    },
  )
  return undefined
}

/** The carrier was asked, or could not be; a worker asks again. */
const retryMs = 15_000

/** Asks the carrier that has a shipment to let go of it, if the merchant has called it off. */
export async function finishCancel(command: ShipmentCommand): Promise<void> {
  const { context, tenant, id } = command
  const whole = await findShipment(context.database, { merchantId: tenant.merchantId, id })
  const live = whole && liveAttemptOf(whole)
  // While nobody knows whether a carrier has it, that has to be found out first.
  if (whole?.shipment.status !== 'cancelling' || live?.state !== 'cancelling') return
  const outcome = await cancelAtCarrier(command, live, whole.shipment.cancelReason ?? 'other')
  if (outcome.is === 'ok') {
    const { value } = outcome
    if (value.is === 'cancelled') await confirm(command, live.number, value)
    return
  }
  const isGone = outcome.is === 'refused' && outcome.code === 'not_found'
  if (isGone) {
    const feeKobo = live.cancelFeeKobo ?? noKobo
    return confirm(command, live.number, { is: 'cancelled', feeKobo, refundKobo: undefined })
  }
  if (outcome.is === 'refused' || outcome.is === 'invalid') await meetRefusal(command, whole, live, outcome.message)
}

/**
 * A refusal may be of the second asking only: the first, whose answer was lost, may have done it. So the carrier is asked
 * where it is, and until it says so the shipment stays as it is, to be asked for again.
 */
async function meetRefusal(
  command: ShipmentCommand,
  whole: ShipmentWithAttempts,
  live: StoredAttempt,
  message: string,
): Promise<void> {
  const told = await trackingOf(command, live)
  if (told === undefined) return
  if (told.status === 'cancelled' || told.status === 'failed') {
    return confirm(command, live.number, { is: 'cancelled', feeKobo: undefined, refundKobo: undefined })
  }
  const before = statusBefore(whole)
  const to = statusWithin(told, before) ?? before
  if (isUnfetched(to)) return keepGoing(command, live.number, { to, message })
  // What was fetched takes its order along.
  const { context, tenant, id } = command
  await pollShipment(context, tenant, { merchantId: tenant.merchantId, id })
}

/** Where it was when it was called off, for a carrier whose word for where it is says nothing to this service. */
function statusBefore({ events }: ShipmentWithAttempts): ShipmentStatus {
  const moves = events.filter(({ isApplied, status }) => isApplied && status !== null && status !== 'cancelling')
  return unfetchedStatuses.find((status) => status === moves[0]?.status) ?? 'awaiting_courier'
}

async function confirm(command: ShipmentCommand, number: number, told: Cancellation): Promise<void> {
  await changeShipment(command, 'shipment.confirm_cancellation', (work, { shipment, attempts }) => {
    const attempt = attempts.find((known) => known.number === number)
    if (shipment.status !== 'cancelling' || attempt?.state !== 'cancelling') return undefined
    const { refundKobo } = told
    const feeKobo = told.feeKobo ?? attempt.cancelFeeKobo ?? undefined
    writeAttempt(work.trx, {
      ...attempt,
      state: 'cancelled',
      outcomeCode: 'cancelled',
      outcomeMessage: 'The carrier confirmed the cancellation.',
      cancelFeeKobo: feeKobo ?? null,
      resolvedAt: work.now,
      nextCheckAt: null,
      assignDeadline: null,
    })
    const { cancelMaxFeeKobo } = shipment
    const accepted = { allowedKobo: cancelMaxFeeKobo ?? undefined, at: work.now }
    return moveShipment(
      work,
      shipment,
      {
        status: 'cancelled',
        // Its order may have been cancelled instead.
        reason: reasonOf(shipment) ?? byMerchant,
        source: 'service',
        description: `${carrierNameOf(attempt.carrier)} confirmed the cancellation.`,
        attemptNumber: number,
      },
      {
        cancelFeeKobo: feeKobo ?? null,
        cancelRefundKobo: refundKobo ?? null,
        exceptions: withFeeException(shipment.exceptions, attempt, feeKobo, accepted),
      },
    )
  })
}

/** The carrier does not let go, and says where it has the shipment. */
async function keepGoing(
  command: ShipmentCommand,
  number: number,
  { to, message }: { readonly to: ShipmentStatus; readonly message: string },
): Promise<void> {
  await changeShipment(command, 'shipment.reject_cancellation', (work, { shipment, attempts }) => {
    const attempt = attempts.find((known) => known.number === number)
    if (shipment.status !== 'cancelling' || attempt?.state !== 'cancelling') return undefined
    writeAttempt(work.trx, { ...attempt, state: 'accepted', cancelFeeKobo: null })
    return moveShipment(
      work,
      shipment,
      {
        status: to,
        reason: null,
        source: 'service',
        description: `${carrierNameOf(attempt.carrier)} rejected the cancellation: ${message}`,
        attemptNumber: number,
      },
      // It has just said where it has it.
      { nextCheckAt: work.now, checks: 0, exceptions: resolvedOf(shipment.exceptions, ['tracking_stalled'], work.now) },
    )
  })
}
