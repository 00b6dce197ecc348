import type { HeaderFault } from '../../webhooks/custom-headers.ts'
import type { CustomHeader } from '../../webhooks/delivery-headers.ts'
import { UsageError } from './failure.ts'
import { readNamedLines } from './named-lines.ts'

/**
 * Reads the values of custom headers from standard input, because other programs and the shell history can read a
 * command line. The command rejects a header name that the command line does not list, and a listed name without a
 * value.
 */
export async function readHeaders(names: readonly string[]): Promise<readonly CustomHeader[]> {
  if (names.length === 0) return []
  const given = new Map(Object.entries(await readNamedLines(names.map((name) => ({ name, isRequired: true })))))
  const missing = names.filter((name) => !given.has(name))
  const unknown = [...given.keys()].filter((name) => !names.includes(name))
  if (missing.length > 0 || unknown.length > 0) {
    const wanted = names.map((name) => `${name}=…`).join(', ')
    throw new UsageError(`Standard input must have one line for each of ${wanted}.`)
  }
  return names.map((name) => ({ name, value: given.get(name) ?? '' }))
}

export function headersRefused({ name, reason }: HeaderFault): UsageError {
  return new UsageError(name === undefined ? reason : `The custom header ${name} is refused: ${reason}`)
}
