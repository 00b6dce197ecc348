import { Hono } from 'hono'
import { compress } from 'hono/compress'
import { secureHeaders } from 'hono/secure-headers'
import { LRUCache } from 'lru-cache'
import type { Operation } from '../operations/execute/operation.ts'
import type { Refusal } from '../operations/execute/refusal.ts'
import { refusalOf } from '../operations/execute/refusal-of.ts'
import type { Reader } from '../store/notifications/unread.ts'
import { answerAction } from './answer-action.ts'
import { answerPage } from './answer-page.ts'
import { loadAssets } from './kit/assets.ts'
import { plainPage } from './kit/layout.ts'
import { PageError } from './kit/page-error.ts'
import { errorContent, pageResponse, setCacheControl } from './kit/respond.ts'
import { root } from './kit/root.ts'
import { openRoutes } from './kit/routing.ts'
import { openUploadSlots } from './kit/upload-slots.ts'
import type { DashboardParts } from './kit/visit.ts'
import { type DashboardEnv, visitorOf } from './kit/visitor.ts'
import { allRoutes } from './routes.ts'
import { mountSignIn } from './sign-in/mount.ts'

/**
 * Content security policy: resources only from this origin, no inline scripts or styles, no frames, and forms that
 * submit only to this origin.
 */
const contentSecurityPolicy = {
  defaultSrc: ["'none'"],
  scriptSrc: ["'self'"],
  styleSrc: ["'self'"],
  imgSrc: ["'self'"],
  connectSrc: ["'self'"],
  formAction: ["'self'"],
  baseUri: ["'none'"],
  frameAncestors: ["'none'"],
}

/**
 * Content security policy of the pages of products and orders, which also show the pictures of products. The merchant
 * stores the pictures on hosts of their choice.
 */
const picturePolicy = { ...contentSecurityPolicy, imgSrc: ["'self'", 'https:'] }

/** Permissions policy: the dashboard uses none of these features of the browser. */
const permissionsPolicy = { camera: [], geolocation: [], microphone: [], payment: [] }

/**
 * Maximum number of sessions for which the member who reads the notifications is cached in memory. Each entry takes
 * some 200 bytes.
 */
const readersMax = 10_000

/**
 * Paths whose pages, including all pages below these paths, show product pictures. The pictures may come from any https
 * origin.
 */
const pagesWithPictures = ['/products', '/orders'].map((path) => `${root}${path}`)

function hasPictures(path: string): boolean {
  return pagesWithPictures.some((page) => path === page || path.startsWith(`${page}/`))
}

/** Returns the Hono app of the dashboard, which serves every path below /dashboard. */
export function openDashboard(parts: DashboardParts, operations: readonly Operation[]): Hono<DashboardEnv> {
  const { service } = parts
  const assets = loadAssets()
  const site = {
    dashboard: { ...parts, readers: new LRUCache<string, Reader>({ max: readersMax }) },
    assets,
    routes: openRoutes(allRoutes),
    uploadSlots: openUploadSlots(),
    operations: new Map(operations.map((operation) => [operation.endpoint.id, operation])),
  }
  const app = new Hono<DashboardEnv>().basePath(root)
  const headersWith = (policy: typeof contentSecurityPolicy) =>
    secureHeaders({
      contentSecurityPolicy: policy,
      ...{ permissionsPolicy, referrerPolicy: 'same-origin', xFrameOptions: 'DENY' },
    })
  const [usual, withPictures] = [headersWith(contentSecurityPolicy), headersWith(picturePolicy)]
  app.use((c, next) => (hasPictures(c.req.path) ? withPictures : usual)(c, next))
  app.use(compress())
  app.use(async (c, next) => {
    const visitor = visitorOf(c.env, c.req.url)
    c.set('visitor', visitor)
    c.env.checkHead()
    await next()
    setCacheControl(c.req.method, c.res)
    for (const cookie of visitor.setCookies) c.res.headers.append('Set-Cookie', cookie)
  })
  for (const { url, type, body } of Object.values(assets)) {
    app.get(url.slice(root.length), (c) =>
      c.body(body, 200, { 'Content-Type': type, 'Cache-Control': 'public, max-age=31536000, immutable' }),
    )
  }
  mountSignIn(app, site)
  app.get('/*', (c) => answerPage(site, c.get('visitor')))
  app.post('/*', (c) => answerAction(site, c.get('visitor')))
  const errorPage = (shown: PageError | Refusal, requestId: string) =>
    pageResponse(plainPage(assets, errorContent(shown, requestId)), requestId, shown.status)
  app.all('/*', async (c) => {
    const refusal = new PageError(405, 'The dashboard supports GET and POST.')
    const response = await errorPage(refusal, c.get('visitor').requestId)
    response.headers.set('Allow', 'GET, HEAD, POST')
    return response
  })
  app.onError((error, c) => {
    const { requestId } = c.get('visitor')
    return errorPage(error instanceof PageError ? error : refusalOf(service, error, requestId), requestId)
  })
  return app
}
