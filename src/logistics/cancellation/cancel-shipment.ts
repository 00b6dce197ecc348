import { shipmentEvents } from '../../../registry/kit/event.ts'
import type { Shipment } from '../../../registry/logistics/shipment.ts'
import { isUnfetched, type ShipmentStatus, unfetchedStatuses } from '../../../registry/logistics/shipment-states.ts'
import type { CancelShipmentInput } from '../../../registry/logistics/shipments.ts'
import type { ShipmentId } from '../../../registry/values/vocabulary.ts'
import { toTimestamp } from '../../base/clock.ts'
import { nairaText } from '../../base/naira.ts'
import { noKobo, toKobo } from '../../commerce/money.ts'
import type { Cancellation, Tracking } from '../../partners/carriers/carrier.ts'
import { mutate } from '../../store/core/mutation.ts'
import {
  findShipment,
  lockShipment,
  type ShipmentWithAttempts,
  writeAttempt,
} from '../../store/logistics/shipments/shipments.ts'
import type { StoredAttempt } from '../../store/tables/shipment.ts'
import type { StoredException } from '../../store/tables/shipment-exception.ts'
import { capabilitiesOf } from '../carriers/capabilities.ts'
import { carrierNameOf } from '../carriers/carrier-names.ts'
import { usableFor } from '../dispatch/begin-attempt.ts'
import { cancelAtCarrier } from '../dispatch/cancel-at-carrier.ts'
import type { LogisticsCall } from '../quotes/quote-shipment.ts'
import { cancellabilityOf } from '../shipments/cancellability.ts'
import { tooExpensiveException, withFeeException } from '../shipments/cancellation-fee.ts'
import {
  changeShipment,
  type LockedShipment,
  liveAttemptOf,
  type ShipmentCommand,
} from '../shipments/change-shipment.ts'
import { resolvedOf, withException } from '../shipments/exceptions.ts'
import { moveShipment } from '../shipments/move-shipment.ts'
import type { ShipmentWork } from '../shipments/shipment-work.ts'
import { showShipment } from '../shipments/show-shipment.ts'
import { reasonOf } from '../shipments/status-reason.ts'
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

type CancellationRequest =
  | { readonly is: 'requested'; readonly preview?: ShipmentWithAttempts | undefined }
  | Exclude<CancelOutcome, { is: 'shipment' }>

/**
 * Cancels a shipment. The service first commits the merchant's request. It then requests the cancellation from the
 * carrier, and records the response. The merchant must accept the carrier’s fee in the request.
 */
export async function cancelShipment(
  call: CancelCall,
  id: ShipmentId,
  input: CancelShipmentInput,
): Promise<CancelOutcome> {
  const { context, tenant, actor } = call
  if (!call.isDryRun) await pollBeforeFee(call, id)
  const requested = await requestCancellation(call, id, input)
  if (requested.is !== 'requested') return requested
  if (!call.isDryRun) await requestCarrier({ context, tenant, actor, id })
  // The rollback at the end of a dry run undoes the changes. The changed shipment was therefore already read within the
  // transaction, as `requested.preview`.
  const whole = requested.preview ?? (await findShipment(context.database, { merchantId: tenant.merchantId, id }))
  if (whole === undefined) return { is: 'shipment_unknown' }
  const { status } = whole.shipment
  if (status !== 'cancelled' && status !== 'cancelling') return { is: 'not_cancellable', status }
  return { is: 'shipment', isConfirmed: status === 'cancelled', shipment: showShipment(context, tenant, whole) }
}

/**
 * Polls a carrier that charges cancellation fees, before the fee is determined. The fee depends on the status, and a
 * rider may have been assigned since the last update.
 */
async function pollBeforeFee({ context, tenant, actor }: CancelCall, id: ShipmentId): Promise<void> {
  const key = { merchantId: tenant.merchantId, id }
  const whole = await findShipment(context.database, key)
  const live = whole && liveAttemptOf(whole)
  if (live?.state !== 'accepted' || !chargesFees(context, live)) return
  const status = (await trackingOf({ context, tenant, actor, id }, live))?.status
  // If the carrier reports an unchanged status, nothing is stored, so that the version of the shipment that the caller
  // has read stays current.
  if (status !== undefined && status !== whole?.shipment.status) await pollShipment(context, tenant, key)
}

function chargesFees({ carriers }: CancelCall['context'], { carrier }: StoredAttempt): boolean {
  const fees = Object.values(capabilitiesOf(carrier, carriers)?.cancellationFeesKobo ?? {})
  return fees.some((feeKobo) => feeKobo > 0)
}

