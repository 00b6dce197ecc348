import {
  handedOverStatuses,
  isShipmentOver,
  type ShipmentExceptionCode,
  type ShipmentStatus,
} from '../../../registry/logistics/shipment-states.ts'
import type { OrderStatus } from '../../../registry/orders/order-states.ts'
import type { Timestamp } from '../../../registry/values/vocabulary.ts'
import { orderCancelledException } from '../../store/orders/order-shipments.ts'
import type { StoredAttempt, StoredShipment } from '../../store/tables/shipment.ts'
import type { StoredException } from '../../store/tables/shipment-exception.ts'

/**
 * The exceptions of a shipment: conditions that need manual action, in addition to the shipment's status. An exception
 * is added once, and marked as resolved when its condition ends.
 */

export type Exceptions = readonly StoredException[]

/**
 * Adds an exception to a shipment unless an equal exception is open. The new exception replaces an equal exception that
 * was resolved.
 */
export function withException(exceptions: Exceptions, exception: StoredException): Exceptions {
  if (exceptions.some((known) => isSame(known, exception) && isOpen(known))) return exceptions
  return [...exceptions.filter((known) => !isSame(known, exception)), exception]
}

/** Whether two exceptions are equal: about the same dispatch attempt, with the same facts and amounts. */
export function isSame(one: StoredException, other: StoredException): boolean {
  return identityOf(one) === identityOf(other)
}

function identityOf(exception: StoredException): string {
  const { code, cause, carrier, attemptNumber, facts = {}, amounts, message, itemIds } = exception
  const { allowedKobo, chargedKobo } = amounts ?? {}
  const sortedFacts = Object.entries(facts).sort(([a], [b]) => (a < b ? -1 : 1))
  return JSON.stringify([code, cause, carrier, attemptNumber, sortedFacts, allowedKobo, chargedKobo, message, itemIds])
}

export function isOpen({ resolvedAt }: StoredException): boolean {
  return resolvedAt === undefined
}

type Attempt = Pick<StoredAttempt, 'carrier' | 'number'>

/**
 * Whether an exception has one of the codes and concerns the dispatch attempt. An exception that was stored without an
 * attempt number concerns every attempt with its carrier.
 */
export function isOf(known: StoredException, codes: readonly ShipmentExceptionCode[], attempt: Attempt): boolean {
  const { code, carrier, attemptNumber = attempt.number } = known
  return codes.includes(code) && carrier === attempt.carrier && attemptNumber === attempt.number
}

/** Returns the same array if no exception is resolved, so that callers can detect a change by comparison. */
export function resolvedExceptions(
  exceptions: Exceptions,
  isOver: (exception: StoredException) => boolean,
  at: Timestamp,
) {
  const isResolvable = (exception: StoredException) => isOpen(exception) && isOver(exception)
  if (!exceptions.some(isResolvable)) return exceptions
  return exceptions.map((exception) => (isResolvable(exception) ? { ...exception, resolvedAt: at } : exception))
}

export function resolvedOf(exceptions: Exceptions, codes: readonly ShipmentExceptionCode[], at: Timestamp): Exceptions {
  return resolvedExceptions(exceptions, ({ code }) => codes.includes(code), at)
}

/** Exception codes of failed polls, which the next successful poll resolves. */
export const pollFailureCodes = ['carrier_not_connected', 'carrier_account_blocked', 'order_missing'] as const

/** Exception codes about prices. They apply while the carrier that charges the price has the shipment. */
export const priceCodes = ['price_above_ceiling', 'price_above_offer'] as const

/** Resolves the exceptions whose conditions end when a shipment reaches the given status. */
export function resolvedBy(exceptions: Exceptions, to: ShipmentStatus, at: Timestamp): Exceptions {
  const codes: readonly ShipmentExceptionCode[] = codesResolvedBy(to)
  // An exception about a carrier order that was not cancelled stays open. The exception about a cancellation that the
  // service did not request, because the fee was above the accepted maximum, stays open until the shipment ends.
  const isOver = ({ code, cause }: StoredException) =>
    codes.includes(code) || (cause === 'not_requested' && isShipmentOver(to))
  return resolvedExceptions(exceptions, (known) => isOver(known) && !isOfRetainedOrder(known), at)
}

