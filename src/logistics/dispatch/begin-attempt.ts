import { toMs, toTimestamp } from '../../base/clock.ts'
import { noKobo } from '../../commerce/money.ts'
import type { CreateRequest } from '../../partners/carriers/carrier.ts'
import type { Work } from '../../store/core/mutation.ts'
import { insertAttempt } from '../../store/logistics/shipments/shipments.ts'
import type { PlannedOffer, StoredAttempt, StoredShipment } from '../../store/tables/shipment.ts'
import { carriersFor, type UsableCarrier } from '../carriers/accounts.ts'
import { carrierNameOf } from '../carriers/carrier-names.ts'
import { requestedPickupAt } from '../quotes/dispatch-times.ts'
import { carrierPriceOf, surgeLineCode } from '../quotes/price-parts.ts'
import {
  changeShipment,
  type LockedShipment,
  liveAttemptOf,
  type ShipmentCommand,
} from '../shipments/change-shipment.ts'
import { withException } from '../shipments/exceptions.ts'
import { graceMs, nextRequestLeaseMs } from '../shipments/leases.ts'
import { moveShipment, type RecordedChange } from '../shipments/move-shipment.ts'
import type { ShipmentWork } from '../shipments/shipment-work.ts'
import { type UnrefundedShipment, withoutRefundedUnits } from '../shipments/unrefunded-shipment.ts'
import type { RequestOutcome } from './record-outcome.ts'
import { requestReference } from './request-reference.ts'
import { unpaidCode, walletLowException } from './unpaid-order.ts'

/**
 * Dispatch attempt: one request to one carrier. It is committed before the request is sent, so that a possible order is
 * recorded even after a crash. A unique index allows one live attempt per shipment.
 *
 *   begin (committed) ── sent ──┬─ accepted ─── the shipment waits for its courier
 *                               ├─ refused, unavailable, invalid ─── the next carrier
 *                               └─ unknown, or a crash ─── resolve-attempt.ts determines the outcome
 *
 * Units that were refunded after the shipment was created are removed from it before the attempt. If no unit remains,
 * or if the return of the shipment was received or closed, the shipment is cancelled.
 */

/**
 * Maximum age at which a stored dispatch attempt is sent to its carrier. If the process pauses for longer, another
 * worker may have abandoned the attempt.
 */
const attemptAgeMaxMs = 5_000

export type BeginOutcome =
  | { readonly is: 'started'; readonly attempt: StoredAttempt; readonly shipment: StoredShipment }
  /**
   * No dispatch attempt was started: another attempt is in progress, the shipment no longer has the status
   * `dispatching`, its order is on hold, or it has no units left to ship.
   */
  | { readonly is: 'not_startable' }

/**
 * Whether the shipment still has the number of attempts that it had when the offer was chosen. If an attempt was added,
 * another offer may have to be chosen.
 */
function isUnchanged(locked: LockedShipment, seenAttempts: number): boolean {
  const { status, attemptCount } = locked.shipment
  return status === 'dispatching' && attemptCount === seenAttempts && liveAttemptOf(locked) === undefined
}

/** The attempt is stored before its request is sent. */
export async function beginAttempt(
  command: ShipmentCommand,
  offer: PlannedOffer,
  seenAttempts: number,
): Promise<BeginOutcome> {
  const { timeouts } = command.context
  const started = await changeShipment<BeginOutcome>(command, 'shipment.request_carrier', async (work, locked) => {
    if (locked.shipment.cancelRequestedAt !== null || !isUnchanged(locked, seenAttempts)) return undefined
    const unrefunded = await withoutRefundedUnits(work, locked.shipment)
    if (unrefunded.is === 'order_on_hold') return undefined
    if (unrefunded.is === 'unneeded') {
      await endUnneeded(work, locked.shipment, unrefunded)
      return notStartable
    }
    const { shipment } = unrefunded
    const deadline = toTimestamp(work.nowMs + timeouts.createMs + graceMs)
    const reference = requestReference(shipment, locked.attempts)
    const attempt = {
      ...newAttempt(work, shipment, offer),
      reference,
      state: 'sending' as const,
      nextCheckAt: deadline,
    }
    insertAttempt(work.trx, attempt)
    const { shipment: updated } = await moveShipment(
      work,
      shipment,
      {
        status: null,
        source: 'service',
        description: `A rider of ${carrierNameOf(offer.carrier)} is requested.`,
        attemptNumber: attempt.number,
      },
      {
        attemptCount: attempt.number,
        dispatchedAt: shipment.dispatchedAt ?? work.now,
        nextCheckAt: deadline,
        checks: 0,
      },
    )
    work.note({ attempt: [null, { number: attempt.number, carrier: offer.carrier }] })
    return { is: 'started', attempt, shipment: updated }
  })
  return started ?? notStartable
}

const notStartable = { is: 'not_startable' } as const

/**
 * Cancels a shipment that no carrier has accepted. The shipment is not needed, because none of its units remain to be
 * shipped.
 */
