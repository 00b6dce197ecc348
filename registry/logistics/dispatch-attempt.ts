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
        .meta({ description: 'Number of the attempt within the shipment, starting at 1.', examples: [1] }),
      carrier: CarrierName,
      service: impersonalText().meta({
        description: 'Requested service of the carrier. For a broker, it names the delivery company.',
        examples: ['Bike express'],
      }),
      state: named(
        'AttemptState',
        z.enum(attemptStates).meta({
          description:
            'State of the attempt. `unknown` while the service checks whether the carrier received the request; then ' +
            '`accepted`, or `not_found_at_carrier` if the carrier has no order. More values may be added.',
        }),
      ),
      outcome: nullable(
        z
          .object({
            code: impersonalText().meta({ description: 'Reason code.', examples: ['couriers_busy'] }),
            message: personalText().meta({
              description: 'Reason as text.',
              examples: ['No rider is near the pickup.'],
            }),
          })
          .meta({ description: 'Outcome of the attempt.' }),
      ).meta({ description: 'Outcome of the attempt. Null while the attempt is in progress.' }),
      priceKobo: kobo(
        'Price that the carrier quotes, or charges once it has accepted. Surge of this service is not included.',
        { example: 250000 },
      ),
      carrierReference: nullable(impersonalText()).meta({
        description: 'Identifier of the order at the carrier. Null until the carrier has assigned one.',
      }),
      cancellationFeeKobo: nullable(kobo('Cancellation fee of the carrier.', { example: 0 })).meta({
        description:
          'Cancellation fee of the carrier, in kobo. It may be known before the cancellation is confirmed. Null until ' +
          'then, and without a cancellation.',
      }),
      duplicateCostKobo: nullable(kobo('Cost of a duplicate rider.', { example: 0 })).meta({
        description: 'Cost of a duplicate rider that could not be cancelled, in kobo. Null without one.',
      }),
      superseded: z.boolean().meta({
        description:
          'Whether another dispatch attempt replaced this attempt. Tracking updates of a replaced attempt are stored but do not ' +
          'change the shipment.',
        examples: [false],
      }),
      latencyMs: nullable(z.int().min(0)).meta({
        description: 'Response time of the carrier, in milliseconds. Null until it has responded.',
      }),
      startedAt: timestamp('When the carrier was requested.'),
      endedAt: nullable(timestamp('When the outcome was known.')).meta({
        description: 'When the outcome was known. Null until then.',
      }),
    })
    .meta({ description: 'Dispatch attempt: one request to one carrier for a rider.' }),
)

export type DispatchAttempt = z.output<typeof DispatchAttempt>
