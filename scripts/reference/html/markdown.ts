import { Marked, type RendererObject, type Token, type Tokens } from 'marked'
import { escapeHtml } from '../../../src/reference/escape.ts'
import type { Page, Reference } from '../../../src/reference/pages.ts'
import { type Anchors, openAnchors } from './anchors.ts'
import { codeFigure, fenceOf, sampleGroup } from './code.ts'
import type { Highlight } from './highlight.ts'
import { anchorLink, plainText } from './inline.ts'
import { hrefOf } from './links.ts'
import { tableHtml } from './table.ts'

/** A part of a page: the text before the first section, or one section with its heading. */
export interface Part {
  readonly html: string
  /** The HTML of a part of the page, without its titled code blocks. */
  readonly prose: string
  /** The titled code blocks of a part of the page, which may be shown beside the prose. */
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

/** The state while a page is rendered token by token. */
interface Draft extends Sources {
  readonly anchors: Anchors
  readonly headings: Heading[]
  section: Heading
  title: string
}

/** Renders the Markdown of a page. Raw HTML is shown as text, because no page is meant to contain any. */
export function renderMarkdown(markdown: string, sources: Sources): Article {
  const { highlight, page } = sources
  const section = { id: '', text: page.title, depth: 1 }
  const draft: Draft = { ...sources, anchors: openAnchors(), headings: [], section, title: escapeHtml(page.title) }
  const marked: Marked = new Marked({ gfm: true, renderer: rendererOf(draft) })

  const parts = partsOf(marked.lexer(markdown)).map((tokens): Part => {
    const blocks = runsOf(tokens).map((run) =>
      run.is === 'samples'
        ? { isSample: true, html: sampleGroup(run.fences, highlight) }
        : { isSample: isOnlySamples(tokens), html: marked.parser([run.token]) },
    )
    const joined = (wanted: typeof blocks) => wanted.map(({ html }) => html).join('')
    return {
      html: joined(blocks),
      prose: joined(blocks.filter(({ isSample }) => !isSample)),
      samples: joined(blocks.filter(({ isSample }) => isSample)),
    }
  })
  return { title: draft.title, parts, headings: draft.headings }
}

function rendererOf(draft: Draft): RendererObject {
  const { reference, highlight, page } = draft
  return {
    html: ({ text }) => (text.trimStart().startsWith('<!--') ? '' : escapeHtml(text)),
    code: ({ text, lang }) => codeFigure({ ...fenceOf(lang), code: text }, highlight),
    heading(token) {
      return headingHtml(token, this.parser.parseInline(token.tokens), draft)
    },
    paragraph({ tokens, text }) {
      const isIntro = draft.section.depth === 1
      // The line with the method and the path of an operation is left out, because the layout already shows both.
      if (isIntro && text === `\`${page.method} ${page.route}\``) return ''
      const isFacts = isIntro && text.includes(' · ')
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
      const { section, anchors } = draft
      return tableHtml(token, {
        label: section.text,
        inline: (tokens) => this.parser.parseInline(tokens),
        idOf: (field) => anchors.field(section.id, field),
      })
    },
  }
}

/** The first heading is the title, which the layout already shows. Every other heading starts a section. */
function headingHtml({ depth, tokens }: Tokens.Heading, inner: string, draft: Draft): string {
  if (depth === 1) {
    draft.title = inner
    return ''
  }
  const text = plainText(tokens)
  draft.section = { id: draft.anchors.heading(text), text, depth }
  draft.headings.push(draft.section)
  return `<h${depth} id="${draft.section.id}">${inner}${anchorLink(draft.section.id, text)}</h${depth}>\n`
}

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

/** Groups adjacent titled code blocks, which are one sample in several languages. */
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

/** The maximum length of a paragraph that introduces a code sample. Longer paragraphs stay in the prose. */
const introductionMaxCharacters = 240

/**
 * Reports whether a section of a page contains only code samples and short introductions. The heading is then shown
 * with the samples, beside the text.
 */
function isOnlySamples([heading, ...rest]: readonly Token[]): boolean {
  if (heading === undefined || !isHeading(heading) || rest.length === 0) return false
  return (
    rest.every(
      (token) => isTitledFence(token) || (token.type === 'paragraph' && token.raw.length < introductionMaxCharacters),
    ) && rest.some(isTitledFence)
  )
}

function isHeading(token: Token): token is Tokens.Heading {
  return token.type === 'heading'
}

function isTitledFence(token: Token): token is Tokens.Code {
  return token.type === 'code' && fenceOf(token.lang).title !== undefined
}
