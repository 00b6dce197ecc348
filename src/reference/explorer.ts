import { html } from 'hono/html'
import type { Assets } from './assets.ts'
import { root } from './pages.ts'

/**
 * Returns the page of the API explorer (Scalar), which sends requests with the reader’s token. The script of Scalar
 * adds the landmarks header and main, so this page must not have its own.
 */
export function explorerPage(assets: Assets): string {
  return String(html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Explorer · Commerce Service</title>
<meta name="description" content="Send requests to every operation of the API with your token.">
<link rel="icon" type="image/svg+xml" href="${assets.urlOf('icon.svg')}">
<link rel="stylesheet" href="${assets.urlOf('explorer.css')}">
<script src="${assets.urlOf('theme.js')}"></script>
<script src="${assets.urlOf('scalar.js')}" defer></script>
<script type="module" src="${assets.urlOf('explorer.js')}"></script>
</head>
<body>
<nav class="bar" aria-label="Commerce Service"><a href="${root}"><img src="${assets.urlOf('icon.svg')}" alt="" width="22" height="22">Commerce Service</a><span>Explorer</span></nav>
<noscript><p>The explorer needs JavaScript. The <a href="${root}">reference</a> has the same content without JavaScript.</p></noscript>
<div id="explorer" data-document="/api/v1/openapi.json"></div>
</body>
</html>
`)
}
