import { z } from 'zod'
import { queryInteger, read } from '../kit/endpoint.ts'
import { trackWaitMaxSeconds } from '../values/limits.ts'
import { impersonalText } from '../values/privacy.ts'
import { named, nullable, ShipmentId, timestamp } from '../values/vocabulary.ts'
import { Point } from './place.ts'
import { Estimate } from './quotes.ts'
import { CourierSeen, Shipment, ShipmentStatusName, shipmentExample } from './shipment.ts'

const TrackedPosition = named(
  'TrackedPosition',
  z
    .object({
      lat: Point.shape.lat,
      lng: Point.shape.lng,
      headingDegrees: nullable(z.int().min(0).max(359)).meta({
        description: 'Where the rider is headed: 0 is north, 90 is east.',
        examples: [90],
      }),
      recordedAt: timestamp('When the rider was there, by the carrier’s clock.'),
      receivedAt: timestamp('When this service learnt of it.'),
      ageSeconds: z
        .int()
        .min(0)
        .meta({ description: 'How long ago that was when this was answered.', examples: [8] }),
      stale: z
        .boolean()
        .meta({ description: 'Whether a newer one should have come by now: the rider may be elsewhere.' }),
      source: z
        .enum(['callback', 'poll'])
        .meta({ description: 'Whether the carrier told it by itself or was asked.', examples: ['callback'] }),
    })
    .meta({ description: 'Where the rider was last, to about ten metres. It is as told, never made up in between.' }),
)

const EstimatedPosition = named(
  'EstimatedPosition',
  z
    .object({
      lat: Point.shape.lat,
      lng: Point.shape.lng,
      at: timestamp('The moment it is reckoned for: that of the answer.'),
      basis: z.enum(['last_position', 'pickup']).meta({
        description:
          'Where the rider was known to be before: where he was last told to be, or at the pickup when he fetched it. ' +
          'More values may be added.',
        examples: ['last_position'],
      }),
      since: timestamp('When the rider was there.'),
      confidence: z.enum(['medium', 'low']).meta({
        description: '`medium` for five minutes after a place that was told, `low` otherwise.',
        examples: ['medium'],
      }),
    })
    .meta({
      description:
        'Where the rider may be, as this service reckons it: on the straight line from where he was to the next stop, as ' +
        'far as his expected arrival says. Nobody has seen him there: do not show it as his place.',
    }),
)

const TrackedEstimate = named(
  'TrackedEstimate',
  z
    .object({
      p50: Estimate.shape.p50,
      p90: Estimate.shape.p90,
      basis: z.enum(['carrier']).meta({
        description: 'Whose word it is: the carrier’s. More values may be added.',
        examples: ['carrier'],
      }),
    })
    .meta({ description: 'When it is expected to arrive.' }),
)

/** As many as a page about a parcel shows; the shipment has more. */
export const trackedEventsMax = 50

export const Tracking = named(
  'Tracking',
  z
    .object({
      shipmentId: ShipmentId,
      status: ShipmentStatusName,
      version: Shipment.shape.version,
      positionNumber: z
        .int()
        .min(0)
        .meta({ description: 'Counts the positions; with `version` it is the ETag.', examples: [17] }),
      asOf: timestamp('When this was answered.'),
      pollAfterSeconds: z
        .int()
        .min(0)
        .meta({ description: 'When to ask again, in seconds; 0 once nothing more will happen.', examples: [20] }),
      live: z.boolean().meta({
        description:
          'Whether the carrier tells where its rider is, now: false before the first place and once it is stale.',
        examples: [true],
      }),
      position: nullable(TrackedPosition).meta({
        description:
          'Where the rider is; null before one is named, once it is over, and where the carrier does not tell.',
      }),
      estimatedPosition: nullable(EstimatedPosition).meta({
        description:
          'Where the rider may be while his place is not told, or is stale. Null while it is, and where too little is ' +
          'known: both points and both times have to be.',
      }),
      distanceToNextStopMeters: nullable(z.int().min(0)).meta({
        description: 'From there to the pickup, or to the dropoff once it is fetched, as the crow flies.',
        examples: [1200],
      }),
      eta: nullable(TrackedEstimate).meta({ description: 'When it is expected to arrive; null if nothing is known.' }),
      courier: nullable(CourierSeen).meta({
        description: 'Who carries it; null while nobody is named, and once it is over.',
      }),
      trackingUrl: Shipment.shape.trackingUrl,
      events: z
        .array(
          named(
            'TrackedEvent',
            z
              .object({
                status: ShipmentStatusName,
                description: impersonalText().meta({
                  description: 'The same in words.',
                  examples: ['A rider was assigned.'],
                }),
                at: timestamp('When it happened, by the clock of whoever told.'),
              })
              .meta({ description: 'One step of its way.' }),
          ),
        )
        .max(trackedEventsMax)
        .meta({ description: 'Its last steps, newest first. What came too late to count is only in the shipment.' }),
    })
    .meta({ description: 'Where a shipment is.' }),
)

export type Tracking = z.output<typeof Tracking>

export const trackingExample = {
  shipmentId: shipmentExample.id,
  status: 'in_transit',
  version: 6,
  positionNumber: 17,
  asOf: '2026-11-21T08:58:08.000Z',
  pollAfterSeconds: 20,
  live: true,
  position: {
    lat: 6.4391,
    lng: 3.4502,
    headingDegrees: 90,
    recordedAt: '2026-11-21T08:58:00.000Z',
    receivedAt: '2026-11-21T08:58:01.204Z',
    ageSeconds: 8,
    stale: false,
    source: 'callback',
  },
  estimatedPosition: null,
  distanceToNextStopMeters: 2613,
  eta: { p50: '2026-11-21T09:15:00.000Z', p90: '2026-11-21T09:40:00.000Z', basis: 'carrier' },
  courier: { name: 'Musa', vehicle: 'bike', phone: null, plateLastFour: '42KJ' },
  trackingUrl: null,
  events: [
    { status: 'in_transit', description: 'It is on its way.', at: '2026-11-21T08:52:00.000Z' },
    { status: 'picked_up', description: 'It was fetched.', at: '2026-11-21T08:50:00.000Z' },
  ],
} as const satisfies z.input<typeof Tracking>

export const trackShipment = read({
  id: 'trackShipment',
  path: '/logistics/shipments/{id}/track',
  tag: 'Logistics',
  summary: 'Track a shipment',
  description:
    'Returns the status, the courier, the position and the estimates of a shipment. Poll again after ' +
    '`pollAfterSeconds`, or use a long poll: with `wait` and the last known state, as the ETag in `If-None-Match` or ' +
    'as `since`, the response is sent as soon as something changes or the wait ends. With `If-None-Match`, an ' +
    'unchanged state returns 304.',
  access: 'logistics:read',
  params: z.strictObject({ id: ShipmentId }),
  query: z.strictObject({
    since: queryInteger({
      min: 1,
      max: 2_147_483_647,
      description: 'The `version` you know: only with `wait`.',
      example: 6,
    }).optional(),
    wait: queryInteger({
      min: 0,
      max: trackWaitMaxSeconds,
      description: 'How long to wait for news, in seconds. When too many wait, the answer comes at once.',
      example: 25,
    }).optional(),
  }),
  refusals: ['shipment_not_found'],
  reply: { body: Tracking, meaning: 'Where it is.', example: trackingExample },
  taggedBy: ['version', 'positionNumber'],
})
