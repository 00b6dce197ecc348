import { z } from 'zod'
import { impersonalText, personalText } from '../values/privacy.ts'
import { AttemptId, kobo, named, nullable, timestamp } from '../values/vocabulary.ts'
import { CarrierName } from './quote.ts'
import { attemptStates } from './shipment-states.ts'

export const DispatchAttempt = named(
  'DispatchAttempt',
  z
    .object({
      id: AttemptId,
      number: z
        .int()
        .min(1)
        .meta({ description: 'Number of the dispatch attempt within the shipment, starting at 1.', examples: [1] }),
      carrier: CarrierName,
      service: impersonalText().meta({
        description:
          'Service that was requested from the carrier. If the carrier is a broker, this value is the name of the delivery company.',
        examples: ['Bike express'],
      }),
      state: named(
        'AttemptState',
        z.enum(attemptStates).meta({
          description:
            'State of the dispatch attempt. `unknown` while the service checks whether the carrier received the request; then ' +
            '`accepted`, or `not_found_at_carrier` if the carrier has no order. More values may be added.',
        }),
      ),
      outcome: nullable(
        z
          .object({
            code: impersonalText().meta({ description: 'Reason code.', examples: ['couriers_busy'] }),
            message: personalText().meta({
              description: 'Reason for the outcome of the attempt, as text.',
              examples: ['No rider is near the pickup.'],
            }),
          })
          .meta({ description: 'Outcome of the dispatch attempt.' }),
      ).meta({ description: 'Outcome of the dispatch attempt. Null while the attempt is in progress.' }),
      priceKobo: kobo(
        'Price that the carrier quoted or, after it has accepted the shipment, the price that it charges. The surge that this service adds is not included.',
        { example: 250000 },
      ),
      carrierReference: nullable(impersonalText()).meta({
        description:
          'Identifier that the carrier gave to its order for the shipment. Null until the carrier has given one.',
      }),
      cancellationFeeKobo: nullable(kobo('Cancellation fee of the carrier.', { example: 0 })).meta({
        description:
          'Cancellation fee of the carrier, in kobo. The fee may be known before the cancellation is confirmed. Null if the fee is not known yet, or no ' +
          'cancellation was requested.',
      }),
      duplicateCostKobo: nullable(
        kobo('Price of a duplicate order that the carrier accepted late.', { example: 0 }),
      ).meta({
        description:
          'Price of a duplicate order that the carrier accepted late and did not cancel, in kobo. Null without such an order.',
      }),
      superseded: z.boolean().meta({
        description:
          'Whether another dispatch attempt replaced this attempt. Tracking updates of a replaced attempt are stored but do not ' +
          'change the shipment.',
        examples: [false],
      }),
      latencyMs: nullable(z.int().min(0)).meta({
        description: 'Response time of the carrier, in milliseconds. Null until the carrier has responded.',
      }),
      startedAt: timestamp('When the request was sent to the carrier.'),
      endedAt: nullable(timestamp('When the outcome of the attempt became known.')).meta({
        description: 'When the outcome of the attempt became known. Null until then.',
      }),
    })
    .meta({ description: 'Dispatch attempt: one request to one carrier to transport the shipment.' }),
)

export type DispatchAttempt = z.output<typeof DispatchAttempt>
