import { z } from 'zod'
import { impersonalText } from '../values/privacy.ts'
import { kobo, named, nullable, OrderId, ReturnId, ScheduleId, ShipmentId, timestamp } from '../values/vocabulary.ts'
import { CarrierName, Estimate, QuoteSurge, ServiceLevelName } from './quote.ts'
import { shipmentReference } from './shipment.ts'
import { ShippedItems } from './shipment-item.ts'

export const scheduleObjectives = ['balanced', 'speed', 'rider_wait'] as const
export type ScheduleObjective = (typeof scheduleObjectives)[number]

export const scheduleBases = ['stated', 'merchant_hour', 'merchant', 'zone', 'everywhere', 'prior'] as const
export type ScheduleBasis = (typeof scheduleBases)[number]

export const Objective = z.enum(scheduleObjectives).meta({
  description:
    'Optimisation goal: `speed` minimises the waiting time of the parcel, `rider_wait` the waiting time of the rider, and ' +
    '`balanced` is a compromise. More values may be added.',
  examples: ['balanced'],
})

const waits = {
  expectedRiderWaitSeconds: z
    .int()
    .min(0)
    .meta({ description: 'Expected time that the rider waits at the pickup, in seconds.', examples: [913] }),
  expectedParcelWaitSeconds: z
    .int()
    .min(0)
    .meta({ description: 'Expected time that the parcel waits for the rider, in seconds.', examples: [250] }),
}

const share = (description: string, example: number) =>
  z
    .number()
    .min(0)
    .max(1)
    .meta({ description, examples: [example] })

export const Schedule = named(
  'Schedule',
  z
    .object({
      id: ScheduleId,
      reference: nullable(shipmentReference).meta({
        description: 'Your own reference for the shipment. Null for a dry run without a reference.',
      }),
      shipmentId: nullable(ShipmentId).meta({
        description: 'Identifier of the created shipment. Null for a dry run.',
      }),
      orderId: nullable(OrderId).meta({
        description: 'Identifier of the order to which the parcels belong. Null without an order.',
      }),
      returnId: nullable(ReturnId).meta({
        description: 'Identifier of the return whose units the parcels contain. Null for any other schedule.',
      }),
      items: ShippedItems,
      optimizeFor: Objective,
      dispatchAt: timestamp('When the first carrier will be requested.'),
      scheduledPickupAt: timestamp('Estimated arrival of the rider at the pickup, as a median.'),
      pickupWindow: named(
        'PickupWindow',
        z
          .object({
            from: timestamp('10th percentile of the rider’s arrival time at the pickup.'),
            to: timestamp('90th percentile of the rider’s arrival time at the pickup.'),
          })
          .meta({ description: 'Time window in which the rider arrives at the pickup in 80 of 100 cases.' }),
      ),
      readyAt: Estimate,
      riderArrival: Estimate,
      dropoff: Estimate,
      ...waits,
      lateProbability: nullable(share('', 0.08)).meta({
        description:
          'Probability that the delivery is later than `deliverBy`, from 0 to 1. It is estimated from past rider times and the delivery time ' +
          'of `quote`. Null without `deliverBy`.',
      }),
      criticalRatio: share('Target probability that the parcel is ready before the rider arrives, from 0 to 1.', 0.333),
      confidence: named(
        'ScheduleConfidence',
        z
          .object({
            level: z.enum(['low', 'medium', 'high']).meta({
              description:
                'Confidence level of the estimates. `high` requires at least 50 past orders and accurate recent predictions. More values may ' +
                'be added.',
              examples: ['medium'],
            }),
            sampleSize: z
              .int()
              .min(0)
              .meta({
                description: 'Number of observations on which the estimated preparation time is based.',
                examples: [34],
              }),
            basis: z.enum(scheduleBases).meta({
              description:
                'Basis of the estimated preparation time: `stated` in the request, `merchant_hour` (your orders at that time ' +
                'of day), `merchant` (all your orders), `zone` (orders in the delivery zone), `everywhere` (all orders), or ' +
                '`prior` (a default). More values may be added.',
              examples: ['merchant'],
            }),
            coverage90: nullable(share('', 0.88)).meta({
              description:
                'Share of your last 50 schedules in which the parcel was ready at the time `readyAt.p90`, from 0 to 1. Null without ' +
                'past schedules.',
            }),
          })
          .meta({ description: 'Confidence in the estimates of the schedule.' }),
      ),
      quote: nullable(
        named(
          'ScheduleQuote',
          z
            .object({
              carrier: CarrierName,
              service: impersonalText().meta({
                description: 'Name that the carrier uses for the delivery service.',
                examples: ['Bike express'],
              }),
              serviceLevel: ServiceLevelName,
              dropoffEta: nullable(Estimate).meta({
                description:
                  'Estimated delivery time if the carrier is requested at `dispatchAt`. It is never earlier than `riderArrival` or ' +
                  '`readyAt`. Null if the carrier states no delivery time.',
              }),
              priceKobo: kobo('Current price of the carrier’s offer.', { example: 250000 }),
              surge: nullable(QuoteSurge).meta({
                description: 'Current surge at the pickup. Null if the pickup is outside the delivery zones.',
              }),
            })
            .meta({
              description:
                'Offer that would be requested first if the dispatch started now. The offer is not reserved.',
            }),
        ),
      ).meta({
        description:
          'Current offer, as an estimate of the price. Carriers make new offers at `dispatchAt`. The price of a new offer can be higher ' +
          'within the limits of `failover`. Null, with a warning, if there is no offer (`no_offer`), if every offer is above ' +
          'the price ceiling (`price_ceiling_too_low`), or if only slower services are available and they miss `deliverBy` ' +
          '(`no_offer_in_time`).',
      }),
      replanAt: nullable(timestamp('When the schedule will be recalculated.')).meta({
        description:
          'When the schedule will be recalculated. Null after the recalculation, and if `dispatchAt` is too close for a recalculation.',
      }),
      alternatives: z
        .array(
          named(
            'ScheduleAlternative',
            z
              .object({
                optimizeFor: nullable(Objective).meta({
                  description: 'Optimisation goal of the alternative schedule. Null for an immediate dispatch.',
                }),
                dispatchAt: timestamp('When the first carrier would be requested with the alternative schedule.'),
                ...waits,
              })
              .meta({ description: 'Alternative schedule.' }),
          ),
        )
        .meta({
          description:
            'Alternative schedules: an immediate dispatch, and a schedule for each optimisation goal that was not requested.',
        }),
      warnings: z.array(impersonalText()).meta({
        description:
          'Warnings of the schedule: `deadline_unlikely` (the probability of meeting `deliverBy` is below 50 %), ' +
          '`late_offers_excluded` and `no_offer_in_time` (some or all offers miss `deliverBy`), `no_history`, `no_offer`, ' +
          '`price_ceiling_too_low`, and the place warnings of a quote. More values may be added.',
        examples: [['no_history']],
      }),
      createdAt: timestamp('When the schedule was created.'),
    })
    .meta({ description: 'Schedule that requests a rider in time for a parcel that is not ready yet.' }),
)

export type Schedule = z.output<typeof Schedule>
