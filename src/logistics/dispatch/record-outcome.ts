import type { AttemptState } from '../../../registry/logistics/shipment-states.ts'
import type { Kobo, Timestamp } from '../../../registry/values/vocabulary.ts'
import { toTimestamp } from '../../base/clock.ts'
import { noKobo } from '../../commerce/money.ts'
import type { CarrierOrder, Outcome } from '../../partners/carriers/carrier.ts'
import { writeAttempt } from '../../store/logistics/shipments/shipments.ts'
import type { StoredAttempt, StoredShipment } from '../../store/tables/shipment.ts'
import type { CircuitOpen } from '../carriers/breakers.ts'
import { carrierNameOf } from '../carriers/carrier-names.ts'
import { momentsOf } from '../moments.ts'
import { totalPriceKobo } from '../quotes/price-parts.ts'
import { withFeeException } from '../shipments/cancellation-fee.ts'
import { changeShipment, type LockedShipment, type ShipmentCommand } from '../shipments/change-shipment.ts'
import { isCancelledByOrder } from '../shipments/end-cancelled.ts'
import {
  isOf,
  isUnwanted,
  resolvedExceptions,
  resolvedOf,
  unwantedReason,
  withException,
} from '../shipments/exceptions.ts'
import { firstCheckLeaseMs, nextRequestLeaseMs } from '../shipments/leases.ts'
import { moveShipment, reasonOf, type ShipmentWork } from '../shipments/move-shipment.ts'
import { withPriceExceptions } from '../shipments/price-exceptions.ts'
import { assignTimeoutMs } from './assign-timeout.ts'
import { confirmOrder } from './confirm-order.ts'
import { notSentCode, subCarrierDownCode } from './next-offer.ts'
import { pausedCode, unpaidCode, walletLow } from './unpaid-order.ts'

/** What is written down of how an asking ended, and what follows from it for the shipment. */

export type RequestOutcome = Outcome<CarrierOrder> | CircuitOpen | { readonly is: 'not_sent' }

export type RecordedOutcome =
  | { readonly is: 'accepted' }
  | { readonly is: 'next' }
  | { readonly is: 'unknown' }
  /** The merchant called it off meanwhile, and the carrier has taken it. */
  | { readonly is: 'to_be_cancelled' }
  /** Nothing is left of it, and the merchant had called it off. */
  | { readonly is: 'cancelled' }
  /** It was given up before this answer came. */
  | { readonly is: 'late'; readonly order: CarrierOrder | undefined }

/** Writes down how an asking ended, or that nobody knows. */
export async function recordOutcome(
  command: ShipmentCommand,
  number: number,
  outcome: RequestOutcome,
): Promise<RecordedOutcome> {
  const written = await changeShipment<RecordedOutcome>(command, 'shipment.record_outcome', (work, locked) => {
    const attempt = locked.attempts.find((known) => known.number === number)
    if (attempt === undefined || (attempt.state !== 'sending' && attempt.state !== 'unknown')) return undefined
    if (outcome.is === 'ok') return accept(work, locked, attempt, outcome.value)
    if (outcome.is === 'unknown')
      return doubt(work, locked, attempt, outcome, firstCheckLeaseMs(command.context.patience))
    return dismiss(work, locked, attempt, dismissalOf(outcome))
  })
  return written ?? { is: 'late', order: outcome.is === 'ok' ? outcome.value : undefined }
}

