import { html, type Markup } from '../../markup/markup.ts'
import { outside } from './parts.ts'

/** Shows phone numbers and e-mail addresses as links to a call, a chat or an e-mail. */

/** Shows a phone number as a link that calls it. */
export function phoneLink(phone: string): Markup {
  return html`<a href="tel:${phone}">${phone}</a>`
}

/** Shows a phone number as a link that calls it, and a link that opens a chat with it in WhatsApp. */
export function phoneLinks(phone: string): Markup {
  return html`${phoneLink(phone)} ${chatLink(phone)}`
}

/** Shows a link that opens a chat with a phone number in WhatsApp. */
export function chatLink(phone: string): Markup {
  return outside(`https://wa.me/${phone.replace('+', '')}`, 'WhatsApp')
}

export function emailLink(email: string): Markup {
  return html`<a href="mailto:${email}">${email}</a>`
}

/** Whether a phone number can be called. A carrier may mask the number of a rider. */
export function isCallable(phone: string | null | undefined): boolean {
  return phone !== null && phone !== undefined && /^\+\d{7,15}$/.test(phone)
}
