import type { z } from 'zod'
import { counted } from './counted.ts'

/**
 * Returns the message of a validation error if the schema has none of its own. Zod's messages name its own types and
 * values, such as “expected number to be <=100”.
 */
export function issueMessage(issue: z.core.$ZodRawIssue): string | undefined {
  switch (issue.code) {
    case 'invalid_type':
      return `Must be ${typeName(issue.expected)}, not ${typeOf(issue.input)}.`
    case 'too_small':
      return limitMessage(issue.input, issue.minimum, issue.inclusive === false ? 'more than' : 'at least')
    case 'too_big':
      return limitMessage(issue.input, issue.maximum, issue.inclusive === false ? 'less than' : 'at most')
    case 'invalid_value':
      return issue.values.length === 1 ? `Must be ${String(issue.values[0])}.` : 'Must be one of the allowed values.'
    case 'invalid_format':
      return formatMessage(issue.format, issue.pattern)
    case 'not_multiple_of':
      return `Must be a multiple of ${issue.divisor}.`
    case 'unrecognized_keys':
      return 'Must not have undeclared fields.'
    default:
      return undefined
  }
}

/** Names of JSON types with their articles, such as `an array`, by Zod's type names. */
const typeNames: Readonly<Record<string, string>> = {
  array: 'an array',
  boolean: 'a boolean',
  int: 'a whole number',
  null: 'null',
  number: 'a number',
  object: 'an object',
  record: 'an object',
  string: 'a string',
}

export function typeName(type: string): string {
  return typeNames[type] ?? type
}

const formatNames: Readonly<Record<string, string>> = {
  datetime: 'a time in RFC 3339 format, such as 2026-11-25T08:30:00Z',
  date: 'a date, such as 2026-11-25',
  email: 'an email address',
  url: 'a URL',
}

function formatMessage(format: string, pattern: string | undefined): string | undefined {
  const name = formatNames[format]
  if (name !== undefined) return `Must be ${name}.`
  return pattern === undefined ? undefined : `Must match the pattern ${pattern}.`
}

function typeOf(input: unknown): string {
  if (input === null) return 'null'
  const type = Array.isArray(input) ? 'array' : typeof input
  return typeName(type)
}

/**
 * Returns the message about a number, or the length of a string or an array, that violates a limit. The message
 * contains the number or the length that was found. For any other type of input, it contains only the limit.
 */
function limitMessage(input: unknown, limit: number | bigint, relation: string): string {
  if (typeof input === 'string') return `Must have ${relation} ${counted(limit, 'character')}, not ${input.length}.`
  if (Array.isArray(input)) return `Must have ${relation} ${counted(limit, 'item')}, not ${input.length}.`
  return typeof input === 'number' ? `Must be ${relation} ${limit}, not ${input}.` : `Must be ${relation} ${limit}.`
}
