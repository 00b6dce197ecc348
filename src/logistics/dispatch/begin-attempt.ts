import { toMs, toTimestamp } from '../../base/clock.ts'
import type { CreateRequest } from '../../partners/carriers/carrier.ts'
import type { Work } from '../../store/core/mutation.ts'
import { insertAttempt } from '../../store/logistics/shipments/shipments.ts'
import { isOrderOnHold } from '../../store/orders/order-shipments.ts'
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
import { moveShipment } from '../shipments/move-shipment.ts'
import type { RequestOutcome } from './record-outcome.ts'
import { unpaidCode, walletLow } from './unpaid-order.ts'

/**
 * One asking of one carrier. It is written down and committed before anything is sent, so that whatever happens then, what
 * may have been ordered is known; and the database lets a shipment have one such row at a time.
 *
 *   begin (committed) ── sent ──┬─ accepted ─── the shipment awaits its courier
 *                               ├─ refused, unavailable, invalid ─── the next carrier
 *                               └─ unknown, or a crash ─── resolve-attempt.ts finds out
 */

/** A process that was frozen between writing and sending must not send: the asking may have been given up meanwhile. */
const freshMs = 5_000

export type BeginOutcome =
  | { readonly is: 'begun'; readonly attempt: StoredAttempt; readonly shipment: StoredShipment }
  /** An asking is under way, the shipment is no longer to be dispatched, or its order is on hold. */
  | { readonly is: 'not_now' }

/** Whoever chose the offer did so by the askings of then: had there been another since, the choice might be another. */
function isAsSeen(locked: LockedShipment, seen: number): boolean {
  const { status, attemptCount } = locked.shipment
  return status === 'dispatching' && attemptCount === seen && liveAttemptOf(locked) === undefined
}

/** Writes an asking down; nothing has been sent yet. */
export async function beginAttempt(command: ShipmentCommand, offer: PlannedOffer, seen: number): Promise<BeginOutcome> {
  const { patience } = command.context
  const begun = await changeShipment(command, 'shipment.request_carrier', async (work, locked) => {
    const { shipment } = locked
    if (shipment.cancelRequestedAt !== null || !isAsSeen(locked, seen)) return undefined
    if (await isOrderOnHold(work.trx, shipment)) return undefined
    const deadline = toTimestamp(work.nowMs + patience.createMs + graceMs)
    const attempt = { ...newAttempt(work, shipment, offer), state: 'sending' as const, nextCheckAt: deadline }
    insertAttempt(work.trx, attempt)
    const { shipment: noted } = await moveShipment(
      work,
      shipment,
      {
        status: null,
        source: 'service',
        description: `${carrierNameOf(offer.carrier)} is requested.`,
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
    return { attempt, shipment: noted }
  })
  return begun === undefined ? { is: 'not_now' } : { is: 'begun', ...begun }
}

/** Notes a carrier that is passed over without being asked, and why. */
export async function skipOffer(
  command: ShipmentCommand,
  offer: PlannedOffer,
  seen: number,
  { code, message }: { readonly code: string; readonly message: string },
): Promise<void> {
  await changeShipment(command, 'shipment.request_carrier', async (work, locked) => {
    const { shipment } = locked
    if (!isAsSeen(locked, seen)) return undefined
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
    const news = { status: null, source: 'service', attemptNumber: attempt.number } as const
    await moveShipment(
      work,
      shipment,
      { ...news, description: `${carrierNameOf(carrier)} was skipped: ${message}` },
      {
        attemptCount: attempt.number,
        nextCheckAt: toTimestamp(work.nowMs + nextRequestLeaseMs),
        ...(code === unpaidCode
          ? { exceptions: withException(shipment.exceptions, walletLow(carrier, work.now)) }
          : {}),
      },
    )
    work.note({ attempt: [null, { number: attempt.number, carrier, state: 'skipped' }] })
    return attempt
  })
}

/** An asking that is not sent yet. */
function newAttempt(work: Work, shipment: StoredShipment, offer: PlannedOffer): StoredAttempt {
  const number = shipment.attemptCount + 1
  return {
    merchantId: work.merchantId,
    shipmentId: shipment.id,
    number,
    carrier: offer.carrier,
    reference: `${shipment.id}-${number}`,
    offer,
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

/** The carrier of an asking with the merchant’s account; undefined once it is no longer connected. */
export async function usableFor(command: ShipmentCommand, carrier: string): Promise<UsableCarrier | undefined> {
  const usable = await carriersFor(command.context, command.tenant)
  return usable.find((known) => known.carrier.code === carrier)
}

export function createRequestOf(shipment: StoredShipment, attempt: StoredAttempt): CreateRequest {
  const { offer } = attempt
  const { pickup, dropoff, parcels, vehicle, distanceMeters, undeliverableAction, proof } = shipment
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
    offer: {
      token: offer.token,
      service: offer.service,
      serviceLevel: offer.serviceLevel,
      vehicle: offer.vehicle,
      // As the carrier made it: what this service adds is none of its business.
      priceKobo: carrierPriceOf(offer),
      breakdown: offer.breakdown.filter(({ code }) => code !== surgeLineCode),
      pickupMinutes: offer.pickupMinutes ?? undefined,
      dropoffMinutes: offer.dropoffMinutes ?? undefined,
      expiresAt: offer.expiresAt,
    },
  }
}

/** Sends what was written down, unless it is too late for that. */
export async function sendAttempt(
  command: ShipmentCommand,
  { carrier, account }: UsableCarrier,
  shipment: StoredShipment,
  attempt: StoredAttempt,
): Promise<RequestOutcome> {
  const { breakers, clock, patience } = command.context
  if (clock.nowMs() - toMs(attempt.startedAt) > freshMs) {
    return { is: 'not_sent' }
  }
  const request = createRequestOf(shipment, attempt)
  const call = { operation: 'create', timeoutMs: patience.createMs } as const
  return breakers.run({ carrier, account }, call, (signal) => carrier.create(account, request, signal))
}
