import {
  handedOverStatuses,
  isShipmentOver,
  type ShipmentExceptionCode,
  type ShipmentStatus,
} from '../../../registry/logistics/shipment-states.ts'
import type { OrderStatus } from '../../../registry/orders/order-states.ts'
import type { Timestamp } from '../../../registry/values/vocabulary.ts'
import { orderCancelledException } from '../../store/orders/order-shipments.ts'
import type { StoredAttempt, StoredException, StoredShipment } from '../../store/tables/shipment.ts'

/**
 * Exceptions: conditions of a shipment that need manual action, besides its status. Each is added once, and marked when
 * it is resolved.
 */

export type Exceptions = readonly StoredException[]

/** Adds an exception unless the same one is open. A resolved one that occurs again is replaced. */
export function withException(exceptions: Exceptions, exception: StoredException): Exceptions {
  if (exceptions.some((known) => isSame(known, exception) && isOpen(known))) return exceptions
  return [...exceptions.filter((known) => !isSame(known, exception)), exception]
}

/** Whether two exceptions are the same: of the same attempt, with the same facts and amounts. */
export function isSame(one: StoredException, other: StoredException): boolean {
  return identityOf(one) === identityOf(other)
}

function identityOf({ code, cause, carrier, attemptNumber, facts = {}, amounts, message }: StoredException): string {
  const { allowedKobo, chargedKobo } = amounts ?? {}
  const sortedFacts = Object.entries(facts).sort(([a], [b]) => (a < b ? -1 : 1))
  return JSON.stringify([code, cause, carrier, attemptNumber, sortedFacts, allowedKobo, chargedKobo, message])
}

/** Whether an exception is not resolved yet. */
export function isOpen({ resolvedAt }: StoredException): boolean {
  return resolvedAt === undefined
}

type Attempt = Pick<StoredAttempt, 'carrier' | 'number'>

/**
 * Whether an exception has one of the codes and concerns the attempt. One stored without a number concerns every
 * attempt of the carrier.
 */
export function isOf(known: StoredException, codes: readonly ShipmentExceptionCode[], attempt: Attempt): boolean {
  const { code, carrier, attemptNumber = attempt.number } = known
  return codes.includes(code) && carrier === attempt.carrier && attemptNumber === attempt.number
}

/**
 * Resolves the open exceptions whose condition is over. Returns the same array when there is none, so that callers can
 * compare.
 */
export function resolvedExceptions(
  exceptions: Exceptions,
  isOver: (exception: StoredException) => boolean,
  at: Timestamp,
) {
  const isResolvable = (exception: StoredException) => isOpen(exception) && isOver(exception)
  if (!exceptions.some(isResolvable)) return exceptions
  return exceptions.map((exception) => (isResolvable(exception) ? { ...exception, resolvedAt: at } : exception))
}

/** Resolves the open exceptions of some codes. */
export function resolvedOf(exceptions: Exceptions, codes: readonly ShipmentExceptionCode[], at: Timestamp): Exceptions {
  return resolvedExceptions(exceptions, ({ code }) => codes.includes(code), at)
}

/** Codes of failed polls, which the next successful poll resolves. */
export const pollFailureCodes = ['carrier_not_connected', 'carrier_account_blocked', 'order_missing'] as const

/** Codes of prices, which apply while the carrier that charges the price has the shipment. */
export const priceCodes = ['price_above_ceiling', 'price_above_offer'] as const

/** Resolves the exceptions that end when a shipment arrives in a status. */
export function resolvedBy(exceptions: Exceptions, to: ShipmentStatus, at: Timestamp): Exceptions {
  const codes: readonly ShipmentExceptionCode[] = codesResolvedBy(to)
  // The exception of a retained order stays open.
  // A fee that was not charged matters until the shipment ends.
  const isOver = ({ code, cause }: StoredException) =>
    codes.includes(code) || (cause === 'not_requested' && isShipmentOver(to))
  return resolvedExceptions(exceptions, (known) => isOver(known) && !isOfRetainedOrder(known), at)
}

const lateCodes = ['courier_late', 'pickup_late'] as const

function codesResolvedBy(to: ShipmentStatus): readonly ShipmentExceptionCode[] {
  // Lateness, missing updates and poll failures concern a carrier that has the shipment, and so do prices.
  const ofCarrier = [...lateCodes, 'tracking_stalled', 'unknown_carrier_status', ...pollFailureCodes] as const
  if (to === 'dispatching') return [...ofCarrier, ...priceCodes]
  if (to === 'cancelled') return [...ofCarrier, ...priceCodes, 'order_cancelled', 'units_refunded']
  // A customer who got refunded units has both the units and the money.
  if (to === 'delivered') return [...ofCarrier, 'order_cancelled']
  if (isShipmentOver(to)) return [...ofCarrier, 'order_cancelled', 'units_refunded']
  if (handedOverStatuses.includes(to)) return lateCodes
  if (to === 'courier_assigned' || to === 'at_pickup') return ['courier_late']
  return []
}

