import { z } from 'zod'
import { read } from '../kit/endpoint.ts'
import { queryInteger } from '../kit/query.ts'
import { trackWaitMaxSeconds } from '../values/limits.ts'
import { impersonalText } from '../values/privacy.ts'
import { named, nullable, ShipmentId, timestamp } from '../values/vocabulary.ts'
import { Point } from './place.ts'
import { Estimate } from './quote.ts'
import { CourierSeen, Shipment, ShipmentStatusName } from './shipment.ts'
import { shipmentExample } from './shipment-example.ts'

const TrackedPosition = named(
  'TrackedPosition',
  z
    .object({
      lat: Point.shape.lat,
      lng: Point.shape.lng,
      headingDegrees: nullable(z.int().min(0).max(359)).meta({
        description: 'Heading of the rider in degrees: 0 is north, 90 is east. Null if unknown.',
        examples: [90],
      }),
      recordedAt: timestamp('When the position was recorded, according to the carrier.'),
      receivedAt: timestamp('When this service received the position.'),
      ageSeconds: z
        .int()
        .min(0)
        .meta({ description: 'Age of the rider’s position at the time of the response, in seconds.', examples: [8] }),
      stale: z.boolean().meta({
        description:
          'Whether the position is stale: the carrier should have sent a newer position already, so the rider may be elsewhere.',
      }),
      source: z.enum(['callback', 'poll']).meta({
        description: 'Source of the position: a `callback` or a `poll` of the carrier.',
        examples: ['callback'],
      }),
    })
    .meta({
      description:
        'Last known position of the rider as reported by the carrier, rounded to about ten metres. The position is never interpolated.',
    }),
)

const EstimatedPosition = named(
  'EstimatedPosition',
  z
    .object({
      lat: Point.shape.lat,
      lng: Point.shape.lng,
      at: timestamp('Time for which the position is estimated: the time of the response.'),
      basis: z.enum(['last_position', 'pickup']).meta({
        description:
          'Place from which the position is estimated: the last reported position, or the pickup. More values may be added.',
        examples: ['last_position'],
      }),
      since: timestamp('When the rider was at the place from which the position is estimated.'),
      confidence: z.enum(['medium', 'low']).meta({
        description:
          'Confidence of the estimated position: `medium` if the carrier reported a position less than five minutes ago, else `low`.',
        examples: ['medium'],
      }),
    })
    .meta({
      description:
        'Position of the rider as estimated by this service: a point on the straight line from the last known position to ' +
        'the next stop, according to the estimated arrival. Do not display it as a reported position.',
    }),
)

const TrackedEstimate = named(
  'TrackedEstimate',
  z
    .object({
      p50: Estimate.shape.p50,
      p90: Estimate.shape.p90,
      basis: z.enum(['carrier']).meta({
        description: 'Source of the estimated delivery time: the carrier. More values may be added.',
        examples: ['carrier'],
      }),
    })
    .meta({ description: 'Estimated delivery time.' }),
)

/** Maximum number of events in a tracking response, enough for a tracking page. The shipment may have more events. */
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
        .meta({
          description:
            'Number of the rider’s position, incremented with each new position. With `version`, it is part of the ETag.',
          examples: [17],
        }),
      asOf: timestamp('When the service created this response.'),
      pollAfterSeconds: z
        .int()
        .min(0)
        .meta({
          description: 'Recommended polling interval, in seconds. 0 after the shipment has ended.',
          examples: [20],
        }),
      live: z.boolean().meta({
        description: 'Whether `position` is current. False before the first position, and while the position is stale.',
        examples: [true],
      }),
      position: nullable(TrackedPosition).meta({
        description:
          'Position of the rider. Null before a rider is assigned, after the shipment has ended, and if the carrier reports ' +
          'no positions.',
      }),
      estimatedPosition: nullable(EstimatedPosition).meta({
        description:
          'Estimated position of the rider while `position` is missing or stale. Null while `position` is current, and if the place or the time of the start or of the next stop is ' +
          'unknown.',
      }),
      distanceToNextStopMeters: nullable(z.int().min(0)).meta({
        description:
          'Straight-line distance from `position` to the pickup, or to the dropoff after the pickup, in metres. Null without ' +
          'a position.',
        examples: [1200],
      }),
      eta: nullable(TrackedEstimate).meta({ description: 'Estimated delivery time. Null if unknown.' }),
      courier: nullable(CourierSeen).meta({
        description: 'Rider of the shipment. Null before a rider is assigned and after the shipment has ended.',
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
                  description: 'Description of the shipment status.',
                  examples: ['A rider was assigned.'],
                }),
                at: timestamp(
                  'When the shipment reached the status. If the carrier stated no time, or the service set the status, this is when the service recorded the status.',
                ),
              })
              .meta({ description: 'Status change of a shipment.' }),
          ),
        )
        .max(trackedEventsMax)
        .meta({
          description: `Changes of the shipment status, newest first, at most ${trackedEventsMax}. Stale tracking updates are left out; the events of the shipment contain them.`,
        }),
    })
    .meta({ description: 'Tracking of a shipment.' }),
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
    { status: 'in_transit', description: 'The parcel is in transit.', at: '2026-11-21T08:52:00.000Z' },
    { status: 'picked_up', description: 'The parcel was picked up.', at: '2026-11-21T08:50:00.000Z' },
  ],
} as const satisfies z.input<typeof Tracking>

export const trackShipment = read({
  id: 'trackShipment',
  path: '/logistics/shipments/{id}/track',
  tag: 'Logistics',
  summary: 'Get shipment tracking',
  description:
    'Returns the status, the courier, the position and the estimates of a shipment. Poll again after ' +
    '`pollAfterSeconds`, or use a long poll. For a long poll, send `wait` and the last known state: its ETag as ' +
    '`If-None-Match`, or its `version` as `since`. The response is then sent as soon as the state changes ' +
    'or the wait timeout ends. With `If-None-Match`, an ' +
    'unchanged state returns 304.',
  access: 'logistics:read',
  params: z.strictObject({ id: ShipmentId }),
  query: z.strictObject({
    since: queryInteger({
      min: 1,
      max: 2_147_483_647,
      description: 'Last `version` of the tracking that you know. Allowed only together with `wait`.',
      example: 6,
    }).optional(),
    wait: queryInteger({
      min: 0,
      max: trackWaitMaxSeconds,
      description: 'Wait timeout of the long poll, in seconds. Under high load the response is sent without waiting.',
      example: 25,
    }).optional(),
  }),
  refusals: ['shipment_not_found'],
  reply: { body: Tracking, meaning: 'The tracking of the shipment.', example: trackingExample },
  etagFields: ['version', 'positionNumber'],
})
