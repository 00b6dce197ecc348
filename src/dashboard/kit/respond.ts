import { html, type Markup } from '../../markup/markup.ts'
import type { Refusal } from '../../operations/execute/refusal.ts'
import { root } from './root.ts'
import type { File } from './route.ts'

export async function pageResponse(markup: Markup, requestId: string, status = 200): Promise<Response> {
  const headers = { 'Content-Type': 'text/html; charset=utf-8', 'Request-Id': requestId }
  return new Response(String(await markup), { status, headers })
}

/** The page shows a secret, so no cache may store it. */
export async function secretResponse(markup: Markup, requestId: string): Promise<Response> {
  const response = await pageResponse(markup, requestId)
  response.headers.set('Cache-Control', 'no-store')
  return response
}

/**
 * Sets the cache header of a response that has none. The browser may store the response to a submitted form. Without a
 * stored response, Chromium would show an error page for the Back and Forward buttons. Only a browser without scripts
 * needs the stored response, because the script `answers.js` does not use it. Signing out deletes the stored responses.
 * All other pages are not stored, so they are requested again.
 */
export function setCacheControl(method: string, { headers }: Response): void {
  if (headers.has('Cache-Control')) return
  headers.set('Cache-Control', method === 'POST' ? 'private, no-cache' : 'no-store')
}

/** Redirects with GET (303), so that reloading the next page does not repeat the action. */
export function redirect(to: string, requestId: string): Response {
  return new Response(null, {
    status: 303,
    headers: { Location: to, 'Cache-Control': 'no-store', 'Request-Id': requestId },
  })
}

const titles: Readonly<Record<number, string>> = {
  403: 'Not allowed',
  404: 'Page not found',
  405: 'Method not allowed',
  413: 'Form too large',
  500: 'Something failed',
  503: 'Try again in a moment',
}

export function errorContent({ status, message }: Pick<Refusal, 'status' | 'message'>, requestId: string) {
  const title = titles[status] ?? 'This action is not possible'
  const main = html`<h1>${title}</h1><p>${message}</p><p class="hint">Request <code>${requestId}</code></p><p><a href="${root}">Go to the start page</a></p>`
  return { title, main }
}

/**
 * Returns the path if it belongs to a page of the dashboard, otherwise the start page. A browser would interpret
 * `//host` and `/\host` as another site.
 */
export function ownPath(path: string | null | undefined): string {
  const isOwn = path !== null && path !== undefined && /^\/dashboard(?:[/?][\w\-./?=&%+:]*)?$/.test(path)
  return isOwn && !path.includes('//') && path.length <= pathMaxLength ? path : root
}

/** Maximum length of a path to which a form redirects, longer than the path of the packing slips of 100 orders. */
const pathMaxLength = 4000

export function jsonResponse(data: object, requestId: string, status = 200): Response {
  const headers = { 'Content-Type': 'application/json', 'Cache-Control': 'no-store', 'Request-Id': requestId }
  return new Response(JSON.stringify(data), { status, headers })
}

/** Each part of the file is generated only after the browser has read the previous part. */
export function fileResponse({ name, type, parts }: File, requestId: string): Response {
  return new Response(ReadableStream.from(parts).pipeThrough(new TextEncoderStream()), {
    headers: {
      'Content-Type': type,
      'Content-Disposition': `attachment; filename="${name}"`,
      'Cache-Control': 'no-store',
      'Request-Id': requestId,
    },
  })
}
