import { z } from 'zod'
import { list, read } from '../kit/endpoint.ts'
import { eventKinds } from '../kit/event.ts'
import { queryChoices } from '../kit/query.ts'
import { serialized } from '../kit/serialized-record.ts'
import { AnyId, EventId, instant, named } from '../values/vocabulary.ts'
import { events } from './webhooks.ts'

const [firstEnvelope, ...furtherEnvelopes] = Object.values(events).map(({ envelope }) => envelope)
if (firstEnvelope === undefined) throw new Error('The registry declares no event kind.')

/** Envelope of any event kind. It is stored as text, and every delivery and the event list contain the same bytes. */
const WebhookEvent = serialized(
  named(
    'WebhookEvent',
    z
      .discriminatedUnion('event', [firstEnvelope, ...furtherEnvelopes])
      .meta({ description: 'Event, as delivered to webhook endpoints. `event` is its kind.' }),
  ),
)

const example = events['inventory.low_stock'].envelopeExample

export const listEvents = list({
  id: 'listEvents',
  path: '/events',
  tag: 'Events',
  summary: 'List events',
  description:
    'Returns the events of the last 30 days, newest first. Each event equals the body of its webhook deliveries, byte for ' +
    'byte. Events without a subscribed endpoint are included. To find events that a receiver missed, list events since the ' +
    'last check and handle each unknown `id`. Start one minute before the last check: an event appears when its ' +
    'change is committed, which can be shortly after an event with a later `createdAt`. Test deliveries are not ' +
    'listed.',
  access: 'events:read',
  filters: z.strictObject({
    event: queryChoices(eventKinds, 'Returns only events of these kinds, separated by commas.').optional(),
    resourceId: AnyId.optional().meta({
      description:
        'Returns only events of this record: an order, a refund (`order.refunded`, `refund.*`), a payment (`payment.recorded`, ' +
        '`payment.voided`), a variant (`inventory.*`), a product (`product.updated`), a customer (`customer.updated`), a shipment ' +
        '(`shipment.*`) or a return (`return.status_changed`).',
    }),
    createdFrom: instant('Returns only events created at or after this time.').optional(),
    createdTo: instant('Returns only events created before this time.').optional(),
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
  summary: 'Get an event',
  description:
    'Returns an event of the last 30 days. The body of the response equals the body that webhook endpoints receive.',
  access: 'events:read',
  params: z.strictObject({ id: EventId }),
  reply: { body: WebhookEvent, meaning: 'The event, byte for byte as delivered.', example },
  refusals: ['event_not_found'],
})
