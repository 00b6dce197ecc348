import type { z } from 'zod'
import type { Problem } from '../../../registry/kit/error-body.ts'
import { validationProblemsMax } from '../../../registry/values/limits.ts'
import { issueMessage } from '../../base/issue-message.ts'
import { pathOf, problemsOf } from './problems.ts'
import { Refusal } from './refusal.ts'

/** One part of a request, such as its query: the schema, the input, and the prefix of the paths in its problems. */
export interface Part {
  readonly root: 'path' | 'query' | 'body' | 'header'
  readonly schema: z.ZodObject | undefined
  readonly input: unknown
}

/** Parses all parts of a request and returns their outputs in order. Throws one refusal with all problems. */
export function validate(parts: readonly Part[], found: readonly Problem[] = []): unknown[] {
  const problems: Problem[] = [...found]
  const outputs = parts.map(({ root, schema, input }) => {
    if (schema === undefined) return undefined
    const result = schema.safeParse(input, { error: issueMessage })
    if (result.success) return result.data
    for (const problem of problemsOf({ issues: result.error.issues, root, input, schema })) problems.push(problem)
    return undefined
  })
  if (problems.length > 0) throw validationRefusal(problems)
  return outputs
}

/** There must be at least one problem. */
export function validationRefusal(problems: readonly Problem[]): Refusal {
  const isUnknownParameter = problems.some((problem) => problem.code === 'unknown_parameter')
  const [first] = problems
  const message =
    problems.length === 1 && first !== undefined
      ? `${first.path}: ${first.message}`
      : `${problems.length} values are invalid. See \`errors\`.`
  return new Refusal(isUnknownParameter ? 'unknown_parameter' : 'validation_failed', message, {
    problems: problems.slice(0, validationProblemsMax),
  })
}

/**
 * Finds strings that JSON can represent but UTF-8 or PostgreSQL cannot: NUL and unpaired surrogates. Also finds the
 * name `__proto__`, which an object would silently drop. Uses an explicit stack instead of recursion, because the
 * client controls the depth of the value.
 */
export function textProblems(root: string, value: unknown): Problem[] {
  const problems: Problem[] = []
  const rest: { readonly part: unknown; readonly path: string }[] = [{ part: value, path: root }]
  for (let next = rest.pop(); next !== undefined; next = rest.pop()) {
    const { part, path } = next
    if (typeof part === 'string' && !isStorable(part)) problems.push(unstorable(path))
    if (typeof part === 'object' && part !== null) {
      for (const [key, entry] of Object.entries(part).reverse()) {
        if (!isStorable(key)) problems.push(unstorable(path))
        else if (key === '__proto__') problems.push(reservedName(path))
        else rest.push({ part: entry, path: pathOf(path, [Array.isArray(part) ? Number(key) : key]) })
      }
    }
    if (problems.length >= validationProblemsMax) break
  }
  return problems
}

function isStorable(text: string): boolean {
  return text.isWellFormed() && !text.includes('\u0000')
}

/**
 * Maximum length of a field's path in a validation problem. It is longer than the path of any field in the API
 * contract.
 */
const pathMaxLength = 200

function unstorable(path: string): Problem {
  return {
    path: path.slice(0, pathMaxLength),
    code: 'invalid_text',
    message: 'Must not contain the character NUL or an unpaired surrogate.',
    fix: 'Send well-formed Unicode text.',
  }
}

function reservedName(path: string): Problem {
  return {
    path: pathOf(path.slice(0, pathMaxLength), ['__proto__']),
    code: 'unknown_field',
    message: 'Must not be a reserved name.',
    fix: 'Use another name.',
  }
}
