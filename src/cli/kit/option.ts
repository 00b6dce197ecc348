import { z } from 'zod'
import { type EventKind, eventKinds, isEventKind } from '../../../registry/kit/event.ts'
import { PlaceInput } from '../../../registry/logistics/place.ts'
import { webhookDescriptionMaxLength, webhookHeadersMax } from '../../../registry/values/limits.ts'
import { paymentProviderNames, paymentProviders } from '../../../registry/values/payment-providers.ts'
import { defaultRateLimits } from '../../../registry/values/rate-limits.ts'
import { isScope, type Scope, scopes } from '../../../registry/values/scopes.ts'
import { instant, type Timestamp } from '../../../registry/values/vocabulary.ts'
import { normaliseInstant, toTimestamp } from '../../base/clock.ts'
import { parseMerchantLimits } from '../../base/rate-limits.ts'
import type { ReplayableStatus } from '../../store/tables/values.ts'

/** Options of commands: Zod schemas with the texts for `--help` and for error messages. */

interface Description {
  /** Placeholder of the option's value in the help, such as `ID`. */
  readonly value: string
  readonly meaning: string
  /** The rule for the value, such as `must not be empty`. In an error message, the rule follows the option's name. */
  readonly must?: string
}

export function option<Schema extends z.ZodType>(schema: Schema, { value, meaning, must }: Description): Schema {
  return schema.meta({ value, description: meaning, must: must ?? 'must not be empty' })
}

export function flag(meaning: string) {
  return z.boolean().optional().meta({ description: meaning })
}

export interface OptionHelp {
  readonly name: string
  /** Placeholder of the option's value in the help; undefined for a flag. */
  readonly value: string | undefined
  readonly meaning: string
  readonly must: string
  readonly isRequired: boolean
}

export function optionHelps(options: z.ZodObject): OptionHelp[] {
  return Object.entries(options.shape).map(([name, schema]) => {
    const { value, description, must } = declared.parse(metaOf(schema))
    const isRequired = !z.safeParse(schema, undefined).success
    return { name, value, meaning: description, must, isRequired }
  })
}

/**
 * Returns the metadata of an option’s schema. For an optional schema without metadata, returns the metadata of the
 * schema that it wraps.
 */
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

export const providerOption = option(z.enum(paymentProviderNames).default(paymentProviders[0].name), {
  value: paymentProviderNames.join('|'),
  meaning: `Payment provider; default ${paymentProviders[0].name}.`,
  must: `must be ${paymentProviderNames.join(' or ')}`,
})

/** The id is not validated here: a malformed id is reported like an unknown one. */
export function idOption(meaning: string) {
  return option(text, { value: 'ID', meaning })
}

export function textOption(meaning: string) {
  return option(text.max(textMaxLength), {
    value: 'TEXT',
    meaning,
    must: `must be 1 to ${textMaxLength} characters long`,
  })
}

// Maximum length of a text option. Customer names have the same maximum. Longer texts would break the output tables.
const textMaxLength = 120

