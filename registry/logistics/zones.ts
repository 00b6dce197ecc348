import { z } from 'zod'
import { list } from '../kit/endpoint.ts'
import { queryChoices } from '../kit/query.ts'
import { nearReachKilometers, zoneIdMaxLength } from '../values/limits.ts'
import { impersonalText } from '../values/privacy.ts'
import { states } from '../values/states.ts'
import { kobo, named, nullable, timestamp } from '../values/vocabulary.ts'
import { Point } from './place.ts'
import { serviceLevels } from './shipment-states.ts'

/**
 * Delivery zones: areas for which this service has a rate card and travel speeds. Carriers also make offers outside the
 * zones.
 */

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
      days: z
        .array(z.enum(days))
        .meta({ description: 'Days of the week to which the operating hours apply.', examples: [['mon', 'tue']] }),
      from: timeOfDay('Start of the operating hours, as a time of day.', '07:00'),
      to: timeOfDay('End of the operating hours, as a time of day.', '21:00'),
      tz: z
        .literal('Africa/Lagos')
        .meta({ description: 'Time zone of the times `from` and `to`.', examples: ['Africa/Lagos'] }),
    })
    .meta({ description: 'Operating hours on some days of the week.' }),
)

/** Coordinates as a longitude and a latitude, in that order. */
const Position = z.array(z.number()).min(2).max(2)

export const ZoneGeometry = named(
  'ZoneGeometry',
  z
    .object({
      type: z.literal('MultiPolygon').meta({ description: 'Always MultiPolygon.', examples: ['MultiPolygon'] }),
      coordinates: z.array(z.array(z.array(Position))).meta({
        description:
          'List of polygons. A polygon is a list of rings. A ring is a list of positions, of which the last equals the first. A ' +
          'position is a longitude followed by a latitude.',
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
    .meta({ description: 'Boundary of a zone, as GeoJSON (RFC 7946).' }),
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
      name: impersonalText().meta({ description: 'Name of the zone.', examples: ['Oniru and Lekki Phase 1'] }),
      state: z.enum(states).meta({ description: 'Nigerian state that contains the zone.', examples: ['Lagos'] }),
      city: impersonalText().meta({ description: 'City of the zone.', examples: ['Lagos'] }),
      lgas: z.array(impersonalText()).meta({
        description: 'Local government areas that the zone covers, in whole or in part.',
        examples: [['Eti-Osa']],
      }),
      areas: z.array(impersonalText()).meta({
        description: 'Well-known areas in the zone. The list is not exhaustive.',
        examples: [['Lekki Phase 1']],
      }),
      centroid: Point,
      bbox: z
        .array(z.number())
        .min(4)
        .max(4)
        .meta({
          description: 'Bounding box of the zone: west, south, east and north, in degrees.',
          examples: [[3.443, 6.417, 3.487, 6.461]],
        }),
      geometry: nullable(ZoneGeometry).meta({
        description: 'Boundary of the zone. Null unless the parameter `include` contains `geometry`.',
      }),
      boundaryStatus: z.enum(boundaryStatuses).meta({
        description:
          'Review status of the zone data. `draft`: boundary, names, fares and speeds come from general knowledge and may ' +
          'be inaccurate at the edges; `checked`: a local expert has reviewed them. More values may be added.',
        examples: ['draft'],
      }),
      serviceLevels: z.array(z.enum(serviceLevels)).meta({
        description: 'Service levels that are available in the zone. More values may be added.',
        examples: [['on_demand']],
      }),
      carriers: z.array(impersonalText()).meta({
        description:
          'Codes of the carriers that serve the zone: in live mode the connected carriers of the merchant, in test mode the ' +
          'simulated carriers.',
        examples: [['simulator-swift']],
      }),
      operatingHours: z.array(OperatingHours).meta({ description: 'Operating hours of riders in the zone.' }),
      neighbours: z
        .array(impersonalText())
        .meta({ description: 'Identifiers of the neighbouring zones.', examples: [['lag-island', 'lag-lekki-2']] }),
      baseFareKobo: kobo('Base fare of the rate card of this service, without the fares for distance and weight.', {
        example: 200000,
      }),
      perKmKobo: kobo('Fare for each kilometre of distance beyond `includedMeters`.', { example: 15000 }),
      includedMeters: z
        .int()
        .min(0)
        .meta({ description: 'Distance that `baseFareKobo` covers, in metres.', examples: [5000] }),
      perKgKobo: kobo('Fare for each kilogram of weight beyond `includedGrams`.', { example: 10000 }),
      includedGrams: z
        .int()
        .min(0)
        .meta({ description: 'Weight that `baseFareKobo` covers, in grams.', examples: [5000] }),
      averageSpeedKmh: z
        .int()
        .min(1)
        .meta({ description: 'Average speed of a bike during the day, in kilometres per hour.', examples: [18] }),
      surgeMultiplier: z
        .number()
        .min(1)
        .meta({ description: 'Current surge multiplier of the zone. 1 means no surge.', examples: [1] }),
      distanceMeters: nullable(z.int().min(0)).meta({
        description:
          'Distance of the zone from the point in `near`, in metres; 0 if the zone contains the point. Null without `near`.',
        examples: [null],
      }),
      active: z
        .boolean()
        .meta({ description: 'Whether the zone is active. Only active zones are listed.', examples: [true] }),
      createdAt: timestamp('When the zone was created.'),
      updatedAt: timestamp('When the zone last changed.'),
    })
    .meta({ description: 'Delivery zone.' }),
)

export type Zone = z.output<typeof Zone>

const near = impersonalText()
  .regex(/^\d{1,2}(\.\d{1,15})?,\d{1,2}(\.\d{1,15})?$/, {
    error: 'Must be latitude and longitude in degrees, such as 6.4474,3.4723.',
    abort: true,
  })
  .refine(isInNigeria, { error: 'Must be a point in Nigeria: latitude from 4 to 14.5, then longitude from 2.5 to 15.' })
  .meta({
    maxLength: 37,
    description:
      'Point as latitude and longitude in degrees. Only the zone that contains the point and zones within ' +
      `${nearReachKilometers} km of it are returned, with \`distanceMeters\`. The list remains sorted newest first.`,
    examples: ['6.4474,3.4723'],
  })

function isInNigeria(value: string): boolean {
  return Point.safeParse(pointIn(value)).success
}

/** `value` is the query parameter `near`, whose format is already validated. */
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
      .meta({ description: 'Returns only zones in this state of Nigeria.', examples: ['FCT'] }),
    near: near.optional(),
    include: queryChoices(
      ['geometry'],
      'Additional fields to return: `geometry` is the boundary of the zone.',
    ).optional(),
  }),
  item: Zone,
  pageName: 'ZonePage',
  hasFixedTimes: true,
  example: zoneExample,
})
