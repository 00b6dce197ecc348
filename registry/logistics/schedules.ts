import { z } from 'zod'
import { write } from '../kit/endpoint.ts'
import { orderMoveEvents } from '../kit/event.ts'
import { instant, named } from '../values/vocabulary.ts'
import { parcelInputExample } from './parcel.ts'
import { dropoffInputExample, pickupInputExample } from './quote-example.ts'
import { parcelsFields, refuseOrderOfReturn, requireShipmentContents, routeRefusals } from './quotes.ts'
import { Objective, Schedule } from './schedule.ts'
import { scheduleExample } from './schedule-example.ts'
import { shipmentReference } from './shipment.ts'
import { dispatchFields } from './shipments.ts'

/** Maximum preparation time: 30 days, the booking horizon of the carriers. */
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
      p50: minutes('Median preparation time, in minutes.', 40),
      p90: minutes('90th percentile of the preparation time, in minutes.', 70),
    })
    .superRefine(({ p50, p90 }, context) => {
      if (p90 >= p50) return
      const message = 'Must be at least `p50`.'
      context.addIssue({ code: 'custom', path: ['p90'], message, params: { problem: 'invalid_value' } })
    })
    .meta({ description: 'Your estimate of the preparation time, counted from now.' }),
)

/**
 * Time from `readyAt` to the deadline in an example error response. Two hours suffice for most deliveries within a
 * city.
 */
const exampleDeliveryMs = 2 * 3_600_000

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
            'Allowed service levels. When left out, only `on_demand`, because riders of other levels do not arrive ' +
            'at a planned time.',
          examples: [['on_demand']],
          default: ['on_demand'],
        }),
      ...dispatchFields,
      readyAt: instant(
        'When the parcel will be ready, if known. Required for a return without `prepMinutes`.',
      ).optional(),
      prepMinutes: PrepMinutes.optional(),
      deliverBy: instant(
        'Delivery deadline, after `readyAt`. Offers that are expected to miss the deadline in more than 10 of ' +
          '100 cases are excluded. If this would exclude all offers, on-demand offers remain.',
      ).optional(),
      optimizeFor: Objective.default('balanced').meta({ default: 'balanced' }),
      dryRun: z
        .boolean()
        .default(false)
        .meta({
          description: 'Whether to calculate the schedule without creating a shipment.',
          examples: [false],
          default: false,
        }),
    })
    .superRefine(requireShipmentContents)
    .superRefine(refuseOrderOfReturn)
    .superRefine((request, context) => {
      const { reference, dryRun, returnId, readyAt, prepMinutes, deliverBy, proof, undeliverableAction } = request
      const fault = (name: string, message: string, problem: string) =>
        context.addIssue({ code: 'custom', path: [name], message, params: { problem } })
      if (reference === undefined && !dryRun) fault('reference', 'Is required unless `dryRun` is true.', 'required')
      if (returnId !== undefined && (readyAt ?? prepMinutes) === undefined) {
        // The service knows only the preparation times of the shop, which do not predict when a customer has packed a
        // return. For a return, the request must therefore state when the parcel is ready.
        fault('readyAt', 'Is required with `returnId`, unless `prepMinutes` is sent.', 'required')
      }
      if (readyAt !== undefined && deliverBy !== undefined && Date.parse(deliverBy) <= Date.parse(readyAt)) {
        const example = new Date(Date.parse(readyAt) + exampleDeliveryMs).toISOString()
        const params = { problem: 'invalid_value', example }
        context.addIssue({ code: 'custom', path: ['deliverBy'], message: 'Must be after `readyAt`.', params })
      }
      if (readyAt !== undefined && prepMinutes !== undefined) {
        const params = { problem: 'invalid_value', isExcluded: true }
        context.addIssue({
          ...{ code: 'custom', path: ['prepMinutes'], message: 'Must not be sent together with `readyAt`.', params },
        })
      }
      if (proof !== undefined && proof.pin !== 'none' && undeliverableAction === 'leave_at_door') {
        fault('undeliverableAction', 'Must not be `leave_at_door` if `proof.pin` is set.', 'invalid_value')
      }
    }),
)

export type ScheduleInput = z.output<typeof ScheduleInput>

export const createPredictiveSchedule = write({
  id: 'createPredictiveSchedule',
  path: '/logistics/predictive-schedule',
  tag: 'Logistics',
  summary: 'Schedule a just-in-time rider',
  description:
    'Calculates when to request a rider for a parcel that is not ready yet, so that neither the rider nor the parcel ' +
    'waits long, and creates a shipment with the status `scheduled`. Preparation and rider times are estimated from ' +
    'your past shipments by time of day; the response includes the confidence. Without `pickup`, the default ' +
    'pickup address of the merchant is used. Carriers make offers at the scheduled time, limited by ' +
    '`failover.maxPriceKobo`. The schedule is recalculated once, fifteen minutes before that time. To get the rider earlier, cancel this shipment and create another one with `POST ' +
    '/logistics/dispatch`. `reference` makes a repeated request safe: the same request ' +
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
      {
        status: 200,
        meaning: 'The existing schedule of a repeated request, or the calculated schedule of a dry run.',
      },
    ],
  },
  refusals: [
    ...routeRefusals,
    'contact_incomplete',
    'reference_conflict',
    'order_already_dispatched',
    'customer_anonymised',
    'time_in_past',
  ],
  callsPartners: true,
  emits: orderMoveEvents,
  audits: { action: 'shipment.schedule', resourceType: 'schedule' },
})
