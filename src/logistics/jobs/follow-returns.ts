import { tryEach } from '../../base/try-each.ts'
import { followReturnShipment } from '../../commerce/returns/follow-return-shipment.ts'
import { systemActor } from '../../store/core/audit.ts'
import { type Context, mutate, type Work } from '../../store/core/mutation.ts'
import { lockShipment } from '../../store/logistics/shipments/shipments.ts'
import { lockReturn } from '../../store/returns/returns.ts'
import { isUnfollowed, listUnfollowedReturns, type UnfollowedReturn } from '../../store/returns/unfollowed-returns.ts'

const system = systemActor('follow_returns')

/**
 * Applies the final status of a return shipment to its return, if the return did not change with the shipment. This
 * happens during an upgrade: a process of an older release, which does not support return shipments, may have ended the
 * shipment. If the update of one return fails, the other returns are still updated. Returns the number of updated
 * returns.
 */
export async function followReturns(context: Context): Promise<number> {
  const found = await listUnfollowedReturns(context.database)
  let followed = 0
  await tryEach(
    found.map((each) => async () => {
      if (await follow(context, each)) followed += 1
    }),
  )
  return followed
}

/**
 * Locks the shipment before the order, as an update of a shipment does. When both are locked, checks again that the
 * status was not applied yet.
 */
function follow(context: Context, { merchantId, mode, id, shipmentId }: UnfollowedReturn): Promise<boolean> {
  const mutation = {
    tenant: { merchantId, mode },
    actor: system,
    action: 'return.follow',
    resourceType: 'return',
    resourceId: () => id,
    emits: ['return.status_changed'],
  } as const
  return mutate(context, mutation, async (work: Work<'return.status_changed'>) => {
    const locked = await lockShipment(work.trx, { merchantId, id: shipmentId })
    await lockReturn(work.trx, merchantId, id)
    if (locked === undefined || !(await isUnfollowed(work.trx, merchantId, id))) return work.abort(false)
    const { status } = locked.shipment
    work.note({ shipmentStatus: [null, status] })
    await followReturnShipment(work, { id: shipmentId, returnId: id, status })
    return true
  })
}
