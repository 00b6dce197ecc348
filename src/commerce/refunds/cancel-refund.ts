import type { Refund } from '../../../registry/refunds/refund.ts'
import type { RefundId } from '../../../registry/values/vocabulary.ts'
import type { Work } from '../../store/core/mutation.ts'
import { lockOrder } from '../../store/orders/order-writes.ts'
import { lockRefund } from '../../store/refunds/refund-writes.ts'
import { findRefund } from '../../store/refunds/refunds.ts'
import { writeUpdate } from './update-refund.ts'

export type CancelRefundOutcome =
  | { readonly is: 'cancelled'; readonly refund: Refund }
  | { readonly is: 'refund_unknown' }
  | { readonly is: 'not_cancellable'; readonly status: Refund['status'] }

/**
 * Cancels a refund that has not been submitted to its provider. After submission the money may already be on its way.
 */
export async function cancelRefund(
  work: Work<'refund.updated' | 'shipment.exception_raised'>,
  id: RefundId,
): Promise<CancelRefundOutcome> {
  const { trx, merchantId } = work
  const found = await findRefund(trx, merchantId, id)
  if (found === undefined) return { is: 'refund_unknown' }
  const [, refund] = await Promise.all([lockOrder(trx, merchantId, found.orderId), lockRefund(trx, merchantId, id)])
  if (refund === undefined) return { is: 'refund_unknown' }
  if (refund.status !== 'pending' || refund.submittedAt !== null)
    return { is: 'not_cancellable', status: refund.status }
  const update = { status: 'cancelled', nextCheckAt: work.now } as const
  const outcome = await writeUpdate(work, { id, orderId: found.orderId }, update)
  if (outcome.is !== 'updated') throw new Error(`Refund ${id} is locked but the update returned ${outcome.is}.`)
  const { refund: cancelled, previousStatus } = outcome
  work.emit('refund.updated', id, { refund: cancelled, previousStatus })
  return { is: 'cancelled', refund: cancelled }
}
