import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { raw } from 'hono/html'
import type { Timestamp } from '../../registry/values/vocabulary.ts'
import { html, type Markup, nothing } from '../markup/markup.ts'
import { time } from '../markup/parts.ts'

/** The HTML document of the pages for buyers. It has no script and loads nothing, so it can be saved and printed as it is. */

/**
 * The style sheets of the pages for buyers; later ones override earlier ones. The colours are shared with the pages of
 * the API reference.
 */
const sheets = ['../reference/style/tokens.css', '../markup/style/content.css', './style/buyer.css']

const style = sheets.map((path) => readFileSync(new URL(path, import.meta.url), 'utf8')).join('\n')

const styleHash = createHash('sha256').update(style).digest('base64')

/**
 * The content security policy of the pages. It allows only the style sheet in the document, which it identifies by a
 * hash.
 */
export const contentSecurityPolicy = policyWith("'none'")

/** The content security policy of a page whose form is sent to the URL of the page itself. */
export const formPolicy = policyWith("'self'")

function policyWith(formAction: string): string {
  return `default-src 'none'; style-src 'sha256-${styleHash}'; form-action ${formAction}; base-uri 'none'; frame-ancestors 'none'`
}

export interface Shown {
  /** The shop and the mode that the page names. Undefined for a page that shows no data of a shop. */
  readonly shop?: { readonly name: string; readonly mode: 'live' | 'test' }
  readonly title: string
  readonly main: Markup
  /** Whether the page belongs to the simulated payment provider instead of a shop. */
  readonly isSimulated?: boolean
  /**
   * The time at which the link to the page expires. The page shows this time. Undefined for a page without data of an
   * order, such as an error page.
   */
  readonly expiresAt?: Timestamp
}

export function documentOf({ shop, title, main, isSimulated = false, expiresAt }: Shown): string {
  const markup = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>${title}${shop === undefined ? nothing : html` · ${shop.name}`}</title>
<style>${raw(style)}</style>
</head>
<body>
<main>
${shop === undefined ? nothing : html`<p class="shop">${shop.name}</p>`}
${shop?.mode === 'test' ? html`<p class="test-mode">Test mode: this order is not real.</p>` : nothing}
${isSimulated ? html`<p class="test-mode">Test mode: no real money is moved.</p>` : nothing}
<h1>${title}</h1>
${main}
</main>
${expiresAt === undefined ? nothing : html`<footer><p>Times are in Lagos time (WAT). The link to this page expires on ${time(expiresAt)}. Share it only with people who may see the page.</p></footer>`}
</body>
</html>
`
  return String(markup)
}