/** Adds the exception of an end after which the goods need manual action. */
export function withEnd(
  exceptions: Exceptions,
  { orderId, carrier }: Pick<StoredShipment, 'orderId' | 'carrier'>,
  to: ShipmentStatus,
  orderStatus: OrderStatus | null,
  at: Timestamp,
): Exceptions {
  const isCancelled = orderStatus === 'cancelled'
  const code = endCodeOf(to, { isCancelled, hasOrder: orderId !== null })
  return code === undefined
    ? exceptions
    : withException(exceptions, { code, ...(carrier === null ? {} : { carrier }), at })
}

function endCodeOf(
  to: ShipmentStatus,
  { isCancelled, hasOrder }: { readonly isCancelled: boolean; readonly hasOrder: boolean },
): ShipmentExceptionCode | undefined {
  if (to === 'returned') return 'parcel_returned'
  if (to === 'lost') return 'parcel_lost'
  if (to === 'delivered' && isCancelled) return 'delivered_after_cancellation'
  // Without an order, the response or the event of the dispatch reports the failure.
  return to === 'failed' && hasOrder && !isCancelled ? 'dispatch_failed' : undefined
}

/** Whether the order was cancelled while a carrier had the shipment. No other carrier is then requested. */
export function hasCancelledOrder({ exceptions }: { readonly exceptions: Exceptions }): boolean {
  return exceptions.some((exception) => exception.code === 'order_cancelled' && isOpen(exception))
}

export const orderCancelledReason = { code: 'order_cancelled', message: 'The order was cancelled.' } as const

/** Codes of an outcome that is not determined. */
const unknownOutcomeCodes = ['possible_duplicate', 'outcome_unknown'] as const

/** Codes of an order that a carrier has, or may have, in addition to that of the shipment. */
const duplicateCodes = [...unknownOutcomeCodes, 'duplicate_dispatch', 'order_cancelled'] as const

/**
 * Adds the exception of an abandoned order that its carrier keeps. Beside another order it is a duplicate. When the
 * merchant’s order was cancelled, one exception covers both this order and that of the shipment.
 */
export function withOrderRetained(
  shipment: Pick<StoredShipment, 'carrier' | 'statusCode' | 'exceptions'>,
  attempt: Pick<StoredAttempt, 'carrier' | 'number' | 'carrierReference'>,
  at: Timestamp,
): { readonly exceptions: Exceptions; readonly exception: StoredException } {
  const known = resolvedExceptions(
    shipment.exceptions,
    (exception) => isOf(exception, unknownOutcomeCodes, attempt),
    at,
  )
  // The cancellation of the order is final, independent of the carriers’ orders.
  const isOrderCancelled =
    shipment.statusCode === orderCancelledReason.code || known.some(({ code }) => code === 'order_cancelled')
  const source = { carrier: attempt.carrier, attemptNumber: attempt.number, at } as const
  if (!isOrderCancelled) {
    const exception = { code: 'duplicate_dispatch', ...source, facts: factsOf(attempt) } as const
    return { exceptions: withException(known, exception), exception }
  }
  const others = known.filter((exception) => !isOpen(exception) || !isCancelledOrderOnly(exception))
  const holder = others.length < known.length ? shipment.carrier : null
  const facts = holder === null ? factsOf(attempt) : { ...factsOf(attempt), holder }
  const exception = { code: 'order_cancelled', cause: 'order_kept', ...source, facts } as const
  return { exceptions: withException(others, exception), exception }
}

/** Returns the facts of an exception about an attempt: the order reference at the carrier. */
export function factsOf({
  carrierReference,
}: Pick<StoredAttempt, 'carrierReference'>): StoredException['facts'] & object {
  return carrierReference === null ? {} : { carrierReference }
}

function isOfRetainedOrder({ code, cause }: StoredException): boolean {
  return code === 'order_cancelled' && cause === 'order_kept'
}

/** Whether the exception concerns only the cancelled order, and no retained one. */
function isCancelledOrderOnly(exception: StoredException): boolean {
  return exception.code === orderCancelledException.code && !isOfRetainedOrder(exception)
}

/**
 * Resolves the exceptions of an abandoned order that was cancelled. Adds `order_cancelled` again when another carrier
 * still has the shipment of a cancelled order.
 */
export function withOrderGone(
  shipment: Pick<StoredShipment, 'status' | 'exceptions'>,
  attempt: Attempt,
  at: Timestamp,
): Exceptions {
  const remaining = resolvedExceptions(shipment.exceptions, (known) => isOf(known, duplicateCodes, attempt), at)
  const isStillCancelled =
    hasCancelledOrder(shipment) && !hasCancelledOrder({ exceptions: remaining }) && !isShipmentOver(shipment.status)
  return isStillCancelled ? withException(remaining, { ...orderCancelledException, at }) : remaining
}

/** Adds `order_cancelled` when a carrier rejects the cancellation of a shipment whose order was cancelled. */
export function withRejectedCancellation(
  { status, statusCode, exceptions }: Pick<StoredShipment, 'status' | 'statusCode' | 'exceptions'>,
  to: ShipmentStatus,
  at: Timestamp,
): Exceptions {
  const isRejected = status === 'cancelling' && statusCode === orderCancelledReason.code && !isShipmentOver(to)
  return isRejected ? withException(exceptions, { ...orderCancelledException, at }) : exceptions
}
