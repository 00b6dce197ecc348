import { html, type Markup } from '../../markup/markup.ts'

export function nextNote(step: Markup | string): Markup {
  return html`<p class="next"><strong>Next step:</strong> ${step}</p>`
}

/** States, without the label “Next step”, that the member has nothing to do. */
export function restNote(text: string): Markup {
  return html`<p class="next">${text}</p>`
}
