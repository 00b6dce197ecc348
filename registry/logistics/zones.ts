import { z } from 'zod'
import { list, queryChoices } from '../kit/endpoint.ts'
import { nearReachKilometers, zoneIdMaxLength } from '../values/limits.ts'
import { impersonalText } from '../values/privacy.ts'
import { kobo, named, nullable, states, timestamp } from '../values/vocabulary.ts'
import { Point } from './place.ts'
import { serviceLevels } from './shipment-states.ts'

/** The parts of Nigeria this service prices and times by itself; beyond them, carriers alone say what they do. */

export const boundaryStatuses = ['draft', 'checked'] as const
export type BoundaryStatus = (typeof boundaryStatuses)[number]

const days = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const

const timeOfDay = (description: string, example: string) =>
  impersonalText()
    .regex(/^([01]\d|2[0-3]):[0-5]\d$/)
    .meta({ description, examples: [example] })

const OperatingHours = named(
  'OperatingHours',
  z
    .object({
      days: z.array(z.enum(days)).meta({ description: 'Days of the week.', examples: [['mon', 'tue']] }),
      from: timeOfDay('From this time of day.', '07:00'),
      to: timeOfDay('Until this time of day.', '21:00'),
      tz: z.literal('Africa/Lagos').meta({ description: 'Time zone of both.', examples: ['Africa/Lagos'] }),
    })
    .meta({ description: 'When riders fetch and bring on some days of the week.' }),
)

/** A longitude and a latitude, in that order. */
const Position = z.array(z.number()).min(2).max(2)

export const ZoneGeometry = named(
  'ZoneGeometry',
  z
    .object({
      type: z.literal('MultiPolygon').meta({ description: 'Always MultiPolygon.', examples: ['MultiPolygon'] }),
      coordinates: z.array(z.array(z.array(Position))).meta({
        description:
          'Polygons, each of them rings, each of those positions: longitude first, the last the same as the first.',
        examples: [
          [
            [
              [
                [3.4435, 6.417],
                [3.487, 6.42],
                [3.485, 6.461],
                [3.4435, 6.417],
              ],
            ],
          ],
        ],
      }),
    })
    .meta({ description: 'The outline, as GeoJSON (RFC 7946).' }),
)

export type ZoneGeometry = z.output<typeof ZoneGeometry>

export const zoneId = impersonalText()
  .max(zoneIdMaxLength)
  .regex(/^[a-z]+(-[a-z0-9]+)+$/)
  .meta({ description: 'Identifier of the zone.', examples: ['lag-lekki-1'] })

export const Zone = named(
  'Zone',
  z
    .object({
      id: zoneId,
      name: impersonalText().meta({ description: 'What people call it.', examples: ['Oniru and Lekki Phase 1'] }),
      state: z.enum(states).meta({ description: 'The state it is in.', examples: ['Lagos'] }),
      city: impersonalText().meta({ description: 'The city it belongs to.', examples: ['Lagos'] }),
      lgas: z
        .array(impersonalText())
        .meta({ description: 'Local government areas it takes in, wholly or in part.', examples: [['Eti-Osa']] }),
      areas: z
        .array(impersonalText())
        .meta({ description: 'The best-known areas in it; there are more.', examples: [['Lekki Phase 1']] }),
      centroid: Point,
      bbox: z
        .array(z.number())
        .min(4)
        .max(4)
        .meta({
          description: 'The rectangle around it: west, south, east, north.',
          examples: [[3.443, 6.417, 3.487, 6.461]],
        }),
      geometry: nullable(ZoneGeometry).meta({ description: 'Its outline; null unless asked for by `include`.' }),
      boundaryStatus: z.enum(boundaryStatuses).meta({
        description:
          '`draft`: outline, names, fares and speeds come from general knowledge and may be wrong at the edges; ' +
          '`checked`: somebody local has checked them. More values may be added.',
        examples: ['draft'],
      }),
      serviceLevels: z
        .array(z.enum(serviceLevels))
        .meta({ description: 'How fast parcels can go. More values may be added.', examples: [['on_demand']] }),
      carriers: z.array(impersonalText()).meta({
        description:
          'Codes of the carriers that can be asked for a rider there: in live mode those the merchant is connected with, ' +
          'in test mode the simulated ones.',
        examples: [['simulator-swift']],
      }),
      operatingHours: z.array(OperatingHours).meta({ description: 'When riders are about.' }),
      neighbours: z
        .array(impersonalText())
        .meta({ description: 'The zones one drives into from here.', examples: [['lag-island', 'lag-lekki-2']] }),
      baseFareKobo: kobo('What a delivery costs before distance and weight, by this service’s own rate card.', {
        example: 200000,
      }),
      perKmKobo: kobo('What each kilometre adds beyond `includedMeters`.', { example: 15000 }),
      includedMeters: z
        .int()
        .min(0)
        .meta({ description: 'The way that `baseFareKobo` pays for.', examples: [5000] }),
      perKgKobo: kobo('What each kilogram adds beyond `includedGrams`.', { example: 10000 }),
      includedGrams: z
        .int()
        .min(0)
        .meta({ description: 'The weight that `baseFareKobo` pays for.', examples: [5000] }),
      averageSpeedKmh: z
        .int()
        .min(1)
        .meta({ description: 'How fast a bike gets through by day, in kilometres an hour.', examples: [18] }),
      surgeMultiplier: z
        .number()
        .min(1)
        .meta({
          description: 'What the fare is multiplied by at this moment; 1 when it is not raised.',
          examples: [1],
        }),
      distanceMeters: nullable(z.int().min(0)).meta({
        description: 'How far the point in `near` is from the zone, 0 for the zone it is in; null without `near`.',
        examples: [null],
      }),
      active: z
        .boolean()
        .meta({ description: 'Whether parcels are taken; only such zones are listed.', examples: [true] }),
      createdAt: timestamp('When the zone was created.'),
      updatedAt: timestamp('When it last changed.'),
    })
    .meta({ description: 'A delivery zone.' }),
)

