import { z } from 'zod'
import { impersonalText, personalText } from '../values/privacy.ts'
import { kobo, named, nullable, timestamp } from '../values/vocabulary.ts'
import { shipmentExceptionCodes } from './shipment-states.ts'

/** What the status of a shipment does not say, and somebody has to know. */
export const ShipmentException = named(
  'ShipmentException',
  z
    .object({
      code: z.enum(shipmentExceptionCodes).meta({
        description:
          'What is wrong. `courier_late`: nobody was named, or came to fetch it, in time. `pickup_late`: it was not ' +
          'fetched when its carrier had said. `tracking_stalled`: its carrier has told nothing new of it for hours. ' +
          '`unknown_carrier_status`: its carrier reports a status that this service does not know, so the shipment stays ' +
          'as it is. `order_cancelled`: its order was cancelled while a carrier had it. More values may be added.',
        examples: ['duplicate_dispatch'],
      }),
      message: personalText().meta({ description: 'The same in words.' }),
      carrier: nullable(impersonalText()).meta({
        description: 'Code of the carrier it is about; null where it is about none.',
        examples: ['simulator-swift'],
      }),
      attemptNumber: nullable(z.int().min(1)).meta({
        description: 'Number of the attempt it is about; null where it is about none.',
        examples: [1],
      }),
      at: timestamp('Since when.'),
      resolvedAt: nullable(timestamp('Since when it holds no more.')).meta({
        description: 'Since when it holds no more; null while somebody should look at it.',
      }),
      amounts: nullable(
        z
          .object({
            allowedKobo: kobo('What was agreed to.', { example: 300000 }),
            chargedKobo: kobo('What the carrier charged.', { example: 325000 }),
          })
          .meta({ description: 'What was agreed to, and what was charged.' }),
      ).meta({
        description:
          'Of `price_above_ceiling`, `price_above_offer` and `cancellation_fee_above_accepted`: what was agreed to, and ' +
          'what the carrier charged; else null.',
      }),
    })
    .meta({ description: 'Something a person should look at.' }),
)
