import {
  handedOverStatuses,
  isShipmentOver,
  type ShipmentExceptionCode,
  type ShipmentStatus,
} from '../../../registry/logistics/shipment-states.ts'
import type { Timestamp } from '../../../registry/values/vocabulary.ts'
import { unwanted } from '../../store/orders/order-shipments.ts'
import type { StoredAttempt, StoredException, StoredShipment } from '../../store/tables/shipment.ts'

/** What a person should look at, beside the status: noted once, and marked when it holds no more. */

export type Exceptions = readonly StoredException[]

/** The same is not noted twice; what had been settled and holds again is noted anew. */
export function withException(exceptions: Exceptions, exception: StoredException): Exceptions {
  if (exceptions.some((known) => isSame(known, exception) && isOpen(known))) return exceptions
  return [...exceptions.filter((known) => !isSame(known, exception)), exception]
}

/** Whether both tell the same: of the same attempt, with the same facts and amounts. */
export function isSame(one: StoredException, other: StoredException): boolean {
  return identityOf(one) === identityOf(other)
}

function identityOf({ code, cause, carrier, attemptNumber, facts = {}, amounts, message }: StoredException): string {
  const { allowedKobo, chargedKobo } = amounts ?? {}
  const told = Object.entries(facts).sort(([a], [b]) => (a < b ? -1 : 1))
  return JSON.stringify([code, cause, carrier, attemptNumber, told, allowedKobo, chargedKobo, message])
}

export function isOpen({ resolvedAt }: StoredException): boolean {
  return resolvedAt === undefined
}

type Attempt = Pick<StoredAttempt, 'carrier' | 'number'>

/** Whether it tells of that attempt. What was stored without a number is of any attempt of the carrier. */
export function isOf(known: StoredException, codes: readonly ShipmentExceptionCode[], attempt: Attempt): boolean {
  const { code, carrier, attemptNumber = attempt.number } = known
  return codes.includes(code) && carrier === attempt.carrier && attemptNumber === attempt.number
}

/** Marks those that hold no more; the very list where there is none. */
export function resolvedExceptions(
  exceptions: Exceptions,
  isOver: (exception: StoredException) => boolean,
  at: Timestamp,
) {
  const isToSettle = (exception: StoredException) => isOpen(exception) && isOver(exception)
  if (!exceptions.some(isToSettle)) return exceptions
  return exceptions.map((exception) => (isToSettle(exception) ? { ...exception, resolvedAt: at } : exception))
}

/** The same for all of some codes. */
export function resolvedOf(exceptions: Exceptions, codes: readonly ShipmentExceptionCode[], at: Timestamp): Exceptions {
  return resolvedExceptions(exceptions, ({ code }) => codes.includes(code), at)
}

/** What asking a carrier again does not mend, and its next answer shows to be mended. */
export const silenceCodes = ['carrier_not_connected', 'carrier_account_blocked', 'order_missing'] as const

/** What is told of a price holds as long as the carrier that charges it has the shipment. */
export const priceCodes = ['price_above_ceiling', 'price_above_offer'] as const

/** What arriving in a state settles. */
export function resolvedBy(exceptions: Exceptions, to: ShipmentStatus, at: Timestamp): Exceptions {
  const codes: readonly ShipmentExceptionCode[] = codesSettledBy(to)
  // A carrier that keeps another order of it still does.
  return resolvedExceptions(exceptions, (known) => codes.includes(known.code) && !isOfKeptOrder(known), at)
}

const lateCodes = ['courier_late', 'pickup_late'] as const

function codesSettledBy(to: ShipmentStatus): readonly ShipmentExceptionCode[] {
  // Whoever was late is waited for no more, and whoever said nothing is not asked again; what is not carried has no price.
  const ofCarrier = [...lateCodes, 'tracking_stalled', 'unknown_carrier_status', ...silenceCodes] as const
  if (to === 'dispatching') return [...ofCarrier, ...priceCodes]
  if (to === 'cancelled') return [...ofCarrier, ...priceCodes, 'order_cancelled']
  if (isShipmentOver(to)) return [...ofCarrier, 'order_cancelled']
  if (handedOverStatuses.includes(to)) return lateCodes
  if (to === 'courier_assigned' || to === 'at_pickup') return ['courier_late']
  return []
}

