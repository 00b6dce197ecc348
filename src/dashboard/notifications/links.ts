import { html, type Markup } from '../../markup/markup.ts'
import type { NotificationMessage } from '../../notifications/messages.ts'
import { link } from '../kit/parts.ts'

export function linksOf({ link: main, others = [] }: NotificationMessage): Markup {
  return html`${[main, ...others].map(({ path, label }) => html`${link(path, label)} `)}`
}
