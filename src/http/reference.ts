import { Refusal } from '../operations/execute/refusal.ts'
import type { Entity, ReferenceSite } from '../reference/entities.ts'
import { codingOf, weightsOf } from './pipeline/coding.ts'

/** Serves the API reference: pages, Markdown and assets. A Content-Security-Policy blocks sources on other hosts. */

export const referenceRoutes = ['/', '/docs', '/docs.md', '/docs/*', '/llms.txt']

const commonPolicy =
  "script-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

const policies = {
  page: `default-src 'none'; style-src 'self'; ${commonPolicy}`,
  // The content security policy of the API explorer allows inline styles and data URLs: its components add inline
  // styles, and its script contains icons and fonts as data URLs.
  explorer:
    "default-src 'none'; script-src 'self'; connect-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; " +
    "font-src 'self' data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  // The content security policy of an SVG file allows inline styles, because a browser applies it to the styles in the
  // file when the file is opened directly.
  drawing: "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
}

const securityHeaders = {
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Permissions-Policy': 'camera=(), geolocation=(), microphone=(), payment=()',
}

/** Maximum length of a search query, longer than typed queries. Each query word costs a lookup in the index. */
const queryCharacters = 100

/** Maximum length of a requested path in the API reference, twice that of its longest page path. */
const pathCharacters = 200

/** The origin for which the page of the API reference is rendered, and the id of the request. */
interface Visit {
  readonly origin: string
  readonly requestId: string
}

export async function answerReference(
  site: ReferenceSite,
  request: Request,
  { origin, requestId }: Visit,
): Promise<Response> {
  const { pathname, searchParams } = new URL(request.url)
  if (pathname.length > pathCharacters) {
    throw new Refusal('route_not_found', `The path has more than ${pathCharacters} characters.`)
  }
  if (pathname === '/docs/search') {
    const query = (searchParams.get('q') ?? '').trim().slice(0, queryCharacters)
    const found = await site.search(query)
    if (found === undefined) throw new Refusal('service_unavailable', 'Too many searches are running.')
    return responseOf(found, request, requestId)
  }
  // The redirect of `/` is temporary, because `/` may become a page.
  if (pathname === '/') return redirect('/docs', requestId, 'temporary')
  // Redirects to a path below /docs/, because the links of the Markdown document are relative to it.
  if (pathname === '/docs.md') return redirect('/docs/index.md', requestId)
  if (pathname === '/docs' && prefersMarkdown(request)) return redirect('/docs/index.md', requestId, 'temporary')
  const entity = await site.find(pathname, origin)
  if (!entity.isFound && pathname.endsWith('/')) {
    const canonicalPath = withoutTrailingSlashes(pathname)
    const canonical = await site.find(canonicalPath, origin)
    if (canonical.isFound) return redirect(canonicalPath, requestId)
  }
  const { markdownUrl } = entity
  const markdown =
    markdownUrl !== undefined && prefersMarkdown(request) ? await site.find(markdownUrl, origin) : undefined
  return responseOf(markdown ?? entity, request, requestId, markdownUrl !== undefined)
}

/** Removes trailing slashes. A regular expression would take quadratic time on a path of many slashes. */
export function withoutTrailingSlashes(path: string): string {
  let end = path.length
  while (path[end - 1] === '/') end--
  return path.slice(0, end)
}

function redirect(url: string, requestId: string, duration: 'permanent' | 'temporary' = 'permanent'): Response {
  const headers = { Location: url, 'Request-Id': requestId, 'Cache-Control': 'no-cache', Vary: 'Accept' }
  return new Response(null, { status: duration === 'permanent' ? 308 : 307, headers })
}

async function responseOf(
  entity: Entity,
  request: Request,
  requestId: string,
  isNegotiated = false,
): Promise<Response> {
  const headers = new Headers({
    ...securityHeaders,
    'Request-Id': requestId,
    'Content-Security-Policy': policyOf(entity),
    'Cache-Control': entity.isImmutable ? 'public, max-age=31536000, immutable' : 'no-cache',
    ...(entity.isFound ? { ETag: entity.etag } : {}),
    Vary: isNegotiated ? 'Accept, Accept-Encoding' : 'Accept-Encoding',
  })
  // Headers such as If-None-Match apply only to responses whose status would be 200 (RFC 9110, 13.2.1).
  if (entity.isFound && isUnmodified(entity.etag, request)) return new Response(null, { status: 304, headers })
  const coding = codingOf(request.headers.get('accept-encoding'))
  const bytes = await entity.encoded(coding)
  headers.set('Content-Type', entity.type)
  headers.set('Content-Length', String(bytes.byteLength))
  if (coding !== 'identity') headers.set('Content-Encoding', coding)
  return new Response(Buffer.from(bytes), { status: entity.isFound ? 200 : 404, headers })
}

function policyOf({ isExplorer, type }: Entity): string {
  if (isExplorer) return policies.explorer
  return type === 'image/svg+xml' ? policies.drawing : policies.page
}

/** Reports whether the request's If-None-Match contains the ETag. */
function isUnmodified(etag: string, request: Request): boolean {
  const sent = request.headers.get('if-none-match') ?? ''
  return sent.trim() === '*' || sent.split(',').some((tag) => tag.trim().replace('W/', '') === etag.replace('W/', ''))
}

/** Reports whether the Accept header prefers Markdown over HTML. Browsers never list Markdown. */
function prefersMarkdown(request: Request): boolean {
  const weights = weightsOf(request.headers.get('accept'))
  const markdown = weights.get('text/markdown') ?? 0
  return markdown > 0 && markdown >= (weights.get('text/html') ?? 0)
}
