import type { Tokens } from 'marked'
import { escapeHtml } from './escape.ts'
import type { Highlight } from './highlight.ts'

/** Blocks of code. Without JavaScript a group shows each of its blocks under its title; the script makes tabs of them. */

interface Fence {
  readonly language: string
  readonly title: string | undefined
}

/** What stands behind the three backticks: a language, and perhaps `title="…"`. */
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
  // A wide block scrolls, which must also be possible without a mouse.
  return `<figure class="code">${head}<pre tabindex="0"><code>${highlight(code, language)}</code></pre></figure>\n`
}
