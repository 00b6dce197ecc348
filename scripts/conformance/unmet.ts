import type { Run } from './observe.ts'
import { codesOf } from './schemas.ts'

/** An error that an operation declares, and that nothing it was asked was answered with. */
export interface Unmet {
  readonly operation: string
  readonly code: string
}

export function unmetOf({ operations, ledger, schemas }: Run): Unmet[] {
  return operations.flatMap(({ id, answers }) => {
    const met = ledger.operations.get(id)?.codes
    const contents = Object.values(answers).flatMap(({ content }) => content?.['application/json'] ?? [])
    const codes = new Set(contents.flatMap(({ schema }) => codesOf(schemas, schema)))
    return [...codes].filter((code) => met?.has(code) !== true).map((code) => ({ operation: id, code }))
  })
}
