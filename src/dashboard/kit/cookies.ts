import { parse, serialize } from 'hono/utils/cookie'

/**
 * The cookies of the dashboard. Over HTTPS their names have the prefix `__Host-`, so that a browser accepts them only
 * with Secure, for this host and for every path. Over plain HTTP, which only a local machine may use, browsers refuse
 * that prefix.
 */

/**
 * Lifetime of each cookie in seconds. The server decides whether a cookie is valid; the lifetime lets the browser
 * delete it.
 */
const cookies = {
  /** 30 days, the longest lifetime of a session. */
  session: 2_592_000,
  /**
   * Cookie that protects the sign-in forms against cross-site requests in a browser without a session. Its lifetime is
   * one day.
   */
  visitor: 86_400,
  /**
   * The cookie that recognises a browser from which a user has signed in before. Its lifetime is 400 days, the longest
   * that browsers accept.
   */
  device: 34_560_000,
} as const

export type CookieName = keyof typeof cookies

/** Maximum length of a cookie value, longer than any value that the dashboard sets. */
const valueMaxLength = 200

export function cookieIn(header: string | undefined, name: CookieName, isSecure: boolean): string | undefined {
  const fullName = fullNameOf(name, isSecure)
  const value = parse(header ?? '', fullName)[fullName]
  return value !== undefined && value !== '' && value.length <= valueMaxLength ? value : undefined
}

/** An empty value deletes the cookie. */
export function cookieHeader(name: CookieName, value: string, isSecure: boolean): string {
  return serialize(fullNameOf(name, isSecure), value, {
    httpOnly: true,
    sameSite: 'Lax',
    path: '/',
    secure: isSecure,
    maxAge: value === '' ? 0 : cookies[name],
  })
}

/**
 * Browsers send a cookie to all ports of a host, so the cookie names contain the name of this service to avoid
 * collisions.
 */
function fullNameOf(name: CookieName, isSecure: boolean): string {
  return `${isSecure ? '__Host-' : ''}commerce-${name}`
}
