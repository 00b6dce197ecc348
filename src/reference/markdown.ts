import { Marked, type Token, type Tokens } from 'marked'
import { openAnchors } from './anchors.ts'
import { codeFigure, fenceOf, sampleGroup } from './code.ts'
import { escapeHtml } from './escape.ts'
import type { Highlight } from './highlight.ts'
import { hrefOf } from './links.ts'
import type { Page, Reference } from './pages.ts'

/** A stretch of a page: what stands before its first section, or one section with its heading. */
export interface Part {
  readonly html: string
  /** The same in two: titled blocks of code, which may stand beside the prose, and all the rest. */
  readonly prose: string
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
      html: ({ text }) => (text.trimStart().startsWith('<!--') ? '' : escapeHtml(text)),
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
      paragraph({ tokens, text }) {
        // The frame shows the method and the path already.
        if (section.depth === 1 && text === `\`${page.method} ${page.route}\``) return ''
        const isFacts = section.depth === 1 && text.includes(' · ')
        return `<p${isFacts ? ' class="facts"' : ''}>${this.parser.parseInline(tokens)}</p>\n`
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
        const columns = token.header.map((cell) => plainText(cell.tokens))
        const head = token.header.map(
          (cell) => `<th role="columnheader" scope="col">${this.parser.parseInline(cell.tokens)}</th>`,
        )
        let hasFields = false
        const rows = token.rows.map((row) => {
          const cells = row.map((cell, index) => {
            const column = columns[index] ?? ''
            const inner = answerOf(column, cell.text) ?? this.parser.parseInline(cell.tokens)
            const field = index === 0 ? fieldOf(cell) : undefined
            const start = `<td role="cell" data-label="${escapeHtml(column)}"`
            if (field === undefined) return `${start}>${inner}</td>`
            hasFields = true
            const id = anchors.field(section.id, field)
            return `${start} id="${id}" class="field">${inner}${anchorLink(id, field)}</td>`
          })
          return `<tr role="row">${cells.join('')}</tr>`
        })
        const kind = tableKind(columns, hasFields)
        const header = `<thead role="rowgroup"><tr role="row">${head.join('')}</tr></thead>`
        const body = `<tbody role="rowgroup">${rows.join('')}</tbody>`
        const table = `<table role="table"${kind === '' ? '' : ` class="${kind}"`}>${header}${body}</table>`
        // It scrolls by itself where it is too wide, which must also be possible without a mouse.
        return `<div class="table" role="group" tabindex="0" aria-label="${escapeHtml(section.text)}">${table}</div>\n`
      },
    },
  })

  const parts = partsOf(marked.lexer(markdown)).map((tokens): Part => {
    const pieces = runsOf(tokens).map((run) =>
      run.is === 'samples'
        ? { isSample: true, html: sampleGroup(run.fences, highlight) }
        : { isSample: isOnlySamples(tokens), html: marked.parser([run.token]) },
    )
    const joined = (wanted: typeof pieces) => wanted.map(({ html }) => html).join('')
    return {
      html: joined(pieces),
      prose: joined(pieces.filter(({ isSample }) => !isSample)),
      samples: joined(pieces.filter(({ isSample }) => isSample)),
    }
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

/** Nothing under its heading but samples: then the heading goes with them. */
function isOnlySamples([heading, ...rest]: readonly Token[]): boolean {
  if (heading === undefined || !isHeading(heading) || rest.length === 0) return false
  return (
    rest.every(
      (token) => isTitledFence(token) || (token.type === 'paragraph' && token.raw.length < introducingCharacters),
    ) && rest.some(isTitledFence)
  )
}

function isHeading(token: Token): token is Tokens.Heading {
  return token.type === 'heading'
}

function isTitledFence(token: Token): token is Tokens.Code {
  return token.type === 'code' && fenceOf(token.lang).title !== undefined
}

/** Fields and errors are read one by one, so each of their rows is laid out as an entry and not squeezed into columns. */
function tableKind(columns: readonly string[], hasFields: boolean): string {
  if (columns.includes('Status') && columns.includes('Code')) return 'entries errors'
  if (hasFields && columns.includes('Type') && columns.length > 2) return 'entries'
  return columns.length > 2 ? 'stacks' : ''
}

/** Yes and no say nothing without their column, which an entry does not show. */
function answerOf(column: string, text: string): string | undefined {
  if (column === 'Required')
    return text === 'yes' ? '<b class="required">required</b>' : '<span class="optional">optional</span>'
  if (column === 'Retry')
    return text === 'yes' ? '<b class="retry">retry</b>' : '<span class="optional">no retry</span>'
  return undefined
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
