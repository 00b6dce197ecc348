import { z } from 'zod'
import { write } from '../kit/endpoint.ts'
import { impersonalText } from '../values/privacy.ts'
import { instant, kobo, named, nullable, OrderId, ScheduleId, ShipmentId, timestamp } from '../values/vocabulary.ts'
import { parcelInputExample } from './parcel.ts'
import {
  CarrierName,
  dropoffInputExample,
  Estimate,
  parcelsFields,
  pickupInputExample,
  QuoteSurge,
  refuseNothingToCarry,
  ServiceLevelName,
  wantedRefusals,
} from './quotes.ts'
import { shipmentReference } from './shipment.ts'
import { ShippedItems } from './shipment-item.ts'
import { dispatchFields } from './shipments.ts'

/** A rider who comes when the parcel is ready. */

export const scheduleWishes = ['balanced', 'speed', 'rider_wait'] as const
export type ScheduleWish = (typeof scheduleWishes)[number]

export const scheduleBases = ['stated', 'merchant_hour', 'merchant', 'zone', 'everywhere', 'prior'] as const
export type ScheduleBasis = (typeof scheduleBases)[number]

/** As far ahead as carriers take bookings. */
const prepMaxMinutes = 30 * 24 * 60

const minutes = (description: string, example: number) =>
  z
    .number()
    .min(0)
    .max(prepMaxMinutes)
    .meta({ description, examples: [example] })

const PrepMinutes = named(
  'PrepMinutes',
  z
    .strictObject({
      p50: minutes('Ready within so many minutes in half of all cases.', 40),
      p90: minutes('Ready within so many minutes in nine of ten cases.', 70),
    })
    .superRefine(({ p50, p90 }, context) => {
      if (p90 >= p50) return
      const message = 'Must not be less than `p50`.'
      context.addIssue({ code: 'custom', path: ['p90'], message, params: { problem: 'invalid_value' } })
    })
    .meta({ description: 'How long preparing takes from now on, by your own estimate.' }),
)

const Wish = z.enum(scheduleWishes).meta({
  description:
    'What matters most: `speed` has the rider there before the parcel is ready, `rider_wait` seldom lets a rider wait, ' +
    '`balanced` lies between. More values may be added.',
  examples: ['balanced'],
})

const ScheduleInput = named(
  'ScheduleInput',
  z
    .strictObject({
      reference: shipmentReference.optional(),
      ...parcelsFields,
      serviceLevels: parcelsFields.serviceLevels
        .unwrap()
        .default(['on_demand'])
        .meta({
          description:
            'Only these. A rider who comes at a moment is one on demand, so slower services have to be named.',
          examples: [['on_demand']],
          default: ['on_demand'],
        }),
      ...dispatchFields,
      readyAt: instant('When the parcel will be ready, if you know it.').optional(),
      prepMinutes: PrepMinutes.optional(),
      deliverBy: instant(
        'Until when it has to be at the customer’s. Offers that arrive later in more than one of ten cases are left out; ' +
          'where no offer arrives by then, those on demand stay.',
      ).optional(),
      optimizeFor: Wish.default('balanced').meta({ default: 'balanced' }),
      dryRun: z
        .boolean()
        .default(false)
        .meta({ description: 'Whether only to say what would be scheduled.', examples: [false], default: false }),
    })
    .superRefine(refuseNothingToCarry)
    .superRefine(({ reference, dryRun, readyAt, prepMinutes, proof, undeliverableAction }, context) => {
      const fault = (name: string, message: string, problem: string) =>
        context.addIssue({ code: 'custom', path: [name], message, params: { problem } })
      if (reference === undefined && !dryRun) fault('reference', 'Required unless `dryRun` is true.', 'required')
      if (readyAt !== undefined && prepMinutes !== undefined) {
        fault('prepMinutes', 'Send this or `readyAt`, not both.', 'invalid_value')
      }
      if (proof !== undefined && proof.pin !== 'none' && undeliverableAction === 'leave_at_door') {
        fault('undeliverableAction', 'With a PIN it cannot be left at the door.', 'invalid_value')
      }
    }),
)

export type ScheduleInput = z.output<typeof ScheduleInput>

