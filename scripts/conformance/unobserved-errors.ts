import type { Run } from './observe.ts'
import { codesOf } from './schemas.ts'

export interface UnobservedError {
  readonly operation: string
  readonly code: string
}

export function unobservedErrors({ operations, ledger, schemas }: Run): UnobservedError[] {
  return operations.flatMap(({ id, responses }) => {
    const observed = ledger.operations.get(id)?.codes
    const contents = Object.values(responses).flatMap(({ content }) => content?.['application/json'] ?? [])
    const codes = new Set(contents.flatMap(({ schema }) => codesOf(schemas, schema)))
    return [...codes].filter((code) => observed?.has(code) !== true).map((code) => ({ operation: id, code }))
  })
}
