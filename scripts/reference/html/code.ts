import type { Tokens } from 'marked'
import { escapeHtml } from '../../../src/reference/escape.ts'
import type { Highlight } from './highlight.ts'

/**
 * Code blocks. Without JavaScript, a group shows each block under its title. With JavaScript, the blocks become tabs.
 */

interface Fence {
  readonly language: string
  readonly title: string | undefined
}

/** Returns the language and the title in the info string of a fenced code block, such as `ts title="x.ts"`. */
export function fenceOf(info = ''): Fence {
  const [language = ''] = info.trim().split(/\s/)
  const [, title] = /\btitle="([^"]*)"/.exec(info) ?? []
  return { language: language.toLowerCase(), title }
}

export function sampleGroup(fences: readonly Tokens.Code[], highlight: Highlight): string {
  const figures = fences.map(({ lang, text }) => codeFigure({ ...fenceOf(lang), code: text }, highlight)).join('')
  return fences.length === 1 ? figures : `<div class="tabs">${figures}</div>\n`
}

const names: Readonly<Record<string, string>> = {
  sh: 'Shell',
  json: 'JSON',
  ts: 'TypeScript',
  http: 'HTTP',
  php: 'PHP',
}

export function codeFigure({ language, title, code }: Fence & { readonly code: string }, highlight: Highlight): string {
  const caption = title ?? names[language] ?? language
  const head = caption === '' ? '' : `<figcaption>${escapeHtml(caption)}</figcaption>`
  // A wide code block scrolls; its tabindex makes it scrollable with the keyboard.
  return `<figure class="code">${head}<pre tabindex="0"><code>${highlight(code, language)}</code></pre></figure>\n`
}
