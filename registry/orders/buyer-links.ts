import { z } from 'zod'
import { read } from '../kit/endpoint.ts'
import { sampleIds, withExampleId } from '../kit/sample-ids.ts'
import { buyerLinkDays } from '../values/limits.ts'
import { impersonalText } from '../values/privacy.ts'
import { named, nullable, OrderId, timestamp } from '../values/vocabulary.ts'

const BuyerLinks = named(
  'BuyerLinks',
  z
    .object({
      orderId: OrderId,
      receiptUrl: nullable(impersonalText()).meta({
        description: 'URL of the receipt. Null until the order has a `receiptNumber`.',
        examples: ['https://api.example.com/receipts/AVsicmVjZWlwdHMi'],
      }),
      trackingUrl: impersonalText().meta({
        description: 'URL of the page on which the buyer tracks the order.',
        examples: ['https://api.example.com/tracking/AVsidHJhY2tpbmci'],
      }),
      expiresAt: timestamp('When the links expire.'),
    })
    .meta({ description: 'Links to the pages for the buyer of an order.' }),
)

export const getBuyerLinks = read({
  id: 'getBuyerLinks',
  path: '/orders/{id}/buyer-links',
  tag: 'Orders',
  summary: 'Get buyer links',
  description:
    'Returns links to two pages for the buyer of an order: a receipt, and the tracking of the parcels. Anyone who has a link can open its ' +
    'page without a token. The tracking page contains no personal data; the receipt contains the name of the customer. ' +
    `A link is valid for at least ${buyerLinkDays} days, until the end of a day in UTC, and cannot be withdrawn. Links that are ` +
    'requested on the same day are the same. [Receipts and tracking](../../guides/buyer-pages.md) describes the pages.',
  access: 'orders:read',
  params: z.strictObject({ id: withExampleId(OrderId, sampleIds.order) }),
  refusals: ['order_not_found'],
  reply: {
    body: BuyerLinks,
    meaning: 'The links.',
    example: {
      orderId: sampleIds.order,
      receiptUrl: null,
      trackingUrl: 'https://api.example.com/tracking/AVsidHJhY2tpbmci',
      expiresAt: '2027-02-20T00:00:00.000Z',
    },
  },
})
