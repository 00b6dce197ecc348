import { z } from 'zod'
import type { Problem } from './redocly.ts'

const exceptions = z.array(z.strictObject({ rule: z.string(), pointer: z.string(), reason: z.string().min(20) }))

export type Exception = z.infer<typeof exceptions>[number]

export function parseExceptions(text: string): Exception[] {
  return exceptions.parse(JSON.parse(text))
}

/**
 * Compares the problems that a linter found with the list of exceptions. Returns the problems without an exception, the
 * exceptions that no problem needs, and the exceptions that the last release did not have.
 */
export function exceptionFaults(
  problems: readonly Problem[],
  listed: readonly Exception[],
  released: readonly Exception[],
): string[] {
  const isSame = (a: Omit<Exception, 'reason'>, b: Omit<Exception, 'reason'>) => {
    return a.rule === b.rule && a.pointer === b.pointer
  }
  return [
    ...problems
      .filter((problem) => !listed.some((exception) => isSame(exception, problem)))
      .map(({ rule, pointer, message }) => `${pointer}: ${message} (${rule})`),
    ...listed
      .filter((exception) => !problems.some((problem) => isSame(exception, problem)))
      .map(({ rule, pointer }) => `${rule} at ${pointer} is satisfied: delete its exception.`),
    ...listed
      .filter((exception) => !released.some((before) => isSame(exception, before)))
      .map(({ rule, pointer }) => `${rule} at ${pointer} is a new exception, but the list may only shrink.`),
  ]
}
