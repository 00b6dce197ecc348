import { z } from 'zod'
import { list, queryChoices, read } from '../kit/endpoint.ts'
import { eventKinds } from '../kit/event.ts'
import { serialized } from '../kit/serialized-record.ts'
import { AnyId, EventId, instant, named } from '../values/vocabulary.ts'
import { events } from './webhooks.ts'

const [firstEnvelope, ...furtherEnvelopes] = Object.values(events).map(({ envelope }) => envelope)
if (firstEnvelope === undefined) throw new Error('There are event kinds.')

/** The envelope of any kind. It is stored in the bytes every delivery of it carries, and the feed shows those. */
const WebhookEvent = serialized(
  named(
    'WebhookEvent',
    z
      .discriminatedUnion('event', [firstEnvelope, ...furtherEnvelopes])
      .meta({ description: 'An event, as it is delivered. Its `event` says which kind it is.' }),
  ),
)

const example = events['inventory.low_stock'].envelopeExample

export const listEvents = list({
  id: 'listEvents',
  path: '/events',
  tag: 'Events',
  summary: 'List the events of the last 30 days, newest first.',
  description:
    'The same envelopes as webhook deliveries carry, byte for byte, whether or not an endpoint was subscribed. Use it to ' +
    'find what a receiver missed: list what is new since your last look and handle each `id` you do not know. Begin a ' +
    'minute before that look, because an event appears when its change is committed, which can be shortly after an ' +
    'event with a later `createdAt` has appeared. Samples are never listed.',
  access: 'events:read',
  filters: z.strictObject({
    event: queryChoices(eventKinds, 'Only events of these kinds, separated by commas.').optional(),
    resourceId: AnyId.optional().meta({
      description: 'Only events of this record: an order, of `order.refunded` the refund, of stock the variant.',
    }),
    createdFrom: instant('Only events of this moment or later.').optional(),
    createdTo: instant('Only events before this moment.').optional(),
  }),
  refusals: ['invalid_time_range'],
  item: WebhookEvent,
  pageName: 'WebhookEventPage',
  example,
})

export const getEvent = read({
  id: 'getEvent',
  path: '/events/{id}',
  tag: 'Events',
  summary: 'Get one event of the last 30 days, as it is delivered.',
  description: 'The body is the one that webhook endpoints receive. Events are kept for 30 days.',
  access: 'events:read',
  params: z.strictObject({ id: EventId }),
  reply: { body: WebhookEvent, meaning: 'The event, byte for byte as deliveries carry it.', example },
  refusals: ['event_not_found'],
})
