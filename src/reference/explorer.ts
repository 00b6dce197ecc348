import { html } from 'hono/html'
import type { Assets } from './assets.ts'
import { root } from './pages.ts'

/** The explorer: the whole contract in one page, with requests that can be tried. Its script is Scalar's, taken from its package by `npm run generate`. */

/** The script brings the landmarks of a page, so what is around it must not be a second header or a second main part. */
export function explorerPage(assets: Assets, scriptUrl: string): string {
  return String(html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Explorer · Commerce Service</title>
<meta name="description" content="Every operation of the API, to be tried with a token of your own.">
<link rel="icon" type="image/svg+xml" href="${assets.urlOf('icon.svg')}">
<link rel="stylesheet" href="${assets.urlOf('explorer.css')}">
<script src="${assets.urlOf('theme.js')}"></script>
<script src="${scriptUrl}" defer></script>
<script type="module" src="${assets.urlOf('explorer.js')}"></script>
</head>
<body>
<nav class="bar" aria-label="Commerce Service"><a href="${root}"><img src="${assets.urlOf('icon.svg')}" alt="" width="22" height="22">Commerce Service</a><span>Explorer</span></nav>
<noscript><p>The explorer needs JavaScript. The <a href="${root}">reference</a> says the same without.</p></noscript>
<div id="explorer" data-document="/api/v1/openapi.json"></div>
</body>
</html>
`)
}
