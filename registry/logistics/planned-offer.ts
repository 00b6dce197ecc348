import { z } from 'zod'
import { impersonalText } from '../values/privacy.ts'
import { kobo, named, nullable, OfferId } from '../values/vocabulary.ts'
import { CarrierName, Estimate, ServiceLevelName, VehicleName } from './quotes.ts'

export const PlannedOffer = named(
  'PlannedOffer',
  z
    .object({
      offerId: nullable(OfferId).meta({ description: 'The offer of the quote; null where it is of none.' }),
      carrier: CarrierName,
      carrierName: impersonalText().meta({ description: 'Name of the carrier.', examples: ['Simulator Swift'] }),
      service: impersonalText().meta({
        description: 'The carrier’s own name for the service.',
        examples: ['Bike express'],
      }),
      serviceLevel: ServiceLevelName,
      vehicle: VehicleName,
      priceKobo: kobo('What it costs.', { example: 250000 }),
      expectedCostKobo: kobo(
        'What beginning with it is reckoned to cost, by which `best_value` goes: the price, the minutes until it arrives, and the odds that the carrier fails.',
        { example: 351000 },
      ),
      pickupEta: nullable(Estimate).meta({
        description: 'When a rider would fetch it, counted from when the carrier is called; null if nothing is known.',
      }),
      dropoffEta: nullable(Estimate).meta({
        description: 'When it would arrive, counted in the same way; null if nothing is known.',
      }),
      reliability: z
        .number()
        .min(0)
        .max(1)
        .meta({ description: 'How likely the carrier is to take and keep the shipment.', examples: [0.94] }),
    })
    .meta({ description: 'An offer with its place in the order in which carriers are asked.' }),
)
