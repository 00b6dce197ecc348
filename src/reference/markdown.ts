import { Marked, type Token, type Tokens } from 'marked'
import { openAnchors } from './anchors.ts'
import { codeFigure, fenceOf, sampleGroup } from './code.ts'
import { escapeHtml } from './escape.ts'
import type { Highlight } from './highlight.ts'
import { hrefOf } from './links.ts'
import type { Page, Reference } from './pages.ts'

/** A stretch of a page: what stands before its first section, or one section with its heading. */
export interface Part {
  readonly id: string | undefined
  readonly html: string
  /** Nothing but samples under a heading: they may stand beside the prose. */
  readonly isSamples: boolean
  /** Samples within prose, taken out of `html` when they were asked for apart. */
  readonly samples: string
}

export interface Heading {
  readonly id: string
  readonly text: string
  readonly depth: number
}

export interface Article {
  readonly title: string
  readonly parts: readonly Part[]
  readonly headings: readonly Heading[]
}

interface Sources {
  readonly reference: Reference
  readonly highlight: Highlight
  readonly page: Page
}

/** Renders a page’s Markdown. Raw HTML in it is shown as text: the pages hold none, so it can only be a mistake. */
export function renderMarkdown(markdown: string, { reference, highlight, page }: Sources): Article {
  const anchors = openAnchors()
  const headings: Heading[] = []
  let section: Heading = { id: '', text: page.title, depth: 1 }
  let title = escapeHtml(page.title)

  const marked: Marked = new Marked({
    gfm: true,
    renderer: {
      html: ({ text }) => escapeHtml(text),
      code: ({ text, lang }) => codeFigure({ ...fenceOf(lang), code: text }, highlight),
      heading(token) {
        const inner = this.parser.parseInline(token.tokens)
        if (token.depth === 1) {
          title = inner
          return ''
        }
        const text = plainText(token.tokens)
        section = { id: anchors.heading(text), text, depth: token.depth }
        headings.push(section)
        return `<h${token.depth} id="${section.id}">${inner}${anchorLink(section.id, text)}</h${token.depth}>\n`
      },
      link({ href, tokens }) {
        const inner = this.parser.parseInline(tokens)
        const target = hrefOf(reference, page.path, href)
        if (target === undefined) return inner
        const rel = target.startsWith('http') ? ' rel="noreferrer"' : ''
        return `<a href="${escapeHtml(target)}"${rel}>${inner}</a>`
      },
      image({ href, text }) {
        const target = escapeHtml(hrefOf(reference, page.path, href) ?? '')
        return `<a class="drawing" href="${target}"><img src="${target}" alt="${escapeHtml(text)}"></a>`
      },
      table(token) {
        const labels = token.header.map((cell) => escapeHtml(plainText(cell.tokens)))
        const head = token.header.map((cell) => `<th scope="col">${this.parser.parseInline(cell.tokens)}</th>`).join('')
        const rows = token.rows.map((row) => {
          const cells = row.map((cell, index) => {
            const inner = this.parser.parseInline(cell.tokens)
            const field = index === 0 ? fieldOf(cell) : undefined
            const label = ` data-label="${labels[index] ?? ''}"`
            if (field === undefined) return `<td${label}>${inner}</td>`
            const id = anchors.field(section.id, field)
            return `<td${label} id="${id}" class="field">${inner}${anchorLink(id, field)}</td>`
          })
          return `<tr>${cells.join('')}</tr>`
        })
        const isWide = token.header.length > 2
        const table = `<table${isWide ? ' class="stacks"' : ''}><thead><tr>${head}</tr></thead><tbody>${rows.join('')}</tbody></table>`
        // It scrolls by itself where it is too wide, which must also be possible without a mouse.
        return `<div class="table" role="group" tabindex="0" aria-label="${escapeHtml(section.text)}">${table}</div>\n`
      },
    },
  })

  const parts = partsOf(marked.lexer(markdown)).map((tokens): Part => {
    const isSamples = isOnlySamples(tokens)
    let html = ''
    let samples = ''
    for (const run of runsOf(tokens)) {
      if (run.is === 'samples') {
        const group = sampleGroup(run.fences, highlight)
        html += group
        samples += group
      } else html += marked.parser([run.token])
    }
    const first = tokens[0]
    return { id: first?.type === 'heading' ? section.id : undefined, html, isSamples, samples }
  })
  return { title, parts, headings }
}

/** A new part begins with each heading of the second level. */
function partsOf(tokens: readonly Token[]): Token[][] {
  const parts: Token[][] = [[]]
  for (const token of tokens) {
    if (isHeading(token) && token.depth === 2) parts.push([])
    if (token.type !== 'space' && token.type !== 'def') parts.at(-1)?.push(token)
  }
  return parts
}

type Run =
  | { readonly is: 'samples'; readonly fences: readonly Tokens.Code[] }
  | { readonly is: 'other'; readonly token: Token }

/** Titled fences that follow one another are the same sample in several languages. */
function runsOf(tokens: readonly Token[]): Run[] {
  const runs: Run[] = []
  let fences: Tokens.Code[] = []
  for (const token of tokens) {
    if (isTitledFence(token)) {
      if (fences.length === 0) runs.push({ is: 'samples', fences })
      fences.push(token)
      continue
    }
    fences = []
    runs.push({ is: 'other', token })
  }
  return runs
}

/** A sentence may introduce a sample; more than that is prose, which must not move away. */
const introducingCharacters = 240

function isOnlySamples(tokens: readonly Token[]): boolean {
  const [heading, ...rest] = tokens
  if (heading === undefined || !isHeading(heading) || !rest.some((token) => token.type === 'code')) return false
  return rest.every(
    (token) =>
      token.type === 'code' ||
      isHeading(token) ||
      (token.type === 'paragraph' && token.raw.length < introducingCharacters),
  )
}

function isHeading(token: Token): token is Tokens.Heading {
  return token.type === 'heading'
}

function isTitledFence(token: Token): token is Tokens.Code {
  return token.type === 'code' && fenceOf(token.lang).title !== undefined
}

/** A first cell that begins with code, and is no link elsewhere, names a field. */
function fieldOf(cell: Tokens.TableCell): string | undefined {
  const [first] = cell.tokens
  return first?.type === 'codespan' ? plainText([first]) : undefined
}

function plainText(tokens: readonly Token[] = []): string {
  return tokens
    .map((token) => {
      if ('tokens' in token && token.tokens !== undefined) return plainText(token.tokens)
      return 'text' in token && typeof token.text === 'string' ? token.text : ''
    })
    .join('')
}

function anchorLink(id: string, what: string): string {
  return `<a class="anchor" href="#${id}" aria-label="Link to ${escapeHtml(what)}">#</a>`
}
