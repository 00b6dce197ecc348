import { closestMatch } from 'leven'
import { z } from 'zod'
import { type ProblemCode, problemCodes } from '../../../registry/errors/index.ts'
import type { Problem } from '../../../registry/kit/error-body.ts'
import { validationProblemsMax } from '../../../registry/values/limits.ts'
import { typeName } from '../../base/issue-message.ts'
import { exampleAt, fieldNamesAt, schemasAt } from './schema-path.ts'

interface InvalidPart {
  readonly issues: readonly z.core.$ZodIssue[]
  readonly root: string
  readonly input: unknown
  readonly schema: z.core.$ZodType
}

export function problemsOf({ issues, ...part }: InvalidPart): Problem[] {
  const { root, input, schema } = part
  // Only the first few issues of a body are reported, because a body may have a hundred thousand unknown keys.
  return issues.slice(0, validationProblemsMax).flatMap((issue): Problem[] => {
    if (issue.code === 'unrecognized_keys') {
      return issue.keys
        .slice(0, validationProblemsMax)
        .map((key, index) =>
          unknownKey(root, [...issue.path, key], { names: fieldNamesAt(schema, issue.path), isFirst: index === 0 }),
        )
    }
    if (issue.code === 'invalid_union') return unionProblems(issue, part)
    const code = codeOf(issue, input)
    if (code === 'not_integer') return [notInteger(pathOf(root, issue.path))]
    return [{ path: pathOf(root, issue.path), code, message: messageOf(code, issue), fix: fixOf(code, issue, part) }]
  })
}

/**
 * Every union in a request allows either null or one kind of value, so the problems are those of this kind of value.
 */
function unionProblems(issue: z.core.$ZodIssueInvalidUnion, part: Omit<InvalidPart, 'issues'>): Problem[] {
  const [value = []] = issue.errors
  const issues = value.map((inner) => ({ ...inner, path: [...issue.path, ...inner.path] }))
  return problemsOf({ ...part, issues })
}

/** Formats the path of a field, such as `body.items[0].quantity`. */
export function pathOf(root: string, path: readonly PropertyKey[]): string {
  return path.reduce<string>((text, part) => {
    return typeof part === 'number' ? `${text}[${part}]` : `${text}.${short(String(part))}`
  }, root)
}

/** Shortens a field name for an error message, because clients may send names of any length. */
function short(key: string): string {
  return key.length > 60 ? `${key.slice(0, 60)}…` : key
}

export function notInteger(path: string): Problem {
  return {
    path,
    code: 'not_integer',
    message: 'Must be a whole number.',
    fix: 'Send an integer, such as 1500000.',
  }
}

/**
 * Valid names of fields or parameters. Only the problem of the first unknown name lists them, to keep the error short.
 */
interface ValidNames {
  readonly names: readonly string[]
  readonly isFirst: boolean
}

/**
 * Maximum number of allowed names that a suggested fix lists. Only the operations with the most filters have more
 * names.
 */
const listedNamesMax = 30

/**
 * Maximum edit distance between an unknown name and the suggested one, small enough for typing errors and spelling
 * variants only.
 */
const editsMax = 3

function unknownKey(root: string, path: readonly PropertyKey[], { names, isFirst }: ValidNames): Problem {
  const isQuery = root === 'query'
  const suggestion = closestMatch(short(String(path.at(-1))), names, { maxDistance: editsMax })
  const isListed = isFirst && names.length > 0
  const others = isListed ? `Use one of: ${names.slice(0, listedNamesMax).join(', ')}.` : 'Remove it.'
  return {
    path: pathOf(root, path),
    code: isQuery ? 'unknown_parameter' : 'unknown_field',
    message: isQuery ? 'This operation has no such parameter.' : 'This operation has no such field.',
    fix: suggestion === undefined ? others : `Did you mean ${suggestion}?${isListed ? ` ${others}` : ''}`,
  }
}

function codeOf(issue: z.core.$ZodIssue, input: unknown): ProblemCode {
  switch (issue.code) {
    case 'invalid_type':
      if (isMissing(input, issue.path)) return 'required'
      return issue.expected === 'int' ? 'not_integer' : 'invalid_type'
    case 'too_small':
      return isLength(issue.origin) ? 'too_short' : 'too_small'
    case 'too_big':
      return isLength(issue.origin) ? 'too_long' : 'too_big'
    case 'invalid_format':
      return 'invalid_format'
    case 'invalid_value':
      return isMissing(input, issue.path) ? 'required' : 'invalid_enum_value'
    case 'custom':
      return problemCodes.find((code) => code === issue.params?.problem) ?? 'invalid_value'
    default:
      return 'invalid_value'
  }
}

