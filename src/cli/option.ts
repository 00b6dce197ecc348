import { z } from 'zod'
import { type EventKind, eventKinds, isEventKind } from '../../registry/kit/event.ts'
import { PlaceInput } from '../../registry/logistics/place.ts'
import { webhookDescriptionMaxLength } from '../../registry/values/limits.ts'
import { isScope, type Scope, scopes } from '../../registry/values/scopes.ts'
import { instant, type Timestamp } from '../../registry/values/vocabulary.ts'
import { normaliseInstant, toTimestamp } from '../base/clock.ts'
import type { ReplayableStatus } from '../store/tables/bulk-replay.ts'

/** Options of commands: schemas that also carry what `--help` says of them. */

interface Description {
  /** What stands for the value in the help, such as `ID`. */
  readonly value: string
  readonly meaning: string
  /** What is said of a value that does not fit. */
  readonly must?: string
}

export function option<Schema extends z.ZodType>(schema: Schema, { value, meaning, must }: Description): Schema {
  return schema.meta({ value, description: meaning, must: must ?? 'must not be empty' })
}

/** An option without a value. */
export function flag(meaning: string) {
  return z.boolean().optional().meta({ description: meaning })
}

export interface OptionHelp {
  readonly name: string
  /** Undefined for a flag. */
  readonly value: string | undefined
  readonly meaning: string
  readonly must: string
  readonly isRequired: boolean
}

/** What was declared of each option, read back from the schemas. */
export function optionHelps(options: z.ZodObject): OptionHelp[] {
  return Object.entries(options.shape).map(([name, schema]) => {
    const { value, description, must } = declared.parse(metaOf(schema))
    const isRequired = !z.safeParse(schema, undefined).success
    return { name, value, meaning: description, must, isRequired }
  })
}

/** An option made optional afterwards is described by what it wraps. */
function metaOf(schema: z.core.$ZodType): object {
  const inner = schema instanceof z.ZodOptional ? schema.unwrap() : schema
  return z.globalRegistry.get(schema) ?? z.globalRegistry.get(inner) ?? {}
}

const declared = z.object({
  value: z.string().optional(),
  description: z.string().default(''),
  must: z.string().default('takes no value'),
})

const text = z.string().trim().min(1)

/** An id is not judged here: one that cannot exist is as unknown as one that does not. */
export function idOption(meaning: string) {
  return option(text, { value: 'ID', meaning })
}

export function textOption(meaning: string) {
  return option(text.max(textMaxLength), { value: 'TEXT', meaning, must: `must have 1 to ${textMaxLength} characters` })
}

const textMaxLength = 120 // as long as a customer's name: longer ones break every list they are shown in

/** Whose records: what every command about a merchant takes. */
export const merchantOptions = {
  merchant: idOption('The merchant.'),
  mode: option(z.enum(['live', 'test']).optional(), {
    value: 'live|test',
    meaning: 'With test, the merchant’s sandbox twin.',
    must: 'must be live or test',
  }),
}

export function numberOption(meaning: string, bounds: { min: number; max: number }) {
  const schema = z
    .string()
    .regex(/^\d{1,9}$/)
    .transform(Number)
    .pipe(z.int().min(bounds.min).max(bounds.max))
  return option(schema, { value: 'N', meaning, must: `must be a whole number from ${bounds.min} to ${bounds.max}` })
}

/** `true` or `false`, for what can be set either way; an option without a value could only be set one way. */
export function truthOption(meaning: string) {
  const schema = z.enum(['true', 'false']).transform((value) => value === 'true')
  return option(schema, { value: 'true|false', meaning, must: 'must be true or false' })
}

/** A number, or `none` for no number at all. */
export function numberOrNoneOption(meaning: string, bounds: { min: number; max: number }) {
  const none = z.literal('none').transform(() => null)
  const schema = z.union([none, numberOption(meaning, bounds)])
  return option(schema, {
    value: 'N|none',
    meaning,
    must: `must be a whole number from ${bounds.min} to ${bounds.max}, or none`,
  })
}

