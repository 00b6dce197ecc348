import { z } from 'zod'
import { dispatchAttemptsMax } from '../values/limits.ts'
import { kobo, named } from '../values/vocabulary.ts'
import { CarrierName } from './quote.ts'
import { dispatchStrategies } from './shipment-states.ts'

/** Bounds of the assignment timeout: enough time for any carrier to assign a rider, and at most one day. */
const assignTimeoutSeconds = { min: 60, max: 24 * 3600 } as const

const carriers = (description: string) =>
  z
    .array(CarrierName)
    .min(1)
    .max(20)
    .optional()
    .meta({ description, examples: [['simulator-swift']] })

export const Failover = named(
  'Failover',
  z
    .strictObject({
      enabled: z
        .boolean()
        .default(true)
        .meta({
          description: 'Whether to request the next carrier when a carrier does not accept the shipment.',
          examples: [true],
          default: true,
        }),
      strategy: z
        .enum(dispatchStrategies)
        .default('best_value')
        .meta({
          description:
            'Order in which carriers are requested. `preferred` is the order of `carriers`. Without `serviceLevels`, ' +
            '`best_value` starts with the offers of the fastest service level, and adds the next level only if a single carrier offers the fastest; the other strategies rank the offers of all levels.',
          examples: ['best_value'],
          default: 'best_value',
        }),
      maxAttempts: z
        .int()
        .min(1)
        .max(dispatchAttemptsMax)
        .default(3)
        .meta({
          description: 'Maximum number of carriers that are requested, one after the other, to transport the shipment.',
          examples: [3],
          default: 3,
        }),
      maxPriceKobo: kobo('Price ceiling: highest price, including surge, at which a carrier is requested.').optional(),
      maxPriceIncreaseKobo: kobo(
        'Maximum amount by which the price of a carrier may exceed the price of the first offer. When this field and `maxPriceKobo` are left out, the price ceiling ' +
          'is the higher of 1.5 times the first offer and the price of the next carrier.',
      ).optional(),
      carriers: carriers('Carriers that may be requested to transport the shipment. When left out, all carriers.'),
      excludeCarriers: carriers('Carriers to exclude. When left out, no carrier is excluded.'),
      assignTimeoutSeconds: z
        .int()
        .min(assignTimeoutSeconds.min)
        .max(assignTimeoutSeconds.max)
        .optional()
        .meta({
          description:
            'Time within which the carrier must assign a rider, in seconds. When left out, the 95th percentile of its ' +
            'assignment times in the zone, once 30 of them are known; until then 10 minutes for on-demand services and 4 hours for ' +
            'others. This time limit does not apply to carriers that never report a rider: for their shipments, the service waits for the pickup instead.',
          examples: [600],
        }),
      onUnknown: z
        .enum(['wait', 'proceed_guarded'])
        .optional()
        .meta({
          description:
            'Action when the outcome of a carrier request is unknown. `wait`: wait until the outcome is known. `proceed_guarded`: ' +
            'request the next carrier, and cancel the order of the first carrier if it has accepted after all. When left out, the ' +
            'default of the carrier.',
          examples: ['proceed_guarded'],
        }),
    })
    .meta({
      description: 'Failover rules: which carriers are requested after a carrier that does not accept the shipment.',
    }),
)

export type Failover = z.output<typeof Failover>
