import { z } from 'zod'
import { EventId, named, timestamp } from '../values/vocabulary.ts'

/** Name of the signature header of a webhook delivery, `<service>-Signature` (spec 6). */
export const signatureHeader = 'Service-Signature'

/** Kinds of webhook events: the four of spec 6, and those in beta. webhooks.ts must declare a payload for each kind. */
export const eventKinds = [
  'order.created',
  'order.status_changed',
  'order.refunded',
  'inventory.low_stock',
  'shipment.status_changed',
  'payment.recorded',
  'payment.voided',
  'payment.unmatched',
  'refund.updated',
  'refund.failed',
  'shipment.exception_raised',
  'return.status_changed',
  'order.edited',
  'inventory.back_in_stock',
  'product.updated',
  'customer.updated',
] as const

export type EventKind = (typeof eventKinds)[number]

/**
 * The webhook events that a change of an order's status or of its units can cause. `inventory.back_in_stock` is one of
 * them, because units that are removed from an order become available again.
 */
export const orderMoveEvents = [
  'order.status_changed',
  'inventory.back_in_stock',
] as const satisfies readonly EventKind[]

export type OrderMoveEvents = (typeof orderMoveEvents)[number]

/** The webhook events that a change of a shipment can emit. */
export const shipmentEvents = [
  'shipment.status_changed',
  'shipment.exception_raised',
  'payment.recorded',
  'return.status_changed',
  ...orderMoveEvents,
] as const satisfies readonly EventKind[]

export interface EventDeclaration<Kind extends EventKind, Data extends z.ZodObject> {
  readonly kind: Kind
  readonly meaning: string
  readonly stability?: 'beta'
  readonly data: Data
  readonly example: z.input<Data>
}

/** Returns an event declaration with the schema and an example of its envelope. Spec 6 requires `event` and `id`. */
export function event<const Kind extends EventKind, Data extends z.ZodObject>(
  declaration: EventDeclaration<Kind, Data> & { readonly name: string },
) {
  const envelope = named(
    declaration.name,
    z.object({
      id: EventId.meta({
        description:
          'Identifier of the event. All delivery attempts to all endpoints contain the same identifier. Use the identifier to deduplicate deliveries.',
      }),
      event: z
        .literal(declaration.kind)
        .meta({ description: 'Kind of the event, such as `order.created`.', examples: [declaration.kind] }),
      createdAt: timestamp('When the change that the event reports was committed.'),
      mode: z
        .enum(['live', 'test'])
        .meta({ description: 'Mode of the changed record: `live` or `test`.', examples: ['live'] }),
      test: z
        .literal(true)
        .optional()
        .meta({
          description:
            'Whether the event is a test event, which reports no real change. The field is left out otherwise.',
          examples: [true],
        }),
      data: declaration.data,
    }),
  )
  const envelopeExample = {
    id: 'evt_01jd3f8q6hf5n8v1zr4c7e2m9k',
    event: declaration.kind,
    createdAt: '2026-11-21T08:30:00.000Z',
    mode: 'live',
    data: declaration.example,
  } as const
  return { ...declaration, envelope, envelopeExample }
}

export function isEventKind(value: string): value is EventKind {
  return eventKinds.some((kind) => kind === value)
}
