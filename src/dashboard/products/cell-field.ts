import { html, type Markup, nothing } from '../../markup/markup.ts'
import { type Draft, fieldValue } from '../kit/draft.ts'
import { described, problemList } from '../kit/form.ts'

interface CellOptions {
  readonly name: string
  /** The name of the field that screen readers announce. It contains the name of the row. */
  readonly label: string
  readonly inputMode?: 'numeric' | 'decimal'
}

/** The visible label of the field is the title of the column. */
export function cellField(draft: Draft, { name, label, inputMode }: CellOptions): Markup {
  const mode = inputMode === undefined ? nothing : html` inputmode="${inputMode}"`
  return html`<input class="cell" id="f-${name}" name="${name}" type="text" value="${fieldValue(draft, name)}" autocomplete="off" aria-label="${label}"${mode}${described(draft, { name })}>${problemList(draft, name)}`
}

export function cellBox(draft: Draft, { name, label }: CellOptions): Markup {
  const isChecked = draft.values[name] !== undefined
  return html`<input id="f-${name}" name="${name}" type="checkbox" value="yes" aria-label="${label}"${isChecked ? html` checked` : nothing}>`
}
