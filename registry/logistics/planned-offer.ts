import { z } from 'zod'
import { impersonalText } from '../values/privacy.ts'
import { kobo, named, nullable, OfferId } from '../values/vocabulary.ts'
import { CarrierName, Estimate, ServiceLevelName, VehicleName } from './quote.ts'

export const PlannedOffer = named(
  'PlannedOffer',
  z
    .object({
      offerId: nullable(OfferId).meta({
        description: 'Identifier of the offer in the quote. Null if the shipment has no quote.',
      }),
      carrier: CarrierName,
      carrierName: impersonalText().meta({ description: 'Name of the carrier.', examples: ['Simulator Swift'] }),
      service: impersonalText().meta({
        description: 'Name that the carrier uses for the delivery service.',
        examples: ['Bike express'],
      }),
      serviceLevel: ServiceLevelName,
      vehicle: VehicleName,
      priceKobo: kobo('Price of the offer.', { example: 250000 }),
      expectedCostKobo: kobo(
        'Expected cost if this offer is requested first. `best_value` ranks the offers by this cost, which combines the price, the delivery ' +
          'time and the probability that the carrier fails.',
        { example: 351000 },
      ),
      pickupEta: nullable(Estimate).meta({
        description:
          'Estimated pickup time, calculated from the time at which the carrier is requested. Null if unknown.',
      }),
      dropoffEta: nullable(Estimate).meta({
        description:
          'Estimated delivery time, calculated from the time at which the carrier is requested. Null if unknown.',
      }),
      reliability: z
        .number()
        .min(0)
        .max(1)
        .meta({
          description: 'Probability that the carrier accepts the shipment and does not cancel it later, from 0 to 1.',
          examples: [0.94],
        }),
    })
    .meta({
      description:
        'Offer in the plan of a shipment. The plan lists offers in the order in which their carriers are requested.',
    }),
)