/** The carrier has it: from here on it is its order. */
export async function accept(
  work: ShipmentWork,
  { shipment }: LockedShipment,
  attempt: StoredAttempt,
  order: CarrierOrder,
): Promise<RecordedOutcome> {
  const timeoutMs = await assignTimeoutMs(work.trx, shipment, attempt)
  // Its order may have been cancelled while the carrier was asked; then nobody has moved it yet.
  const isMarked = isCancelledByOrder(shipment)
  const isCalledOff = shipment.status === 'cancelling' || isMarked
  const taken: StoredAttempt = {
    ...attempt,
    state: isCalledOff ? 'cancelling' : 'accepted',
    carrierReference: order.carrierReference,
    priceKobo: order.priceKobo ?? attempt.priceKobo,
    outcomeCode: 'accepted',
    outcomeMessage: 'The carrier accepted the shipment.',
    cancelFeeKobo: null,
    duplicateCostKobo: null,
    answeredAt: attempt.answeredAt ?? work.now,
    resolvedAt: work.now,
    nextCheckAt: null,
    notFoundCount: 0,
    notFoundSince: null,
    assignDeadline: toTimestamp(work.nowMs + timeoutMs),
    monitorUntil: null,
  }
  writeAttempt(work.trx, taken)
  work.note({
    attempt: [
      { number: attempt.number, state: attempt.state },
      { number: attempt.number, state: taken.state },
    ],
  })
  if (!isCalledOff) await confirmOrder(work, shipment.orderId)
  const { offer } = attempt
  await moveShipment(
    work,
    shipment,
    {
      status: isCalledOff ? 'cancelling' : 'awaiting_courier',
      reason: isMarked ? unwantedReason : null,
      source: 'service',
      description: `${carrierNameOf(attempt.carrier)} accepted the shipment.`,
      attemptNumber: attempt.number,
    },
    {
      carrier: attempt.carrier,
      carrierReference: order.carrierReference,
      service: offer.service,
      serviceLevel: offer.serviceLevel,
      trackingUrl: order.trackingUrl ?? null,
      labelUrl: order.labelUrl ?? null,
      priceKobo: totalPriceKobo(taken),
      surgeKobo: offer.surgeKobo,
      // When it took it is known no better than by when it was asked: it may be found out much later.
      pickupEstimate: momentsOf(attempt.startedAt, offer.pickupMinutes),
      deliveryEstimate: order.dropoffAt ?? momentsOf(attempt.startedAt, offer.dropoffMinutes),
      exceptions: withPriceExceptions(
        { ...shipment, exceptions: withoutSecond(shipment, taken, work.now) },
        taken,
        work.now,
      ),
      acceptedAt: work.now,
      nextCheckAt: isCalledOff ? work.now : toTimestamp(work.nowMs + firstLookMs),
      checks: 0,
    },
  )
  return { is: isCalledOff ? 'to_be_cancelled' : 'accepted' }
}

/** A rider is seldom named sooner. */
const firstLookMs = 10_000

/** Nobody knows whether the carrier has it. */
async function doubt(
  work: ShipmentWork,
  { shipment }: LockedShipment,
  attempt: StoredAttempt,
  { cause, message }: { readonly cause: string; readonly message: string },
  leaseMs: number,
): Promise<RecordedOutcome> {
  // The first look is at once; should that fail, a worker takes the next.
  const nextCheckAt = toTimestamp(work.nowMs + leaseMs)
  writeAttempt(work.trx, {
    ...attempt,
    state: 'unknown',
    outcomeCode: cause,
    outcomeMessage: message,
    answeredAt: work.now,
    nextCheckAt,
  })
  await moveShipment(
    work,
    shipment,
    {
      status: null,
      source: 'service',
      description: `The outcome at ${carrierNameOf(attempt.carrier)} is unknown: ${message}`,
      attemptNumber: attempt.number,
    },
    { nextCheckAt, checks: 0 },
  )
  work.note({
    attempt: [
      { number: attempt.number, state: attempt.state },
      { number: attempt.number, state: 'unknown' },
    ],
  })
  return { is: 'unknown' }
}

export interface Dismissal {
  readonly state: Extract<
    AttemptState,
    'refused' | 'unavailable' | 'invalid' | 'not_found_at_carrier' | 'abandoned' | 'superseded'
  >
  readonly code: string
  readonly message: string
  /** Until when it is still watched, because the carrier may have it after all. */
  readonly monitorUntil?: Timestamp
  readonly cancelFeeKobo?: Kobo
}

function dismissalOf(outcome: Exclude<RequestOutcome, { is: 'ok' | 'unknown' }>): Dismissal {
  switch (outcome.is) {
    case 'refused':
      return { state: 'refused', code: outcome.code, message: outcome.message }
    case 'invalid':
      return { state: 'invalid', code: 'invalid', message: outcome.message }
    case 'unavailable': {
      const code = outcome.isOfSubCarrier === true ? subCarrierDownCode : 'unavailable'
      return { state: 'unavailable', code, message: outcome.message }
    }
    case 'not_sent':
      return { state: 'unavailable', code: notSentCode, message: 'The request was not sent in time.' }
    case 'circuit_open':
      return { state: 'unavailable', code: pausedCode(outcome), message: outcome.message }
  }
}

