import { isIPv4 } from 'node:net'
import type { Granted } from '../../access/members/start-session.ts'
import { randomSecret } from '../../base/ids.ts'
import type { Source } from '../../store/access/user-change.ts'
import type { Browser, UploadedFile } from './browser.ts'
import { type CookieName, cookieHeader, cookieIn } from './cookies.ts'
import { csrfTokenOf, isCsrfToken, isSameOrigin } from './csrf.ts'
import type { FormOwner } from './form.ts'
import { PageError } from './page-error.ts'

export interface DashboardEnv {
  Bindings: Browser
  Variables: { readonly visitor: Visitor }
}

/** A request that a browser sends to the dashboard, before the session of the browser is known. */
export interface Visitor {
  readonly browser: Browser
  readonly requestId: string
  readonly origin: string
  /** The path and the query, such as `/dashboard/orders?status=pending`. */
  readonly url: string
  /** The query parameters, each with its first value. */
  readonly query: Readonly<Record<string, string>>
  /** All values of the query parameter `id`, which the check boxes of a list send. */
  readonly chosenIds: readonly string[]
  readonly sourceIp: string
  readonly userAgent: string | null
  /** The client from which the request came, as the audit log records it. */
  readonly source: Source
  /** The Set-Cookie headers that the response will have. */
  readonly setCookies: readonly string[]
  readCookie(name: CookieName): string | undefined
  writeCookie(name: CookieName, value: string): void
}

export function visitorOf(browser: Browser, url: string): Visitor {
  const { requestId, origin, sourceIp, userAgent } = browser
  const isSecure = origin.startsWith('https:')
  const setCookies: string[] = []
  const { pathname, search, searchParams } = new URL(url)
  return {
    browser,
    requestId,
    origin,
    url: pathname + search,
    query: Object.fromEntries([...searchParams].reverse()),
    chosenIds: searchParams.getAll('id'),
    sourceIp,
    userAgent,
    source: { ip: sourceIp, requestId, userAgent },
    setCookies,
    readCookie: (name) => cookieIn(browser.headers.cookie, name, isSecure),
    writeCookie: (name, value) => {
      setCookies.push(cookieHeader(name, value, isSecure))
    },
  }
}

export function storeTokens(visitor: Visitor, { sessionToken, deviceToken }: Granted): void {
  visitor.writeCookie('session', sessionToken)
  if (deviceToken !== null) visitor.writeCookie('device', deviceToken)
}

/**
 * Maximum size of a submitted form in bytes. Dashboard forms without a long text are smaller. Sign-in forms are smaller
 * too, even if they contain the values of a form that is restored after the sign-in.
 */
const formMaxBytes = 128 * 1024

/**
 * Reads the form of a POST request. `cookie` is the cookie for which the form was rendered. Rejects a form from another
 * site or another session, and one that is larger than `maxBytes`.
 */
export async function readOwnForm(
  visitor: Visitor,
  cookie: string | undefined,
  maxBytes = formMaxBytes,
): Promise<URLSearchParams> {
  requireOwnOrigin(visitor)
  const form = await visitor.browser.readForm(maxBytes)
  requireOwnFields(form, cookie)
  return form
}

/** Reads the form of a POST request like readOwnForm(), but accepts a file of at most `maxBytes` in the form. */
export async function readOwnUpload(
  visitor: Visitor,
  cookie: string,
  maxBytes: number,
): Promise<{ readonly form: URLSearchParams; readonly file: UploadedFile | undefined }> {
  requireOwnOrigin(visitor)
  const { fields, file } = await visitor.browser.readUpload(maxBytes)
  requireOwnFields(fields, cookie)
  return { form: fields, file }
}

function requireOwnFields(form: URLSearchParams, cookie: string | undefined): void {
  if (cookie === undefined || !isCsrfToken(cookie, form.get('csrf')))
    throw new PageError(403, 'The form belongs to another session. Open the page again.')
  // A NUL character in a form is rejected, because no browser sends one and PostgreSQL cannot store one.
  if ([...form.values()].some((value) => value.includes('\0')))
    throw new PageError(400, 'The form contains a NUL character. Remove it and submit the form again.')
}

export function requireOwnOrigin({ browser }: Visitor): void {
  if (!isSameOrigin(browser)) throw new PageError(403, 'The form was sent from another site.')
}

/**
 * Returns the hidden fields for forms in a browser without a session. Sets the visitor cookie from which the CSRF
 * tokens of the forms are derived.
 */
export function visitorForms(visitor: Visitor): FormOwner {
  const known = visitor.readCookie('visitor')
  const cookie = known ?? randomSecret(cookieBytes)
  if (known === undefined) visitor.writeCookie('visitor', cookie)
  return { hiddenFields: () => ({ csrf: csrfTokenOf(cookie), formId: '', tenantId: null }) }
}

/** Length of the cookie's random value in bytes: 256 bits, which cannot be guessed. */
const cookieBytes = 32

/**
 * Rejects sign-in over plain HTTP, where a third party in the network could read the password and the session. The
 * loopback interface is allowed, because its traffic never leaves the machine.
 */
export function requirePrivateConnection({ origin }: Visitor): void {
  const { protocol, hostname } = new URL(origin)
  if (protocol === 'https:' || isLoopback(hostname)) return
  throw new PageError(403, 'Sign-in requires HTTPS. Set PUBLIC_URL to the https:// address of the service.')
}

/** Only an IP address counts as loopback, because a domain name may also start with `127.`. */
function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || (isIPv4(hostname) && hostname.startsWith('127.'))
}
