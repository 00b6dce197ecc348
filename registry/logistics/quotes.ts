import { z } from 'zod'
import { write } from '../kit/endpoint.ts'
import { carrierNameMaxLength } from '../values/limits.ts'
import { impersonalText, personalText } from '../values/privacy.ts'
import { readable } from '../values/readable-text.ts'
import {
  Currency,
  kobo,
  named,
  nullable,
  OfferId,
  OrderId,
  QuoteId,
  signedKobo,
  timestamp,
} from '../values/vocabulary.ts'
import { Parcels, parcelInputExample } from './parcel.ts'
import { dropoffExample, Place, PlaceInput, pickupExample } from './place.ts'
import { ProofInput } from './proof.ts'
import { type QuoteWarning, quoteWarnings } from './quote-warnings.ts'
import { ShipmentItems, ShippedItems } from './shipment-item.ts'
import { serviceLevels, vehicles } from './shipment-states.ts'
import { refuseBadWindows, Window } from './window.ts'

/** What carriers would charge, asked of all at once. */

export const ServiceLevelName = named(
  'ServiceLevel',
  z.enum(serviceLevels).meta({ description: 'How soon a parcel arrives. More values may be added.' }),
)

export const VehicleName = named(
  'Vehicle',
  z.enum(vehicles).meta({ description: 'What a parcel goes by. More values may be added.' }),
)

const carrierCode = { description: 'Code of the carrier.', examples: ['simulator-swift'] }
export const CarrierName = readable(impersonalText().max(carrierNameMaxLength)).meta(carrierCode)

export const Estimate = named(
  'TimeSpan',
  z
    .object({
      p50: timestamp('In half of all cases by then.'),
      p90: timestamp('In nine of ten cases by then.'),
    })
    .meta({ description: 'When something is expected, with how sure that is.' }),
)

export const PriceLine = named(
  'PriceLine',
  z
    .object({
      code: impersonalText().meta({ description: 'What it is for.', examples: ['delivery'] }),
      label: impersonalText().meta({ description: 'The same in words.', examples: ['Delivery'] }),
      amountKobo: signedKobo('How much.'),
    })
    .meta({ description: 'One part of a price.' }),
)

export const QuoteOffer = named(
  'QuoteOffer',
  z
    .object({
      id: OfferId,
      carrier: CarrierName,
      carrierName: impersonalText().meta({ description: 'Name of the carrier.', examples: ['Simulator Swift'] }),
      service: impersonalText().meta({
        description: 'The carrier’s own name for the service.',
        examples: ['Bike express'],
      }),
      serviceLevel: ServiceLevelName,
      vehicle: VehicleName,
      priceKobo: kobo('What the shipment costs, surge and all.', { example: 250000 }),
      breakdown: z.array(PriceLine).meta({
        description: 'What the price is made of; it adds up to `priceKobo`. Surge of a rate card is a line `surge`.',
      }),
      currency: Currency,
      pickupEta: nullable(Estimate).meta({
        description:
          'When a rider is expected to fetch it: one who is called at once, or in time for the windows of the quote. Null if ' +
          'nothing is known.',
      }),
      dropoffEta: nullable(Estimate).meta({ description: 'When it is expected to arrive; null if nothing is known.' }),
      reliability: z
        .number()
        .min(0)
        .max(1)
        .meta({
          description: 'How likely this carrier is to take and keep the shipment, by what it did before.',
          examples: [0.94],
        }),
      expiresAt: timestamp('Until when it holds.'),
      priceLock: z.enum(['carrier', 'none']).meta({
        description:
          'Who holds the price until then: the carrier, or nobody, so that it may still rise. More values may be added.',
        examples: ['carrier'],
      }),
      capabilities: z.array(impersonalText()).meta({
        description: 'What else it can do, such as `live_position`, `photo`, `cancel`.',
        examples: [['live_position']],
      }),
      tags: z
        .array(impersonalText())
        .meta({ description: '`cheapest`, `fastest` or `best_value`, where it is.', examples: [['best_value']] }),
    })
    .meta({ description: 'What one carrier would do for which price.' }),
)

export type QuoteOffer = z.output<typeof QuoteOffer>

export const carrierAnswers = [
  'ok',
  'no_offer',
  'timeout',
  'error',
  'unsupported',
  'circuit_open',
  'out_of_area',
  'refused',
] as const

