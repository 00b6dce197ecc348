import { html, type Markup } from '../../markup/markup.ts'
import { outside } from './parts.ts'

export function phoneLink(phone: string): Markup {
  return html`<a href="tel:${phone}">${phone}</a>`
}

export function phoneLinks(phone: string): Markup {
  return html`${phoneLink(phone)} ${chatLink(phone)}`
}

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
