import { shipmentEvents } from '../../../registry/kit/event.ts'
import {
  isShipmentOver,
  type ShipmentExceptionCode,
  type ShipmentStatus,
} from '../../../registry/logistics/shipment-states.ts'
import type { ShipmentId } from '../../../registry/values/vocabulary.ts'
import type { Actor } from '../../store/core/audit.ts'
import { type Context, mutate, type Tenant } from '../../store/core/mutation.ts'
import { lockShipment } from '../../store/logistics/shipments/shipments.ts'
import type { StoredAttempt } from '../../store/tables/shipment.ts'
import { isUnpaid } from '../dispatch/unpaid-order.ts'
import { isOpen, resolvedOf } from '../shipments/exceptions.ts'
import { moveShipment } from '../shipments/move-shipment.ts'
import type { ShipmentWork } from '../shipments/shipment-work.ts'

/**
 * Exception codes that an operator may resolve. An exception with any other code is resolved when its condition ends.
 */
export const resolvableCodes = [
  'outcome_unknown',
  'possible_duplicate',
  'duplicate_dispatch',
  'carrier_wallet_low',
  'order_not_moved',
  'order_cancelled',
  'price_above_ceiling',
  'price_above_offer',
  'cancellation_fee_above_accepted',
  'cancelled_after_pickup',
  'dispatch_failed',
  'delivery_failed',
  'parcel_returned',
  'parcel_lost',
  'delivered_after_cancellation',
  'units_refunded',
  'units_not_shipped',
  'cod_amount_mismatch',
] as const satisfies readonly ShipmentExceptionCode[]

export type ResolvableCode = (typeof resolvableCodes)[number]

/**
 * Codes of exceptions that an operator may resolve only after the shipment has ended. Before that, `order_cancelled`
 * prevents requests to further carriers, and the service itself resolves `outcome_unknown` when it knows the outcome.
 */
const codesOfEnded: readonly ResolvableCode[] = ['order_cancelled', 'outcome_unknown']

export type ResolveOutcome =
  | { readonly is: 'resolved' }
  /** Every exception of the shipment with the requested code is already resolved. */
  | { readonly is: 'unchanged' }
  | { readonly is: 'shipment_unknown' }
  | { readonly is: 'exception_unknown'; readonly open: readonly ShipmentExceptionCode[] }
  /** The exception cannot be resolved yet, because the shipment is still active and the cause of the exception persists. */
  | { readonly is: 'still_needed' }

/** Resolves every open exception with one code. The timeline and the audit log store the operator’s reason. */
export function resolveException(
  context: Context,
  actor: Actor,
  tenant: Tenant,
  { id, code, reason }: { readonly id: ShipmentId; readonly code: ResolvableCode; readonly reason: string },
): Promise<ResolveOutcome> {
  const mutation = {
    tenant,
    actor,
    action: 'shipment.resolve_exception',
    resourceType: 'shipment',
    resourceId: () => id,
    emits: shipmentEvents,
  } as const
  return mutate(context, mutation, async (work: ShipmentWork): Promise<ResolveOutcome> => {
    const locked = await lockShipment(work.trx, { merchantId: tenant.merchantId, id })
    if (locked === undefined) return work.abort({ is: 'shipment_unknown' })
    const { shipment, attempts } = locked
    const known = shipment.exceptions.filter((exception) => exception.code === code)
    if (known.length === 0) {
      const open = shipment.exceptions.filter(isOpen).map((exception) => exception.code)
      return work.abort({ is: 'exception_unknown', open: [...new Set(open)] })
    }
    if (!known.some(isOpen)) return work.abort({ is: 'unchanged' })
    if (!isResolvable(code, { status: shipment.status, attempts })) return work.abort({ is: 'still_needed' })
    const exceptions = resolvedOf(shipment.exceptions, [code], work.now)
    const description = `${code} was resolved by command: ${reason}`
    await moveShipment(work, shipment, { status: null, source: 'request', description }, { exceptions })
    work.note({ exception: [code, null], reason: [null, reason] })
    return { is: 'resolved' }
  })
}

interface ShipmentState {
  readonly status: ShipmentStatus
  readonly attempts: readonly Pick<StoredAttempt, 'state' | 'outcomeCode'>[]
}

/** Whether an operator may resolve the exceptions with this code in the current state of the shipment. */
export function isResolvable(code: ResolvableCode, { status, attempts }: ShipmentState): boolean {
  if (isShipmentOver(status)) return true
  // While the carrier suspends the order, it repeats the same report, which would not raise the exception again.
  return !codesOfEnded.includes(code) && !(code === 'carrier_wallet_low' && attempts.some(isUnpaid))
}