export const QuoteSurge = named(
  'QuoteSurge',
  z
    .object({
      zoneId: impersonalText().meta({ description: 'Zone of the pickup.', examples: ['lag-island'] }),
      multiplier: z
        .number()
        .min(1)
        .meta({ description: 'What it stood at.', examples: [1.25] }),
      surgeKobo: kobo('What it adds to an on-demand price of a rate card, at most.', { example: 45000 }),
      snapshotId: nullable(impersonalText()).meta({
        description: 'The publication it is of.',
        examples: ['sgs_01jd3f8q6hf5n8v1zr4c7e2m9k'],
      }),
    })
    .meta({ description: 'The surge the offers were made under. A later change does not touch them.' }),
)

export const Quote = named(
  'Quote',
  z
    .object({
      id: QuoteId,
      orderId: nullable(OrderId).meta({ description: 'The order it is for.' }),
      items: ShippedItems,
      status: z.enum(['complete', 'partial']).meta({
        description: '`partial` when a carrier that could have offered something did not answer.',
        examples: ['complete'],
      }),
      pickup: Place,
      dropoff: Place,
      vehicle: VehicleName,
      distanceMeters: z
        .int()
        .min(0)
        .meta({ description: 'Estimated way by road, in metres.', examples: [9400] }),
      surge: nullable(QuoteSurge).meta({
        description: 'The surge the offers were made under; null outside the zones.',
      }),
      offers: z.array(QuoteOffer).meta({ description: 'What can be had, the best value first. It may be empty.' }),
      carriers: z
        .array(
          named(
            'CarrierAnswer',
            z
              .object({
                carrier: CarrierName,
                status: z
                  .enum(carrierAnswers)
                  .meta({ description: 'What came of asking it. More values may be added.', examples: ['ok'] }),
                message: nullable(personalText()).meta({ description: 'Its reason, in words.' }),
                latencyMs: z
                  .int()
                  .min(0)
                  .meta({ description: 'How long it took, in milliseconds.', examples: [412] }),
              })
              .meta({ description: 'How one carrier answered.' }),
          ),
        )
        .meta({ description: 'Every carrier that was asked or left out, with the reason.' }),
      warnings: z.array(impersonalText()).meta({
        description:
          `What may go wrong: ${quoteWarnings.map((warning) => `\`${warning}\``).join(', ')}. ` +
          'A window is missed by offers whose `pickupEta.p50` or `dropoffEta.p50` lies after its end. `on_demand_unavailable`: ' +
          'a place is known too vaguely for a rider on demand, so that only other service levels are offered. More values may be added.',
        examples: [['dropoff_address_low_precision'] satisfies QuoteWarning[]],
      }),
      createdAt: timestamp('When the carriers were asked.'),
      expiresAt: timestamp(
        'Until when it can be dispatched: when the last of its offers ends, and no later than its first window. An offer ' +
          'that has ended before is asked for anew, for no more than the shipment may cost. Each offer says its own end, which ' +
          'holds where it is chosen.',
      ),
    })
    .meta({ description: 'What carriers would charge to bring some parcels from one place to another.' }),
)

export type Quote = z.output<typeof Quote>

const carrierChoice = z
  .array(CarrierName)
  .min(1)
  .max(20)
  .optional()
  .meta({ description: 'Ask only these carriers.', examples: [['simulator-swift']] })

/** What a quote, a dispatch without a quote and a schedule ask in the same words. */
export const parcelsFields = {
  pickup: PlaceInput.optional(),
  dropoff: PlaceInput.optional(),
  parcels: Parcels.optional().meta({
    description: 'What is carried; of an order, one parcel for each of `items` when left out.',
  }),
  orderId: OrderId.optional().meta({ description: 'The order that is sent.' }),
  items: ShipmentItems.optional().meta({
    description:
      'Order items in this shipment. By default all units that are in no active or delivered shipment. An empty list with ' +
      '`parcels` sends a parcel without items; beside another active or delivered shipment it needs `allowAdditional`.',
  }),
  serviceLevels: z
    .array(z.enum(serviceLevels))
    .min(1)
    .max(serviceLevels.length)
    .optional()
    .meta({ description: 'Only these; all when left out.', examples: [['on_demand']] }),
  vehicle: VehicleName.optional(),
  carriers: carrierChoice,
}

interface Carried {
  readonly orderId?: unknown
  readonly dropoff?: unknown
  readonly parcels?: unknown
  readonly items?: readonly unknown[] | undefined
}

/** Without an order it has to be said what goes where to, and there are no items to name. */
export function refuseNothingToCarry(
  { orderId, dropoff, parcels, items }: Carried,
  context: z.core.$RefinementCtx,
): void {
  const required = (name: string, message: string) =>
    context.addIssue({ code: 'custom', path: [name], message, params: { problem: 'required' } })
  for (const [name, value] of Object.entries({ dropoff, parcels })) {
    if ((value ?? orderId) === undefined) required(name, 'Required without `orderId`.')
  }
  if (items !== undefined && orderId === undefined) required('orderId', 'Required with `items`.')
  if (items?.length === 0 && parcels === undefined) required('parcels', 'Required where `items` is empty.')
}

/** What keeps it from being known what goes where. */
export const wantedRefusals = [
  'order_not_found',
  'order_not_dispatchable',
  'nothing_to_send',
  'item_not_found',
  'order_items_unavailable',
  'order_not_shippable',
  'pickup_missing',
  'outside_coverage',
  'address_imprecise',
] as const

const QuoteInput = named(
  'QuoteInput',
  z
    .strictObject({
      ...parcelsFields,
      pickupWindow: Window.optional(),
      dropoffWindow: Window.optional(),
      declaredValueKobo: kobo(
        'What the parcels are worth together. It is kept with the quote and leaves no carrier out: none says up to which worth it is liable.',
      ).optional(),
      proof: ProofInput.optional(),
    })
    .superRefine(refuseNothingToCarry)
    .superRefine(refuseBadWindows),
)

export type QuoteInput = z.output<typeof QuoteInput>

/** A place as it is sent. */
export const pickupInputExample = {
  name: 'Ankara House',
  phone: '+2348031234567',
  line1: '7 Adeola Odeku Street',
  area: 'Victoria Island',
} as const

export const dropoffInputExample = {
  name: 'Adaeze Okafor',
  phone: '+2348029876543',
  line1: '12 Admiralty Way',
  area: 'Lekki Phase 1',
  landmark: 'Opposite Ebeano Supermarket',
} as const

export const offerExample = {
  id: 'off_01jd3f8q6hf5n8v1zr4c7e2m9k',
  carrier: 'simulator-swift',
  carrierName: 'Simulator Swift',
  service: 'Bike express',
  serviceLevel: 'on_demand',
  vehicle: 'bike',
  priceKobo: 250000,
  breakdown: [{ code: 'delivery', label: 'Delivery', amountKobo: 250000 }],
  currency: 'NGN',
  pickupEta: { p50: '2026-11-21T08:48:00.000Z', p90: '2026-11-21T09:02:00.000Z' },
  dropoffEta: { p50: '2026-11-21T09:15:00.000Z', p90: '2026-11-21T09:40:00.000Z' },
  reliability: 0.94,
  expiresAt: '2026-11-21T08:40:00.000Z',
  priceLock: 'carrier',
  capabilities: ['cancel', 'live_position', 'photo'],
  tags: ['best_value', 'cheapest', 'fastest'],
} as const satisfies z.input<typeof QuoteOffer>

export const quoteExample = {
  id: 'qte_01jd3f8q6hf5n8v1zr4c7e2m9k',
  orderId: null,
  items: [],
  status: 'complete',
  pickup: pickupExample,
  dropoff: dropoffExample,
  vehicle: 'bike',
  distanceMeters: 9400,
  surge: { zoneId: 'lag-island', multiplier: 1, surgeKobo: 0, snapshotId: null },
  offers: [offerExample],
  carriers: [{ carrier: 'simulator-swift', status: 'ok', message: null, latencyMs: 412 }],
  warnings: [],
  createdAt: '2026-11-21T08:30:00.000Z',
  expiresAt: '2026-11-21T08:40:00.000Z',
} as const satisfies z.input<typeof Quote>

export const createQuote = write({
  id: 'createQuote',
  path: '/logistics/quote',
  tag: 'Logistics',
  summary: 'Create a quote',
  description:
    'Requests offers from all carriers at once. Each carrier has four seconds, all together six. A carrier that does ' +
    'not respond is listed in `carriers`, and the quote is `partial`. If no carrier makes an offer, `offers` is empty ' +
    'and `carriers` has the reasons. Dispatch with the quote’s id before `expiresAt`; a quote can be used once. If ' +
    'the `pickupWindow` is in the future, the dispatch creates a `scheduled` shipment, whose carrier is requested so ' +
    'that the rider arrives when the window starts. With only a `dropoffWindow`, the delivery is planned for the ' +
    'middle of that window. The quote warns of offers that arrive too late for a window; a dispatch uses them only if ' +
    'you choose one. Without `pickup`, the default pickup address of the merchant is used. An unused quote loses its ' +
    'personal data a week after it expires.',
  access: 'logistics:quote',
  body: {
    schema: QuoteInput,
    example: { pickup: pickupInputExample, dropoff: dropoffInputExample, parcels: [parcelInputExample] },
  },
  reply: { status: 200, body: Quote, meaning: 'The quote.', example: quoteExample },
  refusals: [...wantedRefusals, 'time_in_past', 'customer_anonymised'],
  asksPartners: true,
  emits: [],
  audits: { action: 'quote.create', resourceType: 'quote' },
})
