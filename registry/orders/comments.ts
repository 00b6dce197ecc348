import { z } from 'zod'
import { list, write } from '../kit/endpoint.ts'
import { sampleIds, withExampleId } from '../kit/sample-ids.ts'
import { impersonalText } from '../values/privacy.ts'
import { CommentId, instant, named, OrderId, text, timestamp } from '../values/vocabulary.ts'

export const commentAuthorTypes = ['token', 'member'] as const

export type CommentAuthorType = (typeof commentAuthorTypes)[number]

const commentText = text('Text of the comment.', {
  isPersonal: true,
  max: 2000,
  lines: 'many',
  example: 'The customer called: deliver after 4 pm.',
})

export const OrderComment = named(
  'OrderComment',
  z
    .object({
      id: CommentId,
      orderId: OrderId,
      text: commentText.meta({
        description:
          'Text of the comment. The text is `Removed` if the customer of the order was anonymised after the comment was created.',
      }),
      author: z
        .object({
          type: z
            .enum(commentAuthorTypes)
            .meta({ description: 'Type of the author. More values may be added.', examples: ['member'] }),
          name: impersonalText().meta({
            description: 'Name of the member or of the API token when the comment was created.',
            examples: ['Ngozi Balogun'],
          }),
        })
        .meta({ description: 'Author of the comment.' }),
      createdAt: timestamp('When the comment was created.'),
    })
    .meta({ description: 'Comment of a member or of an API token on an order. The customer does not see it.' }),
)

export type OrderComment = z.output<typeof OrderComment>

const example = {
  id: 'cmt_01jd3f8q6hf5n8v1zr4c7e2m9k',
  orderId: sampleIds.order,
  text: 'The customer called: deliver after 4 pm.',
  author: { type: 'member', name: 'Ngozi Balogun' },
  createdAt: '2026-11-21T08:30:00.000Z',
} as const satisfies z.input<typeof OrderComment>

const OrderCommentInput = named('OrderCommentInput', z.strictObject({ text: commentText }))

const path = '/orders/{id}/comments'
const params = z.strictObject({ id: withExampleId(OrderId, sampleIds.order) })

export const createOrderComment = write({
  id: 'createOrderComment',
  path,
  tag: 'Orders',
  summary: 'Create an order comment',
  description:
    'Adds a comment to an order, for the members of the merchant. A comment can neither be changed nor deleted, and ' +
    'the order and its version do not change.',
  access: 'orders:write',
  params,
  body: { schema: OrderCommentInput, example: { text: example.text } },
  reply: {
    status: 201,
    body: OrderComment,
    meaning: 'The comment.',
    example: { ...example, author: { type: 'token', name: 'Website' } },
    location: '/orders/{orderId}/comments',
  },
  refusals: ['order_not_found'],
  emits: [],
  audits: { action: 'order.comment', resourceType: 'order_comment' },
})

export const listOrderComments = list({
  id: 'listOrderComments',
  path,
  tag: 'Orders',
  summary: 'List order comments',
  description: 'Returns the comments on an order, newest first.',
  access: 'orders:read',
  params,
  filters: z.strictObject({
    createdFrom: instant('Returns only comments created at or after this time.').optional(),
    createdTo: instant('Returns only comments created before this time.').optional(),
  }),
  refusals: ['order_not_found', 'invalid_time_range'],
  item: OrderComment,
  pageName: 'OrderCommentPage',
  example,
})
