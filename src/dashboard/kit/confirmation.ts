import { html, type Markup, nothing } from '../../markup/markup.ts'
import { heading } from '../../markup/parts.ts'
import type { Content } from './content.ts'
import { form } from './form.ts'
import { link } from './parts.ts'
import type { Visit } from './visit.ts'

interface ConfirmationOptions {
  readonly title: string
  /** Text that describes the effect of the action before it runs. */
  readonly text: Markup | string
  /** A warning against the action, shown as a paragraph above the text. */
  readonly warning?: Markup | undefined
  readonly submit: string
  readonly fields?: Markup
  readonly isDangerous?: boolean
  /** The page to which the member returns if the action is not confirmed. */
  readonly back: string
  readonly backText?: string
}

export function confirmation(visit: Visit, path: string, options: ConfirmationOptions): Content {
  const {
    title,
    text,
    warning = nothing,
    submit,
    fields = nothing,
    isDangerous = false,
    back,
    backText = 'Go back',
  } = options
  const main = html`${heading(title)}${warning}<p>${text}</p>
${form(visit, path, fields, { submit, isDangerous, isConfirmation: true })}
<p>${link(back, backText)}</p>`
  return { title, main }
}