async function trackingOf(
  command: ShipmentCommand,
  { carrier: code, carrierReference, reference }: StoredAttempt,
): Promise<Tracking | undefined> {
  const usable = await usableFor(command, code)
  if (usable === undefined || carrierReference === null) return undefined
  const { carrier, account } = usable
  const { breakers, timeouts } = command.context
  const request = { operation: 'read', timeoutMs: timeouts.readMs } as const
  const response = await breakers.run({ carrier, account }, request, (signal) =>
    carrier.get(account, { carrierReference, reference }, signal),
  )
  return response.is === 'ok' ? response.value : undefined
}

async function requestCancellation(
  call: CancelCall,
  id: ShipmentId,
  input: CancelShipmentInput,
): Promise<CancellationRequest> {
  const { context, tenant, actor, isDryRun, expectedVersion } = call
  const mutation = {
    tenant,
    actor,
    action: 'shipment.cancel',
    resourceType: 'shipment',
    resourceId: () => id,
    emits: shipmentEvents,
    isDryRun,
    expectedVersion,
  } as const
  return mutate(context, mutation, async (work: ShipmentWork): Promise<CancellationRequest> => {
    const locked = await lockShipment(work.trx, { merchantId: tenant.merchantId, id })
    if (locked === undefined) return work.abort({ is: 'shipment_unknown' })
    work.requireVersion(locked.shipment.version)
    const rejection = await requestUnderLock(call, work, locked, input)
    if (rejection !== undefined) return rejection
    const preview = isDryRun ? await findShipment(work.trx, { merchantId: tenant.merchantId, id }) : undefined
    return { is: 'requested', preview }
  })
}

async function requestUnderLock(
  { context }: CancelCall,
  work: ShipmentWork,
  locked: LockedShipment,
  input: CancelShipmentInput,
): Promise<CancellationRequest | undefined> {
  const { shipment } = locked
  const { status, carrier } = shipment
  // The shipment is already cancelled or being cancelled: nothing changes.
  if (status === 'cancelled' || status === 'cancelling') return work.abort({ is: 'requested' })
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
        : { nextCheckAt: toTimestamp(work.nowMs + cancelRetryMs), checks: 0 }),
    },
  )
  // The audit row does not contain the cancellation note, which is free text and may describe a person.
  work.note({ cancelReason: [null, input.reason] })
  if (input.maxFeeKobo !== undefined) work.note({ cancelMaxFeeKobo: [null, input.maxFeeKobo] })
  return undefined
}

/** Delay until a worker repeats the cancellation request to the carrier. */
const cancelRetryMs = 15_000

/**
 * Cancels a `cancelling` shipment at its carrier, unless the carrier's fee exceeds the fee that the merchant accepted.
 * If the shipment is cancelled because of its order, the merchant has accepted no fee. The fee may also have risen
 * after the merchant accepted it, because a rider was assigned. If the fee exceeds the accepted fee, the shipment is
 * not cancelled and continues.
 */
export async function finishCancel(command: ShipmentCommand): Promise<void> {
  const { context, tenant, id } = command
  const whole = await findShipment(context.database, { merchantId: tenant.merchantId, id })
  const live = whole && liveAttemptOf(whole)
  if (whole?.shipment.status !== 'cancelling' || live?.state !== 'cancelling') return
  if (!chargesFees(context, live)) return requestCarrier(command)
  const response = await trackingOf(command, live)
  // The carrier did not respond, so the cancellation is tried again later.
  if (response === undefined) return
  const before = statusBefore(whole)
  const to = statusWithin(response, before) ?? before
  const feeKobo = toKobo(capabilitiesOf(live.carrier, context.carriers)?.cancellationFeesKobo?.[to] ?? 0)
  const allowedKobo = whole.shipment.cancelMaxFeeKobo ?? noKobo
  if (!isUnfetched(to) || feeKobo <= allowedKobo) return requestCarrier(command)
  const message = `The cancellation would cost ${nairaText(feeKobo)}, but the accepted maximum is ${nairaText(allowedKobo)}.`
  await rejectCancellation(command, live.number, { to, message, amounts: { allowedKobo, chargedKobo: feeKobo } })
}

