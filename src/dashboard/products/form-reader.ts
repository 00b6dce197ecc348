import { z } from 'zod'
import { issueMessage } from '../../base/issue-message.ts'
import { type Draft, type FieldProblem, fieldValue } from '../kit/draft.ts'

/** Schema of a form whose fields depend on the record, such as a price for each variant. */
export const anyFields = z.object({}).catchall(z.union([z.string(), z.array(z.string())]))

/** Reads the fields of a form one by one, and collects their problems. */
export interface FormReader {
  /** The form values as the member entered them, with which the form is shown again after a problem. */
  readonly draft: Draft
  readonly problems: readonly FieldProblem[]
  /** Returns the trimmed text of a field. Empty if the field was left empty. */
  text(field: string): string
  /** Undefined if the value is invalid. The problem is then added to `problems`. */
  required<Schema extends z.ZodType>(field: string, schema: Schema): z.output<Schema> | undefined
  /**
   * Undefined if the field was left empty or its value is invalid. The problem of an invalid value is added to
   * `problems`.
   */
  optional<Schema extends z.ZodType>(field: string, schema: Schema): z.output<Schema> | undefined
  addProblem(field: string | undefined, message: string): void
}

export function readForm(draft: Draft): FormReader {
  const problems: FieldProblem[] = []
  const text = (field: string) => fieldValue(draft, field).trim()
  const addProblem = (field: string | undefined, message: string) => {
    problems.push({ field, message })
  }
  const required: FormReader['required'] = (field, schema) => {
    const result = schema.safeParse(text(field) === '' ? undefined : text(field), { error: issueMessage })
    if (result.success) return result.data
    addProblem(field, result.error.issues[0]?.message ?? 'Must be valid.')
    return undefined
  }
  const optional: FormReader['optional'] = (field, schema) => (text(field) === '' ? undefined : required(field, schema))
  return { draft, problems, text, required, optional, addProblem }
}