export const merchantOptions = {
  merchant: idOption('The merchant.'),
  mode: option(z.enum(['live', 'test']).optional(), {
    value: 'live|test',
    meaning: 'The mode, live or test. Default: the mode of the given merchant.',
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

/** For settings that can be turned on and off: a flag could only turn a setting on. */
export function booleanOption(meaning: string) {
  const schema = z.enum(['true', 'false']).transform((value) => value === 'true')
  return option(schema, { value: 'true|false', meaning, must: 'must be true or false' })
}

/** The value `none` clears the setting. */
export function numberOrNoneOption(meaning: string, bounds: { min: number; max: number }) {
  const none = z.literal('none').transform(() => null)
  const schema = z.union([none, numberOption(meaning, bounds)])
  return option(schema, {
    value: 'N|none',
    meaning,
    must: `must be a whole number from ${bounds.min} to ${bounds.max}, or none`,
  })
}

/** The place is in the API's JSON format. The value `none` clears the setting. */
export function placeOrNoneOption(meaning: string) {
  const none = z.literal('none').transform(() => null)
  const place = z.string().transform(readJson).pipe(PlaceInput)
  return option(z.union([none, place]), {
    value: 'JSON|none',
    meaning,
    must: 'must be a place such as {"name":"Ankara House","phone":"+2348031234567","line1":"7 Adeola Odeku Street"}, or none',
  })
}

/**
 * Parses the JSON text of an option. Returns undefined for invalid JSON, which the schema of the option then rejects.
 */
function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The value `default` selects the rate limits of the service. */
export function rateLimitsOrDefaultOption(meaning: string) {
  const line = z
    .string()
    .max(rateLimitsMaxLength)
    .refine((text) => parseMerchantLimits(text, defaultRateLimits) !== undefined)
  const none = z.literal('default').transform(() => null)
  return option(z.union([none, line]), {
    value: 'LIMITS|default',
    meaning,
    must: 'must be limits such as read=120/3,write=60/3,refund=20/5,concurrency=40, or default',
  })
}

// Maximum length of the option for rate limits: several times the length of the longest valid value.
const rateLimitsMaxLength = 200

export function timestampOption(meaning: string) {
  return option(instant(meaning), { value: 'TIME', meaning, must: 'must be a timestamp such as 2027-01-31T00:00:00Z' })
}

const absolute = instant('A timestamp.')
const since = z.union([z.string().regex(/^[1-9]\d{0,4}[mhd]$/), absolute])

/** Declares an option for a timestamp or an age such as `12h`. */
export function sinceOption(meaning: string) {
  return option(since.optional(), {
    value: 'TIME',
    meaning: `${meaning}: a timestamp such as 2027-01-31T00:00:00Z, or an age such as 30m, 12h or 7d.`,
    must: 'must be a timestamp such as 2027-01-31T00:00:00Z, or an age such as 30m, 12h or 7d',
  })
}

const unitsMs: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000 }

export function sinceOf(text: string, nowMs: number): Timestamp {
  const unitMs = unitsMs[text.slice(-1)]
  if (unitMs === undefined) return normaliseInstant(absolute.parse(text))
  return toTimestamp(nowMs - Number.parseInt(text, 10) * unitMs)
}

/** Default number of rows in the output of a command, enough for one screen. */
export const rowsShown = 50
/** Maximum number of rows in the output of a command, about the scrollback of a terminal. */
const rowsMax = 1_000

export const limitOption = numberOption(`The maximum number of rows; default ${rowsShown}.`, {
  min: 1,
  max: rowsMax,
}).optional()

function commaList(value: string): string[] {
  return value
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
}

/** An empty list of networks is rejected, because it would allow every network. */
export const networksOption = option(
  z
    .string()
    .transform(commaList)
    .refine((list) => list.length > 0)
    .optional(),
  {
    value: 'CIDR,CIDR',
    meaning: 'The networks from which the token may be used. Default: any network.',
    must: 'must be one or more networks such as 203.0.113.0/24, separated by commas',
  },
)

export const scopesOption = option(
  z
    .string()
    .transform((text) => (text.trim() === 'all' ? Object.keys(scopes) : commaList(text)))
    .refine((list): list is Scope[] => list.length > 0 && list.every(isScope)),
  {
    value: 'A,B|all',
    meaning: `The scopes of the token: ${Object.keys(scopes).join(', ')}; or all, which is intended for test mode.`,
    must: `must be all, or one or more of ${Object.keys(scopes).join(', ')}, separated by commas`,
  },
)

export const kindsOption = option(
  z
    .string()
    .transform(commaList)
    .refine((list): list is EventKind[] => list.length > 0 && list.every(isEventKind)),
  {
    value: 'A,B',
    meaning: `The event types that the endpoint receives: ${eventKinds.join(', ')}.`,
    must: `must be one or more of ${eventKinds.join(', ')}, separated by commas`,
  },
)

export const urlOption = option(z.string().min(1), {
  value: 'URL',
  meaning: 'The URL that receives the events: https, and reachable from the internet.',
})

export const descriptionOption = option(z.string().trim().max(webhookDescriptionMaxLength), {
  value: 'TEXT',
  meaning: 'A description of the endpoint, such as its purpose or owner.',
  must: `must be at most ${webhookDescriptionMaxLength} characters long`,
})

const headerNames = z
  .string()
  .transform(commaList)
  .refine((list) => list.length > 0)

const headerNamesValue = {
  value: 'NAME,NAME',
  must: 'must be one or more names such as X-Api-Key, separated by commas',
}

export const headersOption = option(headerNames, {
  ...headerNamesValue,
  meaning: `Custom headers of each delivery, at most ${webhookHeadersMax}. Their values are read from standard input, as name=value lines.`,
})

export const removedHeadersOption = option(headerNames, {
  ...headerNamesValue,
  meaning: 'Names of the custom headers to remove from the endpoint, separated by commas.',
})

export const kindOption = option(z.enum(eventKinds), {
  value: 'TYPE',
  meaning: `The event type: ${eventKinds.join(', ')}.`,
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
    meaning: `The statuses of deliveries to replay: ${replayable.join(', ')}; default failed,skipped.`,
    must: `must be one or more of ${replayable.join(', ')}, separated by commas`,
  },
)
