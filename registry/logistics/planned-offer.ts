import { z } from 'zod'
import { impersonalText } from '../values/privacy.ts'
import { kobo, named, nullable, OfferId } from '../values/vocabulary.ts'
import { CarrierName, Estimate, ServiceLevelName, VehicleName } from './quote.ts'

export const PlannedOffer = named(
  'PlannedOffer',
  z
    .object({
      offerId: nullable(OfferId).meta({ description: 'Identifier of the offer in the quote. Null without a quote.' }),
      carrier: CarrierName,
      carrierName: impersonalText().meta({ description: 'Name of the carrier.', examples: ['Simulator Swift'] }),
      service: impersonalText().meta({
        description: 'Name of the service at the carrier.',
        examples: ['Bike express'],
      }),
      serviceLevel: ServiceLevelName,
      vehicle: VehicleName,
      priceKobo: kobo('Price of the offer.', { example: 250000 }),
      expectedCostKobo: kobo(
        'Expected cost of starting with this offer, by which `best_value` ranks. It combines the price, the delivery ' +
          'time and the probability that the carrier fails.',
        { example: 351000 },
      ),
      pickupEta: nullable(Estimate).meta({
        description: 'Estimated pickup time, calculated from the time of the carrier request. Null if unknown.',
      }),
      dropoffEta: nullable(Estimate).meta({
        description: 'Estimated delivery time, calculated in the same way. Null if unknown.',
      }),
      reliability: z
        .number()
        .min(0)
        .max(1)
        .meta({
          description: 'Probability that the carrier accepts and keeps the shipment, from 0 to 1.',
          examples: [0.94],
        }),
    })
    .meta({ description: 'Offer in the plan of a shipment.' }),
)
