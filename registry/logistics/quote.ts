import { z } from 'zod'
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
  ReturnId,
  signedKobo,
  timestamp,
} from '../values/vocabulary.ts'
import { Place } from './place.ts'
import { type QuoteWarning, quoteWarningsDescription } from './quote-warnings.ts'
import { ShippedItems } from './shipment-item.ts'
import { serviceLevels, vehicles } from './shipment-states.ts'

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
      p50: timestamp('Median of the estimate: the event happens by this time in 50 of 100 cases.'),
      p90: timestamp('90th percentile of the estimate: the event happens by this time in 90 of 100 cases.'),
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
        description: 'Name that the carrier uses for the delivery service.',
        examples: ['Bike express'],
      }),
      serviceLevel: ServiceLevelName,
      vehicle: VehicleName,
      priceKobo: kobo('Price of the shipment, including surge.', { example: 250000 }),
      breakdown: z.array(PriceLine).meta({
        description:
          'Price components, which add up to `priceKobo`. The surge that is added to a rate card price is the component `surge`.',
      }),
      currency: Currency,
      pickupEta: nullable(Estimate).meta({
        description:
          'Estimated pickup time, if the carrier is requested now. For a quote with time windows, the estimate assumes that the carrier is requested in time for these windows. Null if unknown.',
      }),
      dropoffEta: nullable(Estimate).meta({ description: 'Estimated delivery time. Null if unknown.' }),
      reliability: z
        .number()
        .min(0)
        .max(1)
        .meta({
          description:
            'Probability that the carrier accepts the shipment and does not cancel it later, from 0 to 1, based on its past shipments.',
          examples: [0.94],
        }),
      expiresAt: timestamp('When the offer of the carrier expires.'),
      priceLock: z.enum(['carrier', 'none']).meta({
        description:
          'Price guarantee until `expiresAt`: `carrier` if the carrier guarantees the price, `none` if the price may still rise. ' +
          'More values may be added.',
        examples: ['carrier'],
      }),
      capabilities: z.array(impersonalText()).meta({
        description:
          'Capabilities of the carrier’s service, such as `live_position`, `photo`, `cancel` or `cash_on_delivery`.',
        examples: [['live_position']],
      }),
      tags: z.array(impersonalText()).meta({
        description: 'Rankings in which the offer is the first: `cheapest`, `fastest`, `best_value`.',
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
      surgeKobo: kobo('Maximum surge amount that is added to an on-demand price from a rate card.', { example: 45000 }),
      snapshotId: nullable(impersonalText()).meta({
        description: 'Identifier of the surge snapshot that applied to the offers. Null if no snapshot applied.',
        examples: ['sgs_01jd3f8q6hf5n8v1zr4c7e2m9k'],
      }),
    })
    .meta({ description: 'Surge when the offers were made. Later changes of the surge do not affect the offers.' }),
)

export const Quote = named(
  'Quote',
  z
    .object({
      id: QuoteId,
      orderId: nullable(OrderId).meta({
        description: 'Identifier of the order to which the parcels belong. Null without an order.',
      }),
      returnId: nullable(ReturnId).meta({
        description: 'Identifier of the return whose units the parcels contain. Null for any other quote.',
      }),
      items: ShippedItems,
      status: z.enum(['complete', 'partial']).meta({
        description:
          'Whether all offers are included: `complete`, or `partial` if a carrier that could have made an offer did not respond.',
        examples: ['complete'],
      }),
      pickup: Place,
      dropoff: Place,
      codAmountKobo: nullable(kobo('Cash that the rider must collect at the delivery.', { example: 3250000 })).meta({
        description:
          'Cash that the rider must collect at the delivery, in kobo. A shipment that is dispatched with the quote collects the same amount. ' +
          'Null without cash on delivery.',
      }),
      vehicle: VehicleName,
      distanceMeters: z
        .int()
        .min(0)
        .meta({ description: 'Estimated distance by road, in metres.', examples: [9400] }),
      surge: nullable(QuoteSurge).meta({
        description: 'Surge when the offers were made. Null if the pickup is outside all delivery zones.',
      }),
      offers: z.array(QuoteOffer).meta({ description: 'Offers, best value first. Empty if no carrier made an offer.' }),
      carriers: z
        .array(
          named(
            'CarrierAnswer',
            z
              .object({
                carrier: CarrierName,
                status: z.enum(carrierAnswers).meta({
                  description: 'Result of the request for an offer. More values may be added.',
                  examples: ['ok'],
                }),
                message: nullable(personalText()).meta({
                  description: 'Why the carrier made no offer. Null if the carrier made an offer or gave no reason.',
                }),
                latencyMs: z
                  .int()
                  .min(0)
                  .meta({ description: 'Response time of the carrier, in milliseconds.', examples: [412] }),
              })
              .meta({ description: 'Result of requesting an offer from one carrier.' }),
          ),
        )
        .meta({
          description:
            'Results of the request for offers, one for each carrier, including carriers that were not requested.',
        }),
      warnings: z.array(impersonalText()).meta({
        description: `Warnings of the quote. ${quoteWarningsDescription}`,
        examples: [['dropoff_address_low_precision'] satisfies QuoteWarning[]],
      }),
      createdAt: timestamp('When the offers were requested from the carriers.'),
      expiresAt: timestamp(
        'When the quote expires: when its last offer expires, or when its first time window ends if that is earlier. If an offer expires before the quote, a dispatch requests a new offer from the same carrier, within ' +
          'the price ceiling. An offer chosen by `offerId` is not renewed: it expires at its own `expiresAt`.',
      ),
    })
    .meta({ description: 'Quote: offers of carriers for a shipment.' }),
)

export type Quote = z.output<typeof Quote>
