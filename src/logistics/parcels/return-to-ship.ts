import { holdsItems } from '../../../registry/logistics/shipment-states.ts'
import type { Return } from '../../../registry/returns/return.ts'
import type { ReturnStatus } from '../../../registry/returns/return-states.ts'
import type { ReturnId, ShipmentId } from '../../../registry/values/vocabulary.ts'
import type { Work } from '../../store/core/mutation.ts'
import { isCustomerAnonymised } from '../../store/logistics/shipments/redact-shipments.ts'
import { touchReturn } from '../../store/returns/return-writes.ts'
import { lockReturn } from '../../store/returns/returns.ts'

export type ReturnRefusal =
  | { readonly is: 'return_unknown' | 'customer_anonymised' }
  /** The return is not approved, or its units are in the shipment `shipmentId`. */
  | {
      readonly is: 'return_not_dispatchable'
      readonly status: ReturnStatus
      readonly shipmentId: ShipmentId | null
    }

/** Undefined if the state of the return permits a shipment. */
export function returnRefusal({ status, shipments }: Return): ReturnRefusal | undefined {
  const shipmentId = shipments.find((each) => holdsItems(each.status))?.id ?? null
  return status === 'approved' && shipmentId === null
    ? undefined
    : { is: 'return_not_dispatchable', status, shipmentId }
}

/**
 * The lock of the order lets only one of two concurrent dispatches get the units of the return. Under this lock, the
 * function also rejects the dispatch if the customer was anonymised after the return was read.
 */
export async function assignReturn(work: Work, id: ReturnId): Promise<ReturnRefusal | undefined> {
  const { trx, merchantId, now } = work
  const found = await lockReturn(trx, merchantId, id)
  if (found === undefined) return { is: 'return_unknown' }
  if (await isCustomerAnonymised(trx, { merchantId, orderId: found.orderId })) return { is: 'customer_anonymised' }
  const refused = returnRefusal(found)
  if (refused === undefined) touchReturn(trx, { merchantId, id, now })
  return refused
}
