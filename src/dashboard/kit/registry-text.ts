import { html, type Markup } from '../../markup/markup.ts'
import { code } from '../../markup/parts.ts'

/** Shows a text of the registry, with the parts between backticks as code. */
export function registryText(text: string): Markup {
  return html`${text.split('`').map((part, index) => (index % 2 === 0 ? part : code(part)))}`
}
