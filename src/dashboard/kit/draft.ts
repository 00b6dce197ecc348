import type { z } from 'zod'
import { issueMessage } from '../../base/issue-message.ts'

/** The state of a form: its values and the problems found in them. */
export interface Draft {
  readonly values: FormValues
  readonly problems: readonly FieldProblem[]
}

/** A field that was left empty has no values. */
export type FormValues = Readonly<Record<string, readonly string[]>>

export interface FieldProblem {
  /** Undefined for a problem of the whole form. */
  readonly field: string | undefined
  readonly message: string
  /**
   * The path of the page with the current state of the record, if the record was changed after the form was opened.
   * Otherwise undefined.
   */
  readonly current?: string
}

export function newDraft(values: Readonly<Record<string, string | readonly string[] | undefined>> = {}): Draft {
  const entries = Object.entries(values).flatMap(([name, value]) => {
    if (value === undefined) return []
    return [[name, typeof value === 'string' ? [value] : value] as const]
  })
  return { values: Object.fromEntries(entries), problems: [] }
}

export function fieldValue(draft: Draft, field: string): string {
  return draft.values[field]?.[0] ?? ''
}

export function problemsOf(draft: Draft, field: string | undefined): readonly string[] {
  return draft.problems.filter((problem) => problem.field === field).map(({ message }) => message)
}

/** The hidden fields that every form of the dashboard contains. */
const hiddenFields = new Set(['csrf', 'form', 'tenant', 'confirmed'])

/** Omits empty values, and the hidden fields that every form has. */
export function formValuesOf(form: URLSearchParams): FormValues {
  const values = new Map<string, string[]>()
  for (const [name, value] of form) {
    if (value === '' || hiddenFields.has(name)) continue
    // Browsers send line breaks of a text area as CR LF, which is converted to LF.
    const text = value.replaceAll('\r\n', '\n')
    const before = values.get(name)
    if (before === undefined) values.set(name, [text])
    else before.push(text)
  }
  return Object.fromEntries(values)
}

type Checked<Fields extends z.ZodObject> =
  | { readonly is: 'valid'; readonly fields: z.output<Fields> }
  | { readonly is: 'invalid'; readonly problems: readonly FieldProblem[] }

/** A field with one value is validated as a string, a field with several values as a list. */
export function checkFields<Fields extends z.ZodObject>(fields: Fields, values: FormValues): Checked<Fields> {
  const given = Object.entries(values).map(([name, list]) => [name, list.length === 1 ? list[0] : list])
  const result = fields.safeParse(Object.fromEntries(given), { error: issueMessage })
  if (result.success) return { is: 'valid', fields: result.data }
  const problems = result.error.issues.map(({ path: [field], message }) => {
    return { field: typeof field === 'string' ? field : undefined, message }
  })
  return { is: 'invalid', problems }
}
