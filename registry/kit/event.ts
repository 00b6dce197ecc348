import { z } from 'zod'
import { EventId, named, timestamp } from '../values/vocabulary.ts'

/** Spec 6: `<service>-Signature`. */
export const signatureHeader = 'Service-Signature'

/** Spec 6: the four kinds, and one more in beta. Their payloads are in webhooks.ts, which must cover exactly these names. */
export const eventKinds = [
  'order.created',
  'order.status_changed',
  'order.refunded',
  'inventory.low_stock',
  'shipment.status_changed',
] as const

export type EventKind = (typeof eventKinds)[number]

export interface EventDeclaration<Kind extends EventKind, Data extends z.ZodObject> {
  readonly kind: Kind
  readonly meaning: string
  readonly stability?: 'beta'
  readonly data: Data
  readonly example: z.input<Data>
}

/** Adds what every event carries around its data. Spec 6: at least `event` and `id`. */
export function event<const Kind extends EventKind, Data extends z.ZodObject>(
  declaration: EventDeclaration<Kind, Data> & { readonly name: string },
) {
  const envelope = named(
    declaration.name,
    z.object({
      id: EventId.meta({ description: 'The same on every attempt and every endpoint: deduplicate by it.' }),
      event: z.literal(declaration.kind).meta({ description: 'The kind.', examples: [declaration.kind] }),
      createdAt: timestamp('When the change was committed.'),
      mode: z
        .enum(['live', 'test'])
        .meta({ description: 'Which side of the merchant it belongs to.', examples: ['live'] }),
      test: z
        .literal(true)
        .optional()
        .meta({ description: 'Present on sample deliveries only.', examples: [true] }),
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
