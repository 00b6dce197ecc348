import { z } from 'zod'
import { impersonalText, personalText } from '../values/privacy.ts'
import { AttemptId, kobo, named, nullable, timestamp } from '../values/vocabulary.ts'
import { CarrierName } from './quotes.ts'
import { attemptStates } from './shipment-states.ts'

export const DispatchAttempt = named(
  'DispatchAttempt',
  z
    .object({
      id: AttemptId,
      number: z
        .int()
        .min(1)
        .meta({ description: 'Counts the askings of the shipment.', examples: [1] }),
      carrier: CarrierName,
      service: impersonalText().meta({
        description: 'Which of the carrier’s services was asked for. Of a broker it names the company behind it.',
        examples: ['Bike express'],
      }),
      state: named(
        'AttemptState',
        z.enum(attemptStates).meta({
          description:
            'What became of it. `unknown` while it is being found out whether the carrier heard it; then `accepted`, or ' +
            '`not_found_at_carrier` when it did not. More values may be added.',
        }),
      ),
      outcome: nullable(
        z
          .object({
            code: impersonalText().meta({ description: 'Why, as a code.', examples: ['couriers_busy'] }),
            message: personalText().meta({
              description: 'The same in words.',
              examples: ['No rider is near the pickup.'],
            }),
          })
          .meta({ description: 'Why it ended as it did.' }),
      ).meta({ description: 'Why it ended as it did; null while it is under way.' }),
      priceKobo: kobo('What the carrier asks for it, or charges once it has taken it. Surge is not in it.', {
        example: 250000,
      }),
      carrierReference: nullable(impersonalText()).meta({
        description: 'The carrier’s name for the order, once it has one.',
      }),
      cancellationFeeKobo: nullable(kobo('What calling it off costs.', { example: 0 })).meta({
        description:
          'What calling it off costs, in kobo, as soon as its carrier says so, which may be before it lets go; null until then, ' +
          'and where nothing was called off.',
      }),
      duplicateCostKobo: nullable(kobo('What a second rider cost.', { example: 0 })).meta({
        description: 'What a second rider cost who could not be called off, in kobo.',
      }),
      superseded: z.boolean().meta({
        description:
          'Whether a later asking took its place. What its carrier tells from then on is kept, and moves nothing.',
        examples: [false],
      }),
      latencyMs: nullable(z.int().min(0)).meta({ description: 'Until the carrier answered, in milliseconds.' }),
      startedAt: timestamp('When the carrier was asked.'),
      endedAt: nullable(timestamp('When its outcome was known.')).meta({ description: 'When its outcome was known.' }),
    })
    .meta({ description: 'One asking of one carrier for a rider.' }),
)

export type DispatchAttempt = z.output<typeof DispatchAttempt>
