import { html, type Markup, nothing } from '../../markup/markup.ts'
import { type Draft, fieldValue, problemsOf } from '../kit/draft.ts'

interface CellOptions {
  readonly name: string
  /** The name of the field for screen readers, which contains the name of the row. */
  readonly label: string
  readonly inputMode?: 'numeric' | 'decimal'
}

/** Returns a text field in the cell of a table. The title of the column is its visible label. */
export function cellField(draft: Draft, { name, label, inputMode }: CellOptions): Markup {
  const problems = problemsOf(draft, name)
  const described = problems.length === 0 ? nothing : html` aria-describedby="p-${name}" aria-invalid="true"`
  const mode = inputMode === undefined ? nothing : html` inputmode="${inputMode}"`
  const input = html`<input class="cell" id="f-${name}" name="${name}" type="text" value="${fieldValue(draft, name)}" autocomplete="off" aria-label="${label}"${mode}${described}>`
  if (problems.length === 0) return input
  return html`${input}<p class="problem" id="p-${name}" role="alert">${problems.join(' ')}</p>`
}

/** Returns a check box in the cell of a table. */
export function cellBox(draft: Draft, { name, label }: CellOptions): Markup {
  const isChecked = draft.values[name] !== undefined
  return html`<input id="f-${name}" name="${name}" type="checkbox" value="yes" aria-label="${label}"${isChecked ? html` checked` : nothing}>`
}
