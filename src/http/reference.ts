import type { IncomingMessage } from 'node:http'
import { METHOD_NAME_ALL } from 'hono/router'
import { Refusal } from '../operations/execute/refusal.ts'
import { type Entity, openReferenceSite, type ReferenceSite } from '../reference/entities.ts'
import { codingOf, weightsOf } from './pipeline/coding.ts'
import { isListed } from './pipeline/etag.ts'
import type { Answer, PageRoute, Route } from './pipeline/exchange.ts'
import type { Service } from './pipeline/request.ts'
import { checkHead } from './pipeline/request-head.ts'

/** Serves the API reference: pages, Markdown and assets. A Content-Security-Policy blocks sources on other hosts. */

const paths = ['/', '/docs', '/docs.md', '/docs/*', '/llms.txt', '/llms-full.txt']

export function referenceRoutes(service: Service): PageRoute[] {
  const site = openReferenceSite()
  const readerOrigins = openReaderOrigins()
  const show: Route['answer'] = async ({ message }) => {
    checkHead(message)
    const own = service.originOf({ headers: {}, socket: message.socket })
    return answerReference(site, message, readerOrigins.choose(service.originOf(message), own))
  }
  const refuse: Route['answer'] = async ({ message: { method } }) => {
    const text = `The pages of the API reference do not support the method ${method}.`
    throw new Refusal('method_not_allowed', text, { headers: { Allow: 'GET, HEAD' } })
  }
  return paths.flatMap((path) => [
    { method: 'GET', path, route: { operation: 'reference', answer: show } },
    { method: METHOD_NAME_ALL, path, route: { operation: 'reference', answer: refuse } },
  ])
}

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

/** Maximum length of a requested path in the API reference, twice the length of its longest page path. */
const pathCharacters = 200

/** `origin` is the scheme and host of the absolute links on the page. */
export async function answerReference(site: ReferenceSite, message: IncomingMessage, origin: string): Promise<Answer> {
  const { pathname, searchParams } = new URL(message.url ?? '', origin)
  if (pathname.length > pathCharacters) {
    throw new Refusal('route_not_found', `The path has more than ${pathCharacters} characters.`)
  }
  if (pathname === '/docs/search') {
    const query = (searchParams.get('q') ?? '').trim().slice(0, queryCharacters)
    const found = await site.search(query)
    if (found === undefined) throw new Refusal('service_unavailable', 'Too many searches are running.')
    return responseOf(found, message)
  }
  // The redirect of `/` is temporary, because `/` may become a page.
  if (pathname === '/') return redirect('/docs', 'temporary')
  // Redirects to a path below /docs/, because the Markdown document has links relative to /docs/.
  if (pathname === '/docs.md') return redirect('/docs/index.md')
  if (pathname === '/docs/clients') return redirect('/docs/guides/client-libraries')
  if (pathname === '/docs' && prefersMarkdown(message)) return redirect('/docs/index.md', 'temporary')
  const entity = await site.find(pathname, origin)
  if (!entity.isFound && pathname.endsWith('/')) {
    const canonicalPath = withoutTrailingSlashes(pathname)
    const canonical = await site.find(canonicalPath, origin)
    if (canonical.isFound) return redirect(canonicalPath)
  }
  const { markdownUrl } = entity
  const markdown =
    markdownUrl !== undefined && prefersMarkdown(message) ? await site.find(markdownUrl, origin) : undefined
  return responseOf(markdown ?? entity, message, markdownUrl !== undefined)
}

/** A regular expression would take quadratic time on a path of many slashes. */
export function withoutTrailingSlashes(path: string): string {
  let end = path.length
  while (path[end - 1] === '/') end--
  return path.slice(0, end)
}

function redirect(url: string, duration: 'permanent' | 'temporary' = 'permanent'): Answer {
  const headers = { Location: url, 'Cache-Control': 'no-cache', Vary: 'Accept', 'Content-Length': '0' }
  return { status: duration === 'permanent' ? 308 : 307, body: undefined, headers }
}

async function responseOf(entity: Entity, message: IncomingMessage, isNegotiated = false): Promise<Answer> {
  const headers = {
    ...securityHeaders,
    'Content-Security-Policy': policyOf(entity),
    'Cache-Control': entity.isImmutable ? 'public, max-age=31536000, immutable' : 'no-cache',
    ...(entity.isFound ? { ETag: entity.etag } : {}),
    Vary: isNegotiated ? 'Accept, Accept-Encoding' : 'Accept-Encoding',
  }
  // Headers such as If-None-Match apply only to responses whose status would be 200 (RFC 9110, 13.2.1).
  if (entity.isFound && isListed(entity.etag, message)) return { status: 304, body: undefined, headers }
  const coding = codingOf(message.headers['accept-encoding'])
  const encoding = coding === 'identity' ? {} : { 'Content-Encoding': coding }
  return {
    status: entity.isFound ? 200 : 404,
    body: await entity.encoded(coding),
    headers: { ...headers, 'Content-Type': entity.type, ...encoding },
  }
}

function policyOf({ isExplorer, type }: Entity): string {
  if (isExplorer) return policies.explorer
  return type === 'image/svg+xml' ? policies.drawing : policies.page
}

/** Browsers never list Markdown in the Accept header. */
function prefersMarkdown({ headers }: IncomingMessage): boolean {
  const weights = weightsOf(headers.accept)
  const markdown = weights.get('text/markdown') ?? 0
  return markdown > 0 && markdown >= (weights.get('text/html') ?? 0)
}

/**
 * The service's origins for which the API reference is rendered. Clients control the Host header, and each origin costs
 * a rendering of every page, so only the first few origins are accepted. Requests with any other origin get pages for
 * the local address of their connection. With PUBLIC_URL there is only one origin.
 */
export interface ReaderOrigins {
  choose(claimed: string, own: string): string
}

/**
 * Maximum number of accepted origins, more than one service needs: an origin for each of its networks and proxies, and
 * one for a developer's machine.
 */
const acceptedMax = 16

export function openReaderOrigins(): ReaderOrigins {
  const accepted = new Set<string>()
  return {
    choose: (claimed, own) => {
      if (claimed === own || accepted.has(claimed)) return claimed
      if (accepted.size >= acceptedMax) return own
      accepted.add(claimed)
      return claimed
    },
  }
}