export type Zone = z.output<typeof Zone>

const near = impersonalText()
  .regex(/^\d{1,2}(\.\d{1,15})?,\d{1,2}(\.\d{1,15})?$/, {
    error: 'Must be latitude and longitude in degrees, such as 6.4474,3.4723.',
    abort: true,
  })
  .refine(isInNigeria, { error: 'Must be latitude first, 4 to 14.5, then longitude, 2.5 to 15: a point in Nigeria.' })
  .meta({
    maxLength: 37,
    description:
      `Only the zone this point is in, and those within ${nearReachKilometers} km of it: latitude and longitude in ` +
      'degrees. Each then says its `distanceMeters`; the order stays newest first.',
    examples: ['6.4474,3.4723'],
  })

function isInNigeria(value: string): boolean {
  return Point.safeParse(pointIn(value)).success
}

/** The point such a text means; the text was checked. */
export function pointIn(value: string): Point {
  const [lat, lng] = value.split(',').map(Number)
  return { lat: lat ?? Number.NaN, lng: lng ?? Number.NaN }
}

export const zoneExample = {
  id: 'lag-lekki-1',
  name: 'Oniru and Lekki Phase 1',
  state: 'Lagos',
  city: 'Lagos',
  lgas: ['Eti-Osa'],
  areas: ['Oniru', 'Lekki Phase 1'],
  centroid: { lat: 6.4363, lng: 3.4668 },
  bbox: [3.443, 6.417, 3.487, 6.461],
  geometry: null,
  boundaryStatus: 'draft',
  serviceLevels: ['on_demand', 'same_day', 'next_day', 'standard'],
  carriers: ['simulator-swift', 'simulator-steady', 'simulator-saver'],
  operatingHours: [
    { days: ['mon', 'tue', 'wed', 'thu', 'fri', 'sat'], from: '07:00', to: '21:00', tz: 'Africa/Lagos' },
    { days: ['sun'], from: '10:00', to: '19:00', tz: 'Africa/Lagos' },
  ],
  neighbours: ['lag-island', 'lag-lekki-2'],
  baseFareKobo: 200000,
  perKmKobo: 15000,
  includedMeters: 5000,
  perKgKobo: 10000,
  includedGrams: 5000,
  averageSpeedKmh: 18,
  surgeMultiplier: 1,
  distanceMeters: null,
  active: true,
  createdAt: '2026-11-01T00:00:00.000Z',
  updatedAt: '2026-11-01T00:00:00.000Z',
} as const satisfies z.input<typeof Zone>

export const listZones = list({
  id: 'listZones',
  path: '/logistics/zones',
  tag: 'Logistics',
  summary: 'List delivery zones',
  description:
    'Returns the active delivery zones, newest first. Zones are the same for every merchant. They cover Lagos and the ' +
    'FCT. A place elsewhere in Nigeria belongs to no zone, and carriers may still deliver there. Outlines and names ' +
    'come from general knowledge: while `boundaryStatus` is `draft`, no local expert has checked them. A point on a ' +
    'shared border belongs to exactly one zone.',
  access: 'logistics:read',
  filters: z.strictObject({
    state: z
      .enum(states)
      .optional()
      .meta({ description: 'Only zones in this state.', examples: ['FCT'] }),
    near: near.optional(),
    include: queryChoices(['geometry'], 'What to show beyond the usual: `geometry`, the outline.').optional(),
  }),
  item: Zone,
  pageName: 'ZonePage',
  example: zoneExample,
})