const waits = {
  expectedRiderWaitSeconds: z
    .int()
    .min(0)
    .meta({ description: 'How long the rider waits for the parcel on the average, in seconds.', examples: [913] }),
  expectedParcelWaitSeconds: z
    .int()
    .min(0)
    .meta({ description: 'How long the parcel waits for the rider on the average, in seconds.', examples: [250] }),
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
        description: 'Your own name for the shipment; null of a dry run without one.',
      }),
      shipmentId: nullable(ShipmentId).meta({ description: 'The shipment that was made; null of a dry run.' }),
      orderId: nullable(OrderId).meta({ description: 'The order that is sent.' }),
      items: ShippedItems,
      optimizeFor: Wish,
      dispatchAt: timestamp('When a carrier is called.'),
      scheduledPickupAt: timestamp('When the rider is expected: the median.'),
      pickupWindow: named(
        'PickupWindow',
        z
          .object({
            from: timestamp('In one of ten cases he is there by then.'),
            to: timestamp('In nine of ten.'),
          })
          .meta({ description: 'Between which times the rider comes in eight of ten cases.' }),
      ),
      readyAt: Estimate,
      riderArrival: Estimate,
      dropoff: Estimate,
      ...waits,
      lateProbability: nullable(share('', 0.08)).meta({
        description:
          'How likely it is that `deliverBy` is missed, by what is learnt of riders and by the time that the service of ' +
          '`quote` takes; null without `deliverBy`.',
      }),
      criticalRatio: share('In what share of cases the parcel is meant to be ready before the rider is there.', 0.333),
      confidence: named(
        'ScheduleConfidence',
        z
          .object({
            level: z.enum(['low', 'medium', 'high']).meta({
              description:
                '`high` once fifty orders are known and the last predictions held. More values may be added.',
              examples: ['medium'],
            }),
            sampleSize: z
              .int()
              .min(0)
              .meta({ description: 'How many cases the basis has.', examples: [34] }),
            basis: z.enum(scheduleBases).meta({
              description:
                'What the time of preparing was taken from: your own word, your orders at that time of the day, all your ' +
                'orders, those of the delivery zone, those of everybody, or a guess. More values may be added.',
              examples: ['merchant'],
            }),
            coverage90: nullable(share('', 0.88)).meta({
              description:
                'In what share of your last fifty schedules the parcel was ready by `readyAt.p90`; null while there are none.',
            }),
          })
          .meta({ description: 'How far this can be relied on.' }),
      ),
      quote: nullable(
        named(
          'ScheduleQuote',
          z
            .object({
              carrier: CarrierName,
              service: impersonalText().meta({
                description: 'The carrier’s name for the service.',
                examples: ['Bike express'],
              }),
              serviceLevel: ServiceLevelName,
              dropoffEta: nullable(Estimate).meta({
                description: 'When it would arrive, called at `dispatchAt`; null where the carrier does not say.',
              }),
              priceKobo: kobo('What it would cost now.', { example: 250000 }),
              surge: nullable(QuoteSurge).meta({ description: 'The surge of now; null outside the zones.' }),
            })
            .meta({
              description: 'The offer that would be asked for first, were the carrier called now. It holds nothing.',
            }),
        ),
      ).meta({
        description:
          'What it would cost as things are now. The carriers make their offers anew when it is time, and may want as much more as ' +
          '`failover` allows over this. Null, with a warning, where ' +
          'nobody offers to take it (`no_offer`), or only for more than it may cost (`price_ceiling_too_low`), or only by a ' +
          'slower service after `deliverBy` (`no_offer_in_time`).',
      }),
      replanAt: nullable(timestamp('When it is planned once more.')).meta({
        description:
          'When it is planned once more, with what is known by then; null where the call is too near, or that has been done.',
      }),
      alternatives: z
        .array(
          named(
            'ScheduleAlternative',
            z
              .object({
                optimizeFor: nullable(Wish).meta({ description: 'What it would suit; null is a call at once.' }),
                dispatchAt: timestamp('When a carrier would be called.'),
                ...waits,
              })
              .meta({ description: 'Another time to call, and what it would bring.' }),
          ),
        )
        .meta({ description: 'A call at once, and what the other wishes would give.' }),
      warnings: z.array(impersonalText()).meta({
        description:
          'What may go wrong: `deadline_unlikely` (missed more likely than not), `late_offers_excluded` and ' +
          '`no_offer_in_time` (some or all offers arrive after `deliverBy`), `no_history`, `no_offer`, `price_ceiling_too_low`, ' +
          'or a doubt about a place. More values may be added.',
        examples: [['no_history']],
      }),
      createdAt: timestamp('When it was asked for.'),
    })
    .meta({ description: 'When a rider is called for a parcel that is not ready yet, and what is expected of that.' }),
)

