import type { Entity } from '../reference/entity.ts'
import { ReferenceBusyError, type ReferenceSite } from '../reference/thread.ts'
import { codingOf, weightsOf } from './pipeline/coding.ts'
import { Refusal } from './pipeline/refusal.ts'

/** The reference over HTTP: every page, its Markdown, and what pages load, under a policy that lets nothing else in. */

export const referenceRoutes = ['/', '/docs', '/docs.md', '/docs/*', '/llms.txt']

const ours =
  "script-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

const policies = {
  page: `default-src 'none'; style-src 'self'; ${ours}`,
  // Its components write styles into the page, and its icons and fonts come within its script.
  explorer:
    "default-src 'none'; script-src 'self'; connect-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; " +
    "font-src 'self' data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  // A drawing opened by itself carries its own styles.
  drawing: "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
}

const headersOfAll = {
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Permissions-Policy': 'camera=(), geolocation=(), microphone=(), payment=()',
}

/** Longer than anybody types; each word of it is looked up. */
const queryCharacters = 100

/** Twice as long as that of any page. */
const pathCharacters = 200

/** Where the reader is, and what the request is called. */
interface Visit {
  readonly origin: string
  readonly requestId: string
}

export async function answerReference(site: ReferenceSite, request: Request, visit: Visit): Promise<Response> {
  try {
    return await answerFrom(site, request, visit)
  } catch (error) {
    if (!(error instanceof ReferenceBusyError)) throw error
    throw new Refusal('service_unavailable', 'More pages are asked for at once than can be rendered.')
  }
}

async function answerFrom(site: ReferenceSite, request: Request, { origin, requestId }: Visit): Promise<Response> {
  const { pathname, searchParams } = new URL(request.url)
  if (pathname.length > pathCharacters) {
    throw new Refusal('route_not_found', `No page has a path of more than ${pathCharacters} characters.`)
  }
  if (pathname === '/docs/search') {
    const query = (searchParams.get('q') ?? '').trim().slice(0, queryCharacters)
    return responseOf(await site.search(query, origin), request, requestId)
  }
  // Whoever opens the server's address in a browser looks for what there is. Not for good: `/` may become a page.
  if (pathname === '/') return elsewhere('/docs', requestId, 'for_this_accept')
  // Its links are relative, so it has to be read in the folder of the others.
  if (pathname === '/docs.md') return elsewhere('/docs/index.md', requestId)
  if (pathname === '/docs' && prefersMarkdown(request)) return elsewhere('/docs/index.md', requestId, 'for_this_accept')
  const entity = await site.find(pathname, origin)
  if (!entity.isFound && pathname.endsWith('/')) {
    const bare = withoutTrailingSlashes(pathname)
    const meant = await site.find(bare, origin)
    if (meant.isFound) return elsewhere(bare, requestId)
  }
  const { markdownUrl } = entity
  const twin = markdownUrl !== undefined && prefersMarkdown(request) ? await site.find(markdownUrl, origin) : undefined
  return responseOf(twin ?? entity, request, requestId, markdownUrl !== undefined)
}

/** By hand: a pattern would try each run of slashes in the path from each of its slashes on. */
export function withoutTrailingSlashes(path: string): string {
  let end = path.length
  while (path[end - 1] === '/') end--
  return path.slice(0, end)
}

function elsewhere(url: string, requestId: string, holds: 'for_good' | 'for_this_accept' = 'for_good'): Response {
  const headers = { Location: url, 'Request-Id': requestId, 'Cache-Control': 'no-cache', Vary: 'Accept' }
  return new Response(null, { status: holds === 'for_good' ? 308 : 307, headers })
}

function responseOf(entity: Entity, request: Request, requestId: string, isNegotiated = false): Response {
  const headers = new Headers({
    ...headersOfAll,
    'Request-Id': requestId,
    'Content-Security-Policy': policyOf(entity),
    'Cache-Control': entity.isImmutable ? 'public, max-age=31536000, immutable' : 'no-cache',
    ...(entity.isFound ? { ETag: entity.etag } : {}),
    Vary: isNegotiated ? 'Accept, Accept-Encoding' : 'Accept-Encoding',
  })
  // What is not there is nothing that somebody could have: preconditions are for what would be answered with 200.
  if (entity.isFound && isKnown(entity.etag, request)) return new Response(null, { status: 304, headers })
  const coding = codingOf(request.headers.get('accept-encoding'))
  const bytes = entity.bytes[coding]
  headers.set('Content-Type', entity.type)
  headers.set('Content-Length', String(bytes.byteLength))
  if (coding !== 'identity') headers.set('Content-Encoding', coding)
  return new Response(Buffer.from(bytes), { status: entity.isFound ? 200 : 404, headers })
}

function policyOf({ isExplorer, type }: Entity): string {
  if (isExplorer) return policies.explorer
  return type === 'image/svg+xml' ? policies.drawing : policies.page
}

function isKnown(etag: string, request: Request): boolean {
  const sent = request.headers.get('if-none-match') ?? ''
  return sent.trim() === '*' || sent.split(',').some((tag) => tag.trim().replace('W/', '') === etag.replace('W/', ''))
}

/** Browsers never name Markdown; programs that do get it. */
function prefersMarkdown(request: Request): boolean {
  const wished = weightsOf(request.headers.get('accept'))
  const markdown = wished.get('text/markdown') ?? 0
  return markdown > 0 && markdown >= (wished.get('text/html') ?? 0)
}
