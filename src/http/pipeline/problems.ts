import { closestMatch } from 'leven'
import type { z } from 'zod'
import { type ProblemCode, problemCodes } from '../../../registry/errors/index.ts'
import type { Problem } from '../../../registry/kit/error-body.ts'
import { validationProblemsMax } from '../../../registry/values/limits.ts'

/** What Zod found in one part of a request. */
interface Judged {
  readonly issues: readonly z.core.$ZodIssue[]
  readonly root: string
  readonly input: unknown
  readonly schema: z.core.$ZodType
}

/** Zod's issues as the problems the catalogue promises, each with what to do about it. */
export function problemsOf({ issues, root, input, schema }: Judged): Problem[] {
  // A body may hold a hundred thousand unknown keys, of which nobody wants to read more than the first few.
  return issues.slice(0, validationProblemsMax).flatMap((issue): Problem[] => {
    if (issue.code === 'unrecognized_keys') {
      return issue.keys
        .slice(0, validationProblemsMax)
        .map((key, index) =>
          unknownKey(root, [...issue.path, key], { names: namesAt(schema, issue.path), isFirst: index === 0 }),
        )
    }
    if (issue.code === 'invalid_union') return unionProblems(issue, { root, input, schema })
    const code = codeOf(issue, input)
    if (code === 'not_integer') return [notInteger(pathOf(root, issue.path))]
    return [{ path: pathOf(root, issue.path), code, message: messageOf(code, issue), fix: fixOf(code, issue) }]
  })
}

/** Every union of a request is a value or null, so whoever sent something is told what is wrong with the value. */
function unionProblems(issue: z.core.$ZodIssueInvalidUnion, judged: Omit<Judged, 'issues'>): Problem[] {
  const [value = []] = issue.errors
  const issues = value.map((inner) => ({ ...inner, path: [...issue.path, ...inner.path] }))
  return problemsOf({ ...judged, issues })
}

/** `body.items[0].quantity`. */
export function pathOf(root: string, path: readonly PropertyKey[]): string {
  return path.reduce<string>((text, part) => {
    return typeof part === 'number' ? `${text}[${part}]` : `${text}.${short(String(part))}`
  }, root)
}

/** A key is a client's text of any length; it is shown short. */
function short(key: string): string {
  return key.length > 60 ? `${key.slice(0, 60)}…` : key
}

export function notInteger(path: string): Problem {
  return {
    path,
    code: 'not_integer',
    message: 'Must be a whole number.',
    fix: 'Send a whole number without a fraction, such as 1500000.',
  }
}

/** The names there are. Only the first of several unknown ones lists them, so that the response stays short. */
interface Known {
  readonly names: readonly string[]
  readonly isFirst: boolean
}

/** More would not be read; no object of a request has so many members but for the longest lists of filters. */
const listedNamesMax = 30

/** A slip of the hand or another spelling, and no other word. */
const slipsMax = 3

function unknownKey(root: string, path: readonly PropertyKey[], { names, isFirst }: Known): Problem {
  const isQuery = root === 'query'
  const meant = closestMatch(short(String(path.at(-1))), names, { maxDistance: slipsMax })
  const isListed = isFirst && names.length > 0
  const others = isListed ? `Use one of: ${names.slice(0, listedNamesMax).join(', ')}.` : 'Remove it.'
  return {
    path: pathOf(root, path),
    code: isQuery ? 'unknown_parameter' : 'unknown_field',
    message: isQuery ? 'This operation has no such parameter.' : 'This operation has no such field.',
    fix: meant === undefined ? others : `Did you mean ${meant}?${isListed ? ` ${others}` : ''}`,
  }
}

/** The names that an object of a request may have, found by going down the schema as the path goes down the value. */
function namesAt(schema: z.core.$ZodType, path: readonly PropertyKey[]): string[] {
  const { def } = (schema as z.core.$ZodTypes)._zod
  const [part, ...rest] = path
  switch (def.type) {
    case 'object': {
      if (part === undefined) return Object.keys(def.shape)
      const field = def.shape[String(part)]
      return field === undefined ? [] : namesAt(field, rest)
    }
    case 'array':
      return namesAt(def.element, rest)
    case 'optional':
    case 'nullable':
    case 'default':
      return namesAt(def.innerType, path)
    case 'pipe':
      return namesAt(def.in, path)
    case 'union':
      return [...new Set(def.options.flatMap((option) => namesAt(option, path)))]
    default:
      return []
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

/** Whether what is around the value was sent, and the value was not. A text is taken apart only after it was sent. */
function isMissing(input: unknown, path: readonly PropertyKey[]): boolean {
  let value = input
  for (const part of path) {
    if (typeof value !== 'object' || value === null) return value === undefined
    value = Reflect.get(value, part)
  }
  return value === undefined
}

function messageOf(code: ProblemCode, issue: z.core.$ZodIssue): string {
  if (code === 'required' && issue.code !== 'custom') return 'Is missing.'
  return issue.message
}

function fixOf(code: ProblemCode, issue: z.core.$ZodIssue): string {
  if (code === 'required') return 'Send it.'
  if (code === 'duplicate') return 'Send each only once.'
  if (issue.code === 'invalid_value') return `Send one of: ${issue.values.join(', ')}.`
  if (issue.code === 'invalid_type') return `Send a value of type ${issue.expected}.`
  if (issue.code === 'too_small')
    return `Send ${isLength(issue.origin) ? 'a length of ' : ''}at least ${issue.minimum}.`
  if (issue.code === 'too_big') return `Send ${isLength(issue.origin) ? 'a length of ' : ''}at most ${issue.maximum}.`
  return 'Compare the value with the reference of this operation.'
}
