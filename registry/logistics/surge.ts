import { z } from 'zod'
import { read } from '../kit/endpoint.ts'
import { surgeHistoryDays } from '../values/limits.ts'
import { impersonalText } from '../values/privacy.ts'
import { instant, kobo, named, nullable, SurgeSnapshotId, timestamp } from '../values/vocabulary.ts'
import { zoneId } from './zones.ts'

/** Mode of a surge calculation. Live and test mode are calculated separately, so tests never affect live prices. */
export type SurgeBook = 'live' | 'test'

export const surgeLevels = ['normal', 'elevated', 'high', 'very_high'] as const
export type SurgeLevel = (typeof surgeLevels)[number]

export const surgeBases = ['observed', 'insufficient_data', 'frozen', 'override'] as const

export const surgeTrends = ['rising', 'steady', 'falling'] as const
export type SurgeTrend = (typeof surgeTrends)[number]

const SurgeFactor = named(
  'SurgeFactor',
  z
    .object({
      code: z.enum(['assignment_time', 'no_courier_rate', 'market_price', 'demand', 'blend_and_smoothing']).meta({
        description:
          'Type of the factor. `assignment_time`: rider assignment times; `no_courier_rate`: rate of carrier rejections for ' +
          'lack of riders; `market_price`: prices of carriers with dynamic pricing; `demand`: number of dispatches, and of unused quotes that ' +
          'usually become shipments; ' +
          '`blend_and_smoothing`: combined effect of the city, neighbouring zones, smoothing, limits, rounding and operators.',
        examples: ['assignment_time'],
      }),
      factor: z
        .number()
        .min(0)
        .meta({ description: 'Value of the surge factor, with six decimals.', examples: [1.081109] }),
      observed: nullable(z.number()).meta({
        description:
          'Observed value of the quantity that the factor is based on, weighted towards the last minutes. Null for `blend_and_smoothing`.',
        examples: [415],
      }),
      baseline: nullable(z.number()).meta({
        description: 'Value that the observed quantity usually has at this hour of the week. Null while unknown.',
        examples: [320],
      }),
      unit: nullable(z.enum(['seconds', 'ratio', 'per_minute'])).meta({
        description: 'Unit of `observed` and `baseline`. Null for `blend_and_smoothing`.',
        examples: ['seconds'],
      }),
    })
    .meta({ description: 'Factor of a surge multiplier. The multiplier is the product of all its factors.' }),
)

export type SurgeFactor = z.output<typeof SurgeFactor>

const multiplier = (description: string, example: number) =>
  z
    .number()
    .min(1)
    .meta({ description, examples: [example] })

export const Surge = named(
  'Surge',
  z
    .object({
      zoneId,
      multiplier: multiplier('Surge multiplier, with two decimals. 1 means no surge.', 1.15),
      level: z.enum(surgeLevels).meta({
        description: 'Level of the surge multiplier: `elevated` from 1.05, `high` from 1.3, `very_high` from 1.6.',
        examples: ['elevated'],
      }),
      surgeKobo: kobo(
        'Surge on an on-demand price in the zone, rounded to 5,000 kobo. The same amount is added to the price of each offer, but at most the amount ' +
          'by which `multiplier` would increase that price.',
        { example: 30_000 },
      ),
      referenceFareKobo: kobo('Base fare of the zone, from which `surgeKobo` is calculated.', { example: 200_000 }),
      appliesTo: z.array(z.enum(['rate_card'])).meta({
        description:
          'Prices to which surge is added: on-demand prices of rate cards. Dynamic prices of carriers already contain their ' +
          'own surge, and slower services have no surge.',
        examples: [['rate_card']],
      }),
      basis: z.enum(surgeBases).meta({
        description:
          'Basis of the surge multiplier. `observed`: calculated from observations; `insufficient_data`: too few observations, so ' +
          'there is no surge; `frozen` and `override`: set by an operator. More values may be added.',
        examples: ['observed'],
      }),
      computedAt: timestamp('When the surge was calculated.'),
      validUntil: timestamp('When the next surge is published.'),
      trend: z.enum(surgeTrends).meta({
        description: 'Trend of the smoothed multiplier, compared with the previous snapshot.',
        examples: ['rising'],
      }),
      factors: z.array(SurgeFactor).meta({
        description:
          'Factors of the multiplier, with six decimals. Their product, rounded to two decimals, is always `multiplier`. ' +
          'Empty if no surge snapshot was in force.',
      }),
      sampleSize: z
        .int()
        .min(0)
        .meta({
          description: 'Number of observations: rider assignments and carrier responses of the last 45 minutes.',
          examples: [41],
        }),
      cap: multiplier('Maximum surge multiplier of the zone.', 2),
      snapshotId: nullable(SurgeSnapshotId).meta({
        description: 'Identifier of the surge snapshot, to which quotes refer. Null if no snapshot was in force.',
      }),
    })
    .meta({ description: 'Surge of a delivery zone.' }),
)