export function endUnneeded(
  work: ShipmentWork,
  shipment: StoredShipment,
  { why }: Extract<UnrefundedShipment, { is: 'unneeded' }>,
): Promise<RecordedChange> {
  return moveShipment(work, shipment, { ...why, status: 'cancelled', source: 'service' }, { cancelFeeKobo: noKobo })
}

/** Stores a dispatch attempt in the state `skipped`, with the given reason. No request is sent to the carrier. */
export async function skipOffer(
  command: ShipmentCommand,
  offer: PlannedOffer,
  seenAttempts: number,
  { code, message }: { readonly code: string; readonly message: string },
): Promise<void> {
  await changeShipment(command, 'shipment.request_carrier', async (work, locked) => {
    const { shipment } = locked
    if (!isUnchanged(locked, seenAttempts)) return undefined
    const attempt: StoredAttempt = {
      ...newAttempt(work, shipment, offer),
      state: 'skipped',
      outcomeCode: code,
      outcomeMessage: message,
      answeredAt: work.now,
      resolvedAt: work.now,
    }
    insertAttempt(work.trx, attempt)
    const { carrier } = offer
    const update = { status: null, source: 'service', attemptNumber: attempt.number } as const
    await moveShipment(
      work,
      shipment,
      { ...update, description: `${carrierNameOf(carrier)} was skipped: ${message}` },
      {
        attemptCount: attempt.number,
        nextCheckAt: toTimestamp(work.nowMs + nextRequestLeaseMs),
        ...(code === unpaidCode
          ? { exceptions: withException(shipment.exceptions, walletLowException(carrier, work.now)) }
          : {}),
      },
    )
    work.note({ attempt: [null, { number: attempt.number, carrier, state: 'skipped' }] })
    return attempt
  })
}

function newAttempt(work: Work, shipment: StoredShipment, offer: PlannedOffer): StoredAttempt {
  const number = shipment.attemptCount + 1
  return {
    merchantId: work.merchantId,
    shipmentId: shipment.id,
    number,
    carrier: offer.carrier,
    reference: `${shipment.id}-attempt-${number}`,
    offer: { ...offer, codAmountKobo: shipment.codAmountKobo },
    startedAt: work.now,
    state: 'sending',
    priceKobo: carrierPriceOf(offer),
    carrierReference: null,
    outcomeCode: null,
    outcomeMessage: null,
    cancelFeeKobo: null,
    duplicateCostKobo: null,
    answeredAt: null,
    resolvedAt: null,
    notFoundCount: 0,
    notFoundSince: null,
    checks: 0,
    nextCheckAt: null,
    assignDeadline: null,
    monitorUntil: null,
  }
}

/** Undefined when the carrier is no longer connected. */
export async function usableFor(command: ShipmentCommand, carrier: string): Promise<UsableCarrier | undefined> {
  const usable = await carriersFor(command.context, command.tenant)
  return usable.find((known) => known.carrier.code === carrier)
}

export function createRequestOf(shipment: StoredShipment, attempt: StoredAttempt): CreateRequest {
  const { offer } = attempt
  const { pickup, dropoff, parcels, vehicle, distanceMeters, undeliverableAction, proof, codAmountKobo } = shipment
  return {
    reference: attempt.reference,
    pickup,
    dropoff,
    parcels,
    vehicle,
    distanceMeters,
    serviceLevels: [offer.serviceLevel],
    pickupAt: requestedPickupAt(shipment, attempt.startedAt),
    undeliverable: undeliverableAction,
    pin: proof.pin ?? undefined,
    codAmountKobo: codAmountKobo ?? undefined,
    offer: {
      token: offer.token,
      service: offer.service,
      serviceLevel: offer.serviceLevel,
      vehicle: offer.vehicle,
      // The price in the request is the carrier’s own price, without the surge amount that this service adds.
      priceKobo: carrierPriceOf(offer),
      breakdown: offer.breakdown.filter(({ code }) => code !== surgeLineCode),
      pickupMinutes: offer.pickupMinutes ?? undefined,
      dropoffMinutes: offer.dropoffMinutes ?? undefined,
      expiresAt: offer.expiresAt,
    },
  }
}

/** Returns `not_sent` if the attempt is older than `attemptAgeMaxMs`. */
export async function sendAttempt(
  command: ShipmentCommand,
  { carrier, account }: UsableCarrier,
  shipment: StoredShipment,
  attempt: StoredAttempt,
): Promise<RequestOutcome> {
  const { breakers, clock, timeouts } = command.context
  if (clock.nowMs() - toMs(attempt.startedAt) > attemptAgeMaxMs) {
    return { is: 'not_sent' }
  }
  const request = createRequestOf(shipment, attempt)
  const call = { operation: 'create', timeoutMs: timeouts.createMs } as const
  return breakers.run({ carrier, account }, call, (signal) => carrier.create(account, request, signal))
}
