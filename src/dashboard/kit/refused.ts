import type { Refusal } from '../../http/pipeline/refusal.ts'
import { type Draft, newDraft } from './draft.ts'
import type { Acted } from './route.ts'

/**
 * Returns the outcome of an action whose call the API rejected. `fields` maps paths in the body, such as
 * `amountKobo`, to form fields. The first invalid value that has a form field is shown at this field; any other
 * rejection concerns the whole form.
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

/** HTTP status of a rejected call whose list filters are invalid. */
const badRequest = 400

/**
 * Returns the filters of a list with the problems of a rejected call, each at its form field. `fields` maps filters to
 * form fields with another name. Throws every rejection that does not concern the filters.
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
