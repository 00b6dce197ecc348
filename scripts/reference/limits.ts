import { at } from '../../registry/openapi/guard-parts.ts'
import { code, listed } from './markdown.ts'

/** Returns the constraints of a schema, apart from its type, as sentences. */
export function limitsOf(schema: unknown): string[] {
  return [
    ...lengths(schema),
    ...counts(schema),
    ...ranges(schema),
    ...form(schema),
    ...choices(schema),
    ...defaultValue(schema),
  ]
}

function lengths(schema: unknown): string[] {
  // The length is omitted if the text has a pattern, because the sentence about the pattern already states it.
  if (formWords(schema)?.saysLength) return []
  return span(number(schema, 'minLength'), number(schema, 'maxLength'), 'character')
}

function counts(schema: unknown): string[] {
  return [
    ...span(number(schema, 'minItems'), number(schema, 'maxItems'), 'entry'),
    ...span(number(schema, 'minProperties'), number(schema, 'maxProperties'), 'key'),
  ]
}

function span(least: number | undefined, most: number | undefined, unit: 'character' | 'entry' | 'key'): string[] {
  const units = { character: 'characters', entry: 'entries', key: 'keys' }[unit]
  const isSomeAsked = least !== undefined && least > 0
  if (isSomeAsked && least === most) return [`Exactly ${least} ${least === 1 ? unit : units}.`]
  if (isSomeAsked && most !== undefined) return [`${grouped(least)} to ${grouped(most)} ${units}.`]
  if (most !== undefined) return [`At most ${grouped(most)} ${most === 1 ? unit : units}.`]
  if (isSomeAsked) return [`At least ${least} ${least === 1 ? unit : units}.`]
  return []
}

function ranges(schema: unknown): string[] {
  const [least, most] = [number(schema, 'minimum'), number(schema, 'maximum')]
  const [above, below] = [number(schema, 'exclusiveMinimum'), number(schema, 'exclusiveMaximum')]
  return [
    ...(above === undefined ? [] : [`More than ${grouped(above)}.`]),
    ...(below === undefined ? [] : [`Less than ${grouped(below)}.`]),
    ...(least !== undefined && isRealLimit(most) ? [`From ${grouped(least)} to ${grouped(most)}.`] : []),
    ...(least !== undefined && !isRealLimit(most) ? [`At least ${grouped(least)}.`] : []),
    ...(least === undefined && isRealLimit(most) ? [`At most ${grouped(most)}.`] : []),
  ]
}

/**
 * Reports whether the contract sets a maximum on purpose. This excludes the largest safe integer, because it is the
 * default maximum of every integer.
 */
function isRealLimit(most: number | undefined): most is number {
  return most !== undefined && most < Number.MAX_SAFE_INTEGER
}

interface Form {
  readonly words: string
  readonly saysLength?: true
}

/** Sentences that describe the patterns of the contract. Any other pattern is shown as a regular expression. */
const patterns: Readonly<Record<string, Form>> = {
  '^\\+234[1-9]\\d{7,9}$': { words: '`+234` and 8 to 10 digits, without spaces.', saysLength: true },
  '^\\d{10}$': { words: 'Ten digits.', saysLength: true },
  '^(\\d{3}|\\d{5,6})$': { words: 'Three, five or six digits.', saysLength: true },
  '^\\d{4,6}$': { words: 'Four to six digits.', saysLength: true },
  '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z$': { words: 'In UTC, with milliseconds.', saysLength: true },
  '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}(\\.\\d{1,3})?(Z|[+-]\\d{2}:\\d{2})$': {
    words: 'RFC 3339 with `Z` or an offset, such as `2026-11-21T09:30:00+01:00`.',
    saysLength: true,
  },
  '^ORD-[0-9A-HJKMNP-TV-Z]{8}$': { words: '`ORD-` and eight letters or digits.', saysLength: true },
  '^[A-Za-z0-9_-]{3,32}$': { words: '3 to 32 letters, digits, `_` or `-`.', saysLength: true },
  '^[A-Za-z0-9._-]{1,64}$': { words: '1 to 64 letters, digits, `.`, `_` or `-`.', saysLength: true },
  '^[A-Za-z0-9][A-Za-z0-9_-]*$': { words: 'Letters, digits, `_` and `-`, starting with a letter or digit.' },
  '^[a-z0-9]+(-[a-z0-9]+)*$': { words: 'Lower-case letters and digits, with single hyphens between them.' },
  '^[a-z]+(-[a-z0-9]+)+$': { words: 'Lower-case words and numbers joined by hyphens.' },
  '^https:\\/\\/[!-~]+$': { words: 'An `https://` address.' },
  '^[!-~]+( [!-~]+)*$': { words: 'Printable ASCII, with single spaces inside.' },
  '^[\\x20-\\x7e]+$': { words: 'Printable ASCII.' },
  '^[^_]': { words: 'Must not start with `_`.' },
  '^([01]\\d|2[0-3]):[0-5]\\d$': { words: 'Hours and minutes, such as `08:30`.', saysLength: true },
  '^(\\*|"v[1-9][0-9]{0,9}")$': { words: 'The ETag with its quotes, or `*` for any version.', saysLength: true },
  '^(itm_[0-9a-z]{26}|shipping)$': { words: 'Starts with `itm_`, or is `shipping`.', saysLength: true },
  '^(var_[0-9a-z]{26}|shipping)$': { words: 'Starts with `var_`, or is `shipping`.', saysLength: true },
}

const formats: Readonly<Record<string, string>> = {
  email: 'An e-mail address.',
  'date-time': 'RFC 3339.',
  uri: 'A URL.',
}

function formWords(schema: unknown): Form | undefined {
  const pattern = at(schema, 'pattern')
  if (typeof pattern !== 'string') return undefined
  const prefix = pattern.match(/^\^([a-z]{3}_)\[0-7\]/)?.[1]
  if (prefix !== undefined) return { words: `Starts with \`${prefix}\`.`, saysLength: true }
  return patterns[pattern] ?? { words: `Matches \`${pattern}\`.` }
}

function form(schema: unknown): string[] {
  const pattern = formWords(schema)
  if (pattern !== undefined) return [pattern.words]
  const format = at(schema, 'format')
  if (typeof format !== 'string') return []
  return [formats[format] ?? `Format: \`${format}\`.`]
}

function choices(schema: unknown): string[] {
  const values = at(schema, 'enum') ?? at(schema, 'items', 'enum')
  if (!Array.isArray(values)) return []
  const shown = values.map((value) => code(String(value)))
  if (values.length === 1) return [`Always ${shown[0]}.`]
  const isList = at(schema, 'enum') === undefined
  return [`${isList ? 'Any of' : 'One of'} ${listed(shown, 'or')}.`]
}

function defaultValue(schema: unknown): string[] {
  const standard = at(schema, 'default')
  if (standard === undefined) return []
  return [`Default: ${code(typeof standard === 'string' ? standard : JSON.stringify(standard))}.`]
}

function number(schema: unknown, keyword: string): number | undefined {
  const value = at(schema, keyword)
  return typeof value === 'number' ? value : undefined
}

function grouped(value: number): string {
  return value.toLocaleString('en-GB', { maximumFractionDigits: 10 })
}