/** Requests the cancellation of a `cancelling` shipment from its carrier and records the response. */
async function requestCarrier(command: ShipmentCommand): Promise<void> {
  const { context, tenant, id } = command
  const whole = await findShipment(context.database, { merchantId: tenant.merchantId, id })
  const live = whole && liveAttemptOf(whole)
  // If the outcome of the dispatch attempt is unknown, it must be determined before the cancellation is requested.
  if (whole?.shipment.status !== 'cancelling' || live?.state !== 'cancelling') return
  const outcome = await cancelAtCarrier(command, live, whole.shipment.cancelReason ?? 'other')
  if (outcome.is === 'ok') {
    const { value } = outcome
    if (value.is === 'cancelled') await confirmCancellation(command, live.number, value)
    return
  }
  const isGone = outcome.is === 'refused' && outcome.code === 'not_found'
  if (isGone) {
    const feeKobo = live.cancelFeeKobo ?? noKobo
    return confirmCancellation(command, live.number, { is: 'cancelled', feeKobo, refundKobo: undefined })
  }
  if (outcome.is === 'refused' || outcome.is === 'invalid')
    await reconcileRejection(command, whole, live, outcome.message)
}

/**
 * If the response to an earlier request was lost, the carrier may have cancelled the order already and therefore reject
 * the repeated request. The carrier is polled to find this out. If it does not respond, the shipment stays `cancelling`
 * and the request is repeated later.
 */
async function reconcileRejection(
  command: ShipmentCommand,
  whole: ShipmentWithAttempts,
  live: StoredAttempt,
  message: string,
): Promise<void> {
  const response = await trackingOf(command, live)
  if (response === undefined) return
  if (response.status === 'cancelled' || response.status === 'failed') {
    return confirmCancellation(command, live.number, { is: 'cancelled', feeKobo: undefined, refundKobo: undefined })
  }
  const before = statusBefore(whole)
  const to = statusWithin(response, before) ?? before
  if (isUnfetched(to)) return rejectCancellation(command, live.number, { to, message })
  // Setting the new status alone is not enough. The carrier may also report a pickup, which changes the status of the
  // order too, so the shipment is polled.
  const { context, tenant, id } = command
  await pollShipment(context, tenant, { merchantId: tenant.merchantId, id })
}

/**
 * Returns the shipment's status before the cancellation. This status is used if the carrier reports a status that has
 * no equivalent in this service.
 */
function statusBefore({ events }: ShipmentWithAttempts): ShipmentStatus {
  const moves = events.filter(({ isApplied, status }) => isApplied && status !== null && status !== 'cancelling')
  return unfetchedStatuses.find((status) => status === moves[0]?.status) ?? 'awaiting_courier'
}

async function confirmCancellation(command: ShipmentCommand, number: number, response: Cancellation): Promise<void> {
  await changeShipment(command, 'shipment.confirm_cancellation', (work, { shipment, attempts }) => {
    const attempt = attempts.find((known) => known.number === number)
    if (shipment.status !== 'cancelling' || attempt?.state !== 'cancelling') return undefined
    const { refundKobo } = response
    const feeKobo = response.feeKobo ?? attempt.cancelFeeKobo ?? undefined
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
        // If the shipment is cancelled because its order was cancelled, its cancellation reason is already stored.
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

interface Rejection {
  readonly to: ShipmentStatus
  readonly message: string
  /** The accepted cancellation fee, and the higher fee that the carrier would charge. */
  readonly amounts?: StoredException['amounts'] & object
}

/**
 * Records that the shipment was not cancelled, because the carrier rejected the cancellation or would charge more than
 * the accepted fee. Moves the shipment to the status that the carrier reports.
 */
async function rejectCancellation(
  command: ShipmentCommand,
  number: number,
  { to, message, amounts }: Rejection,
): Promise<void> {
  await changeShipment(command, 'shipment.reject_cancellation', (work, { shipment, attempts }) => {
    const attempt = attempts.find((known) => known.number === number)
    if (shipment.status !== 'cancelling' || attempt?.state !== 'cancelling') return undefined
    writeAttempt(work.trx, { ...attempt, state: 'accepted', cancelFeeKobo: null })
    const name = carrierNameOf(attempt.carrier)
    const known = resolvedOf(shipment.exceptions, ['tracking_stalled'], work.now)
    const exceptions =
      amounts === undefined ? known : withException(known, tooExpensiveException(attempt, amounts, work.now))
    return moveShipment(
      work,
      shipment,
      {
        status: to,
        reason: null,
        source: 'service',
        description: amounts === undefined ? `${name} rejected the cancellation: ${message}` : `${name}: ${message}`,
        attemptNumber: number,
      },
      // The cancellation was rejected, so the next check of the shipment is due at once and tracking continues.
      { nextCheckAt: work.now, checks: 0, exceptions },
    )
  })
}
