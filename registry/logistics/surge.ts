import { z } from 'zod'
import { read } from '../kit/endpoint.ts'
import { surgeHistoryDays } from '../values/limits.ts'
import { impersonalText } from '../values/privacy.ts'
import { instant, kobo, named, nullable, SurgeSnapshotId, timestamp } from '../values/vocabulary.ts'
import { zoneId } from './zones.ts'

/** What the service adds to its own fares where riders are short, and why. */

/** Surge is reckoned once from what live merchants send, and once from what test mode plays, so that no trial moves a price. */
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
          '`assignment_time`: how long riders take to be found; `no_courier_rate`: how often a carrier has none; ' +
          '`market_price`: what carriers that price by the moment ask; `demand`: how much is sent; ' +
          '`blend_and_smoothing`: what the city, the neighbours, smoothing, limits, steps and operators made of these.',
        examples: ['assignment_time'],
      }),
      factor: z
        .number()
        .min(0)
        .meta({ description: 'What it multiplies by, with six decimals.', examples: [1.081109] }),
      observed: nullable(z.number()).meta({
        description: 'What was seen, the last minutes counting most; null for `blend_and_smoothing`.',
        examples: [415],
      }),
      baseline: nullable(z.number()).meta({
        description: 'What is usual at this hour of the week; null where that is not known yet.',
        examples: [320],
      }),
      unit: nullable(z.enum(['seconds', 'ratio', 'per_minute'])).meta({
        description: 'What both are counted in; null for `blend_and_smoothing`.',
        examples: ['seconds'],
      }),
    })
    .meta({ description: 'One of the reasons for a multiplier.' }),
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
      multiplier: multiplier('What the fare is multiplied by, with two decimals; 1 when it is not raised.', 1.15),
      level: z.enum(surgeLevels).meta({
        description: 'The same in words: `elevated` from 1.05, `high` from 1.3, `very_high` from 1.6.',
        examples: ['elevated'],
      }),
      surgeKobo: kobo(
        'What that adds to an on-demand price here, rounded to 5,000: the same for each offer, but never more than `multiplier` makes of the offer itself.',
        { example: 30_000 },
      ),
      referenceFareKobo: kobo('The base fare of the zone that this is reckoned from.', { example: 200_000 }),
      appliesTo: z.array(z.enum(['rate_card'])).meta({
        description:
          'What it is added to: on-demand prices by a rate card. A price that a carrier makes by the moment has it inside, and slower services have none.',
        examples: [['rate_card']],
      }),
      basis: z.enum(surgeBases).meta({
        description:
          '`observed`: by the formula; `insufficient_data`: too little was seen, so nothing is added; `frozen` and ' +
          '`override`: set by an operator. More values may be added.',
        examples: ['observed'],
      }),
      computedAt: timestamp('When it was reckoned.'),
      validUntil: timestamp('When the next one is published.'),
      trend: z.enum(surgeTrends).meta({
        description: 'Where it is going: the smoothed number beside that of the publication before.',
        examples: ['rising'],
      }),
      factors: z.array(SurgeFactor).meta({
        description:
          'Why. Factors are printed with six decimals; their product, rounded to two, is always `multiplier`. Empty where ' +
          'none was in force.',
      }),
      sampleSize: z
        .int()
        .min(0)
        .meta({
          description: 'On how many riders found and answers of carriers of the last 45 minutes it rests.',
          examples: [41],
        }),
      cap: multiplier('What it never rises above.', 2),
      snapshotId: nullable(SurgeSnapshotId).meta({
        description: 'Identifier of this publication, which quotes name; null where none was in force.',
      }),
    })
    .meta({ description: 'What is added to the fares of a zone, and why.' }),
)

export type Surge = z.output<typeof Surge>

const degrees = (description: string, { max, example }: { max: number; example: number }) =>
  impersonalText()
    .regex(/^-?\d{1,3}(\.\d{1,15})?$/, { error: 'Must be degrees in plain decimals, such as 6.4474.' })
    .transform(Number)
    .pipe(z.number().min(-max).max(max))
    .meta({ type: 'number', minimum: -max, maximum: max, description, examples: [example] })
    .optional()

export const getSurge = read({
  id: 'getSurge',
  path: '/logistics/surge',
  tag: 'Logistics',
  summary: 'Get surge',
  description:
    'Returns the surge multiplier of a delivery zone and its factors. Name the zone, or a point in it. Surge is ' +
    'published every five minutes in steps of 0.05, separately for live and test mode, and applies to on-demand ' +
    'prices of rate cards only. It is calculated from rider assignment times, rejections for lack of riders, market ' +
    'prices of carriers and the number of shipments; the number of idle riders is unknown. A quote keeps the surge it ' +
    `was created with. \`at\` returns the surge published for a time within the last ${surgeHistoryDays} days.`,
  access: 'logistics:read',
  query: z
    .strictObject({
      zone: zoneId.optional(),
      lat: degrees('Degrees north of a point in the zone; with `lng`, instead of `zone`.', {
        max: 90,
        example: 6.4474,
      }),
      lng: degrees('Degrees east of it.', { max: 180, example: 3.4723 }),
      at: instant('The moment; now when left out.').optional(),
    })
    .superRefine(({ zone, lat, lng }, context) => {
      const fault = (name: string, message: string, problem: string) =>
        context.addIssue({ code: 'custom', path: [name], message, params: { problem } })
      const isPoint = lat !== undefined || lng !== undefined
      if (zone !== undefined && isPoint) fault('zone', 'Send either `zone`, or `lat` and `lng`.', 'invalid_value')
      else if (zone === undefined && !isPoint) fault('zone', 'Send `zone`, or `lat` and `lng`.', 'required')
      else if (isPoint && lat === undefined) fault('lat', 'Send `lat` and `lng` together.', 'required')
      else if (isPoint && lng === undefined) fault('lng', 'Send `lat` and `lng` together.', 'required')
    }),
  // An answer holds for minutes; asking more often than this shows nothing new.
  cacheSeconds: 60,
  refusals: ['zone_not_found', 'outside_coverage', 'surge_not_kept'],
  reply: {
    body: Surge,
    meaning: 'The surge in force at that moment.',
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
