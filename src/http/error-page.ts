import { html } from 'hono/html'
import { errors, isErrorCode } from '../../registry/errors.ts'

/** The page an error's `docUrl` leads to, written from the catalogue. */
export function errorPage(code: string, requestId: string): Response | undefined {
  if (!isErrorCode(code)) return undefined
  const { status, type, meaning, fix, retryable } = errors[code]
  const page = html`<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${code} · Commerce Service</title>
<h1><code>${code}</code></h1>
<p>HTTP ${status} · ${type}</p>
<h2>What it means</h2>
<p>${meaning}</p>
<h2>What to do</h2>
<p>${fix}</p>
<p>${retryable ? 'The same request may succeed later.' : 'The same request will not succeed until something changes.'}</p>
</html>
`
  return new Response(String(page), {
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': "default-src 'none'",
      'Request-Id': requestId,
    },
  })
}