/** A place as a request says it, or `none` for no place at all. */
export function placeOrNoneOption(meaning: string) {
  const none = z.literal('none').transform(() => null)
  const place = z.string().transform(readJson).pipe(PlaceInput)
  return option(z.union([none, place]), {
    value: 'JSON|none',
    meaning,
    must: 'must be a place such as {"name":"Ankara House","phone":"+2348031234567","line1":"7 Adeola Odeku Street"}, or none',
  })
}

/** Text that is no JSON is no place either. */
function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

export function momentOption(meaning: string) {
  return option(instant(meaning), { value: 'WHEN', meaning, must: 'must be a moment such as 2027-01-31T00:00:00Z' })
}

const moment = instant('A moment.')
const since = z.union([z.string().regex(/^[1-9]\d{0,4}[mhd]$/), moment])

/** A moment, or how long ago. */
export function sinceOption(meaning: string) {
  return option(since.optional(), {
    value: 'WHEN',
    meaning: `${meaning}: a moment such as 2027-01-31T00:00:00Z, or how long ago, such as 30m, 12h or 7d.`,
    must: 'must be a moment such as 2027-01-31T00:00:00Z, or how long ago, such as 30m, 12h or 7d',
  })
}

const unitsMs: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000 }

export function sinceOf(text: string, nowMs: number): Timestamp {
  const unitMs = unitsMs[text.slice(-1)]
  if (unitMs === undefined) return normaliseInstant(moment.parse(text))
  return toTimestamp(nowMs - Number.parseInt(text, 10) * unitMs)
}

/** A screenful; and what a terminal's memory can hold. */
export const rowsShown = 50
const rowsMax = 1_000

export const limitOption = numberOption(`How many at most; ${rowsShown} when left out.`, {
  min: 1,
  max: rowsMax,
}).optional()

/** `a,b`: spaces and empty places between the commas are passed over. */
function commaList(value: string): string[] {
  return value
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
}

/** An empty list would mean any network, which nobody means who writes the option. */
export const networksOption = option(
  z
    .string()
    .transform(commaList)
    .refine((list) => list.length > 0)
    .optional(),
  {
    value: 'CIDR,CIDR',
    meaning: 'The networks it may be used from; any when left out.',
    must: 'must be one or more networks such as 203.0.113.0/24, with commas between',
  },
)

export const scopesOption = option(
  z
    .string()
    .transform((text) => (text.trim() === 'all' ? Object.keys(scopes) : commaList(text)))
    .refine((list): list is Scope[] => list.length > 0 && list.every(isScope)),
  {
    value: 'A,B|all',
    meaning: `What the token may do: ${Object.keys(scopes).join(', ')}; or all, which is meant for test mode.`,
    must: `must be all, or one or more of ${Object.keys(scopes).join(', ')}, with commas between`,
  },
)

export const kindsOption = option(
  z
    .string()
    .transform(commaList)
    .refine((list): list is EventKind[] => list.length > 0 && list.every(isEventKind)),
  {
    value: 'A,B',
    meaning: `The kinds of events to send: ${eventKinds.join(', ')}.`,
    must: `must be one or more of ${eventKinds.join(', ')}, with commas between`,
  },
)

export const urlOption = option(z.string().min(1), {
  value: 'URL',
  meaning: 'Where to send them: https, and reachable from outside.',
})

export const descriptionOption = option(z.string().trim().max(webhookDescriptionMaxLength), {
  value: 'TEXT',
  meaning: 'What the endpoint is for, such as whose it is.',
  must: `must have at most ${webhookDescriptionMaxLength} characters`,
})

export const kindOption = option(z.enum(eventKinds), {
  value: 'KIND',
  meaning: `The kind of event: ${eventKinds.join(', ')}.`,
  must: `must be one of ${eventKinds.join(', ')}`,
})

const replayable = ['failed', 'skipped', 'succeeded'] as const satisfies ReplayableStatus[]

export const replayableOption = option(
  z
    .string()
    .transform(commaList)
    .pipe(z.array(z.enum(replayable)).min(1)),
  {
    value: 'A,B',
    meaning: `Which deliveries: ${replayable.join(', ')}; failed and skipped when left out.`,
    must: `must be one or more of ${replayable.join(', ')}, with commas between`,
  },
)
