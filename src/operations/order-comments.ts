import { commentOnOrder } from '../commerce/orders/comment-on-order.ts'
import { listOrderComments as listCommentRows } from '../store/orders/order-comments.ts'
import { findOrderBalances } from '../store/orders/order-writes.ts'
import { implement } from './execute/implement.ts'
import { timeRangeOf } from './execute/time-range.ts'

export const createOrderComment = implement('createOrderComment', async ({ work, params, body, refuse }) => {
  const outcome = await commentOnOrder(work, params.id, body.text)
  switch (outcome.is) {
    case 'commented':
      return outcome.comment
    case 'order_unknown':
      return refuse('order_not_found', `No order has the id ${params.id}.`)
  }
})

export const listOrderComments = implement(
  'listOrderComments',
  async ({ db, caller: { merchantId }, params, filters, page, refuse }) => {
    const comments = await listCommentRows(db, { merchantId, orderId: params.id }, timeRangeOf(filters), page)
    if (comments.length > 0) return comments
    // If there are no comments, the order itself is read, so that a request for an unknown order returns 404 instead of
    // an empty list.
    const order = await findOrderBalances(db, merchantId, params.id)
    return order === undefined ? refuse('order_not_found', `No order has the id ${params.id}.`) : comments
  },
)