const lateCodes = ['courier_late', 'pickup_late'] as const

function codesResolvedBy(to: ShipmentStatus): readonly ShipmentExceptionCode[] {
  // Every later status resolves the exception about a failed delivery. A later status shows that another attempt was
  // made, or that the parcel was delivered, returned or lost.
  const ofParcel = [...lateCodes, 'delivery_failed'] as const
  // Exceptions about lateness, missing updates, failed polls and prices apply only while a carrier has the shipment.
  const ofCarrier = [...ofParcel, 'tracking_stalled', 'unknown_carrier_status', ...pollFailureCodes] as const
  // A carrier whose wallet is empty no longer matters once another carrier has ended the shipment, or the merchant has.
  // A failed shipment must be dispatched again, for which the merchant must fund the wallet.
  const ofEnd = [
    ...ofCarrier,
    'order_cancelled',
    ...(to === 'failed' ? [] : (['carrier_wallet_low'] as const)),
  ] as const
  if (to === 'dispatching') return [...ofCarrier, ...priceCodes]
  if (to === 'cancelled') return [...ofEnd, ...priceCodes, 'units_refunded']
  // A delivery does not resolve the exception about refunded units: the customer then has both the units and the money.
  if (to === 'delivered') return ofEnd
  if (isShipmentOver(to)) return [...ofEnd, 'units_refunded']
  if (handedOverStatuses.includes(to)) return ofParcel
  if (to === 'courier_assigned' || to === 'at_pickup') return ['courier_late']
  return []
}

interface ReachedStatus {
  readonly to: ShipmentStatus
  /** The order's status before the shipment was delivered. Null for a shipment without an order. */
  readonly orderStatus?: OrderStatus | null
  /** Whether units in the failed shipment must be sent again, for an order or for a return. */
  readonly isUnsent?: boolean
  /**
   * Whether the shipment belongs to a return that was already received or closed when the shipment ended without a
   * delivery.
   */
  readonly isReturnEnded?: boolean
}

/** Adds the exception for the new status of a shipment, if the goods need manual action in this status. */
export function withStatusException(
  exceptions: Exceptions,
  { carrier, returnId }: Pick<StoredShipment, 'carrier' | 'returnId'>,
  reached: ReachedStatus,
  at: Timestamp,
): Exceptions {
  const code = codeOfStatus(exceptions, reached)
  if (code === undefined) return exceptions
  const cause = reached.isReturnEnded === true ? 'return_ended' : 'return_shipment'
  return withException(exceptions, {
    code,
    ...(returnId === null ? {} : { cause }),
    ...(carrier === null ? {} : { carrier }),
    at,
  })
}

function codeOfStatus(
  exceptions: Exceptions,
  { to, orderStatus, isUnsent }: ReachedStatus,
): ShipmentExceptionCode | undefined {
  // The shipment of a cancelled order does not get the exception `delivery_failed`, because its exception
  // `order_cancelled` already reports that the parcel must come back.
  if (to === 'delivery_failed' && !hasCancelledOrder({ exceptions })) return 'delivery_failed'
  if (to === 'returned') return 'parcel_returned'
  if (to === 'lost') return 'parcel_lost'
  if (to === 'delivered' && orderStatus === 'cancelled') return 'delivered_after_cancellation'
  // A failed shipment that belongs to neither an order nor a return needs no exception: the response to the dispatch
  // request, or the webhook event of the failure, already reports the failure. After a return has ended, its failed
  // shipment needs no exception either, because the units need no other shipment.
  return to === 'failed' && isUnsent === true ? 'dispatch_failed' : undefined
}

const codesOfEnds = { returned: 'parcel_returned', lost: 'parcel_lost' } as const

