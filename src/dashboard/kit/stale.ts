import type { Refusal } from '../../operations/execute/refusal.ts'
import { refusedBy } from './refused.ts'
import type { Acted } from './route.ts'

/**
 * Returns the outcome of a form that changes a record with a version. `record` names the kind of the record, such as
 * `customer`, for the message of a form whose record changed while the form was open.
 */
export function refusedChange(refusal: Refusal, record: string, fields: Readonly<Record<string, string>> = {}): Acted {
  if (refusal.code !== 'version_conflict') return refusedBy(refusal, fields)
  const message = `The ${record} was changed after you opened this form. Open the page of the ${record} again to see the change.`
  return { is: 'refused', message }
}