export type Surge = z.output<typeof Surge>

const degrees = (description: string, { max, example }: { max: number; example: number }) =>
  impersonalText()
    .regex(/^-?\d{1,3}(\.\d{1,15})?$/, { error: 'Must be degrees as a decimal number, such as 6.4474.' })
    .transform(Number)
    .pipe(z.number().min(-max).max(max))
    .meta({ type: 'number', minimum: -max, maximum: max, description, examples: [example] })
    .optional()

export const getSurge = read({
  id: 'getSurge',
  path: '/logistics/surge',
  tag: 'Logistics',
  summary: 'Get the surge multiplier',
  description:
    'Returns the surge multiplier of a delivery zone and its factors. Send the zone, or a point in the zone. Surge is ' +
    'published every five minutes in steps of 0.05, separately for live and test mode, and applies to on-demand ' +
    'prices of rate cards only. It is calculated from rider assignment times, rejections for lack of riders, market ' +
    'prices of carriers and demand; the number of idle riders is unknown. A quote keeps the surge it ' +
    `was created with. \`at\` returns the surge published for a time within the last ${surgeHistoryDays} days.`,
  access: 'logistics:read',
  query: z
    .strictObject({
      zone: zoneId.optional(),
      lat: degrees('Latitude of a point in the zone, in degrees north. Send it with `lng`, instead of `zone`.', {
        max: 90,
        example: 6.4474,
      }),
      lng: degrees('Longitude of the point, in degrees east.', { max: 180, example: 3.4723 }),
      at: instant('Time for which the surge is returned. When left out, the time of the request.').optional(),
    })
    .superRefine(({ zone, lat, lng }, context) => {
      const fault = (name: string, message: string, problem: string) =>
        context.addIssue({
          code: 'custom',
          path: [name],
          message,
          params: { problem, isExcluded: problem !== 'required' },
        })
      const isPoint = lat !== undefined || lng !== undefined
      if (zone !== undefined && isPoint) fault('zone', 'Send either `zone`, or `lat` and `lng`.', 'invalid_value')
      else if (zone === undefined && !isPoint) fault('zone', 'Send `zone`, or `lat` and `lng`.', 'required')
      else if (isPoint && lat === undefined) fault('lat', 'Send `lat` and `lng` together.', 'required')
      else if (isPoint && lng === undefined) fault('lng', 'Send `lat` and `lng` together.', 'required')
    }),
  // Surge prices change every five minutes, so a response may be cached for one minute.
  cacheSeconds: 60,
  refusals: ['zone_not_found', 'outside_coverage', 'surge_not_found'],
  reply: {
    body: Surge,
    meaning: 'The surge multiplier of the zone at the time `at`, with its factors.',
    example: {
      zoneId: 'lag-lekki-1',
      multiplier: 1.15,
      level: 'elevated',
      surgeKobo: 30_000,
      referenceFareKobo: 200_000,
      appliesTo: ['rate_card'],
      basis: 'observed',
      computedAt: '2026-11-21T08:30:00.412Z',
      validUntil: '2026-11-21T08:35:00.000Z',
      trend: 'rising',
      factors: [
        { code: 'assignment_time', factor: 1.081109, observed: 415, baseline: 320, unit: 'seconds' },
        { code: 'no_courier_rate', factor: 1.019981, observed: 0.15, baseline: 0.08, unit: 'ratio' },
        { code: 'market_price', factor: 1, observed: 1, baseline: 1, unit: 'ratio' },
        { code: 'demand', factor: 1.013768, observed: 0.61, baseline: 0.5, unit: 'per_minute' },
        { code: 'blend_and_smoothing', factor: 1.028799, observed: null, baseline: null, unit: null },
      ],
      sampleSize: 41,
      cap: 2,
      snapshotId: 'sgs_01jd3f8q6hf5n8v1zr4c7e2m9k',
    },
  },
})
