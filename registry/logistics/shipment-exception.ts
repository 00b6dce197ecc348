import { z } from 'zod'
import { impersonalText, personalText } from '../values/privacy.ts'
import { kobo, named, nullable, timestamp } from '../values/vocabulary.ts'
import { shipmentExceptionCodes } from './shipment-states.ts'

/** Condition of a shipment that needs manual action and is not visible in the status of the shipment. */
export const ShipmentException = named(
  'ShipmentException',
  z
    .object({
      code: z.enum(shipmentExceptionCodes).meta({
        description:
          'Type of the exception. `courier_late`: no rider was assigned in time, or the rider did not pick up the ' +
          'parcel in time. `pickup_late`: the pickup did not happen at the time estimated by the carrier. ' +
          '`tracking_stalled`: the carrier has sent no tracking update for hours. `unknown_carrier_status`: the ' +
          'carrier reports an unknown status, which does not change the shipment. `order_cancelled`: the order ' +
          'was cancelled after a carrier had accepted the shipment. `delivered_after_cancellation`: the parcel of ' +
          'a cancelled order was delivered. `units_refunded`: the parcel contains units that were refunded, or ' +
          'whose price a lost dispute returned, after a carrier had been requested. `units_not_shipped`: units ' +
          'were not sent because of a refund, and the refund then failed or was cancelled. `delivery_failed`: the ' +
          'carrier could not hand over the parcel, and still has it. `parcel_returned`: the parcel went back to its sender, which is the merchant or, for a return, the ' +
          'customer. `parcel_lost`: the carrier lost the parcel. `dispatch_failed`: no carrier accepted a shipment ' +
          'of the order’s units or of a return. ' +
          '`cod_amount_mismatch`: the rider collected another amount than the cash on delivery, or the ' +
          'collected cash could not be recorded as a payment of the order. ' +
          'More values may be added.',
        examples: ['duplicate_dispatch'],
      }),
      message: personalText().meta({ description: 'Description of the exception, with the recommended action.' }),
      carrier: nullable(impersonalText()).meta({
        description: 'Code of the affected carrier. Null if the exception concerns no carrier.',
        examples: ['simulator-swift'],
      }),
      attemptNumber: nullable(z.int().min(1)).meta({
        description: 'Number of the affected dispatch attempt. Null if the exception concerns no attempt.',
        examples: [1],
      }),
      at: timestamp('When the reported condition started.'),
      resolvedAt: nullable(timestamp('When the exception was resolved.')).meta({
        description: 'When the exception was resolved. Null while it is open.',
      }),
      amounts: nullable(
        z
          .object({
            allowedKobo: kobo('Accepted amount.', { example: 300000 }),
            chargedKobo: kobo('Amount that the carrier charged or would charge, in kobo.', { example: 325000 }),
          })
          .meta({ description: 'Accepted amount and charged amount, if the exception is about a price or a fee.' }),
      ).meta({
        description:
          'Accepted amount and charged amount of an exception of the type `price_above_ceiling`, `price_above_offer` or ' +
          '`cancellation_fee_above_accepted`. Null for exceptions of other types.',
      }),
    })
    .meta({ description: 'Condition of a shipment that needs manual action.' }),
)
