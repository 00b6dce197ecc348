import { html, type Markup, nothing, textOf } from '../../markup/markup.ts'
import type { Content } from './content.ts'
import type { FieldProblem } from './draft.ts'
import { link } from './parts.ts'

/**
 * Lists the problems of a form above the content. Each problem names the label of its field and links to it. The list
 * takes the focus, so that members need not search a long form for problems.
 */
export function errorSummary({ main, problems = [] }: Content): Markup {
  if (problems.length === 0) return nothing
  const labels = labelsIn(String(main))
  const entry = ({ field, message, current }: FieldProblem) => {
    const label = field === undefined ? undefined : labels.get(field)
    if (label === undefined)
      return html`<li>${message}${current === undefined ? nothing : html` ${link(current, 'Open the current page')}`}</li>`
    return html`<li><a href="#f-${field}">${label === '' ? nothing : html`${textOf(label)}: `}${message}</a></li>`
  }
  return html`<div class="problem" role="alert" tabindex="-1" autofocus data-summary><p><strong>There is a problem</strong></p><ul>${problems.map(entry)}</ul></div>`
}

/** Matches the tag of a form field or of a group of fields, together with the legend of a group. */
const fieldForm = /id="f-([^"]*)"([^>]*)>(?:<legend>(.*?)<\/legend>)?/g

const labelForm = /<label for="f-([^"]*)">(.*?)<\/label>/g

/**
 * Returns the label of each form field in rendered HTML, by the name of the field. For a field without a label, returns
 * its `aria-label`, otherwise the legend of its group, and otherwise an empty text. All labels are collected in one
 * pass, because a form may have thousands of problems and each of them needs a label.
 */
function labelsIn(shown: string): ReadonlyMap<string, string> {
  const labels = new Map<string, string>()
  for (const [, field = '', attributes = '', legend] of shown.matchAll(fieldForm))
    labels.set(field, / aria-label="([^"]*)"/.exec(attributes)?.[1] ?? legend ?? '')
  for (const [, field = '', label = ''] of shown.matchAll(labelForm)) if (labels.has(field)) labels.set(field, label)
  return labels
}
