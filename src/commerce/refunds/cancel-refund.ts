import type { Refund } from '../../../registry/refunds/refunds.ts'
import type { RefundId } from '../../../registry/values/vocabulary.ts'
import type { Work } from '../../store/core/mutation.ts'
import { lockOrder } from '../../store/orders/order-writes.ts'
import { lockRefund } from '../../store/refunds/refund-writes.ts'
import { findRefund } from '../../store/refunds/refunds.ts'
import { updateRefund } from './update-refund.ts'

export type CancelRefundOutcome =
  | { readonly is: 'cancelled'; readonly refund: Refund }
  | { readonly is: 'refund_unknown' }
  | { readonly is: 'not_cancellable'; readonly status: Refund['status'] }

/** Takes a refund back that no provider was asked for yet. Once one was, nobody can say that the money does not go. */
export async function cancelRefund(work: Work, id: RefundId): Promise<CancelRefundOutcome> {
  const { trx, merchantId } = work
  const found = await findRefund(trx, merchantId, id)
  if (found === undefined) return { is: 'refund_unknown' }
  const [, refund] = await Promise.all([lockOrder(trx, merchantId, found.orderId), lockRefund(trx, merchantId, id)])
  if (refund === undefined) return { is: 'refund_unknown' }
  if (refund.status !== 'pending' || refund.askedAt !== null) return { is: 'not_cancellable', status: refund.status }
  // A cancelled refund tells nobody anything, so this work needs no kind of event.
  const silent = { ...work, emit: () => undefined }
  const outcome = await updateRefund(
    silent,
    { id, orderId: found.orderId },
    { status: 'cancelled', nextLookAt: work.now },
  )
  if (outcome.is !== 'updated') throw new Error(`Refund ${id} is locked and yet ${outcome.is}.`)
  return { is: 'cancelled', refund: outcome.refund }
}
