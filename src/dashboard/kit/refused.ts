import type { Refusal } from '../../http/pipeline/refusal.ts'
import { type Draft, newDraft } from './draft.ts'
import type { Acted } from './route.ts'

/**
 * Returns the outcome of an action whose call was refused. `fields` names the form field of each path in the body, such as
 * `amountKobo`. The first invalid value with a field is shown at it; all other refusals concern the whole form.
 */
export function refusedBy(refusal: Refusal, fields: Readonly<Record<string, string>> = {}): Acted {
  const problems = (refusal.problems ?? []).map(({ path, message }) => {
    return { field: fields[path.replace(/^body\.?/, '')], message }
  })
  const found = problems.find(({ field }) => field !== undefined) ?? problems[0]
  if (found === undefined) return { is: 'refused', message: refusal.message }
  const { field, message } = found
  return field === undefined ? { is: 'refused', message } : { is: 'refused', field, message }
}

/** HTTP status of refusals that concern the filters of a list. */
const badRequest = 400

/**
 * Returns the filters of a list with the problems of a refused call, each at its field. `fields` names the fields whose name
 * differs from that of the filter. Throws every refusal that does not concern the filters.
 */
export function filterDraft(
  query: Readonly<Record<string, string>>,
  refusal: Refusal | undefined,
  fields: Readonly<Record<string, string>> = {},
): Draft {
  const draft = newDraft(query)
  if (refusal === undefined) return draft
  if (refusal.status !== badRequest) throw refusal
  const problems = (refusal.problems ?? []).map(({ path, message }) => {
    const filter = path.replace(/^query\./, '')
    return { field: fields[filter] ?? filter, message }
  })
  return { ...draft, problems }
}
