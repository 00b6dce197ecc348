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
import { Place, PlaceInput } from './place.ts'
import { ProofInput } from './proof.ts'
import { dropoffInputExample, pickupInputExample, quoteExample } from './quote-example.ts'
import { type QuoteWarning, quoteWarningsDescription } from './quote-warnings.ts'
import { ShipmentItems, ShippedItems } from './shipment-item.ts'
import { serviceLevels, vehicles } from './shipment-states.ts'
import { refuseBadWindows, Window } from './window.ts'

export const ServiceLevelName = named(
  'ServiceLevel',
  z.enum(serviceLevels).meta({ description: 'Delivery speed. More values may be added.' }),
)

export const VehicleName = named(
  'Vehicle',
  z.enum(vehicles).meta({ description: 'Vehicle type, smallest first. More values may be added.' }),
)

const carrierCode = { description: 'Code of the carrier.', examples: ['simulator-swift'] }
export const CarrierName = readable(impersonalText().max(carrierNameMaxLength)).meta(carrierCode)

export const Estimate = named(
  'TimeSpan',
  z
    .object({
      p50: timestamp('Median: the time is met in 50 of 100 cases.'),
      p90: timestamp('90th percentile: the time is met in 90 of 100 cases.'),
    })
    .meta({ description: 'Estimated time, as a median and a 90th percentile.' }),
)

export const PriceLine = named(
  'PriceLine',
  z
    .object({
      code: impersonalText().meta({ description: 'Code of the price component.', examples: ['delivery'] }),
      label: impersonalText().meta({ description: 'Label of the price component.', examples: ['Delivery'] }),
      amountKobo: signedKobo('Amount of the price component. May be negative.'),
    })
    .meta({ description: 'Price component.' }),
)

export const QuoteOffer = named(
  'QuoteOffer',
  z
    .object({
      id: OfferId,
      carrier: CarrierName,
      carrierName: impersonalText().meta({ description: 'Name of the carrier.', examples: ['Simulator Swift'] }),
      service: impersonalText().meta({
        description: 'Name of the service at the carrier.',
        examples: ['Bike express'],
      }),
      serviceLevel: ServiceLevelName,
      vehicle: VehicleName,
      priceKobo: kobo('Price of the shipment, including surge.', { example: 250000 }),
      breakdown: z.array(PriceLine).meta({
        description:
          'Price components, which add up to `priceKobo`. Surge on a rate card price is the component `surge`.',
      }),
      currency: Currency,
      pickupEta: nullable(Estimate).meta({
        description:
          'Estimated pickup time if the carrier is requested now, or in time for the windows of the quote. Null if unknown.',
      }),
      dropoffEta: nullable(Estimate).meta({ description: 'Estimated delivery time. Null if unknown.' }),
      reliability: z
        .number()
        .min(0)
        .max(1)
        .meta({
          description:
            'Probability that the carrier accepts and keeps the shipment, from 0 to 1, based on its past shipments.',
          examples: [0.94],
        }),
      expiresAt: timestamp('When the offer expires.'),
      priceLock: z.enum(['carrier', 'none']).meta({
        description:
          'Price guarantee until `expiresAt`: `carrier` if the carrier guarantees the price, `none` if it may still rise. ' +
          'More values may be added.',
        examples: ['carrier'],
      }),
      capabilities: z.array(impersonalText()).meta({
        description: 'Capabilities of the service, such as `live_position`, `photo` or `cancel`.',
        examples: [['live_position']],
      }),
      tags: z.array(impersonalText()).meta({
        description: 'Rankings that the offer leads: `cheapest`, `fastest`, `best_value`.',
        examples: [['best_value']],
      }),
    })
    .meta({ description: 'Offer of one carrier for a shipment.' }),
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
      zoneId: impersonalText().meta({ description: 'Identifier of the pickup zone.', examples: ['lag-island'] }),
      multiplier: z
        .number()
        .min(1)
        .meta({ description: 'Surge multiplier.', examples: [1.25] }),
      surgeKobo: kobo('Maximum surge on an on-demand price of a rate card.', { example: 45000 }),
      snapshotId: nullable(impersonalText()).meta({
        description: 'Identifier of the surge snapshot. Null if none was in force.',
        examples: ['sgs_01jd3f8q6hf5n8v1zr4c7e2m9k'],
      }),
    })
    .meta({ description: 'Surge at the time of the offers. Later changes of the surge do not affect them.' }),
)

