import type { Token } from 'marked'
import { escapeHtml } from '../../../src/reference/escape.ts'

/** Helpers for headings and table fields: their plain text and the link to their anchor. */

export function plainText(tokens: readonly Token[] = []): string {
  return tokens
    .map((token) => {
      if ('tokens' in token && token.tokens !== undefined) return plainText(token.tokens)
      return 'text' in token && typeof token.text === 'string' ? token.text : ''
    })
    .join('')
}

export function anchorLink(id: string, what: string): string {
  return `<a class="anchor" href="#${id}" aria-label="Link to ${escapeHtml(what)}">#</a>`
}