export type Schedule = z.output<typeof Schedule>

const scheduleExample = {
  id: 'sch_01jd3f8q6hf5n8v1zr4c7e2m9k',
  reference: 'ORD-7K2M9QX4-2',
  shipmentId: 'shp_01jd3f8q6hf5n8v1zr4c7e2m9k',
  orderId: null,
  items: [],
  optimizeFor: 'balanced',
  dispatchAt: '2026-11-21T08:49:00.000Z',
  scheduledPickupAt: '2026-11-21T09:07:00.000Z',
  pickupWindow: { from: '2026-11-21T09:00:00.000Z', to: '2026-11-21T09:19:00.000Z' },
  readyAt: { p50: '2026-11-21T09:15:00.000Z', p90: '2026-11-21T09:50:00.000Z' },
  riderArrival: { p50: '2026-11-21T09:07:00.000Z', p90: '2026-11-21T09:19:00.000Z' },
  dropoff: { p50: '2026-11-21T09:43:00.000Z', p90: '2026-11-21T10:24:00.000Z' },
  expectedRiderWaitSeconds: 913,
  expectedParcelWaitSeconds: 250,
  lateProbability: null,
  criticalRatio: 0.333,
  confidence: { level: 'medium', sampleSize: 34, basis: 'merchant', coverage90: 0.88 },
  quote: {
    carrier: 'simulator-swift',
    service: 'Bike express',
    serviceLevel: 'on_demand',
    dropoffEta: { p50: '2026-11-21T09:34:00.000Z', p90: '2026-11-21T09:59:00.000Z' },
    priceKobo: 250000,
    surge: { zoneId: 'lag-island', multiplier: 1, surgeKobo: 0, snapshotId: null },
  },
  replanAt: '2026-11-21T08:34:00.000Z',
  alternatives: [
    {
      optimizeFor: null,
      dispatchAt: '2026-11-21T08:30:00.000Z',
      expectedRiderWaitSeconds: 1790,
      expectedParcelWaitSeconds: 60,
    },
    {
      optimizeFor: 'speed',
      dispatchAt: '2026-11-21T08:43:00.000Z',
      expectedRiderWaitSeconds: 1120,
      expectedParcelWaitSeconds: 150,
    },
    {
      optimizeFor: 'rider_wait',
      dispatchAt: '2026-11-21T09:01:00.000Z',
      expectedRiderWaitSeconds: 520,
      expectedParcelWaitSeconds: 590,
    },
  ],
  warnings: [],
  createdAt: '2026-11-21T08:30:00.000Z',
} as const satisfies z.input<typeof Schedule>

export const createPredictiveSchedule = write({
  id: 'createPredictiveSchedule',
  path: '/logistics/predictive-schedule',
  tag: 'Logistics',
  summary: 'Schedule a just-in-time rider',
  description:
    'Calculates when to request a rider for a parcel that is not ready yet, so that neither the rider nor the parcel ' +
    'waits long, and creates a shipment with the status `scheduled`. Preparation and rider times are estimated from ' +
    'your past shipments by hour of the week; the response includes the confidence. Without `pickup`, the default ' +
    'pickup address of the merchant is used. Carriers make offers at the scheduled time, limited by ' +
    '`failover.maxPriceKobo`. The schedule is recalculated once, fifteen minutes before that time. To get the rider ' +
    'earlier, cancel the shipment and dispatch it. `reference` makes a repeated request safe: the same request ' +
    'returns the same schedule with 200.',
  access: 'logistics:dispatch',
  stability: 'beta',
  body: {
    schema: ScheduleInput,
    example: {
      reference: 'ORD-7K2M9QX4-2',
      pickup: pickupInputExample,
      dropoff: dropoffInputExample,
      parcels: [parcelInputExample],
      prepMinutes: { p50: 40, p90: 70 },
      optimizeFor: 'balanced',
    },
  },
  reply: {
    status: 201,
    body: Schedule,
    meaning: 'The shipment is scheduled.',
    example: scheduleExample,
    location: '/logistics/shipments/{shipmentId}',
    further: [
      { status: 200, meaning: 'The schedule that this very request has made before, or what a dry run would make.' },
    ],
  },
  refusals: [
    ...wantedRefusals,
    'contact_incomplete',
    'reference_conflict',
    'order_already_dispatched',
    'customer_anonymised',
    'time_in_past',
  ],
  asksPartners: true,
  emits: ['order.status_changed'],
  audits: { action: 'shipment.schedule', resourceType: 'schedule' },
})
