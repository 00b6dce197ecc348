import { METHOD_NAME_ALL } from 'hono/router'
import { errors } from '../../registry/errors/index.ts'
import { withinBounds } from '../base/deadline.ts'
import { contentSecurityPolicy } from '../buyer/layout.ts'
import { buyerPages } from '../buyer/link.ts'
import { type BuyerPagesContext, missingPage, problemPage, showBuyerPage } from '../buyer/pages.ts'
import { Refusal } from '../operations/execute/refusal.ts'
import { detachedBounds, type RequestLimits } from '../operations/execute/request-limits.ts'
import type { ClientWaits } from './pipeline/client-waits.ts'
import type { Answer, PageRoute, Route } from './pipeline/exchange.ts'
import { checkHead } from './pipeline/request-head.ts'
import { refusalHeaders } from './pipeline/respond.ts'
import { sourceIpOf } from './pipeline/sender.ts'
import type { Places } from './places.ts'

/** The parts of the service on which the pages for buyers depend. Requests for these pages have no API token. */
export interface BuyerPageParts {
  readonly trustedProxies: number
  readonly clientWaits: ClientWaits
  readonly requestLimits: RequestLimits
  readonly places: Places
}

/** A request for a buyer page needs no API token: its path contains a signed token, and is therefore not logged. */
export function buyerPageRoutes(parts: BuyerPageParts, context: BuyerPagesContext): readonly PageRoute[] {
  return buyerPages.flatMap((page) => {
    const show: Route['answer'] = async ({ message, params }) => {
      checkHead(message)
      const { status, document } = await parts.places.run(sourceIpOf(message, parts.trustedProxies), () =>
        withinBounds(detachedBounds(parts.requestLimits), () => showBuyerPage(context, page, params.token ?? '')),
      )
      return pageAnswer(status, document)
    }
    const refuse = refusingMethods('GET, HEAD')
    const route = { operation: 'buyer page', failed }
    const path = `/${page}/:token`
    return [
      { method: 'GET', path, route: { ...route, answer: show } },
      { method: METHOD_NAME_ALL, path, route: { ...route, answer: refuse } },
    ]
  })
}

export function refusingMethods(allow: string): Route['answer'] {
  return async ({ message: { method } }) => {
    throw new Refusal('method_not_allowed', `This page does not support the method ${method}.`, {
      headers: { Allow: allow },
    })
  }
}

export function failed(refusal: Refusal): Answer {
  const isRetryable = errors[refusal.code].retryable ?? false
  const advice = isRetryable ? 'Try again in a moment.' : undefined
  const document = problemPage('This page cannot be shown now', advice)
  const { headers, ...page } = pageAnswer(refusal.status, document)
  return { ...page, headers: { ...refusalHeaders(refusal), ...headers } }
}

/** The headers hide the link of the page from search engines and other sites. */
export function pageAnswer(status: number, body: string, policy = contentSecurityPolicy): Answer {
  const headers = {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Security-Policy': policy,
    'Referrer-Policy': 'no-referrer',
    'X-Robots-Tag': 'noindex',
    'X-Content-Type-Options': 'nosniff',
    'X-Frame-Options': 'DENY',
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Cross-Origin-Resource-Policy': 'same-origin',
    'Permissions-Policy': 'camera=(), geolocation=(), microphone=(), payment=()',
  }
  return { status, body, headers }
}

/** The response to a link that this service did not issue. */
export const notFound: Answer = pageAnswer(404, missingPage)