/** Its order was cancelled while a carrier had it: once no carrier has it any more, nobody else is asked. */
export function isUnwanted({ exceptions }: { readonly exceptions: Exceptions }): boolean {
  return exceptions.some((exception) => exception.code === 'order_cancelled' && isOpen(exception))
}

export const unwantedReason = { code: 'order_cancelled', message: 'The order was cancelled.' } as const

/** What is told while nobody knows whether a carrier has an order. */
const doubtCodes = ['possible_duplicate', 'outcome_unknown'] as const

/** What is told of an order that a carrier has beside another’s, or may have. */
const secondCodes = [...doubtCodes, 'duplicate_dispatch', 'order_cancelled'] as const

/**
 * A carrier keeps an order that was given up: beside another’s it is one rider too many. Where the shop’s order was
 * cancelled nobody is wanted at all, and what is to be done about the one and the other is told as one.
 */
export function withOrderRetained(
  shipment: Pick<StoredShipment, 'carrier' | 'statusCode' | 'exceptions'>,
  attempt: Pick<StoredAttempt, 'carrier' | 'number' | 'carrierReference'>,
  at: Timestamp,
): { readonly exceptions: Exceptions; readonly told: StoredException } {
  const known = resolvedExceptions(shipment.exceptions, (exception) => isOf(exception, doubtCodes, attempt), at)
  // Cancelled for good: whether a carrier had it then, and has it still, is another matter.
  const isOrderGone =
    shipment.statusCode === unwantedReason.code || known.some(({ code }) => code === 'order_cancelled')
  const of = { carrier: attempt.carrier, attemptNumber: attempt.number, at } as const
  if (!isOrderGone) {
    const told = { code: 'duplicate_dispatch', ...of, facts: factsOf(attempt) } as const
    return { exceptions: withException(known, told), told }
  }
  const others = known.filter((exception) => !isOpen(exception) || !isUnwantedOnly(exception))
  const holder = others.length < known.length ? shipment.carrier : null
  const facts = holder === null ? factsOf(attempt) : { ...factsOf(attempt), holder }
  const told = { code: 'order_cancelled', cause: 'order_kept', ...of, facts } as const
  return { exceptions: withException(others, told), told }
}

/** How its carrier calls the order of an attempt. */
export function factsOf({
  carrierReference,
}: Pick<StoredAttempt, 'carrierReference'>): StoredException['facts'] & object {
  return carrierReference === null ? {} : { carrierReference }
}

function isOfKeptOrder({ code, cause }: StoredException): boolean {
  return code === 'order_cancelled' && cause === 'order_kept'
}

/** Of the order alone, and of no second one that a carrier keeps. */
function isUnwantedOnly(exception: StoredException): boolean {
  return exception.code === unwanted.code && !isOfKeptOrder(exception)
}

/** The order is gone after all. What its end leaves to be said of another carrier’s is said again. */
export function withOrderGone(
  shipment: Pick<StoredShipment, 'status' | 'exceptions'>,
  attempt: Attempt,
  at: Timestamp,
): Exceptions {
  const left = resolvedExceptions(shipment.exceptions, (known) => isOf(known, secondCodes, attempt), at)
  const isLeftUnsaid = isUnwanted(shipment) && !isUnwanted({ exceptions: left }) && !isShipmentOver(shipment.status)
  return isLeftUnsaid ? withException(left, { ...unwanted, at }) : left
}

/** The same is to be told where the order called it off, and its carrier does not let go: then a person has to decide. */
export function withRefusal(
  { status, statusCode, exceptions }: Pick<StoredShipment, 'status' | 'statusCode' | 'exceptions'>,
  to: ShipmentStatus,
  at: Timestamp,
): Exceptions {
  const isKept = status === 'cancelling' && statusCode === unwantedReason.code && !isShipmentOver(to)
  return isKept ? withException(exceptions, { ...unwanted, at }) : exceptions
}
