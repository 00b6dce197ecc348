import type { z } from 'zod'
import type { Problem } from '../../registry/error-body.ts'
import { validationProblemsMax } from '../../registry/limits.ts'
import { problemsOf } from './problems.ts'
import { Refusal } from './refusal.ts'

/** One part of a request: the schema it must fit, what came, and the name its problems go by. */
export interface Part {
  readonly root: 'path' | 'query' | 'body' | 'header'
  readonly schema: z.ZodObject | undefined
  readonly input: unknown
}

/** Parses every part and reports the problems of all of them at once. The outputs come in the order of the parts. */
export function validate(parts: readonly Part[], found: readonly Problem[] = []): unknown[] {
  const problems: Problem[] = [...found]
  const outputs = parts.map(({ root, schema, input }) => {
    if (schema === undefined) return undefined
    const result = schema.safeParse(input)
    if (result.success) return result.data
    problems.push(...problemsOf(result.error.issues, root, input))
    return undefined
  })
  if (problems.length > 0) throw validationRefusal(problems)
  return outputs
}

function validationRefusal(problems: readonly Problem[]): Refusal {
  const isUnknownParameter = problems.some((problem) => problem.code === 'unknown_parameter')
  const [first] = problems
  const message =
    problems.length === 1 && first !== undefined
      ? `${first.path}: ${first.message}`
      : `${problems.length} values do not fit; see \`errors\`.`
  return new Refusal(isUnknownParameter ? 'unknown_parameter' : 'validation_failed', message, {
    problems: problems.slice(0, validationProblemsMax),
  })
}

/**
 * Texts that JSON can carry but UTF-8 and PostgreSQL cannot: the character NUL, and half of a surrogate pair. Both can
 * only be written as escapes, so a body without any is not searched.
 */
export function textProblems(root: string, value: unknown): Problem[] {
  const problems: Problem[] = []
  const visit = (part: unknown, path: string): void => {
    if (typeof part === 'string') {
      if (!isStorable(part)) problems.push(unstorable(path))
    } else if (Array.isArray(part)) {
      for (const [index, entry] of part.entries()) visit(entry, `${path}[${index}]`)
    } else if (typeof part === 'object' && part !== null) {
      for (const [key, entry] of Object.entries(part)) {
        if (isStorable(key)) visit(entry, `${path}.${key}`)
        else problems.push(unstorable(path))
      }
    }
  }
  visit(value, root)
  return problems
}

function isStorable(text: string): boolean {
  return text.isWellFormed() && !text.includes('\u0000')
}

function unstorable(path: string): Problem {
  return {
    path,
    code: 'invalid_text',
    message: 'Holds the character NUL or half of a surrogate pair.',
    fix: 'Send well-formed Unicode text.',
  }
}
