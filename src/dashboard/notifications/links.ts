import { html, type Markup } from '../../markup/markup.ts'
import type { NotificationMessage } from '../../notifications/messages.ts'
import { link } from '../kit/parts.ts'

/** Shows the links to the pages on which a member can resolve the problem of a notification. */
export function linksOf({ link: main, others = [] }: NotificationMessage): Markup {
  return html`${[main, ...others].map(({ path, label }) => html`${link(path, label)} `)}`
}
