import { html } from 'hono/html'
import type { Assets } from './assets.ts'
import { root } from './pages.ts'

/** The explorer: the whole contract in one page, with requests that can be tried. It is Scalar's, served by us. */

const reference = '/reference'

/**
 * Its script, taken by the one public way the package has to give it: asking its plugin, which listens nowhere. The two
 * packages are large, so they are loaded when somebody opens the explorer and not before.
 */
export async function explorerScript(): Promise<string> {
  const [{ fastify }, { default: plugin }] = await Promise.all([
    import('fastify'),
    import('@scalar/fastify-api-reference'),
  ])
  const app = fastify()
  try {
    await app.register(plugin, { routePrefix: reference, configuration: { content: {} } })
    const answer = await app.inject(`${reference}/js/scalar.js`)
    if (answer.statusCode !== 200) throw new Error(`The explorer’s script is not where it was: ${answer.statusCode}.`)
    // The map of its source is not served, and a browser's tools would ask for it.
    return answer.body.replace(/\/\/# sourceMappingURL=.*/, '')
  } finally {
    await app.close()
  }
}

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