export const Quote = named(
  'Quote',
  z
    .object({
      id: QuoteId,
      orderId: nullable(OrderId).meta({ description: 'Identifier of the shipped order. Null without an order.' }),
      items: ShippedItems,
      status: z.enum(['complete', 'partial']).meta({
        description: '`complete`, or `partial` if a carrier that could have made an offer did not respond.',
        examples: ['complete'],
      }),
      pickup: Place,
      dropoff: Place,
      vehicle: VehicleName,
      distanceMeters: z
        .int()
        .min(0)
        .meta({ description: 'Estimated distance by road, in metres.', examples: [9400] }),
      surge: nullable(QuoteSurge).meta({
        description: 'Surge at the time of the offers. Null outside the delivery zones.',
      }),
      offers: z.array(QuoteOffer).meta({ description: 'Offers, best value first. Empty if no carrier made an offer.' }),
      carriers: z
        .array(
          named(
            'CarrierAnswer',
            z
              .object({
                carrier: CarrierName,
                status: z
                  .enum(carrierAnswers)
                  .meta({ description: 'Result of the request. More values may be added.', examples: ['ok'] }),
                message: nullable(personalText()).meta({
                  description: 'Reason for the result. Null if there is none.',
                }),
                latencyMs: z
                  .int()
                  .min(0)
                  .meta({ description: 'Response time of the carrier, in milliseconds.', examples: [412] }),
              })
              .meta({ description: 'Result of the request to one carrier.' }),
          ),
        )
        .meta({ description: 'Results of all carriers, including those that were not requested.' }),
      warnings: z.array(impersonalText()).meta({
        description: `Warnings of the quote. ${quoteWarningsDescription}`,
        examples: [['dropoff_address_low_precision'] satisfies QuoteWarning[]],
      }),
      createdAt: timestamp('When the carriers were requested.'),
      expiresAt: timestamp(
        'When the quote expires: with the last of its offers, and no later than its first window. A dispatch renews offers ' +
          'that expired earlier, within the price ceiling. An offer chosen by `offerId` expires at its own `expiresAt`.',
      ),
    })
    .meta({ description: 'Quote: offers of carriers for a shipment.' }),
)

export type Quote = z.output<typeof Quote>

const carrierChoice = z
  .array(CarrierName)
  .min(1)
  .max(20)
  .optional()
  .meta({ description: 'Carriers to request. All when left out.', examples: [['simulator-swift']] })

/** Fields that quotes, dispatches without a quote and schedules have in common. */
export const parcelsFields = {
  pickup: PlaceInput.optional(),
  dropoff: PlaceInput.optional(),
  parcels: Parcels.optional().meta({
    description: 'Parcels of the shipment. For an order, one parcel for each of `items` when left out.',
  }),
  orderId: OrderId.optional().meta({ description: 'Identifier of the order to ship.' }),
  items: ShipmentItems.optional().meta({
    description:
      'Order items in this shipment. When left out, all units that are in no active or delivered shipment. An empty list ' +
      'with `parcels` ships parcels without items, which requires `allowAdditional` if the order has another active or ' +
      'delivered shipment.',
  }),
  serviceLevels: z
    .array(z.enum(serviceLevels))
    .min(1)
    .max(serviceLevels.length)
    .optional()
    .meta({ description: 'Allowed service levels. All when left out.', examples: [['on_demand']] }),
  vehicle: VehicleName.optional(),
  carriers: carrierChoice,
}

interface ShipmentContents {
  readonly orderId?: unknown
  readonly dropoff?: unknown
  readonly parcels?: unknown
  readonly items?: readonly unknown[] | undefined
}

/** Requires `dropoff` and `parcels` without an order, `orderId` with `items`, and `parcels` with empty `items`. */
export function requireShipmentContents(
  { orderId, dropoff, parcels, items }: ShipmentContents,
  context: z.core.$RefinementCtx,
): void {
  const required = (name: string, message: string) =>
    context.addIssue({ code: 'custom', path: [name], message, params: { problem: 'required' } })
  for (const [name, value] of Object.entries({ dropoff, parcels })) {
    if ((value ?? orderId) === undefined) required(name, 'Is required without `orderId`.')
  }
  if (items !== undefined && orderId === undefined) required('orderId', 'Is required with `items`.')
  if (items?.length === 0 && parcels === undefined) required('parcels', 'Is required if `items` is empty.')
}

/** Errors of quotes, dispatches and schedules about the order, the places and the parcels. */
export const routeRefusals = [
  'order_not_found',
  'order_not_dispatchable',
  'nothing_to_ship',
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
        'Declared total value of the parcels. It is stored with the quote and does not exclude carriers, because none states a liability limit.',
      ).optional(),
      proof: ProofInput.optional(),
    })
    .superRefine(requireShipmentContents)
    .superRefine(refuseBadWindows),
)

export type QuoteInput = z.output<typeof QuoteInput>

export const createQuote = write({
  id: 'createQuote',
  path: '/logistics/quote',
  tag: 'Logistics',
  summary: 'Create a quote',
  description:
    'Requests offers from all carriers at once. Each call to a carrier may take four seconds, and the whole request six. A carrier that does ' +
    'not respond is listed in `carriers`, and the quote is `partial`. If no carrier makes an offer, `offers` is empty ' +
    'and `carriers` has the reasons. Dispatch with the quote’s id before `expiresAt`; a quote can be used once. If ' +
    'the `pickupWindow` is in the future, the dispatch creates a `scheduled` shipment, whose carrier is requested so ' +
    'that the rider arrives when the window starts. With only a `dropoffWindow`, the rider is requested so that the ' +
    'delivery is in the middle of that window. The quote warns of offers that arrive too late for a window; a dispatch uses such an ' +
    'offer only if you choose it. Without `pickup`, the default pickup address of the merchant is used. An unused quote loses its ' +
    'personal data a week after it expires.',
  access: 'logistics:quote',
  body: {
    schema: QuoteInput,
    example: { pickup: pickupInputExample, dropoff: dropoffInputExample, parcels: [parcelInputExample] },
  },
  reply: { status: 200, body: Quote, meaning: 'The quote.', example: quoteExample },
  refusals: [...routeRefusals, 'time_in_past', 'customer_anonymised'],
  callsPartners: true,
  emits: [],
  audits: { action: 'quote.create', resourceType: 'quote' },
})
