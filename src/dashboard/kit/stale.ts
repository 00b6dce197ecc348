import type { Refusal } from '../../operations/execute/refusal.ts'
import { refusedBy } from './refused.ts'
import type { Acted } from './route.ts'

/**
 * Returns the outcome of a form that was rejected because its record was changed after the form was opened. Undefined
 * for any other rejection. `record` names the kind of record, such as `customer`.
 */
export function staleBy({ code }: Refusal, record: string): Acted | undefined {
  if (code !== 'version_conflict') return undefined
  const message = `The ${record} was changed after you opened this form. Open the page of the ${record} again to see the change.`
  return { is: 'refused', message, isStale: true }
}

/** A version conflict gets a message of its own. */
export function refusedChange(refusal: Refusal, record: string, fields: Readonly<Record<string, string>> = {}): Acted {
  return staleBy(refusal, record) ?? refusedBy(refusal, fields)
}