/** Nothing came of it, so that the next carrier may be asked; or nobody, if the merchant has called it off. */
export async function dismiss(
  work: ShipmentWork,
  locked: LockedShipment,
  attempt: StoredAttempt,
  dismissal: Dismissal,
): Promise<RecordedOutcome> {
  const { status } = await release(work, locked, attempt, dismissal)
  return { is: status === 'cancelled' ? 'cancelled' : 'next' }
}

/** The shipment without the asking. */
export async function release(
  work: ShipmentWork,
  { shipment }: LockedShipment,
  attempt: StoredAttempt,
  { state, code, message, monitorUntil, cancelFeeKobo: toldKobo }: Dismissal,
): Promise<StoredShipment> {
  const cancelFeeKobo = toldKobo ?? attempt.cancelFeeKobo ?? undefined
  writeAttempt(work.trx, {
    ...attempt,
    state,
    outcomeCode: code,
    outcomeMessage: message,
    answeredAt: attempt.answeredAt ?? work.now,
    resolvedAt: work.now,
    cancelFeeKobo: cancelFeeKobo ?? null,
    nextCheckAt: monitorUntil === undefined ? null : toTimestamp(work.nowMs + firstWatchMs),
    checks: 0,
    monitorUntil: monitorUntil ?? null,
  })
  work.note({
    attempt: [
      { number: attempt.number, state: attempt.state },
      { number: attempt.number, state },
    ],
  })
  // A carrier may have refused to let go of it before: what was asked for then is done now.
  const isOrderGone = isUnwanted(shipment) || isCancelledByOrder(shipment)
  const isCalledOff = shipment.status === 'cancelling' || shipment.cancelRequestedAt !== null || isOrderGone
  const isBack = !isCalledOff && shipment.status !== 'dispatching'
  const told =
    code === unpaidCode ? withException(shipment.exceptions, walletLow(attempt.carrier, work.now)) : shipment.exceptions
  const allowedKobo = isCalledOff ? (shipment.cancelMaxFeeKobo ?? undefined) : undefined
  const exceptions = withFeeException(told, attempt, cancelFeeKobo, { allowedKobo, at: work.now })
  const { shipment: released } = await moveShipment(
    work,
    shipment,
    {
      status: isCalledOff ? 'cancelled' : isBack ? 'dispatching' : null,
      // Whoever called it off first has said why.
      reason: isBack
        ? { code, message }
        : isOrderGone && shipment.status !== 'cancelling'
          ? unwantedReason
          : reasonOf(shipment),
      source: 'service',
      description: `${carrierNameOf(attempt.carrier)} did not accept the shipment: ${message}`,
      attemptNumber: attempt.number,
    },
    {
      exceptions: withoutDoubt({ exceptions }, work.now),
      ...(isCalledOff
        ? { cancelFeeKobo: shipment.cancelFeeKobo ?? cancelFeeKobo ?? (nothingBegun.includes(state) ? noKobo : null) }
        : { ...withoutCarrier, nextCheckAt: toTimestamp(work.nowMs + nextRequestLeaseMs), checks: 0 }),
    },
  )
  return released
}

/** Calling off what a carrier never had costs nothing; of anything else only the carrier knows what it does. */
const nothingBegun: readonly AttemptState[] = ['refused', 'unavailable', 'invalid', 'not_found_at_carrier']

/** Once it is known, or given up, whether a carrier has it, nobody has to ask that any more. */
function withoutDoubt(
  { exceptions }: Pick<StoredShipment, 'exceptions'>,
  now: Timestamp,
): StoredShipment['exceptions'] {
  return resolvedOf(exceptions, ['outcome_unknown'], now)
}

/** The order a carrier has is no second one of its own. */
function withoutSecond(shipment: StoredShipment, attempt: StoredAttempt, now: Timestamp): StoredShipment['exceptions'] {
  return resolvedExceptions(withoutDoubt(shipment, now), (known) => isOf(known, ['possible_duplicate'], attempt), now)
}

/** An answer that was on its way for so long is not on its way any more a minute later. */
const firstWatchMs = 60_000

/** What a shipment has of a carrier, once none has it. */
export const withoutCarrier = {
  carrier: null,
  carrierReference: null,
  service: null,
  serviceLevel: null,
  trackingUrl: null,
  labelUrl: null,
  courier: null,
  priceKobo: null,
  surgeKobo: noKobo,
  pickupEstimate: null,
  deliveryEstimate: null,
  acceptedAt: null,
  assignedAt: null,
} as const
