import type { Content } from './content.ts'
import { form } from './form.ts'
import { html, type Markup, nothing } from './markup.ts'
import { heading, link } from './parts.ts'
import type { Visit } from './visit.ts'

interface ConfirmationOptions {
  readonly title: string
  /** The effect of the action. */
  readonly text: Markup | string
  /** The text of the button. */
  readonly submit: string
  readonly fields?: Markup
  readonly isDangerous?: boolean
  /** The page to which the member returns without the action. */
  readonly back: string
}

/** Returns a page with one button, which runs an action. */
export function confirmation(visit: Visit, path: string, options: ConfirmationOptions): Content {
  const { title, text, submit, fields = nothing, isDangerous = false, back } = options
  const main = html`${heading(title)}<p>${text}</p>
${form(visit, path, fields, { submit, isDangerous, isConfirmation: true })}
<p>${link(back, 'Go back')}</p>`
  return { title, main }
}
