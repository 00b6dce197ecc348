import { html, raw } from 'hono/html'
import type { Assets } from './assets.ts'
import { navigation } from './navigation.ts'
import { markdownUrlOf, type Page, type Reference, root } from './pages.ts'
import type { Markup } from './parts.ts'

export interface Shell {
  readonly title: string
  readonly description: string
  readonly page?: Page
  readonly query?: string
  readonly content: Markup
}

/** The text and the links of the page work without JavaScript. */
export function documentOf(reference: Reference, assets: Assets, shell: Shell): string {
  const { page, content } = shell
  const twin = page && html`<link rel="alternate" type="text/markdown" href="${markdownUrlOf(page.path)}">`
  const markup = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${shell.title} · Commerce Service</title>
<meta name="description" content="${shell.description}">
<link rel="icon" type="image/svg+xml" href="${assets.urlOf('icon.svg')}">
<link rel="stylesheet" href="${assets.urlOf('reference.css')}">
${twin ?? ''}
<script src="${assets.urlOf('theme.js')}"></script>
<script type="module" src="${assets.urlOf('reference.js')}"></script>
</head>
<body>
<a class="skip" href="#content">Skip to content</a>
<header class="bar">
<a class="brand" href="${root}"><img src="${assets.urlOf('icon.svg')}" alt="" width="22" height="22">Commerce Service</a>
${searchForm(assets, shell.query)}
<nav class="tools" aria-label="Tools"><a href="${root}/explorer">Explorer</a><a href="/api/v1/openapi.json">OpenAPI</a><button type="button" class="theme" hidden aria-label="Colour scheme">◐</button></nav>
</header>
<div class="frame">
<nav class="to-pages" aria-label="Jump"><a href="#pages">All pages</a></nav>
<main id="content" tabindex="-1">
${content}
</main>
${navigation(reference, page?.path)}
</div>
</body>
</html>
`
  return String(markup)
}

function searchForm(assets: Assets, query = ''): Markup {
  return html`<form class="search" role="search" action="${root}/search" method="get" data-engine="${assets.urlOf('search.js')}">
<input type="search" name="q" value="${query}" placeholder="Search operations, errors, events" aria-label="Search the reference" autocomplete="off" spellcheck="false">
<kbd aria-hidden="true">/</kbd>
${raw('<ul class="hits" id="hits" role="listbox" aria-label="Search results" hidden></ul>')}
</form>`
}
