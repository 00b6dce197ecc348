import type { OrderComment } from '../../../registry/orders/comments.ts'
import type { MerchantId, OrderId } from '../../../registry/values/vocabulary.ts'
import type { ReadDb } from '../core/database.ts'
import { type CreatedRange, createdWithin, onPage, type PageArgs, type PageRequest, pageArgs } from '../core/page.ts'
import { inserting } from '../core/rows.ts'
import { build, reading } from '../core/statement.ts'

export const insertOrderComment = inserting('order_comments')

interface OfOrder {
  readonly merchantId: MerchantId
  readonly orderId: OrderId
}

/** The statement that lists the comments on an order, exposed so that a test can check its query plan. */
export const orderComments = reading<OfOrder & CreatedRange & PageArgs>()('list_order_comments', (p) =>
  build
    .selectFrom('order_comments')
    .where('merchantId', '=', p.merchantId)
    .where('orderId', '=', p.orderId)
    .where(createdWithin('order_comments', p))
    .where(onPage('order_comments', p))
    .select(['id', 'orderId', 'text', 'authorType', 'authorName', 'createdAt'])
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .limit(p.limit),
)

/** Newest first. Empty if the order does not exist. */
export async function listOrderComments(
  db: ReadDb,
  of: OfOrder,
  range: CreatedRange,
  page: PageRequest,
): Promise<OrderComment[]> {
  const rows = await db.read(orderComments, { ...of, ...range, ...pageArgs(page) })
  return rows.map(({ authorType: type, authorName: name, ...comment }) => ({ ...comment, author: { type, name } }))
}