interface LaterEnd {
  readonly status: ShipmentStatus | undefined
  readonly carrier: string
  readonly attemptNumber: number
  readonly at: Timestamp
}

/**
 * Adds the exception for a parcel whose carrier reports another end than the end that gave the shipment its final
 * status. The units were counted by the first end, so the merchant must find out who has them. The new exception
 * replaces the one about the first end.
 */
export function withOtherEnd(
  { status: firstEnd, exceptions }: Pick<StoredShipment, 'status' | 'exceptions'>,
  { status: laterEnd, ...source }: LaterEnd,
): Exceptions {
  const codes: readonly ShipmentExceptionCode[] = Object.values(codesOfEnds)
  const end = laterEnd === 'returned' || laterEnd === 'lost' ? laterEnd : firstEnd
  if (laterEnd === undefined || (end !== 'returned' && end !== 'lost')) return exceptions
  const known = resolvedExceptions(
    exceptions,
    ({ code, cause }) => codes.includes(code) && cause !== 'other_end',
    source.at,
  )
  return withException(known, { code: codesOfEnds[end], cause: 'other_end', ...source, facts: { firstEnd, laterEnd } })
}

/**
 * Whether the merchant's order was cancelled while a carrier had the shipment. If so, no other carrier is requested.
 */
export function hasCancelledOrder({ exceptions }: { readonly exceptions: Exceptions }): boolean {
  return exceptions.some((exception) => exception.code === 'order_cancelled' && isOpen(exception))
}

export const orderCancelledReason = { code: 'order_cancelled', message: 'The order was cancelled.' } as const

/** Exception codes for dispatch attempts whose outcome is not determined. */
const unknownOutcomeCodes = ['possible_duplicate', 'outcome_unknown'] as const

/**
 * Exception codes about a duplicate: a second carrier order that exists, or may exist, besides the carrier order of the
 * shipment.
 */
const duplicateCodes = [...unknownOutcomeCodes, 'duplicate_dispatch', 'order_cancelled'] as const

/**
 * Adds the exception of an abandoned carrier order that the carrier did not cancel. If the shipment has another carrier
 * order, the abandoned order is a duplicate. If the merchant’s order was cancelled, a single exception reports both
 * carrier orders.
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
  // If the merchant's order was cancelled, the exception is `order_cancelled` instead of `duplicate_dispatch`. The
  // merchant's cancellation is final, even if a carrier still has an order for the parcel.
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

/** Returns the data of an exception about a dispatch attempt: the carrier's reference of the order, if it is known. */
export function factsOf({
  carrierReference,
}: Pick<StoredAttempt, 'carrierReference'>): StoredException['facts'] & object {
  return carrierReference === null ? {} : { carrierReference }
}

function isOfRetainedOrder({ code, cause }: StoredException): boolean {
  return code === 'order_cancelled' && cause === 'order_kept'
}

/**
 * Whether the exception reports only that the merchant cancelled the order. An exception that also reports a carrier
 * order that was not cancelled is excluded.
 */
function isCancelledOrderOnly(exception: StoredException): boolean {
  return exception.code === orderCancelledException.code && !isOfRetainedOrder(exception)
}

/**
 * Resolves the exceptions of an abandoned carrier order that was cancelled. Adds `order_cancelled` again if the
 * merchant cancelled the order of the shipment and another carrier still has the shipment.
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

/** Adds `order_cancelled` if a carrier rejects the cancellation of a shipment whose order the merchant cancelled. */
export function withRejectedCancellation(
  { status, statusCode, exceptions }: Pick<StoredShipment, 'status' | 'statusCode' | 'exceptions'>,
  to: ShipmentStatus,
  at: Timestamp,
): Exceptions {
  const isRejected = status === 'cancelling' && statusCode === orderCancelledReason.code && !isShipmentOver(to)
  return isRejected ? withException(exceptions, { ...orderCancelledException, at }) : exceptions
}
