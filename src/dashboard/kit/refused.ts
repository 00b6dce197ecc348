import type { DetailsOf, ErrorCode } from '../../../registry/errors/index.ts'
import type { Refusal } from '../../operations/execute/refusal.ts'
import { type Draft, type FieldProblem, newDraft } from './draft.ts'
import { fieldWords } from './field-words.ts'
import type { Acted } from './route.ts'

/**
 * Returns the outcome of a form action whose API call was rejected. `fields` maps paths in the request body, such as
 * `amountKobo`, to form fields. The outcome has one problem: the first one with a form field, or else the first one,
 * shown for the whole form.
 */
export function refusedBy(
  refusal: Refusal,
  fields: Readonly<Record<string, string>> = {},
): Extract<Acted, { is: 'refused' }> {
  const problems = problemsOf(refusal, (path) => fields[path])
  const found = problems.find(({ field }) => field !== undefined) ?? problems[0]
  if (found === undefined) return { is: 'refused', message: refusal.message }
  const { field, message } = found
  return field === undefined ? { is: 'refused', message } : { is: 'refused', field, message }
}

/**
 * Returns the outcome of a form action whose API call was rejected. The outcome contains all problems, each at the form
 * field that `fieldOf` returns for the path of the problem in the request body.
 */
export function problemsBy(refusal: Refusal, fieldOf: (path: string) => string | undefined): Acted {
  const problems = problemsOf(refusal, fieldOf)
  return problems.length === 0 ? { is: 'refused', message: refusal.message } : { is: 'invalid', problems }
}

/**
 * Returns the problems of a rejected request body. If a problem has no form field, its message states the path of the
 * invalid value in words.
 */
function problemsOf(
  { problems = [] }: Refusal,
  fieldOf: (path: string) => string | undefined,
): readonly FieldProblem[] {
  return problems.map(({ path: inCall, message }) => {
    const path = inCall.replace(/^body\.?/, '')
    const field = fieldOf(path)
    if (field !== undefined || path === '') return { field, message }
    const words = fieldWords(path)
    return { field, message: `${words.slice(0, 1).toUpperCase()}${words.slice(1)}: ${message}` }
  })
}

/** Reports whether the API rejected a request with this error code, and narrows the type of `details` to this code. */
export function hasCode<Code extends ErrorCode>(
  refusal: Refusal,
  code: Code,
): refusal is Refusal & { readonly details: DetailsOf<Code> } {
  return refusal.code === code
}

/** HTTP status of an API response that rejects the filters of a list. */
const badRequest = 400

/**
 * Returns the filter form of a list: the entered filters, and the problems that the API reported, each at its form
 * field. `fields` maps a filter to its form field if their names differ. Throws the refusal if it is not about the
 * filters.
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
