import { hasLeftShop, type ShipmentStatus } from '../../../registry/logistics/shipment-states.ts'
import { type ReturnStatus, returnsUnderWay } from '../../../registry/returns/return-states.ts'
import type { ReturnId, ShipmentId } from '../../../registry/values/vocabulary.ts'
import type { Work } from '../../store/core/mutation.ts'
import { touchReturn } from '../../store/returns/return-writes.ts'
import { lockReturn } from '../../store/returns/returns.ts'
import { reportArrived, resolveEarlierShipments } from './arrived-return.ts'
import { writeStatus } from './transition-return.ts'

interface MovedShipment {
  readonly id: ShipmentId
  readonly returnId: ReturnId
  readonly status: ShipmentStatus
}

/**
 * Applies the status of a return shipment to its return. The return becomes `in_transit` at the pickup, and `approved`
 * again if the parcel was returned to the customer. The delivery of the parcel does not set the return to `received`,
 * because the merchant must first inspect the units. A return that was received or closed does not change any more.
 * Must be called under the lock of the shipment, after its status was written.
 */
export async function followReturnShipment(
  work: Work<'return.status_changed'>,
  { id, returnId, status }: MovedShipment,
): Promise<void> {
  const { trx, merchantId, now } = work
  const found = await lockReturn(trx, merchantId, returnId)
  if (found === undefined) throw new Error(`Return ${returnId} of shipment ${id} is gone.`)
  const to = statusAfter(found.status, status)
  if (to === found.status) {
    touchReturn(trx, { merchantId, id: returnId, now })
  } else {
    writeStatus(work, found, to)
    work.note({ returnStatus: [found.status, to] })
  }
  if (!isUndecided(status)) resolveEarlierShipments(work, found, id)
  if (status === 'delivered' && returnsUnderWay.includes(to)) reportArrived(work, found)
}

/**
 * Reports whether the return of a shipment was received, closed or otherwise ended, so that the return needs no further
 * shipment. Locks the order of the return.
 */
export async function hasReturnEnded({ trx, merchantId }: Work, returnId: ReturnId | null): Promise<boolean> {
  const found = returnId === null ? undefined : await lockReturn(trx, merchantId, returnId)
  return found !== undefined && !returnsUnderWay.includes(found.status)
}

function statusAfter(from: ReturnStatus, shipment: ShipmentStatus): ReturnStatus {
  if (from === 'approved' && hasLeftShop(shipment) && shipment !== 'returned') return 'in_transit'
  return from === 'in_transit' && shipment === 'returned' ? 'approved' : from
}

/**
 * Whether the status of a shipment leaves open where the units are. This is the case if no carrier has accepted the
 * shipment yet, and if the shipment is cancelled or being cancelled.
 */
function isUndecided(status: ShipmentStatus): boolean {
  return status === 'scheduled' || status === 'dispatching' || status === 'cancelling' || status === 'cancelled'
}
