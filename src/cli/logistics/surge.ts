import { z } from 'zod'
import { toMs, toTimestamp } from '../../base/clock.ts'
import { surgeMoment } from '../../logistics/surge/current-surge.ts'
import { overrideSurge, type SurgeOverrideInput } from '../../logistics/surge/override-surge.ts'
import { surgeRules } from '../../logistics/surge/surge-rules.ts'
import { listSurgeOverrides } from '../../store/logistics/surge/surge-overrides.ts'
import { listPublishedSurge } from '../../store/logistics/surge/surge-snapshots.ts'
import { command } from '../kit/command.ts'
import { connected } from '../kit/connect.ts'
import { UsageError } from '../kit/failure.ts'
import { operator } from '../kit/operator.ts'
import { limitOption, numberOption, option, rowsShown, textOption } from '../kit/option.ts'
import { table } from '../kit/output.ts'

const book = option(z.enum(['live', 'test']).default('live'), {
  value: 'live|test',
  meaning: 'The mode of the surge, live or test. Default: live.',
  must: 'must be live or test',
})

const placeOptions = {
  zone: option(z.string().optional(), { value: 'ID', meaning: 'The delivery zone.' }),
  city: option(z.string().optional(), {
    value: 'NAME',
    meaning: 'The city, if the command is for all delivery zones of a city instead of one zone.',
  }),
  mode: book,
}

/**
 * Maximum minutes of a surge override: one week. For a longer time, an operator must renew the override, so that no
 * override stays on by accident.
 */
const minutesMax = 7 * 24 * 60

const untilOptions = {
  minutes: numberOption('Duration of the freeze or override, in minutes.', { min: 5, max: minutesMax }),
  reason: textOption('The reason, which is stored in the audit log.'),
}

export const surgeFreeze = command({
  name: 'surge freeze',
  summary: 'Suspend surge in a zone or city for a limited time, for example in an emergency.',
  options: z.strictObject({ ...placeOptions, ...untilOptions }),
  run: (values) => applyChange(values, { kind: 'freeze', multiplier: null, minutes: values.minutes }),
})

export const surgeOverride = command({
  name: 'surge override',
  summary: 'Set the surge multiplier of a zone or city for a limited time.',
  options: z.strictObject({
    ...placeOptions,
    multiplier: option(
      z
        .string()
        .regex(/^\d(\.\d{1,2})?$/)
        .transform(Number)
        .pipe(z.number().min(1).max(surgeRules.cap).multipleOf(0.05)),
      { value: 'N', meaning: 'The multiplier.', must: `must be from 1 to ${surgeRules.cap} in steps of 0.05` },
    ),
    ...untilOptions,
  }),
  run: (values) => applyChange(values, { kind: 'override', multiplier: values.multiplier, minutes: values.minutes }),
})

export const surgeClear = command({
  name: 'surge clear',
  summary: 'End a freeze or override of the surge in a zone or city early, so that the computed surge applies again.',
  options: z.strictObject({ ...placeOptions, reason: untilOptions.reason }),
  run: (values) => applyChange(values, { kind: 'clear', multiplier: null, minutes: null }),
})

export const surgeShow = command({
  name: 'surge show',
  summary: 'List the surge of every zone, and the operators’ overrides, newest first.',
  options: z.strictObject({ mode: book, limit: limitOption }),
  run: ({ mode, limit }) =>
    connected(async ({ database, clock }) => {
      const now = toTimestamp(clock.nowMs())
      const zones = await listPublishedSurge(database, surgeMoment(mode, now))
      const overrides = await listSurgeOverrides(database, mode, limit ?? rowsShown)
      const overrideRows = overrides.map((row) => ({ ...row, place: row.zoneId ?? row.city }))
      return {
        json: { zones, overrides },
        text: [
          table(
            zones.map((zone) => ({ ...zone })),
            ['zoneId', 'multiplier', 'basis', 'trend', 'sampleSize', 'computedAt'],
          ),
          '',
          table(overrideRows, ['createdAt', 'kind', 'place', 'multiplier', 'expiresAt', 'actorLabel', 'reason']),
        ].join('\n'),
      }
    }),
})

interface Place {
  readonly zone?: string | undefined
  readonly city?: string | undefined
  readonly mode: 'live' | 'test'
  readonly reason: string
}

interface SurgeChange extends Pick<SurgeOverrideInput, 'kind' | 'multiplier'> {
  readonly minutes: number | null
}

function applyChange({ zone, city, mode, reason }: Place, { kind, multiplier, minutes }: SurgeChange) {
  if ((zone === undefined) === (city === undefined)) throw new UsageError('Give either --zone or --city.')
  return connected(async (context) => {
    const nowMs = context.clock.nowMs()
    const expiresAt = minutes === null ? null : toTimestamp(nowMs + minutes * 60_000)
    const place = { zoneId: zone ?? null, city: city ?? null }
    const outcome = await overrideSurge(context, operator, {
      book: mode,
      ...place,
      kind,
      multiplier,
      reason,
      expiresAt,
    })
    if (outcome.is === 'place_not_found') throw new Error(`No active delivery zone matches ${zone ?? city}.`)
    const { override, zoneIds, publishedAt } = outcome
    const wait = Math.max(0, Math.ceil((toMs(publishedAt) - nowMs) / 60_000))
    return {
      json: { ...override, zoneIds, publishedAt },
      text: `The change is stored for ${zoneIds.join(', ')}. It takes effect with the next publication of surge at ${publishedAt}, in ${wait} minutes.`,
    }
  })
}