function isLength(origin: string): boolean {
  return origin === 'string' || origin === 'array'
}

/** If the path leads into a string or number, nothing is missing: the client sent a value of the wrong type. */
function isMissing(input: unknown, path: readonly PropertyKey[]): boolean {
  let value = input
  for (const part of path) {
    if (typeof value !== 'object' || value === null) return value === undefined
    value = Reflect.get(value, part)
  }
  return value === undefined
}

function messageOf(code: ProblemCode, issue: z.core.$ZodIssue): string {
  if (code === 'required' && issue.code !== 'custom') return 'Is required.'
  return issue.message
}

/**
 * Returns the suggested fix of a problem: the violated rule with an accepted example. If the rule has no example of its
 * own, the fix contains the documented example of the field.
 */
function fixOf(code: ProblemCode, issue: z.core.$ZodIssue, part: Omit<InvalidPart, 'issues'>): string {
  const example = exampleOfRule(issue) ?? exampleText(part, issue.path)
  if (code === 'duplicate') return 'Send each value once.'
  if (code === 'unknown_field' || isExcluded(issue)) return 'Leave the field out.'
  if (hasUnencodedPlus(part, issue.path)) return `Percent-encode a plus sign as %2B${suchAs(example)}.`
  if (code === 'required') return `Send a value${suchAs(example)}.`
  if (issue.code === 'invalid_value') return `Send one of: ${issue.values.join(', ')}.`
  if (issue.code === 'invalid_type') return `Send ${typeName(issue.expected)}${suchAs(example)}.`
  if (issue.code === 'too_small')
    return `Send ${isLength(issue.origin) ? 'a length of ' : ''}at least ${issue.minimum}.`
  if (issue.code === 'too_big') return `Send ${isLength(issue.origin) ? 'a length of ' : ''}at most ${issue.maximum}.`
  return example === undefined ? 'Send a value that follows the rule in `message`.' : `Send a value such as ${example}.`
}

/**
 * Returns an example for a rule that depends on other fields. The documented example of the field may violate such a
 * rule.
 */
function exampleOfRule(issue: z.core.$ZodIssue): string | undefined {
  const example: unknown = issue.code === 'custom' ? issue.params?.example : undefined
  return example === undefined ? undefined : JSON.stringify(example)
}

/**
 * Reports whether the request contains another field that excludes this field. No value of this field is then accepted.
 */
function isExcluded(issue: z.core.$ZodIssue): boolean {
  return issue.code === 'custom' && issue.params?.isExcluded === true
}

function suchAs(example: string | undefined): string {
  return example === undefined ? '' : `, such as ${example}`
}

/** Maximum length of an example in a suggested fix: longer than any single value, shorter than a whole object. */
const exampleMaxLength = 80

/**
 * Returns the documented example in the form in which a request contains it: as JSON in a body, percent-encoded in a
 * query.
 */
function exampleText({ root, schema }: Omit<InvalidPart, 'issues'>, path: readonly PropertyKey[]): string | undefined {
  const example = exampleAt(schema, path)
  if (example === undefined) return undefined
  const text = root === 'body' ? JSON.stringify(example) : String(example).replaceAll('+', '%2B')
  return text.length > exampleMaxLength ? undefined : text
}

/**
 * Reports whether a query parameter would be valid with a plus sign in place of a space. The parser decodes an
 * unencoded plus sign to a space.
 */
function hasUnencodedPlus({ root, input, schema }: Omit<InvalidPart, 'issues'>, path: readonly PropertyKey[]): boolean {
  const [name] = path
  if (root !== 'query' || name === undefined || typeof input !== 'object' || input === null) return false
  const value: unknown = Reflect.get(input, name)
  if (typeof value !== 'string' || !value.includes(' ')) return false
  const [parameter] = schemasAt(schema, [name])
  return parameter !== undefined && z.safeParse(parameter, value.replaceAll(' ', '+')).success
}
