import type { OrderComment } from '../../../registry/orders/comments.ts'
import type { OrderId } from '../../../registry/values/vocabulary.ts'
import { newCommentId } from '../../base/records.ts'
import { findActorName } from '../../store/access/actor-name.ts'
import type { Work } from '../../store/core/mutation.ts'
import { insertOrderComment } from '../../store/orders/order-comments.ts'
import { lockOrder } from '../../store/orders/order-writes.ts'

export type CommentOnOrderOutcome =
  | { readonly is: 'commented'; readonly comment: OrderComment }
  | { readonly is: 'order_unknown' }

/**
 * Adds a comment to an order. The order itself does not change, but is locked. A concurrent anonymisation of the
 * customer therefore either redacts the comment, or ends before the comment is added.
 */
export async function commentOnOrder(work: Work, orderId: OrderId, text: string): Promise<CommentOnOrderOutcome> {
  const { trx, merchantId, now, nowMs } = work
  const { type, id: actorId, label } = work.actor
  if (actorId === null || (type !== 'token' && type !== 'member'))
    throw new Error(`An actor of the type ${type} writes no comments.`)
  const [order, name = label] = await Promise.all([
    lockOrder(trx, merchantId, orderId),
    findActorName(trx, { merchantId, id: actorId }),
  ])
  if (order === undefined) return { is: 'order_unknown' }
  const comment = { id: newCommentId(nowMs), orderId, text, createdAt: now }
  insertOrderComment(trx, { merchantId, ...comment, authorType: type, authorName: name })
  // The text of the comment may contain personal data, so the audit log does not record this text.
  work.note({ orderId: [null, orderId] })
  return { is: 'commented', comment: { ...comment, author: { type, name } } }
}
