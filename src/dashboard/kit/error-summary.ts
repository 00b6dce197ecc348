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
  const shown = String(main)
  const entry = ({ field, message, current }: FieldProblem) => {
    if (field === undefined || !shown.includes(`id="f-${field}"`))
      return html`<li>${message}${current === undefined ? nothing : html` ${link(current, 'Open the current page')}`}</li>`
    const label = labelOf(shown, field)
    return html`<li><a href="#f-${field}">${label === undefined ? nothing : html`${textOf(label)}: `}${message}</a></li>`
  }
  return html`<div class="problem" role="alert" tabindex="-1" autofocus data-summary><p><strong>There is a problem</strong></p><ul>${problems.map(entry)}</ul></div>`
}

/** Returns the label of a form field in rendered markup: its label, the legend of its group, or its `aria-label`. */
function labelOf(shown: string, field: string): string | undefined {
  const label = between(shown, `<label for="f-${field}">`, '</label>')
  if (label !== undefined) return label
  const tag = between(shown, `id="f-${field}"`, '>') ?? ''
  const [, start = ''] = shown.split(`id="f-${field}"`)
  return (
    between(tag, ' aria-label="', '"') ??
    (start.startsWith(`${tag}><legend>`) ? between(start, '<legend>', '</legend>') : undefined)
  )
}

function between(text: string, before: string, after: string): string | undefined {
  const start = text.indexOf(before)
  const end = start === -1 ? -1 : text.indexOf(after, start + before.length)
  return end === -1 ? undefined : text.slice(start + before.length, end)
}
