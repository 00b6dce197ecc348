import { html, type Markup } from '../../markup/markup.ts'
import { outside, withQuery } from './parts.ts'

interface SharedLink {
  readonly url: string
  /** The text of the message that shares the link. The URL follows this text. */
  readonly text: string
  /** The phone number of the buyer. */
  readonly phone: string | null
  readonly isMain?: boolean
}

/** Shows a URL to copy, and a link that opens a WhatsApp message to the buyer with the URL. */
export function shareLink({ url, text, phone, isMain = false }: SharedLink): Markup {
  const message = withQuery(`https://wa.me/${phone?.replace('+', '') ?? ''}`, { text: `${text}: ${url}` })
  return html`<p data-copied="${text}"><code data-copy>${url}</code> ${outside(message, 'Send by WhatsApp', isMain)}</p>`
}
